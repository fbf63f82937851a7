#include "changes/about.h"

#include <algorithm>

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

bool is_same(const std::string& a, const std::string& b) {
  return a == b ||
         (std::min(a.size(), b.size()) >= kShortestStem && (a.starts_with(b) || b.starts_with(a)));
}

}  // namespace

bool is_about(const Change& change, const std::set<std::string>& words) {
  std::set<std::string> its;
  add_words(its, change.title);
  add_words(its, flag_of(change));
  for (const std::string& file : change.files) add_words(its, file);
  for (const std::string& service : change.services) add_words(its, service);
  return !words.empty() && std::ranges::all_of(words, [&](const std::string& word) {
    return std::ranges::any_of(its, [&](const std::string& own) { return is_same(own, word); });
  });
}

}  // namespace precedent
