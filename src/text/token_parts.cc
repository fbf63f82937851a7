#include "text/token_parts.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

bool is_any_letter(char c) { return is_letter(c) || static_cast<unsigned char>(c) >= 0x80; }

template <typename Predicate>
bool all(std::string_view text, Predicate predicate) {
  return std::all_of(text.begin(), text.end(), predicate);
}

// 2025-01-20T14:05:00Z: the day is what people ask for, not its digits.
bool is_timestamp(std::string_view t) {
  constexpr std::string_view kShape = "dddd-dd-ddTdd";
  if (t.size() < kShape.size()) return false;
  for (size_t i = 0; i < kShape.size(); ++i) {
    const bool fits = kShape[i] == 'd'   ? is_digit(t[i])
                      : kShape[i] == 'T' ? t[i] == 'T' || t[i] == 't'
                                         : t[i] == kShape[i];
    if (!fits) return false;
  }
  return true;
}

bool is_uuid(std::string_view t) {
  if (t.size() != 36) return false;
  for (size_t i = 0; i < t.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? t[i] != '-' : !is_hex_digit(t[i])) return false;
  }
  return true;
}

// Clock times, MAC and IPv6 addresses: only the whole says anything.
bool is_colon_hex(std::string_view t) {
  const auto colons = std::count(t.begin(), t.end(), ':');
  if (colons == 0 || !all(t, [](char c) { return is_hex_digit(c) || c == ':'; })) return false;
  return colons >= 2 || all(t, [](char c) { return is_digit(c) || c == ':'; });
}

bool is_unit(std::string_view letters) {
  constexpr std::string_view kUnits[] = {
      "s",   "m",   "h",   "d",   "w",   "ms",  "us",  "ns", "b",   "k",   "g",
      "t",   "kb",  "mb",  "gb",  "tb",  "ki",  "mi",  "gi", "ti",  "kib", "mib",
      "gib", "tib", "min", "sec", "hrs", "rps", "qps", "hz", "mhz", "ghz", "pct"};
  return std::any_of(std::begin(kUnits), std::end(kUnits),
                     [&](std::string_view unit) { return iequals(unit, letters); });
}

// Keys, certificates and other encoded bytes: long, with both cases and digits in quick change.
bool looks_encoded(std::string_view t) {
  if (t.size() < 20) return false;
  size_t changes = 0, digits = 0, upper = 0;
  for (size_t i = 0; i < t.size(); ++i) {
    digits += is_digit(t[i]);
    upper += is_upper(t[i]);
    if (i > 0)
      changes += is_digit(t[i]) != is_digit(t[i - 1]) || (is_upper(t[i]) && !is_upper(t[i - 1]));
  }
  return digits > 0 && upper > 0 && digits + upper < t.size() && changes * 5 > t.size();
}

class Splitter {
 public:
  Splitter(std::string_view token, std::vector<TokenSpan>& out) : token_(token), out_(out) {}

  void run() {
    add(0, token_.size(), false);
    if (token_.ends_with('#') || token_.ends_with("++")) return;
    if (is_timestamp(token_)) return add(0, 10, true);
    if (is_uuid(token_)) return add(0, 8, true);
    if (is_colon_hex(token_)) return;
    const size_t first = token_.find_first_not_of('-');
    if (first == std::string_view::npos) return;
    if (first > 0) add(first, token_.size(), true);
    split(first, token_.size(), 0);
  }

 private:
  static constexpr int kLevels = 3;

  // Whether byte i separates at this level.
  bool separates(size_t i, int level) const {
    const char c = token_[i];
    if (level == 0) return c == '/' || c == '\\' || c == ':' || c == '@' || c == '+';
    if (level == 1) {
      return c == '.' && !(i > 0 && i + 1 < token_.size() && is_digit(token_[i - 1]) &&
                           is_digit(token_[i + 1]));
    }
    return c == '-' || c == '_';
  }

  void split(size_t begin, size_t end, int level) {
    if (level == kLevels) return split_word(begin, end);
    for (size_t from = begin; from < end;) {
      size_t to = from;
      while (to < end && !separates(to, level)) ++to;
      if (to > from) {
        if (to - from < end - begin) add(from, to, true);
        split(from, to, level + 1);
      }
      from = to + 1;
    }
  }

