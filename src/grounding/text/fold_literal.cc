#include "grounding/text/fold_literal.h"

#include <array>

#include "base/utf8.h"

namespace precedent {

std::string fold_literal(std::string_view text) {
  // What an ASCII character becomes: 0 for nothing.
  static constexpr auto kFolded = [] {
    std::array<char, 0x80> out{};
    for (size_t c = 0; c < out.size(); ++c) out[c] = static_cast<char>(c);
    for (const unsigned char blank : {'\n', '\t', '\r'}) out[blank] = ' ';
    for (const unsigned char mark : {'*', '_', '`'}) out[mark] = 0;
    for (size_t c = 'A'; c <= 'Z'; ++c) out[c] = static_cast<char>(c + 32);
    return out;
  }();
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    std::array<char, 64> run;
    size_t length = 0;
    char last = out.empty() ? ' ' : out.back();
    while (i < text.size() && length < run.size() && static_cast<unsigned char>(text[i]) < 0x80) {
      const char c = kFolded[static_cast<unsigned char>(text[i++])];
      if (c == 0 || (c == ' ' && last == ' ')) continue;
      run[length++] = last = c;
    }
    out.append(run.data(), length);
    if (i == text.size() || static_cast<unsigned char>(text[i]) < 0x80) continue;
    const CodePoint point = code_point_at(text, i);
    const char32_t v = point.value;
    if ((v >= 0x2010 && v <= 0x2015) || v == 0x2212) {
      out += '-';
    } else if (v == 0x2018 || v == 0x2019) {
      out += '\'';
    } else if (v >= 0x201C && v <= 0x201F) {
      out += '"';
    } else if (v == 0x2026) {
      out += "...";
    } else if (v == 0xA0 || (v >= 0x2000 && v <= 0x200A) || v == 0x202F) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else {
      out.append(text.substr(i, point.bytes));
    }
    i += point.bytes;
  }
  return out;
}

}  // namespace precedent
