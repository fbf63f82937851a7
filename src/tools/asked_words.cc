#include "tools/asked_words.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "knowledge/case_fold.h"
#include "text/number_words.h"
#include "tools/figures.h"

namespace precedent {
namespace {

bool has_digit(std::string_view word) { return std::ranges::any_of(word, is_digit); }

bool one_edit(std::string_view a, std::string_view b) {
  if (a.size() > b.size() + 1 || b.size() > a.size() + 1) return false;
  const auto [x, y] = std::ranges::mismatch(a, b);
  const std::string_view left(x, a.end()), right(y, b.end());
  if (left.empty() || right.empty()) return true;
  return left.substr(1) == right.substr(1) || left == right.substr(1) || left.substr(1) == right;
}

// "an hour", "half a day", "quarter of an hour", at the beginning.
std::optional<AskedNumber> one_unit(std::string_view text) {
  static const RE2 kOne(
      "(?i)^((?:(half|quarter) (?:of )?)?an? (?:second|minute|hour|day|week))(?:[^\\pL\\pN]|$)");
  std::string written, part;
  if (!RE2::PartialMatch(text, kOne, &written, &part)) return std::nullopt;
  const double value = part.empty() ? 1 : ascii_lower(part) == "half" ? 0.5 : 0.25;
  return AskedNumber{value, std::move(written)};
}

bool is_of_word(char c) {
  return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::optional<double> minutes_of_unit(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, double>, 20> kUnits = {
      {{"s", 1.0 / 60},       {"sec", 1.0 / 60}, {"secs", 1.0 / 60}, {"second", 1.0 / 60},
       {"seconds", 1.0 / 60}, {"m", 1},          {"min", 1},         {"mins", 1},
       {"minute", 1},         {"minutes", 1},    {"h", 60},          {"hr", 60},
       {"hrs", 60},           {"hour", 60},      {"hours", 60},      {"d", 1440},
       {"day", 1440},         {"days", 1440},    {"week", 10'080},   {"weeks", 10'080}}};
  const auto* const found =
      std::ranges::find(kUnits, word, &std::pair<std::string_view, double>::first);
  return found == kUnits.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) out.push_back(std::move(word));
    word.clear();
  };
  for (const char c : case_fold(text)) {
    if (is_of_word(c))
      word += c;
    else
      end();
  }
  end();
  return out;
}

bool is_near(std::string_view one, std::string_view other) {
  if (one == other) return one.size() > 2 || has_digit(one);
  const size_t shorter = std::min(one.size(), other.size());
  if (shorter < 4 || has_digit(one) || has_digit(other)) return false;
  const auto common = static_cast<size_t>(std::ranges::mismatch(one, other).in1 - one.begin());
  return common >= std::max<size_t>(4, shorter - 2) || (one.size() > 4 && one_edit(one, other));
}

bool names(std::string_view name, const std::vector<std::string>& words) {
  for (const std::string& part : words_of(name))
    if (std::ranges::any_of(words, [&](const std::string& word) { return is_near(part, word); }))
      return true;
  return false;
}

bool names_all(std::string_view name, const std::vector<std::string>& words) {
  return std::ranges::all_of(words_of(name), [&](const std::string& part) {
    return std::ranges::find(words, part) != words.end();
  });
}

std::string mark_names(std::string_view text, std::string_view name) {
  const std::vector<std::string> parts = words_of(name);
  std::string out;
  size_t done = 0;            // of the text
  std::optional<size_t> end;  // of the run of such words that is open
  for (size_t i = 0; i < text.size();) {
    if (!is_of_word(text[i])) {
      ++i;
      continue;
    }
    const auto* const last = std::find_if_not(text.begin() + i, text.end(), is_of_word);
    const auto next = static_cast<size_t>(last - text.begin());
    const std::string word = case_fold(text.substr(i, next - i));
    const bool meant =
        std::ranges::any_of(parts, [&](const std::string& part) { return is_near(part, word); });
    if (meant && !end) {
      out.append(text, done, i - done).append("<");
      done = i;
    } else if (!meant && end) {
      out.append(text, done, *end - done).append(">");
      done = *end;
      end.reset();
    }
    if (meant) end = next;
    i = next;
  }
  if (end) {
    out.append(text, done, *end - done).append(">");
    done = *end;
  }
  return out.append(text, done);
}

std::string mark_text(std::string_view text, std::string_view written) {
  const size_t at = text.find(written);
  if (at == std::string_view::npos) return std::string(text);
  return fmt::format("{}<{}>{}", text.substr(0, at), written, text.substr(at + written.size()));
}

std::vector<AskedNumber> asked_numbers(std::string_view text) {
  std::vector<AskedNumber> out;
  const auto at = [&](size_t i) { return i < text.size() ? text[i] : ' '; };
  const auto is_word = [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  const auto letters_at = [&](size_t i) {
    size_t end = i;
    while (is_letter(at(end))) ++end;
    return end > i ? text.substr(i, end - i) : std::string_view();
  };
  // " hours" behind what ends at `i`; "" if no whole word follows.
  const auto word_behind = [&](size_t i) -> std::string {
    if (at(i) != ' ') return "";
    const std::string_view word = letters_at(i + 1);
    if (word.empty() || is_word(at(i + 1 + word.size()))) return "";
    return " " + std::string(word);
  };
  for (size_t i = 0; i < text.size();) {
    const char before = i > 0 ? text[i - 1] : ' ';
    if (!is_word(text[i]) || text[i] == '_' || is_word(before) || before == '-') {
      ++i;
      continue;
    }
    size_t end = i;
    if (is_digit(text[i])) {
      while (is_digit(at(end)) ||
             ((at(end) == '.' || at(end) == ',') && is_digit(at(end + 1)) && end > i))
        ++end;
      const std::string digits(text.substr(i, end - i));
      const std::string_view unit = letters_at(end);
      const auto value = number_in(digits);
      if (!unit.empty()) {
        if (value && unit.size() <= 4 && minutes_of_unit(ascii_lower(unit)))
          out.push_back({*value, digits + std::string(unit)});
      } else if (value && std::string_view(".,:/#").find(before) == std::string_view::npos &&
                 std::string_view(":-/_").find(at(end)) == std::string_view::npos) {
        out.push_back({*value, digits + word_behind(end)});
      }
      i = end + unit.size();
      continue;
    }
    if (auto one = one_unit(text.substr(i))) {
      i += one->written.size();
      out.push_back(*std::move(one));
      continue;
    }
    const std::string_view word = letters_at(i);
    const std::string lower = ascii_lower(word);
    const auto value = lower == "one"        ? std::optional(1.0)
                       : lower == "thousand" ? std::optional(1000.0)
                                             : number_word(lower);
    if (value) out.push_back({*value, std::string(word) + word_behind(i + word.size())});
    i = std::max(i + word.size(), i + 1);
  }
  return out;
}

}  // namespace precedent
