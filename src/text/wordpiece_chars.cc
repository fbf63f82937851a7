#include "text/wordpiece_chars.h"

#include <utf8proc.h>

#include <algorithm>
#include <iterator>

namespace precedent {
namespace {

struct Range {
  char32_t first, last;  // inclusive
};

// Accents and format characters added after Unicode 8: the reference still takes them for letters.
constexpr Range kLaterMarks[] = {
    {0x07FD, 0x07FD},   {0x0890, 0x0891},   {0x0898, 0x089F},   {0x08CA, 0x08E2},
    {0x09FE, 0x09FE},   {0x0AFA, 0x0AFF},   {0x0B55, 0x0B55},   {0x0C04, 0x0C04},
    {0x0C3C, 0x0C3C},   {0x0D00, 0x0D00},   {0x0D3B, 0x0D3C},   {0x0D81, 0x0D81},
    {0x0EBA, 0x0EBA},   {0x0ECE, 0x0ECE},   {0x180F, 0x180F},   {0x1885, 0x1886},
    {0x1ABF, 0x1ACE},   {0x1DF6, 0x1DFB},   {0xA82C, 0xA82C},   {0xA8C5, 0xA8C5},
    {0xA8FF, 0xA8FF},   {0xA9BD, 0xA9BD},   {0x10D24, 0x10D27}, {0x10EAB, 0x10EAC},
    {0x10EFD, 0x10EFF}, {0x10F46, 0x10F50}, {0x10F82, 0x10F85}, {0x11070, 0x11070},
    {0x11073, 0x11074}, {0x110C2, 0x110C2}, {0x110CD, 0x110CD}, {0x111C9, 0x111C9},
    {0x111CF, 0x111CF}, {0x1123E, 0x1123E}, {0x11241, 0x11241}, {0x1133B, 0x1133B},
    {0x11438, 0x1143F}, {0x11442, 0x11444}, {0x11446, 0x11446}, {0x1145E, 0x1145E},
    {0x1182F, 0x11837}, {0x11839, 0x1183A}, {0x11938, 0x11938}, {0x1193B, 0x1193C},
    {0x1193E, 0x1193E}, {0x11943, 0x11943}, {0x119D4, 0x119D7}, {0x119DA, 0x119DB},
    {0x119E0, 0x119E0}, {0x11A01, 0x11A0A}, {0x11A33, 0x11A38}, {0x11A3B, 0x11A3E},
    {0x11A47, 0x11A47}, {0x11A51, 0x11A56}, {0x11A59, 0x11A5B}, {0x11A8A, 0x11A96},
    {0x11A98, 0x11A99}, {0x11C30, 0x11C36}, {0x11C38, 0x11C3D}, {0x11C3F, 0x11C3F},
    {0x11C92, 0x11CA7}, {0x11CAA, 0x11CB0}, {0x11CB2, 0x11CB3}, {0x11CB5, 0x11CB6},
    {0x11D31, 0x11D36}, {0x11D3A, 0x11D3A}, {0x11D3C, 0x11D3D}, {0x11D3F, 0x11D45},
    {0x11D47, 0x11D47}, {0x11D90, 0x11D91}, {0x11D95, 0x11D95}, {0x11D97, 0x11D97},
    {0x11EF3, 0x11EF4}, {0x11F00, 0x11F01}, {0x11F36, 0x11F3A}, {0x11F40, 0x11F40},
    {0x11F42, 0x11F42}, {0x13430, 0x13440}, {0x13447, 0x13455}, {0x16F4F, 0x16F4F},
    {0x16FE4, 0x16FE4}, {0x1CF00, 0x1CF2D}, {0x1CF30, 0x1CF46}, {0x1E000, 0x1E006},
    {0x1E008, 0x1E018}, {0x1E01B, 0x1E021}, {0x1E023, 0x1E024}, {0x1E026, 0x1E02A},
    {0x1E08F, 0x1E08F}, {0x1E130, 0x1E136}, {0x1E2AE, 0x1E2AE}, {0x1E2EC, 0x1E2EF},
    {0x1E4EC, 0x1E4EF}, {0x1E944, 0x1E94A}};

// Punctuation added after Unicode 8, likewise.
constexpr Range kLaterPunctuation[] = {
    {0x061D, 0x061D},   {0x09FD, 0x09FD},   {0x0A76, 0x0A76},   {0x0C77, 0x0C77},
    {0x0C84, 0x0C84},   {0x1B7D, 0x1B7E},   {0x2E43, 0x2E4F},   {0x2E52, 0x2E5D},
    {0x10EAD, 0x10EAD}, {0x10F55, 0x10F59}, {0x10F86, 0x10F89}, {0x1144B, 0x1144F},
    {0x1145A, 0x1145B}, {0x1145D, 0x1145D}, {0x11660, 0x1166C}, {0x116B9, 0x116B9},
    {0x1183B, 0x1183B}, {0x11944, 0x11946}, {0x119E2, 0x119E2}, {0x11A3F, 0x11A46},
    {0x11A9A, 0x11A9C}, {0x11A9E, 0x11AA2}, {0x11B00, 0x11B09}, {0x11C41, 0x11C45},
    {0x11C70, 0x11C71}, {0x11EF7, 0x11EF8}, {0x11F43, 0x11F4F}, {0x11FFF, 0x11FFF},
    {0x12FF1, 0x12FF2}, {0x16E97, 0x16E9A}, {0x16FE2, 0x16FE2}, {0x1E95E, 0x1E95F}};

template <size_t n>
bool contains(const Range (&ranges)[n], char32_t c) {
  const auto* it = std::upper_bound(std::begin(ranges), std::end(ranges), c,
                                    [](char32_t value, const Range& r) { return value < r.first; });
  return it != std::begin(ranges) && c <= std::prev(it)->last;
}

bool is_ideograph(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B73F) ||
         (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

// ASCII symbols such as $ + < = > ^ ` | ~ count, though Unicode does not call them punctuation.
bool is_ascii_punctuation(char32_t c) {
  return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) ||
         (c >= 123 && c <= 126);
}

}  // namespace

BertClass bert_class(char32_t c) {
  if (c == 0 || c == 0xFFFD) return BertClass::kDropped;
  if (c == '\t' || c == '\n' || c == '\r') return BertClass::kSpace;
  if (is_ascii_punctuation(c)) return BertClass::kPunctuation;
  if (is_ideograph(c)) return BertClass::kAlone;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return BertClass::kSpace;
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
      return contains(kLaterMarks, c) ? BertClass::kLetter : BertClass::kDropped;
    case UTF8PROC_CATEGORY_PC:
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO:
      return contains(kLaterPunctuation, c) ? BertClass::kLetter : BertClass::kPunctuation;
    default:
      // Punctuation when the reference's tables were made: CANADIAN SYLLABICS CHI SIGN, SHARADA
      // SANDHI MARK.
      return c == 0x166D || c == 0x111C9 ? BertClass::kPunctuation : BertClass::kLetter;
  }
}

bool bert_is_accent(char32_t c) {
  if (c == 0x1734) return true;    // HANUNOO SIGN PAMUDPOD: a spacing mark only since Unicode 14
  if (c == 0x111C9) return false;  // see bert_class
  return utf8proc_category(static_cast<utf8proc_int32_t>(c)) == UTF8PROC_CATEGORY_MN &&
         !contains(kLaterMarks, c);
}

int bert_fold(char32_t c, char32_t (&out)[kMaxFolded]) {
  utf8proc_int32_t decomposed[kMaxFolded];
  int boundary = 0;
  const auto n = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), decomposed, kMaxFolded,
                                         UTF8PROC_DECOMPOSE, &boundary);
  int kept = 0;
  for (int i = 0; i < n; ++i) {
    const auto part = static_cast<char32_t>(decomposed[i]);
    if (!bert_is_accent(part)) out[kept++] = static_cast<char32_t>(utf8proc_tolower(decomposed[i]));
  }
  return kept;
}

}  // namespace precedent
