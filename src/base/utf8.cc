#include "base/utf8.h"

namespace precedent {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// The length of the well-formed sequence at the start of `s`, or 0; `bad` is then the length of its
// maximal ill-formed prefix (Unicode 15, table 3-7).
size_t sequence(std::string_view s, char32_t& value, size_t& bad) {
  const auto byte = [&](size_t i) -> unsigned { return static_cast<unsigned char>(s[i]); };
  const unsigned lead = byte(0);
  bad = 1;
  if (lead < 0x80) {
    value = lead;
    return 1;
  }
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  unsigned low = 0x80, high = 0xBF;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  char32_t result = lead & (0x7F >> length);
  for (size_t i = 1; i < length; ++i) {
    if (i >= s.size() || byte(i) < low || byte(i) > high) {
      bad = i;
      return 0;
    }
    result = (result << 6) | (byte(i) & 0x3F);
    low = 0x80;
    high = 0xBF;
  }
  value = result;
  return length;
}

bool hides_text(char32_t c) {
  return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0) ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
         (c >= 0xE0000 && c <= 0xE007F);
}

}  // namespace

std::optional<size_t> invalid_utf8_at(std::string_view bytes) {
  char32_t value;
  size_t bad;
  for (size_t i = 0; i < bytes.size();) {
    if (static_cast<unsigned char>(bytes[i]) < 0x80) {
      ++i;
      continue;
    }
    const size_t length = sequence(bytes.substr(i), value, bad);
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

std::string repair_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  char32_t value;
  size_t bad;
  for (size_t i = 0; i < bytes.size();) {
    const size_t length = sequence(bytes.substr(i), value, bad);
    if (length == 0) {
      append_utf8(out, kReplacement);
      i += bad;
    } else {
      out.append(bytes, i, length);
      i += length;
    }
  }
  return out;
}

CodePoint code_point_at(std::string_view text, size_t pos) {
  char32_t value;
  size_t bad;
  const size_t length = sequence(text.substr(pos), value, bad);
  return length == 0 ? CodePoint{kReplacement, 1} : CodePoint{value, length};
}

void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

std::string_view utf8_prefix(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

std::string strip_controls(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  size_t kept = 0;  // text up to here is in `out`, or left out
  for (size_t i = 0; i < text.size();) {
    // Nearly every byte of real text: no need to decode it.
    if (text[i] >= ' ' && text[i] < 0x7F) {
      ++i;
      continue;
    }
    const CodePoint c = code_point_at(text, i);
    if (hides_text(c.value)) {
      out.append(text, kept, i - kept);
      kept = i + c.bytes;
    }
    i += c.bytes;
  }
  return out.append(text, kept);
}

}  // namespace precedent
