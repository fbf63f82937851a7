#include "cli/terminal/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "agent/turn/reply.h"
#include "base/foreign_json.h"
#include "base/redact.h"
#include "base/strings.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"
#include "cli/terminal/to_stderr.h"
#include "cli/terminal/wrap.h"

namespace precedent {
namespace {

constexpr std::string_view kBold = "\x1b[1m", kDim = "\x1b[2m", kCyan = "\x1b[36m",
                           kReset = "\x1b[0m";

// **bold** → bold, `code` → coloured, each without its marks if it is closed; everything else as it
// is.
std::string render_inline(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    const std::string_view mark = line.starts_with("**") ? "**" : line.starts_with('`') ? "`" : "";
    const size_t end = mark.empty() ? std::string_view::npos : line.find(mark, mark.size());
    if (end == std::string_view::npos || end == mark.size()) {
      out += line.front();
      line.remove_prefix(1);
      continue;
    }
    const std::string_view inside = line.substr(mark.size(), end - mark.size());
    out.append(mark == "`" ? kCyan : kBold);
    out.append(mark == "`" ? std::string(inside) : render_inline(inside));
    out.append(kReset);
    line.remove_prefix(end + mark.size());
  }
  return out;
}

// "## Title": where the title begins; 0: no heading.
size_t heading_text(std::string_view line) {
  const size_t level = std::min(line.find_first_not_of('#'), line.size());
  return level >= 1 && level <= 6 && line.substr(level).starts_with(' ') ? level + 1 : 0;
}

// How many '>' open the line, which is left behind them.
size_t take_quote_marks(std::string_view& line) {
  size_t depth = 0;
  while (line.starts_with('>')) {
    line.remove_prefix(line.starts_with("> ") ? 2 : 1);
    ++depth;
  }
  return depth;
}

// One line of a text; nothing for the fences of its code, which the colour shows.
std::optional<std::string> render_line(std::string_view line, OpenCode& code) {
  std::string out;
  std::string_view inside = line;
  const size_t depth = take_quote_marks(inside);
  // A quotation that ends takes the code in it along.
  if (code.open && depth < code.depth) code.open = false;
  // Within code a '>' is the code's own, but for those of the quotation around it.
  if (code.open && depth > code.depth) {
    inside = line;
    for (size_t i = 0; i < code.depth; ++i) inside.remove_prefix(inside.starts_with("> ") ? 2 : 1);
  }
  const size_t bars = code.open ? code.depth : depth;
  if (trim(inside).starts_with("```")) {
    code = {!code.open, bars};
    return std::nullopt;
  }
  for (size_t i = 0; i < bars; ++i) out.append(kDim).append("│ ").append(kReset);
  if (code.open) {
    out.append(kCyan).append(inside).append(kReset);
  } else if (const size_t title = heading_text(inside)) {
    out.append(kBold).append(inside.substr(title)).append(kReset);
  } else {
    out += render_inline(inside);
  }
  return out;
}

}  // namespace

std::string render_markdown(std::string_view markdown, bool color) {
  const std::string visible = visible_text(markdown);
  if (!color) return visible;
  std::string out;
  OpenCode code;
  bool first = true;
  for (const std::string_view line : split_lines(visible)) {
    const auto rendered = render_line(line, code);
    if (!rendered) continue;
    if (!first) out += '\n';
    first = false;
    out += *rendered;
  }
  return out;
}

void AnswerPrinter::print_line(std::string_view line, std::string_view end) {
  const std::string visible = visible_text(line);
  const bool code = code_.open;
  const auto shown = color_ ? render_line(visible, code_) : std::optional(visible);
  if (!shown) return;
  const auto terminal = terminal_size();
  // Code and tables lose their shape when they are broken.
  const bool as_it_is = !terminal || code || code_.open || trim(visible).starts_with('|');
  const std::string text = as_it_is ? *shown : wrapped(*shown, terminal->columns);
  lines_ += 1 + static_cast<size_t>(std::ranges::count(text, '\n'));
  if (headline_.empty() && !trim(visible).empty()) headline_ = *shown;
  fmt::print("{}{}", text, end);
}

// What began a long answer has left the screen.
void AnswerPrinter::say_headline_again() const {
  const auto terminal = terminal_size();
  if (!terminal || terminal->rows == 0 || lines_ < terminal->rows) return;
  fmt::print("\n{}\n", wrapped(headline_, terminal->columns));
}

void AnswerPrinter::emit(const Event& event) {
  if (event.type == Event::Type::kStatus && line_.empty()) status_.emit(event);
  if (event.type == Event::Type::kReset) drafting_ = false;
  if (event.type != Event::Type::kToken) return;
  // A draft may be wrong: it is worked on, and shown once it was checked.
  if (event.draft) {
    if (!drafting_) status_.status("Writing the answer...");
    drafting_ = true;
    return;
  }
  status_.clear();
  printed_ = true;
  line_ += event.text;
  for (size_t end = line_.find('\n'); end != std::string::npos; end = line_.find('\n')) {
    print_line(std::string_view(line_).substr(0, end), "\n");
    line_.erase(0, end + 1);
  }
  std::fflush(stdout);
}

bool AnswerPrinter::finish() {
  status_.clear();
  if (!line_.empty()) {
    print_line(line_, "\n");
    line_.clear();
  }
  say_headline_again();
  std::fflush(stdout);
  return printed_;
}

void JsonLines::emit(const Event& event) {
  using nlohmann::json;
  json line = {{"event", name(event.type)}};
  if (!event.text.empty()) line["text"] = event.text;
  if (!event.node.empty()) line["node"] = event.node;
  if (event.draft) line["draft"] = true;
  if (event.step >= 0) line["step"] = event.step;
  if (!event.data.empty()) line["data"] = json_or_text(event.data);
  fmt::print("{}\n", dump(line));
  std::fflush(stdout);
}

void JsonLines::say_reply(const Reply& reply, bool explain) {
  using nlohmann::json;
  const bool own_event =
      reply.status == AnswerStatus::kNeedsInput || reply.status == AnswerStatus::kRefused;
  if (own_event)
    fmt::print("{}\n", dump(json{{"event", name(reply.status)}, {"text", reply.text}}));
  json whole = to_json(reply, explain);
  whole["event"] = "answer";
  fmt::print("{}\n", dump(whole));
  std::fflush(stdout);
}

std::string printable(std::string_view text) { return redact(visible_text(text)); }

std::string dump(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

void StatusLine::emit(const Event& event) {
  if (!enabled_ || event.type != Event::Type::kStatus) return;
  // One line, whatever the text of a failure holds.
  to_stderr("\r\x1b[K{}", utf8_prefix(squeeze(visible_text(event.text)), 100));
  shown_ = true;
}

void StatusLine::clear() {
  if (!shown_) return;
  to_stderr("\r\x1b[K");
  shown_ = false;
}

void PlanPrinter::emit(const Event& event) {
  if (event.type != Event::Type::kPlan) return next_.emit(event);
  fmt::print("{}\n", steps_ == 0 ? "Plan" : "Then");
  for (const auto& step : parse_json(event.data)) {
    const std::string rule = step.value("rule", "");
    fmt::print("{:>3}. {} {}\n     {}{}\n", ++steps_, step.value("tool", ""), dump(step["args"]),
               step.value("purpose", ""), rule.empty() ? "" : fmt::format(" (rule {})", rule));
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace precedent
