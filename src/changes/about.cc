#include "changes/about.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/strings.h"
#include "changes/change_record.h"

namespace precedent {
namespace {

// Shorter beginnings are shared by too many words.
constexpr size_t kShortestStem = 3;

void add_words(std::set<std::string>& words, std::string_view text) {
  std::string word;
  for (const char c : ascii_lower(text) + " ") {
    const auto byte = static_cast<unsigned char>(c);
    if (isalnum(byte) || byte >= 0x80) {
      word += c;
      continue;
    }
    if (!word.empty()) words.insert(word);
    word.clear();
  }
}

// "2.31.0" of "search-service v2.31.0,".
void add_versions(std::set<std::string>& words, std::string_view text) {
  for (std::string_view word : split(text, ' ')) {
    if (word.starts_with('v')) word.remove_prefix(1);
    const size_t end = word.find_first_not_of("0123456789.");
    if (end != std::string_view::npos && is_alnum(word[end])) continue;
    word = word.substr(0, end);
    while (word.ends_with('.')) word.remove_suffix(1);
    if (word.contains('.')) words.emplace(word);
  }
}

bool is_same(const std::string& a, const std::string& b) {
  if (a.contains('.') && b.contains('.') && (a.starts_with(b + '.') || b.starts_with(a + '.')))
    return true;
  if (a.contains('.') || b.contains('.')) return a == b;
  return a == b ||
         (std::min(a.size(), b.size()) >= kShortestStem && (a.starts_with(b) || b.starts_with(a)));
}

// "search_service.py", "src/cache.go".
bool is_file(const std::string& word) {
  const bool version = word.find_first_not_of("0123456789.") == std::string::npos;
  return (word.contains('.') || word.contains('/')) && !version;
}

bool touches(const Change& change, const std::string& file) {
  return std::ranges::any_of(change.files, [&](const std::string& own) {
    const std::string path = "/" + ascii_lower(own);
    return path.ends_with(file.starts_with('/') ? file : "/" + file);
  });
}

}  // namespace

bool is_about(const Change& change, const std::set<std::string>& words) {
  std::set<std::string> its;
  add_words(its, change.title);
  add_words(its, flag_of(change));
  for (const std::string* text : {&change.title, &change.version, &change.to})
    add_versions(its, *text);
  for (const std::string& file : change.files) add_words(its, file);
  for (const std::string& service : change.services) add_words(its, service);
  return !words.empty() && std::ranges::all_of(words, [&](const std::string& word) {
    if (is_file(word)) return touches(change, word);
    return std::ranges::any_of(its, [&](const std::string& own) { return is_same(own, word); });
  });
}

}  // namespace precedent
