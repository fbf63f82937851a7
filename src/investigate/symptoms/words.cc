#include "investigate/symptoms/words.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

void add_parts(std::string_view word, std::vector<std::string>& out) {
  size_t begin = 0;
  const auto cut = [&](size_t end) {
    if (end >= begin + 2) out.push_back(ascii_lower(word.substr(begin, end - begin)));
    begin = end;
  };
  for (size_t i = 1; i < word.size(); ++i) {
    const bool next_lower = i + 1 < word.size() && is_lower(word[i + 1]);
    if (word[i] == '_') {
      cut(i);
      begin = i + 1;
    } else if (is_upper(word[i]) &&
               (is_lower(word[i - 1]) || (is_upper(word[i - 1]) && next_lower))) {
      cut(i);
    }
  }
  cut(word.size());
}

}  // namespace

std::vector<std::string_view> identifiers_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t i = 0; i < text.size();) {
    if (!is_word(text[i])) {
      ++i;
      continue;
    }
    const size_t begin = i;
    while (i < text.size() && is_word(text[i])) ++i;
    out.push_back(text.substr(begin, i - begin));
  }
  return out;
}

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> out;
  for (const std::string_view word : identifiers_of(text)) add_parts(word, out);
  return out;
}

std::string stem_of_service(std::string_view service) {
  constexpr std::array<std::string_view, 8> kEndings = {"service", "svc", "server", "api",
                                                        "app",     "srv", "worker", "db"};
  std::string name = bare_name(service);
  for (const std::string_view ending : kEndings) {
    if (name.size() >= ending.size() + 3 && name.ends_with(ending)) {
      name.resize(name.size() - ending.size());
      break;
    }
  }
  if (name.size() > 4 && name.ends_with('s')) name.pop_back();
  return name;
}

}  // namespace precedent
