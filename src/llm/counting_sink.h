// Passes events on and counts the tokens among them: whether a reader has seen part of an answer.
//
// Thread safety: as the sink behind it, one thread at a time.
#pragma once

#include "chat/event.h"

namespace precedent {

class CountingSink final : public EventSink {
 public:
  explicit CountingSink(EventSink& inner) : inner_(inner) {}
  void emit(const Event& event) override {
    if (event.type == Event::Type::kToken) ++tokens_;
    inner_.emit(event);
  }
  int64_t tokens() const { return tokens_; }

 private:
  EventSink& inner_;
  int64_t tokens_ = 0;
};

}  // namespace precedent
