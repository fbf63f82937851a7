#include "agent/language/setting_values.h"

#include <re2/re2.h>

#include <algorithm>

#include "base/strings.h"
#include "text/code_analyzer.h"

namespace precedent {
namespace {

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

// A value that is written out, at the beginning of what follows a name.
constexpr const char* kLiteral =
    "[\"'`]?([+-]?\\d[\\d_,.]*\\d|[+-]?\\d|true|false|on|off)[\"'`]?(?:[^\\w.]|\\.(?:\\s|$)|$)";

}  // namespace

std::vector<SettingValue> setting_values(std::string_view text) {
  // A default that stands behind the name in the environment comes first: what stands before it
  // reads it.
  static const RE2 kEnvironment(
      std::string("([A-Z][A-Z0-9_]{3,})[\"'`]?\\]?\\)?(?:\\s*(?:,|\\?\\?|\\|\\||:-|\\.or_else\\(|"
                  "\\.unwrap_or\\()\\s*)") +
      kLiteral);
  static const RE2 kAssigned(
      std::string("([A-Za-z_][A-Za-z0-9_.-]*[A-Za-z0-9])[\"'`]?\\s*(?::=|=|:)\\s*") + kLiteral);
  static const RE2 kRow(
      std::string(
          "^(?:[Kk]ey|[Nn]ame|[Ss]etting|[Vv]ariable|[Oo]ption): `?([A-Za-z_][\\w.-]*)`? \\|.*?"
          "\\b[Dd]efault: ") +
      kLiteral);
  std::vector<SettingValue> found;
  for (const std::string_view line : split_lines(text)) {
    std::string name, value;
    const auto keep = [&] {
      if (std::ranges::find(found, name, &SettingValue::name) == found.end())
        found.push_back({name, value});
    };
    if (RE2::PartialMatch(piece(line), kRow, &name, &value)) {
      keep();
      continue;
    }
    re2::StringPiece rest = piece(line);
    while (RE2::FindAndConsume(&rest, kEnvironment, &name, &value)) keep();
    rest = piece(line);
    while (RE2::FindAndConsume(&rest, kAssigned, &name, &value)) keep();
  }
  return found;
}

bool is_same_value(std::string_view a, std::string_view b) {
  const auto plain = [](std::string_view value) {
    std::string out = ascii_lower(value);
    std::erase_if(out, [](char c) { return c == ',' || c == '_'; });
    return out;
  };
  return plain(a) == plain(b);
}

bool gives_a_value_to(std::string_view text, const std::vector<std::string>& asked) {
  static const RE2 kSetting("^[^=:(]*?([A-Za-z_][A-Za-z0-9_.-]*)[\"']?\\s*(?::=|=|:)\\s*[^=\\s]");
  constexpr size_t kEnough = 2;
  const CodeAnalyzer analyzer;
  return std::ranges::any_of(split_lines(text), [&](std::string_view line) {
    std::string name;
    if (!RE2::PartialMatch(piece(line), kSetting, &name)) return false;
    const std::vector<std::string> words = analyzer.terms(name);
    const auto said = static_cast<size_t>(std::ranges::count_if(
        asked, [&](const auto& term) { return std::ranges::find(words, term) != words.end(); }));
    return said >= std::min(kEnough, asked.size()) && said > 0;
  });
}

}  // namespace precedent
