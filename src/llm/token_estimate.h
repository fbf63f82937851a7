// How many tokens a text will be, near enough for limits: no vendor's tokenizer is here.
//
// Three bytes a token: English prose has four and more, ids, JSON and logs two and a half to three.
// Too high an estimate compacts a little early; too low a one overflows the model's window.
// Thread safety: pure functions.
#pragma once

#include "llm/chat_model.h"

namespace precedent {

int64_t estimate_tokens(std::string_view text);
int64_t estimate_tokens(const Message& message);
int64_t estimate_tokens(const std::vector<Message>& messages);
// Messages, tools and schema together.
int64_t estimate_tokens(const ModelRequest& request);

}  // namespace precedent
