#include "base/instructions.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "base/untrusted_text.h"

namespace precedent {
namespace {

// "<|im_end|>", "[/INST]", "</system>"
size_t end_of_frame(std::string_view text, size_t open, size_t line_end) {
  const std::string_view line = text.substr(0, line_end);
  for (size_t at = open + 1; at < line.size(); ++at) {
    if ((line[at] != '<' && line[at] != '[') || !opens_frame(line.substr(at))) continue;
    const size_t close = line.find_first_of(">]", at);
    return close == std::string_view::npos ? line_end : close + 1;
  }
  return line_end;
}

bool ends_clause(std::string_view text, size_t at) {
  const char c = text[at];
  if (c == ';' || c == '\n') return true;
  const bool mark = c == '.' || c == '!' || c == '?';
  return mark && (at + 1 == text.size() || text[at + 1] == ' ' || text[at + 1] == '\n');
}

// What may end a clause or open a frame; most bytes do neither.
constexpr auto kMayEnd = [] {
  std::array<bool, 256> out{};
  for (const char c : std::string_view(";\n.!?<[")) out[static_cast<unsigned char>(c)] = true;
  return out;
}();

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

// By the first byte of a word, whether some phrase begins with it: most words begin none.
constexpr auto kBeginsPhrase = [] {
  std::array<bool, 256> out{};
  for (const std::string_view phrase : kToAModel) out[static_cast<unsigned char>(phrase[0])] = true;
  return out;
}();

// Of a clause of a text in lower case.
bool speaks_to_a_model(std::string_view clause) {
  for (size_t at = 0; at < clause.size(); ++at) {
    if (!kBeginsPhrase[static_cast<unsigned char>(clause[at])] ||
        (at > 0 && is_letter(clause[at - 1])))
      continue;
    const std::string_view rest = clause.substr(at);
    const bool found = std::ranges::any_of(kToAModel, [&](std::string_view phrase) {
      return rest.size() > 1 && rest[1] == phrase[1] && rest.starts_with(phrase) &&
             (rest.size() == phrase.size() || !is_letter(rest[phrase.size()]));
    });
    if (found) return true;
  }
  return false;
}

}  // namespace

std::vector<std::pair<size_t, size_t>> find_instructions(std::string_view text) {
  std::vector<std::pair<size_t, size_t>> found;
  const auto add = [&](size_t begin, size_t end) {
    if (!found.empty() && begin <= found.back().second)
      found.back().second = std::max(found.back().second, end);
    else
      found.emplace_back(begin, end);
  };
  const std::string lower = ascii_lower(text);
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    while (i + 1 < text.size() && !kMayEnd[static_cast<unsigned char>(text[i])]) ++i;
    if ((text[i] == '<' || text[i] == '[') && opens_frame(text.substr(i))) {
      const size_t line_end = std::min(text.find('\n', i), text.size());
      const size_t end = end_of_frame(text, i, line_end);
      add(i, end);
      begin = i = end;
      if (i >= text.size()) break;
    }
    if (!ends_clause(text, i) && i + 1 != text.size()) continue;
    const size_t end = ends_clause(text, i) ? i : i + 1;
    if (end > begin && speaks_to_a_model(std::string_view(lower).substr(begin, end - begin)))
      add(begin, end);
    begin = i + 1;
  }
  return found;
}

}  // namespace precedent
