// Rendering for a terminal: Markdown with a little colour, and a status line that disappears.
//
// Thread safety: one thread.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "chat/event.h"

namespace precedent {

struct Reply;

// JSON as it is printed: bytes that are not UTF-8 become U+FFFD. `indent` -1: on one line.
std::string dump(const nlohmann::json& value, int indent = -1);

// What others wrote, or may have quoted, for a screen or a field of JSON: without secrets and
// without characters that do more than show (base/redact.h, base/untrusted_text.h). Errors and
// warnings, too: a server's message may repeat the key that it was sent.
std::string printable(std::string_view text);

// Headings, bold, quotations and code in ANSI colours if `color`, else the text as it is. Escapes
// of its own and characters that hide text are shown in neither case: what is printed is
// visible_text (base/untrusted_text.h), here and in all that follows.
std::string render_markdown(std::string_view markdown, bool color);

// The block of code that a line of Markdown stands in.
struct OpenCode {
  bool open = false;
  size_t depth = 0;  // of the quotations around it
};

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

// Prints tokens as they come, each line rendered when it is whole, and wrapped on a terminal; an
// answer that is longer than the screen ends with its first line again. Statuses go to the status
// line meanwhile. Drafts are not printed: a status says that an answer is being written.
class AnswerPrinter final : public EventSink {
 public:
  // `color`: of stdout; `statuses`: whether stderr shows them.
  AnswerPrinter(bool color, bool statuses) : color_(color), status_(statuses) {}
  void emit(const Event& event) override;
  // The rest of the last line. Whether anything was printed.
  bool finish();

 private:
  void print_line(std::string_view line, std::string_view end);
  void say_headline_again() const;

  bool color_;
  OpenCode code_;
  bool printed_ = false;
  bool drafting_ = false;
  StatusLine status_;
  std::string line_;
  std::string headline_;  // the first line, as it was rendered
  size_t lines_ = 0;      // printed
};

// Prints plans, and gives everything else to `next`, which outlives it.
class PlanPrinter final : public EventSink {
 public:
  explicit PlanPrinter(EventSink& next) : next_(next) {}
  void emit(const Event& event) override;

 private:
  EventSink& next_;
  size_t steps_ = 0;
};

// One event a line, as JSON, on stdout.
class JsonLines final : public EventSink {
 public:
  void emit(const Event& event) override;
  // The last lines: that the reply asks back or refuses, where it does, and `answer`, the whole of
  // it.
  void say_reply(const Reply& reply, bool explain = false);
};

}  // namespace precedent
