#include "llm/json_repair.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {
namespace {

// One walk over the text; `ok_` falls as soon as something is ambiguous.
class Tidy {
 public:
  Tidy(std::string_view text, std::vector<std::string>& repairs) : text_(text), repairs_(repairs) {}

  std::optional<std::string> run() {
    while (ok_ && at_ < text_.size()) step();
    if (ok_) close();
    return ok_ ? std::optional(std::move(out_)) : std::nullopt;
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '"') return double_quoted();
    if (c == '\'') return single_quoted();
    if (is_letter(c)) return word();
    if (c == '{' || c == '[') closers_ += c == '{' ? '}' : ']';
    if (c == '}' || c == ']') {
      if (closers_.empty() || closers_.back() != c) return fail();
      closers_.pop_back();
      drop_comma();
    }
    out_ += c;
    ++at_;
  }

  void double_quoted() {
    const size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) return fail();  // a cut string: its rest is unknown
    out_ += text_.substr(begin, ++at_ - begin);
  }

  // Every quote must be structural: an apostrophe inside would be a guess.
  void single_quoted() {
    const size_t end = text_.find('\'', at_ + 1);
    if (end == std::string_view::npos) return fail();
    const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
    if (content.contains('"') || content.contains('\\')) return fail();
    const size_t next = text_.find_first_not_of(" \t\r\n", end + 1);
    if (next != std::string_view::npos && !std::string_view(",:}]").contains(text_[next]))
      return fail();
    out_ += '"' + std::string(content) + '"';
    at_ = end + 1;
    note("single quotes");
  }

  void word() {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPython = {
        {{"True", "true"}, {"False", "false"}, {"None", "null"}}};
    const size_t begin = at_;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    const std::string_view found = text_.substr(begin, at_ - begin);
    for (const auto& [python, json] : kPython) {
      if (found != python) continue;
      out_ += json;
      return note("literals of Python");
    }
    out_ += found;
  }

  void drop_comma() {
    const size_t last = out_.find_last_not_of(" \t\r\n");
    if (last == std::string::npos || out_[last] != ',') return;
    out_.erase(last, 1);
    note("trailing comma");
  }

  // A number at the end may have lost digits, a comma a whole argument.
  void close() {
    if (closers_.empty()) return;
    const size_t last = out_.find_last_not_of(" \t\r\n");
    if (last == std::string::npos) return fail();
    const char c = out_[last];
    if (c != '"' && c != '}' && c != ']' && !is_letter(c)) return fail();
    out_.append(closers_.rbegin(), closers_.rend());
    note("missing brackets at the end");
  }

  void note(std::string_view what) {
    if (std::ranges::find(repairs_, what) == repairs_.end()) repairs_.emplace_back(what);
  }
  void fail() { ok_ = false; }

  std::string_view text_;
  std::vector<std::string>& repairs_;
  size_t at_ = 0;
  std::string out_, closers_;
  bool ok_ = true;
};

}  // namespace

std::string_view without_fence(std::string_view text) {
  const std::string_view inner = trim(text);
  if (!inner.starts_with("```") || !inner.ends_with("```") || inner.size() < 6) return text;
  const size_t line = inner.find('\n');
  const std::string_view language = inner.substr(3, line == std::string_view::npos ? 0 : line - 3);
  if (!std::ranges::all_of(trim(language), is_letter)) return text;
  return trim(inner.substr(3 + language.size(), inner.size() - 6 - language.size()));
}

std::optional<std::string> tidy_json(std::string_view text, std::vector<std::string>& repairs) {
  return Tidy(text, repairs).run();
}

}  // namespace precedent
