#include "agent/slots/asked_documents.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {
namespace {

using Words = std::vector<std::string>;

struct Noun {
  std::string_view words;  // singular, as words
  Kind kind;
};
constexpr Noun kNouns[] = {
    {"runbook", Kind::kRunbook},
    {"playbook", Kind::kPlaybook},
    {"postmortem", Kind::kPostmortem},
    {"post mortem", Kind::kPostmortem},
    {"known issue", Kind::kKnownIssue},
    {"adr", Kind::kAdr},
    {"architecture decision record", Kind::kAdr},
    {"architecture document", Kind::kArchitecture},
    {"architecture doc", Kind::kArchitecture},
    {"faq", Kind::kFaq},
};

constexpr std::array kAskingFor = std::to_array<std::string_view>(
    {"which", "what",  "whats",  "show", "list", "find", "give", "any", "all",  "have", "got",
     "there", "where", "wheres", "open", "get",  "link", "need", "see", "name", "every"});
// May stand between the asking and the noun.
constexpr std::array kBetween = std::to_array<std::string_view>(
    {"me",   "us",    "the", "our", "a",     "an",       "of",       "is",       "are",
     "do",   "we",    "i",   "you", "right", "relevant", "matching", "existing", "related",
     "open", "other", "for", "to",  "and",   "also",     "so",       "then"});
// What a document is about follows.
constexpr std::array kAbout = std::to_array<std::string_view>(
    {"for",        "about",     "on",      "of",         "covering",  "covers",
     "cover",      "that",      "which",   "describing", "describes", "related",
     "concerning", "regarding", "to",      "affecting",  "affect",    "affects",
     "with",       "explains",  "decided", "in",         "mentions",  "mention",
     "deal",       "deals",     "should",  "do",         "applies",   "apply",
     "exist",      "exists",    "there",   "we",         "are",       "is"});

// What the conversation has to say what it is.
constexpr std::array kPronouns =
    std::to_array<std::string_view>({"it", "this", "that", "one", "these", "those", "them"});

constexpr std::array kJoins = std::to_array<std::string_view>({"and", "or"});

template <typename List>
bool is_one_of(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

Words words_of(std::string_view text) {
  Words words;
  std::string word;
  for (const char c : text) {
    const bool part = is_lower(c) || is_digit(c);
    if (part) word += c;
    // "what's" and "where's" stay one word; "post-mortem" becomes two.
    if (part || c == '\'') continue;
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

struct Found {
  size_t begin = 0, end = 0;  // words, end exclusive
  Kind kind = Kind::kDoc;
  bool one = false;
};

std::vector<Found> find_nouns(const Words& words) {
  std::vector<Found> found;
  for (size_t i = 0; i < words.size(); ++i) {
    for (const Noun& noun : kNouns) {
      const Words parts = words_of(noun.words);
      if (i + parts.size() > words.size()) continue;
      bool same = true;
      for (size_t k = 0; k < parts.size(); ++k) {
        const bool last = k + 1 == parts.size();
        same = same && (words[i + k] == parts[k] || (last && words[i + k] == parts[k] + "s"));
      }
      if (same)
        found.push_back(
            {i, i + parts.size(), noun.kind, words[i + parts.size() - 1] == parts.back()});
    }
  }
  return found;
}

// Whether the words before the noun ask for the thing itself.
bool is_asked_for(const Words& words, const Found& noun) {
  for (size_t i = noun.begin; i-- > 0;) {
    if (is_one_of(kAskingFor, words[i])) return true;
    // One word may tell which: "any payment runbooks", "the failover runbook".
    if (!is_one_of(kBetween, words[i]) && i + 1 != noun.begin) return false;
  }
  // "Runbook for X", "and a runbook": the noun opens the question.
  return noun.end == words.size() || is_one_of(kAbout, words[noun.end]);
}

}  // namespace

AskedDocuments find_asked_documents(std::string_view question) {
  const Words words = words_of(question);
  AskedDocuments asked;
  size_t other_words = words.size(), joined_at = 0;
  for (const Found& noun : find_nouns(words)) {
    const bool about = noun.end == words.size() || is_one_of(kAbout, words[noun.end]) ||
                       is_one_of(kJoins, words[noun.end]);
    // "Runbooks or known issues": the second is asked for as the first is.
    const bool joined = !asked.kinds.empty() && noun.begin == joined_at;
    if (!about || !(joined || is_asked_for(words, noun))) continue;
    asked.kinds.push_back(noun.kind);
    asked.one = noun.one;
    joined_at = noun.end + 1;
    other_words -= noun.end - noun.begin;
  }
  if (asked.kinds.empty()) return asked;
  for (const std::string& word : words)
    if (is_one_of(kAskingFor, word) || is_one_of(kBetween, word) || is_one_of(kAbout, word) ||
        is_one_of(kJoins, word) || is_one_of(kPronouns, word))
      other_words -= 1;
  asked.all = other_words == 0;
  return asked;
}

bool looks_like_a_name(std::string_view word) {
  constexpr size_t kLong = 14;
  while (!word.empty() && !is_alnum(word.back())) word.remove_suffix(1);
  const auto inner = [](unsigned char c) { return isupper(c) || c == '-' || c == '_'; };
  const bool all_upper = std::ranges::none_of(word, is_lower);
  return word.size() >= kLong ||
         (word.size() > 3 && !all_upper && std::ranges::any_of(word.substr(1), inner));
}

std::string find_named_document(const std::vector<std::string>& names,
                                const std::vector<Receipt>& receipts) {
  std::set<std::string> said, places;
  for (const std::string& name : names) {
    if (looks_like_a_name(name)) said.insert(bare_name(name));
    if (name.contains('/')) places.insert(name);
  }
  const auto is_called = [&](const KnowledgeItem& item) {
    const bool by_place = std::ranges::any_of(places, [&](const std::string& place) {
      return item.path == place || item.path.ends_with("/" + place);
    });
    if (by_place || said.contains(bare_name(item.id))) return true;
    const size_t slash = item.path.rfind('/');
    std::string_view stem = item.path;
    if (slash != std::string::npos) stem.remove_prefix(slash + 1);
    stem = stem.substr(0, stem.rfind('.'));
    return said.contains(bare_name(item.title)) || said.contains(bare_name(stem));
  };
  for (const Receipt& receipt : receipts) {
    const auto* sections = std::get_if<SectionsResult>(&receipt.result);
    if (sections == nullptr) continue;
    const auto found = std::ranges::find_if(sections->sections, is_called);
    if (found != sections->sections.end()) return found->id;
  }
  return {};
}

}  // namespace precedent
