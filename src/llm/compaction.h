// Compaction: a conversation made to fit a model's window.
//
// System messages and the last turns stay as they were said; what is older becomes one message with a
// summary, in which the ids of receipts and incidents survive by code, whatever the summary says. A
// call is never parted from its results. If the last turn alone is too long, its older results are
// shortened. The kept conversation is not changed: this is what one request sends.
// Thread safety: pure but for the model that summarises.
#pragma once

#include "llm/chat_model.h"

namespace precedent {

struct CompactionOptions {
  int64_t max_tokens = 100'000;  // estimated (token_estimate.h); of messages
  // Room is made for several turns at once, as each compaction costs a summary and the vendor's cache.
  double target = 0.6;  // of max_tokens
  size_t keep_turns = 4;
};

struct Compaction {
  std::vector<Message> messages;
  bool compacted = false;
  size_t summarised = 0;  // messages that the summary stands for
  size_t shortened = 0;   // results of the last turn that were cut
  bool by_model = false;  // who wrote the summary
  Usage usage = {};       // of the summary
};

// `summarizer` may be null: then the summary is extractive (what was asked, called and answered, each
// in a line). If it fails, extractive too. Errors: kResourceExhausted if the last question alone does
// not fit; kCancelled.
Result<Compaction> compact(const std::vector<Message>& messages, const CompactionOptions& options,
                           ChatModel* summarizer, ModelContext& context);

// "R12" and incident ids in the text, each once, in order.
std::vector<std::string> ids_to_keep(std::string_view text);

}  // namespace precedent
