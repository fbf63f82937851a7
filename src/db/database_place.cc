#include "db/database_place.h"

#include <fmt/format.h>

#include <algorithm>

namespace precedent::db {
namespace {

// The next word of "key='a b' key2=c", quotes and backslashes read as libpq does.
std::string next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
  std::string word;
  bool quoted = false;
  while (!text.empty() && (quoted || std::string_view(" \t\n").find(text[0]) == text.npos)) {
    if (text[0] == '\'') {
      quoted = !quoted;
    } else {
      if (text[0] == '\\' && text.size() > 1) text.remove_prefix(1);
      word += text[0];
    }
    text.remove_prefix(1);
  }
  return word;
}

}  // namespace

std::string database_place(std::string_view url) {
  for (const std::string_view scheme : {"postgresql://", "postgres://"}) {
    if (!url.starts_with(scheme)) continue;
    const std::string_view rest = url.substr(scheme.size());
    std::string_view place = rest.substr(0, rest.find('?'));
    const size_t user = place.rfind('@');
    // A password with a '?' in it: rather no place than a part of that.
    if (user == std::string_view::npos && rest.find('@') != std::string_view::npos)
      return "PostgreSQL";
    if (user != std::string_view::npos) place.remove_prefix(user + 1);
    return fmt::format("PostgreSQL at {}", place);
  }
  std::string place;
  while (!url.empty()) {
    const std::string word = next_word(url);
    for (const std::string_view key : {"host=", "hostaddr=", "port=", "dbname=", "service="})
      if (word.starts_with(key)) place += " " + word;
  }
  return "PostgreSQL at" + (place.empty() ? " its default place" : place);
}

bool has_password(std::string_view url) {
  if (url.find("password=") != std::string_view::npos) return true;
  const size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::string_view rest = url.substr(scheme + 3);
  const size_t user = rest.rfind('@');
  return user != std::string_view::npos && rest.substr(0, user).find(':') != std::string_view::npos;
}

}  // namespace precedent::db
