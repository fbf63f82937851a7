#include "sources/well_formed_html.h"

#include <algorithm>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {
namespace {

constexpr std::string_view kVoid[] = {"area", "base", "br",    "col",   "embed",  "hr",    "img",
                                      "link", "meta", "input", "param", "source", "track", "wbr"};
constexpr std::string_view kRaw[] = {"script", "style", "template"};
// What begins ends what is open and cannot hold it.
struct Ended {
  std::string_view by, open;
};
constexpr Ended kEnded[] = {{"li", "li"}, {"p", "p"},   {"td", "td"}, {"td", "th"}, {"th", "td"},
                            {"th", "th"}, {"tr", "td"}, {"tr", "th"}, {"tr", "tr"}, {"dt", "dd"},
                            {"dd", "dt"}, {"ul", "p"},  {"ol", "p"},  {"div", "p"}, {"table", "p"}};

bool is_name_part(char c) { return is_alnum(c) || c == '-' || c == '_' || c == ':'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

class Mender {
 public:
  explicit Mender(std::string_view html) : in_(html) { out_.reserve(html.size() + 64); }

  std::string mend() {
    while (at_ < in_.size()) {
      if (in_[at_] != '<' || !tag()) text(in_[at_++]);
    }
    while (!open_.empty()) close();
    return std::move(out_);
  }

 private:
  void text(char c) {
    if (c == '<')
      out_ += "&lt;";
    else if (c == '>')
      out_ += "&gt;";
    else if (static_cast<unsigned char>(c) >= 0x20 || is_blank(c))
      out_ += c;
  }
  void close() {
    out_ += "</" + open_.back() + ">";
    open_.pop_back();
  }
  void skip_past(std::string_view end) {
    const size_t found = in_.find(end, at_);
    at_ = found == std::string_view::npos ? in_.size() : found + end.size();
  }
  void skip_blanks() {
    while (at_ < in_.size() && is_blank(in_[at_])) ++at_;
  }
  std::string name() {
    const size_t begin = at_;
    while (at_ < in_.size() && is_name_part(in_[at_])) ++at_;
    return ascii_lower(in_.substr(begin, at_ - begin));
  }

  // False for a '<' that begins nothing.
  bool tag() {
    if (in_.substr(at_).starts_with("<!--")) {
      skip_past("-->");
      return true;
    }
    const char next = at_ + 1 < in_.size() ? in_[at_ + 1] : '\0';
    if (next == '!' || next == '?') {
      skip_past(">");
      return true;
    }
    const bool ends = next == '/';
    const size_t begin = at_ + (ends ? 2 : 1);
    if (begin >= in_.size() || !is_letter(in_[begin])) return false;
    at_ = begin;
    if (ends)
      end_tag();
    else
      start_tag();
    return true;
  }

  void end_tag() {
    const std::string ended = name();
    skip_past(">");
    const auto open = std::find(open_.rbegin(), open_.rend(), ended);
    if (open == open_.rend()) return;
    for (auto count = open - open_.rbegin() + 1; count > 0; --count) close();
  }

  void start_tag() {
    const std::string begun = name();
    const size_t before = out_.size();
    const bool is_raw = std::ranges::find(kRaw, begun) != std::end(kRaw);
    const bool is_void = std::ranges::find(kVoid, begun) != std::end(kVoid);
    if (!is_raw) end_what_cannot_hold(begun);
    const size_t start = out_.size();
    out_ += "<" + begun;
    const bool closed = attributes();
    if (is_raw) {
      out_.resize(before);
      if (!closed) skip_past("</" + begun), skip_past(">");
    } else if (is_void || closed) {
      out_ += "/>";
    } else if (open_.size() >= kMaxHtmlDepth) {
      out_.resize(start);
    } else {
      out_ += ">";
      open_.push_back(begun);
    }
  }

  void end_what_cannot_hold(const std::string& begun) {
    const auto ends_top = [&] {
      return !open_.empty() && std::ranges::any_of(kEnded, [&](const Ended& row) {
        return row.by == begun && row.open == open_.back();
      });
    };
    while (ends_top()) close();
  }

  // To the end of the tag; whether it closes itself.
  bool attributes() {
    std::vector<std::string> seen;
    for (;;) {
      skip_blanks();
      if (at_ >= in_.size()) return false;
      if (in_[at_] == '>') {
        ++at_;
        return false;
      }
      if (in_.substr(at_).starts_with("/>")) {
        at_ += 2;
        return true;
      }
      if (!is_letter(in_[at_])) {
        ++at_;
        continue;
      }
      const std::string key = name();
      const std::string value = attribute_value();
      // A second one of a name is no XML; some hundred are no page.
      constexpr size_t kMaxAttributes = 50;
      if (seen.size() < kMaxAttributes && std::ranges::find(seen, key) == seen.end()) {
        seen.push_back(key);
        out_ += " " + key + "=\"" + value + "\"";
      }
    }
  }

  std::string attribute_value() {
    skip_blanks();
    if (at_ >= in_.size() || in_[at_] != '=') return "";
    ++at_;
    skip_blanks();
    if (at_ >= in_.size()) return "";
    const char quote = in_[at_];
    size_t end;
    size_t begin = at_;
    if (quote == '"' || quote == '\'') {
      begin = at_ + 1;
      end = std::min(in_.find(quote, begin), in_.size());
      at_ = std::min(end + 1, in_.size());
    } else {
      end = begin;
      while (end < in_.size() && !is_blank(in_[end]) && in_[end] != '>') ++end;
      at_ = end;
    }
    std::string out;
    for (const char c : in_.substr(begin, end - begin)) {
      if (c == '"')
        out += "&quot;";
      else if (c == '<')
        out += "&lt;";
      else if (static_cast<unsigned char>(c) >= 0x20)
        out += c;
    }
    return out;
  }

  const std::string_view in_;
  size_t at_ = 0;
  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace

std::string well_formed_html(std::string_view html) { return Mender(html).mend(); }

}  // namespace precedent
