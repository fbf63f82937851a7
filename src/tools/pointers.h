// Pointers: the documents that a text names by a link, a path or the id that a file's name begins
// with. An alert names its runbook so ("runbook=wiki/restart-a-worker"), and so does its entry in a
// catalogue ("SOP-201, section 4"): whoever was woken by one wants what stands there.
//
// Thread safety: immutable. Errors: the store's.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "search/verbatim.h"
#include "store/knowledge_store.h"

namespace precedent {

class Pointers {
 public:
  // Reads the paths of all written documents: time linear in them, so only where may_point().
  static Result<Pointers> open(const KnowledgeStore& store);
  // Whether a word of `text` has the form of a path, a file's name or an id; no other points.
  static bool may_point(std::string_view text);

  // The ids of the documents that `text` points to, in its order, each once. A path may be longer
  // or shorter than the document's, and lack its extension, as in an address of a wiki; what more
  // than one document fits is no pointer.
  std::vector<std::string> in(std::string_view text) const;

 private:
  struct Target {
    std::string id;
    std::vector<std::string> path;  // its parts in lower case, the last one first
  };
  std::string meant_by(std::string_view token) const;

  std::vector<Target> targets_;
  std::multimap<std::string, size_t> by_name_;  // the last part, without extension
  std::multimap<std::string, size_t> by_code_;  // "sop-201" of "SOP-201-low-chlorine.md"
};

// What a row, an item or a sentence tells of: what stands before its first dash, arrow, colon or
// bar.
std::string_view entry_head(std::string_view text);

// The places of a section (Markdown) where what `question` names is told: the rows, items and
// paragraphs that have it at their head, and what stands under such a heading.
std::vector<std::string_view> entries_of(std::string_view section, const Verbatim& question);

}  // namespace precedent
