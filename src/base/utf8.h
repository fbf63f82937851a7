// UTF-8: checking it, repairing it, and reading it one code point at a time.
//
// Everything past the edge of precedent is valid UTF-8: readers of foreign bytes call
// `invalid_utf8_at` (to report) or `repair_utf8` (to go on). Follows RFC 3629: no surrogates, no
// overlong forms, nothing above U+10FFFF.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace precedent {

// The byte offset of the first ill-formed sequence, or nothing if `bytes` is valid UTF-8.
std::optional<size_t> invalid_utf8_at(std::string_view bytes);

// `bytes` with every ill-formed sequence replaced by U+FFFD, one for each maximal bad prefix.
std::string repair_utf8(std::string_view bytes);

// The code point that starts at `pos`, and its length in bytes (1–4). An ill-formed sequence reads
// as U+FFFD of length 1. REQUIRES: pos < text.size().
struct CodePoint {
  char32_t value;
  size_t bytes;
};
CodePoint code_point_at(std::string_view text, size_t pos);

void append_utf8(std::string& out, char32_t code_point);

// The longest prefix of at most `max_bytes` that does not cut a code point in two.
std::string_view utf8_prefix(std::string_view text, size_t max_bytes);

// `text` without C0 and C1 control characters except \n and \t, and without the invisible
// direction and tag characters that can hide text (U+202A–202E, U+2066–2069, U+E0000–E007F).
std::string strip_controls(std::string_view text);

}  // namespace precedent
