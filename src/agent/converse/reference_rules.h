// The rules behind resolve_reference(), in these files: the question before asked again
// (reference_ellipsis.cc), one of the incidents named (reference_choice.cc), the systems asked
// about (reference_live.cc, reference_recall.cc), the document shown (reference_document.cc), and
// what was talked about last (references.cc). Each returns nothing if it does not apply. Only
// references.cc and these include this.
//
// Thread safety: pure functions over values.
#pragma once

#include <re2/re2.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/converse/conversation.h"
#include "agent/converse/reference.h"

namespace precedent {

using Ids = std::vector<std::string>;

// Everything the rules look at, read once.
struct Asked {
  std::string text;  // as said, trimmed
  std::string lower;
  const Conversation& conversation;
  const ReferenceContext& context;
  std::vector<NameMention> names;
  Ids ids;                       // said in the question, existing
  std::vector<std::string> own;  // terms that are not about fields of a record

  const std::string& previous() const { return conversation.turns().back().question; }
  std::string focus() const {
    return conversation.focuses().empty() ? "" : conversation.focuses().back();
  }
  // REQUIRES: one of the conversation's.
  const Incident& incident(const std::string& id) const { return conversation.find(id)->incident; }
};

inline bool matches(std::string_view text, const RE2& pattern) {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

// Where candidates come from, nearest first: what the last answer named, the lists shown before it,
// and everything named so far.
std::vector<Ids> candidate_lists(const Asked& q);

// Whether the question names something that is not among the terms held: a subject of its own.
bool has_other_subject(const Asked& q, const std::set<std::string>& held);
// How many of a question's own words are held.
size_t shared(const std::vector<std::string>& own, const std::set<std::string>& held);

// A question as something may be added to it: without its marks at the end.
std::string_view extensible(std::string_view question);

// Whether the question takes back the one before: "no, …", "sorry, I meant …".
bool corrects(const Asked& q);
// "No, I meant 006", "sorry, PayU Core, not checkout".
std::optional<Reference> read_correction(const Asked& q);
// "No, the other twilio one, sms": something that was not named so far is searched for.
std::optional<Reference> read_other_search(const Asked& q);
// "And in february?", "yesterday's": of a list, those opened then.
std::optional<Reference> read_listed_time(const Asked& q);
// "And in March?", "what about checkout-api?": nothing but a new time or name.
std::optional<Reference> read_ellipsis(const Asked& q);
// "Next step?", "how do I verify?", "until when does the bank take files?" after a runbook.
std::optional<Reference> read_document(const Asked& q);
// "Who do I call?", "and who owns it?": the people of what was talked about, by the names that
// documents on ownership list.
std::optional<Reference> read_contact(const Asked& q);

// "Back to the latency": of the systems that were asked about, whatever came since.
std::optional<Reference> read_live_return(const Asked& q);
// "When did it start?", "and the errors?", "is it still going on?", while a system is what is
// talked about.
std::optional<Reference> read_live(const Asked& q);
// What leans on it otherwise: asked together with it.
std::optional<Reference> read_live_rest(const Asked& q);

std::optional<Reference> read_ordinal(const Asked& q);
std::optional<Reference> read_other(const Asked& q);
// "The one in March", "the PayU one", "the SEV1".
std::optional<Reference> read_description(const Asked& q);

}  // namespace precedent
