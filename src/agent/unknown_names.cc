#include "agent/unknown_names.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "base/ids.h"
#include "base/strings.h"
#include "index/sparse_encoder.h"

namespace precedent {
namespace {

struct Token {
  std::string text;
  size_t begin;
};

// Words as written, with the joiners that hold a technical name together.
std::vector<Token> tokens_of(std::string_view question) {
  std::vector<Token> tokens;
  static const RE2 kToken("([A-Za-z0-9](?:[A-Za-z0-9_.:/-]*[A-Za-z0-9])?)");
  re2::StringPiece rest(question.data(), question.size());
  for (re2::StringPiece match; RE2::FindAndConsume(&rest, kToken, &match);) {
    tokens.push_back({match.as_string(), static_cast<size_t>(match.data() - question.data())});
  }
  return tokens;
}

bool any_of(std::string_view word, std::initializer_list<std::string_view> set) {
  return std::find(set.begin(), set.end(), word) != set.end();
}

bool names_a_thing(std::string_view word) {
  return any_of(
      word,
      {"service",  "services", "system",  "application", "app",          "component", "database",
       "cluster",  "topic",    "queue",   "team",        "job",          "worker",    "api",
       "platform", "gateway",  "runbook", "integration", "product",      "vendor",    "provider",
       "server",   "host",     "node",    "pipeline",    "microservice", "alert"});
}

bool takes_a_name(std::string_view word) {
  return any_of(word,
                {"owns",  "own",  "of",    "for",       "in",       "on",     "does", "is",
                 "with",  "by",   "about", "affecting", "affected", "to",     "at",   "called",
                 "named", "from", "did",   "restart",   "using",    "against"});
}

// A word that is a name by its looks alone: inner capitals, joiners between letters, letters with
// digits.
bool looks_technical(std::string_view word) {
  if (word.size() < 4) return false;
  bool letter = false, joiner = false, inner_upper = false, lower = false;
  for (size_t i = 0; i < word.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(word[i]);
    letter = letter || isalpha(c);
    lower = lower || islower(c);
    joiner = joiner || word[i] == '-' || word[i] == '_';
    inner_upper = inner_upper || (i > 0 && isupper(c));
  }
  return letter && (joiner || (inner_upper && lower));
}

// Whether any document holds a term of this word: the word itself as the index spells it.
Result<bool> is_known(std::string_view word, const Searcher& search) {
  const std::vector<std::string> terms = search.analyzer().terms(word);
  if (terms.empty()) return true;  // a stop word
  // The whole token comes first; its parts say nothing about the name.
  const auto hits =
      TRY(search.index().search_sparse(encode_query({terms.data(), 1}), {}, Level::kDocument, 1));
  return !hits.empty();
}

// Joined words are written apart, too: "checkout-api" and "checkout api" name one thing.
Result<bool> parts_stand_together(std::string_view word, const Searcher& search) {
  for (const auto* names : {&search.catalogue().services, &search.catalogue().applications}) {
    for (const std::string& name : *names) {
      if (name_key(name) == name_key(word)) return true;
    }
  }
  return false;
}

}  // namespace

Result<std::vector<std::string>> find_unknown_names(std::string_view question,
                                                    const Searcher& search) {
  const std::string folded = fold_hyphens(question);
  const std::vector<Token> tokens = tokens_of(folded);
  std::vector<std::string> unknown;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string& word = tokens[i].text;
    // Ids and endpoints are checked by their own tools; numbers are no names.
    if (!isalpha(static_cast<unsigned char>(word[0])) || word.find('/') != std::string::npos)
      continue;
    if (const auto ids = find_ids(word); !ids.empty() && ids.front().end == word.size()) continue;
    const std::string lower = ascii_lower(word);
    const bool technical = looks_technical(word);
    const bool sentence_start =
        i == 0 || folded.substr(0, tokens[i].begin).find_last_of(".?!:\n") + 2 >= tokens[i].begin;
    const bool capitalised =
        isupper(static_cast<unsigned char>(word[0])) && !sentence_start && word.size() > 2;
    const bool before_noun =
        i + 1 < tokens.size() && names_a_thing(ascii_lower(tokens[i + 1].text)) && i > 0 &&
        any_of(ascii_lower(tokens[i - 1].text), {"the", "our", "a", "an", "this"});
    const bool after_cue =
        i > 0 &&
        (takes_a_name(ascii_lower(tokens[i - 1].text)) ||
         (i > 1 && tokens[i - 1].text == "the" && takes_a_name(ascii_lower(tokens[i - 2].text))));
    // A hyphenated lower-case word is a name only where a name is expected: people join words
    // freely.
    const bool joined_words = technical && lower == word;
    const bool next_is_noun =
        i + 1 < tokens.size() && names_a_thing(ascii_lower(tokens[i + 1].text));
    const bool candidate = (technical && !joined_words) || capitalised || before_noun ||
                           (joined_words && (after_cue || next_is_noun || i + 1 == tokens.size()));
    if (!candidate || TRY(is_known(word, search)) || TRY(parts_stand_together(word, search)))
      continue;
    if (std::ranges::find(unknown, word) == unknown.end()) unknown.push_back(word);
  }
  return unknown;
}

}  // namespace precedent
