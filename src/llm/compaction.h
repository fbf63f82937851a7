// Compaction: a conversation made to fit a model's window.
//
// System messages and the last turns stay as they were said; what is older becomes one message with
// a summary, in which the ids of receipts and incidents survive by code, whatever the summary says.
// A call is never parted from its results. If the last turn alone is too long, its older results
// are shortened. The kept conversation is not changed: this is what one request sends. The summary
// is for the caller to keep: the next request then costs none, and the next summary begins with it.
// Thread safety: pure but for the summarizer.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "llm/chat_model.h"

namespace precedent {

// What the first messages of a conversation came to.
struct ConversationSummary {
  std::string text;     // "": nothing was summarised yet
  size_t messages = 0;  // that it stands for, behind the leading system messages
  bool operator==(const ConversationSummary&) const = default;
};

struct CompactionOptions {
  int64_t max_tokens = 100'000;  // estimated (token_estimate.h); of messages
  // Room is made for several turns at once, as each compaction costs a summary and the vendor's
  // cache.
  double target = 0.6;  // of max_tokens
  size_t keep_turns = 4;
  // The receipt of each result, by the id of its call: what a summary may cite.
  std::map<std::string, std::string> receipts = {};
};

struct Compaction {
  std::vector<Message> messages;
  ConversationSummary summary = {};  // of what was left out, the earlier one included
  bool summarised = false;           // now; else `summary` is the earlier one
  size_t shortened = 0;              // results of the last turn that were cut
  bool by_model = false;             // who wrote the summary, if now
};

// A summary, at most max_summary_tokens long, of `transcript` and of what was summarised before
// (`before`, may be ""). An error makes the summary extractive, but for kCancelled.
using Summarizer =
    std::function<Result<std::string>(const std::string& transcript, const std::string& before)>;

// What a summary may take of the room: a page, or less where the window is small.
int64_t max_summary_tokens(int64_t max_tokens);

// `earlier`: of the same conversation; one of more messages than there are is not used. Without a
// summarizer the summary is extractive (what was asked, called and answered, each in a line).
// Errors: kResourceExhausted if the last question alone does not fit; kCancelled.
Result<Compaction> compact(const std::vector<Message>& messages, const ConversationSummary& earlier,
                           const CompactionOptions& options, const Summarizer& summarizer);

// "R12" and incident ids in the text, each once, in order.
std::vector<std::string> ids_to_keep(std::string_view text);

}  // namespace precedent
