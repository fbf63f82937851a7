// Recollection: what earlier receipts of a thread say about the incidents that a follow-up means.
//
// Thread safety: pure functions over values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/converse/conversation.h"
#include "agent/converse/extremes.h"
#include "agent/slots/asks.h"
#include "search/self_query.h"

namespace precedent {

struct Recollection {
  // The thread's receipts, cut down to these incidents, each once and from where it was said last.
  std::vector<Receipt> receipts;
  std::vector<std::string> unknown;  // ids that were said but never retrieved
  std::string chosen;                // which of several these are: "The longest of …"
                                     // (agent/converse/extremes.h); "": all
};
Recollection recollect(const Conversation& conversation, const std::vector<std::string>& ids);

// What was read of the system that is talked about, in every turn about it.
std::vector<Receipt> recollect_live(const Conversation& conversation);

// What a question excludes of several incidents, beyond its filter: "which of those were repeats?",
// "… caused by a deploy?", "which lasted longest?".
struct Narrowing {
  bool repeats = false;
  std::optional<std::vector<std::string>> cause;  // terms, one of which the cause holds
  std::vector<Extreme> extremes;
  bool operator==(const Narrowing&) const = default;
};
Narrowing read_narrowing(std::string_view question);

// Takes out what is excluded. May leave nothing.
void narrow(Recollection& recollection, const Narrowing& narrowing, const Filter& filter);

// Whether the records themselves hold what is asked for. If not, documents may know more.
bool holds_what_is_asked(const Recollection& recollection, const Asks& asks);

}  // namespace precedent
