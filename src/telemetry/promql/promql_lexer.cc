#include "telemetry/promql/promql_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;
using Kind = PromToken::Kind;

// Nobody keeps samples for longer; sums of times stay far from the ends of an int64_t.
constexpr int64_t kMaxMilliseconds = 100LL * 366 * 86'400'000;
// Longer signs first.
constexpr std::array<std::string_view, 24> kSigns = {"==", "!=", "=~", "!~", "<=", ">=", "=", "<",
                                                     ">",  "+",  "-",  "*",  "/",  "%",  "^", "(",
                                                     ")",  "{",  "}",  "[",  "]",  ",",  ":", "@"};
struct Unit {
  std::string_view name;
  int64_t milliseconds;
};
// In the order in which they may follow each other.
constexpr std::array<Unit, 7> kUnits = {{{"y", 365LL * 86'400'000},
                                         {"w", 7LL * 86'400'000},
                                         {"d", 86'400'000},
                                         {"h", 3'600'000},
                                         {"m", 60'000},
                                         {"s", 1000},
                                         {"ms", 1}}};

bool is_name_start(char c) { return is_letter(c) || c == '_'; }
bool is_word(char c) { return is_alnum(c) || c == '_'; }

std::optional<milliseconds> duration_in(std::string_view text) {
  int64_t total = 0;
  size_t unit = 0;
  while (!text.empty()) {
    int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc() || count < 0) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    const std::string_view written =
        text.substr(0, static_cast<size_t>(std::ranges::find_if(text, is_digit) - text.begin()));
    while (unit < kUnits.size() && kUnits[unit].name != written) ++unit;
    if (unit == kUnits.size() || count > kMaxMilliseconds / kUnits[unit].milliseconds)
      return std::nullopt;
    total += count * kUnits[unit++].milliseconds;
    text.remove_prefix(written.size());
  }
  return total <= kMaxMilliseconds ? std::optional(milliseconds(total)) : std::nullopt;
}

// All of the text as a number, if it is one. `how`: a base, or nothing.
template <typename Number, typename... How>
std::optional<Number> number_in(std::string_view text, How... how) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, how...);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

