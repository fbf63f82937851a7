// Rendering for a terminal: Markdown with a little colour, and a status line that disappears.
//
// Thread safety: one thread.
#pragma once

#include <string>
#include <string_view>

#include "chat/event.h"

namespace precedent {

// Bold, quotations and code in ANSI colours if `color`, else the text as it is.
std::string render_markdown(std::string_view markdown, bool color);

// Shows the latest status on one line of stderr while `enabled`.
class StatusLine final : public EventSink {
 public:
  explicit StatusLine(bool enabled) : enabled_(enabled) {}
  ~StatusLine() override { clear(); }
  void emit(const Event& event) override;
  void clear();

 private:
  bool enabled_;
  bool shown_ = false;
};

}  // namespace precedent
