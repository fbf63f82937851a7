// Names in a question that nothing in the knowledge base mentions: a service that does not exist
// must be said not to exist, rather than answered with its nearest neighbour.
//
// Thread safety: pure functions.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "search/searcher.h"

namespace precedent {

// What the question uses as a name (a technical token, a capitalised word within the sentence, the
// X of "the X service", "who owns X", a product that is its only name) and no document holds. As
// written, in order.
Result<std::vector<std::string>> find_unknown_names(std::string_view question,
                                                    const Searcher& search);

// What a question calls by a name of its own: a host, a table, a capitalised word within the
// sentence.
struct ThingName {
  std::string name;    // as written
  std::string term;    // as texts are searched for it
  bool coded = false;  // "KLN-3": letters, a hyphen and digits, as ids have, too
  bool operator==(const ThingName&) const = default;
};
// In order. Looks nothing up.
std::vector<ThingName> names_of_things(std::string_view question);

// Those of them that documents hold: what speaks of none of them is about another thing.
struct NamedThings {
  struct Thing : ThingName {
    std::set<std::string> documents;  // ids of those that hold it
  };
  std::vector<Thing> things;  // in order

  // Those that this document does not mention, but for coded ones: a page on all of them names
  // none. Of a piece of it, those that its `text` does not mention.
  std::vector<std::string> missing_in(const std::string& document) const;
  std::vector<std::string> missing_in(const std::string& document, std::string_view text) const;
};
Result<NamedThings> find_holders(const std::vector<ThingName>& names, const Searcher& search);

// A code of the form "RE-120" that no document holds and the indexed code does; "" if there is none
// or that cannot be read.
std::string code_of_the_code(std::string_view question, const Searcher& search);

// Whether documents hold a word, or another one for it. True where that cannot be read.
bool is_written(std::string_view word, const Searcher& search);

// Whether `text` holds at least two words of the question, of which `asked` are the terms, and all
// of them that any document holds; of the others there are no more. One word that nobody wrote down
// makes what is written no less an answer. False where that cannot be read.
bool holds_what_is_written(std::string_view text, const std::vector<std::string>& asked,
                           const Searcher& search);

}  // namespace precedent
