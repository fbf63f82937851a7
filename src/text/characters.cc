#include "text/characters.h"

#include <utf8proc.h>

#include <array>
#include <cstdlib>

#include "base/ascii.h"
#include "base/utf8.h"

namespace precedent {
namespace {

constexpr size_t kMaxCluster = 32;
// The longest compatibility decomposition of one code point (U+FDFA).
constexpr size_t kMaxExpansion = 18;

constexpr std::array<CharClass, 128> ascii_classes() {
  std::array<CharClass, 128> table{};
  const auto at = [&](char c) -> CharClass& { return table[static_cast<unsigned char>(c)]; };
  for (char c = 'a'; c <= 'z'; ++c) at(c) = CharClass::kLower;
  for (char c = 'A'; c <= 'Z'; ++c) at(c) = CharClass::kUpper;
  for (char c = '0'; c <= '9'; ++c) at(c) = CharClass::kDigit;
  for (const char c : {'_', '.', '-', '/', '\\', ':', '@', '+'}) {
    at(c) = CharClass::kJoiner;
  }
  table['\''] = CharClass::kApostrophe;
  return table;
}
constexpr std::array<CharClass, 128> kAscii = ascii_classes();

struct Range {
  char32_t first, last;
};
// Blocks of the scripts that put no spaces between words, ascending (Unicode 15, Blocks.txt).
constexpr Range kUnspaced[] = {
    {0x0E01, 0x0EFF}, {0x1000, 0x109F},   {0x1100, 0x11FF},   {0x1780, 0x17FF}, {0x2E80, 0x2FDF},
    {0x3005, 0x3007}, {0x3021, 0x3029},   {0x3041, 0x30FA},   {0x30FC, 0x318F}, {0x31F0, 0x31FF},
    {0x3400, 0x4DBF}, {0x4E00, 0x9FFF},   {0xA960, 0xA97F},   {0xAC00, 0xD7FF}, {0xF900, 0xFAFF},
    {0xFF66, 0xFFDC}, {0x1B000, 0x1B16F}, {0x20000, 0x3FFFF},
};

bool unspaced(char32_t c) {
  for (const Range& range : kUnspaced) {
    if (c < range.first) return false;
    if (c <= range.last) return true;
  }
  return false;
}

char32_t fold_variant(char32_t c) {
  if ((c >= 0x2010 && c <= 0x2015) || c == 0x2212 || c == 0xFE58 || c == 0xFE63) return '-';
  if (c == 0x2018 || c == 0x2019 || c == 0x201B || c == 0x02BC || c == 0x2032) return '\'';
  if (c >= 0xFF01 && c <= 0xFF5E) return c - 0xFEE0;
  return c;
}

bool is_mark(char32_t c) {
  if (c < 0x0300) return false;
  const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
         category == UTF8PROC_CATEGORY_ME || c == 0xFF9E || c == 0xFF9F ||
         (c >= 0x1160 && c <= 0x11FF);
}

void append_cluster(std::string_view cluster, std::string& out) {
  std::array<utf8proc_int32_t, kMaxCluster * kMaxExpansion + 1> points;
  const utf8proc_ssize_t count = utf8proc_decompose(
      reinterpret_cast<const utf8proc_uint8_t*>(cluster.data()),
      static_cast<utf8proc_ssize_t>(cluster.size()), points.data(), points.size() - 1,
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT |
                                     UTF8PROC_IGNORE));
  if (count < 0) return;
  utf8proc_ssize_t kept = 0;
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    if (points[i] >= 0x0300 && points[i] <= 0x036F) continue;
    points[kept++] = static_cast<utf8proc_int32_t>(fold_variant(static_cast<char32_t>(points[i])));
  }
  const utf8proc_ssize_t bytes = utf8proc_reencode(
      points.data(), kept, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (bytes > 0)
    out.append(reinterpret_cast<const char*>(points.data()), static_cast<size_t>(bytes));
}

}  // namespace

CharClass char_class(char32_t c) {
  c = fold_variant(c);
  if (c < 0x80) return kAscii[c];
  if (c == 0xFFFD) return CharClass::kSeparator;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT: return CharClass::kUpper;
    case UTF8PROC_CATEGORY_ND: return CharClass::kDigit;
    case UTF8PROC_CATEGORY_CF: return CharClass::kInvisible;
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO: return unspaced(c) ? CharClass::kIdeograph : CharClass::kLower;
    default: return CharClass::kSeparator;
  }
}

size_t cluster_bytes(std::string_view text, size_t pos) {
  size_t end = pos + code_point_at(text, pos).bytes;
  for (size_t points = 1; points < kMaxCluster && end < text.size(); ++points) {
    if (static_cast<unsigned char>(text[end]) < 0x80) break;
    const CodePoint next = code_point_at(text, end);
    if (!is_mark(next.value)) break;
    end += next.bytes;
  }
  return end - pos;
}

void normalize(std::string_view source, uint32_t base, NormalText& out) {
  out.text.clear();
  out.begin.clear();
  out.end.clear();
  for (size_t pos = 0; pos < source.size();) {
    const size_t bytes = cluster_bytes(source, pos);
    if (bytes == 1) {
      out.text += source[pos];
    } else {
      append_cluster(source.substr(pos, bytes), out.text);
    }
    out.begin.resize(out.text.size(), base + static_cast<uint32_t>(pos));
    out.end.resize(out.text.size(), base + static_cast<uint32_t>(pos + bytes));
    pos += bytes;
  }
}

void fold_case(std::string& text) {
  bool ascii = true;
  for (char& c : text) {
    if (is_upper(c)) c = static_cast<char>(c + 32);
    ascii = ascii && static_cast<unsigned char>(c) < 0x80;
  }
  if (ascii) return;
  utf8proc_uint8_t* folded = nullptr;
  const utf8proc_ssize_t bytes = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
      static_cast<utf8proc_ssize_t>(text.size()), &folded,
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD));
  if (bytes >= 0) text.assign(reinterpret_cast<const char*>(folded), static_cast<size_t>(bytes));
  std::free(folded);
}

}  // namespace precedent
