// Recollection: what earlier receipts of a thread say about the incidents that a follow-up means.
//
// Thread safety: pure functions over values.
#pragma once

#include <string>
#include <vector>

#include "agent/converse/conversation.h"
#include "agent/understand/intent.h"

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

// Takes out what the question excludes: "which of those were SEV1?", "… repeats?", "… caused by a
// deploy?", "which lasted longest?". May leave nothing.
void narrow(Recollection& recollection, std::string_view question, const Filter& filter);

// Whether the records themselves hold what is asked for. If not, documents may know more.
bool holds_what_is_asked(const Recollection& recollection, const Asks& asks);

}  // namespace precedent
