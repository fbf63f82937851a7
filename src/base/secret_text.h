// What the finders of secrets share (secret_forms.h, secret_values.h): the bytes of a finding,
// classes of characters, and how far a value is read. Part of redact.cc; nobody else includes it.
//
// Thread safety: pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/ascii.h"
#include "base/strings.h"

namespace precedent::secrets {

// So far a value is read before it is known to be secret, so that a walk over many candidates stays
// linear. A secret that is longer is followed to its end.
inline constexpr size_t kMaxLookAhead = 4096;
inline constexpr std::string_view kMark = "[redacted:";

// Bytes [begin, end) are a secret.
struct Secret {
  size_t begin, end;
  std::string_view kind;
};
using Found = std::optional<Secret>;

inline bool is_token_char(char c) { return is_alnum(c) || c == '_' || c == '-'; }
inline bool is_bearer_char(char c) {
  return is_token_char(c) || c == '.' || c == '~' || c == '+' || c == '/' || c == '=';
}

inline char at(std::string_view text, size_t i) { return i < text.size() ? text[i] : '\0'; }

template <typename Predicate>
size_t end_of_run(std::string_view text, size_t begin, Predicate is) {
  const size_t last = std::min(text.size(), begin + kMaxLookAhead);
  while (begin < last && is(text[begin])) ++begin;
  return begin;
}

inline bool starts_word(std::string_view text, size_t i) {
  return i == 0 || !(is_alnum(text[i - 1]) || text[i - 1] == '_');
}

// Letters in lower case only begin it: most words are told by the first.
inline bool istarts_with(std::string_view text, std::string_view lower_prefix) {
  if (text.empty() || (text.front() | 0x20) != lower_prefix.front()) return false;
  return iequals(text.substr(0, lower_prefix.size()), lower_prefix);
}

inline bool has_digit(std::string_view text) { return std::ranges::any_of(text, is_digit); }

}  // namespace precedent::secrets