// 0x10 is 16, and 010 is 8: Prometheus reads whole numbers as Go does.
std::optional<double> number_of(std::string_view text, bool hex) {
  if (hex) return number_in<uint64_t>(text.substr(2), 16);
  if (text.size() > 1 && text[0] == '0')
    if (const auto octal = number_in<uint64_t>(text.substr(1), 8)) return octal;
  return number_in<double>(text);
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<PromToken>> run() {
    for (;;) {
      skip_space();
      if (at_ == text_.size()) break;
      tokens_.push_back(TRY(next()));
    }
    tokens_.push_back({.kind = Kind::kEnd, .at = at_});
    return std::move(tokens_);
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void skip_space() {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '#')
        while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
      else if (text_[at_] != ' ' && text_[at_] != '\t' && text_[at_] != '\n' && text_[at_] != '\r')
        return;
    }
  }
  PromToken taken(Kind kind, size_t size) {
    PromToken token{.kind = kind, .at = at_, .raw = text_.substr(at_, size)};
    at_ += size;
    return token;
  }

  Result<PromToken> next() {
    const char c = peek();
    if (c == '"' || c == '\'' || c == '`') return string(c);
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number_or_duration();
    // Within brackets the colon is that of a subquery.
    if (is_name_start(c) || (c == ':' && !in_brackets_)) {
      size_t size = 1;
      while (is_word(peek(size)) || (peek(size) == ':' && !in_brackets_)) ++size;
      return word(taken(Kind::kName, size));
    }
    for (const std::string_view sign : kSigns) {
      if (!text_.substr(at_).starts_with(sign)) continue;
      if (sign == "[" || sign == "]") in_brackets_ = sign == "[";
      return taken(Kind::kSign, sign.size());
    }
    return promql_error(text_, at_, utf8_prefix(text_.substr(at_), 4),
                        "is no part of PromQL; remove it");
  }

  static PromToken word(PromToken token) {
    const std::string folded = ascii_lower(token.raw);
    if (folded != "inf" && folded != "nan") return token;
    token.kind = Kind::kNumber;
    token.number = folded == "inf" ? std::numeric_limits<double>::infinity()
                                   : std::numeric_limits<double>::quiet_NaN();
    return token;
  }

  Result<PromToken> number_or_duration() {
    size_t size = 0;
    const auto run_of = [&](bool (*fits)(char)) {
      while (fits(peek(size))) ++size;
    };
    const bool hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    if (hex) {
      size = 2;
      run_of(is_hex_digit);
    } else {
      run_of(is_digit);
      if (peek(size) == '.') ++size;
      run_of(is_digit);
      const size_t sign = peek(size + 1) == '+' || peek(size + 1) == '-' ? 1 : 0;
      if ((peek(size) == 'e' || peek(size) == 'E') && is_digit(peek(size + 1 + sign))) {
        size += 1 + sign;
        run_of(is_digit);
      }
    }
    const bool ends = !is_word(peek(size));
    run_of(is_word);
    PromToken token = taken(Kind::kNumber, size);
    if (const auto number = ends ? number_of(token.raw, hex) : std::nullopt) {
      token.number = *number;
      return token;
    }
    const auto duration = duration_in(token.raw);
    if (ends || !duration)
      return promql_error(text_, token.at, token.raw,
                          "is neither a number nor a duration; write 0.5, 1e6, 5m or 1h30m");
    token.kind = Kind::kDuration;
    token.duration = *duration;
    return token;
  }

  Result<PromToken> string(char quote) {
    const size_t begin = at_;
    std::string out;
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\n' && quote != '`') break;
      if (text_[at_] == '\\' && quote != '`')
        TRY(escape(out));
      else
        out += text_[at_];
    }
    if (peek() != quote)
      return promql_error(text_, begin, text_.substr(begin, 1),
                          "begins a string that does not end; close the quote");
    ++at_;
    PromToken token{.kind = Kind::kString, .at = begin, .raw = text_.substr(begin, at_ - begin)};
    token.text = repair_utf8(out);
    return token;
  }

  // At the backslash; ends at the last character of the escape.
  Result<void> escape(std::string& out) {
    constexpr std::string_view kNames = "abfnrtv\\'\"", kMeant = "\a\b\f\n\r\t\v\\'\"";
    const size_t begin = at_++;
    const char c = peek();
    if (const size_t known = kNames.find(c); c != '\0' && known != std::string_view::npos) {
      out += kMeant[known];
      return {};
    }
    const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 3;
    const bool octal = c >= '0' && c <= '7';
    const std::string_view code = text_.substr(std::min(text_.size(), at_ + !octal), digits);
    const auto value = number_in<uint32_t>(code, octal ? 8 : 16);
    const bool is_code = octal || c == 'x' || c == 'u' || c == 'U';
    const bool is_byte = octal || c == 'x';
    if (!is_code || code.size() != digits || !value || *value > (is_byte ? 0xFFu : 0x10FFFFu))
      return promql_error(text_, begin, utf8_prefix(text_.substr(begin), 2),
                          "is no escape; write \\\\ for a backslash");
    if (is_byte)
      out += static_cast<char>(*value);
    else
      append_utf8(out, *value);
    at_ += digits - octal;
    return {};
  }

  std::string_view text_;
  size_t at_ = 0;
  bool in_brackets_ = false;
  std::vector<PromToken> tokens_;
};

}  // namespace

std::unexpected<Error> promql_error(std::string_view text, size_t at, std::string_view shown,
                                    std::string_view what) {
  // A name that somebody pasted can be long.
  constexpr size_t kShown = 60;
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const auto line = std::ranges::count(before, '\n') + 1;
  const size_t begin = before.rfind('\n') + 1;  // 0 if there is none
  const std::string place = text.find('\n') == std::string_view::npos
                                ? fmt::format("column {}", at + 1)
                                : fmt::format("line {}, column {}", line, at - begin + 1);
  const std::string piece(utf8_prefix(strip_controls(repair_utf8(shown)), kShown));
  return fail(ErrorCode::kInvalidArgument,
              piece.empty() ? fmt::format("PromQL, {}: {}", place, what)
                            : fmt::format("PromQL, {}: '{}' {}", place, piece, what));
}

Result<std::vector<PromToken>> lex_promql(std::string_view text) { return Lexer(text).run(); }

}  // namespace precedent