  void split_word(size_t begin, size_t end) {
    const std::string_view word = token_.substr(begin, end - begin);
    if (word.find('.') != std::string_view::npos) return split_number(begin, end);
    const size_t digits =
        static_cast<size_t>(std::find_if_not(word.begin(), word.end(), is_digit) - word.begin());
    if (digits == word.size()) return;
    if (digits > 0) return split_unit(begin, begin + digits, end);
    split_case(begin, end);
  }

  // A dotted number: its leading two, three … components, longest first; without a version's v.
  void split_number(size_t begin, size_t end) {
    if (token_[begin] == 'v' || token_[begin] == 'V') add(++begin, end, true);
    constexpr size_t kMaxComponents = 5;
    std::array<size_t, kMaxComponents> dots{};
    size_t count = 0;
    for (size_t i = begin; i < end && count < kMaxComponents; ++i) {
      if (token_[i] == '.') dots[count++] = i;
    }
    if (!is_digit(token_[begin])) return;
    while (count > 1) add(begin, dots[--count], true);
  }

  void split_unit(size_t begin, size_t letters, size_t end) {
    const std::string_view unit = token_.substr(letters, end - letters);
    if (!is_unit(unit)) return;
    add(begin, letters, true);
    if (unit.size() > 1) add(letters, end, true);
  }

  void split_case(size_t begin, size_t end) {
    constexpr size_t kMaxPieces = 16;  // an identifier with more words than that is not one
    std::array<size_t, kMaxPieces + 1> cuts{begin};
    size_t pieces = 1, singles = 0, digit_pieces = 0;
    for (size_t i = begin + 1; i <= end; ++i) {
      if (i < end && !boundary(i, end)) continue;
      const size_t from = cuts[pieces - 1];
      digit_pieces += is_digit(token_[from]);
      singles += !is_digit(token_[from]) && i - from == 1;
      cuts[pieces] = i;
      if (i == end) break;
      if (++pieces > kMaxPieces) return;
    }
    const std::string_view word = token_.substr(begin, end - begin);
    if (pieces == 1 || looks_encoded(word)) return;
    // PayU, eBPF, OAuth and p95 are one word; getAUser has three.
    if (singles > 0 && (digit_pieces > 0 || pieces < 3 || singles * 3 > pieces)) return;
    // web01, http403 and node3 have a number; s3, us1 and ipv6 are names. Two letters are too few
    // to tell.
    if (digit_pieces > 0 && cuts[1] - begin < 3) return;
    for (size_t i = 0; i < pieces; ++i) {
      if (cuts[i + 1] - cuts[i] > 1 || is_digit(token_[cuts[i]])) add(cuts[i], cuts[i + 1], true);
    }
  }

  // Whether a new word starts at i: maxSize, OOMKilled, web01; not inside APIs.
  bool boundary(size_t i, size_t end) const {
    const char before = token_[i - 1], here = token_[i];
    if (is_digit(before) != is_digit(here)) return true;
    if (!is_upper(here)) return false;
    if (!is_upper(before)) return true;
    const bool lower_follows =
        i + 1 < end && is_any_letter(token_[i + 1]) && !is_upper(token_[i + 1]);
    const bool plural = i + 2 == end && token_[i + 1] == 's';
    return lower_follows && !plural;
  }

  void add(size_t begin, size_t end, bool part) {
    const std::string_view text = token_.substr(begin, end - begin);
    if (text.size() > kMaxTermBytes) {
      // Parts follow if it has any; a word without any is known by its beginning.
      if (!all(text, [](char c) { return is_any_letter(c) || is_digit(c); }) || looks_encoded(text))
        return;
      end = begin + utf8_prefix(text, kMaxTermBytes).size();
    } else if (token_.size() > kMaxTermBytes && looks_encoded(text)) {
      return;
    }
    out_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end), part});
  }

  std::string_view token_;
  std::vector<TokenSpan>& out_;
};

}  // namespace

void token_spans(std::string_view token, std::vector<TokenSpan>& out) {
  out.clear();
  Splitter(token, out).run();
}

}  // namespace precedent
