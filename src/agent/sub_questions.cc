#include "agent/sub_questions.h"

#include <re2/re2.h>

#include <utility>

#include "base/strings.h"

namespace precedent {
namespace {

// More than these in one message are a list that somebody pasted.
constexpr size_t kMaxQuestions = 6;

const RE2& opening() {
  static const RE2 kOpening(
      "(?i)^(?:(?:and|so|also|but|then|or|please|pls|plus|hi|hey|if (?:not|so|yes))[, ]+)*"
      "(?:what(?:'s|s)?|who(?:m|se|'s)?|when|where|why|how|which|(?:in|on|at|to|from|by|since|for|"
      "under) "
      "(?:what|which|whom|when)|is|are|was|were|do|does|did|has|have|had|can|could|should|would|"
      "will|"
      "any(?:thing|body|one)?|list|show|tell|explain|give|find|compare|describe|summari[sz]e|look|"
      "point)\\b");
  return kOpening;
}

bool asks(std::string_view clause) {
  return RE2::PartialMatch(re2::StringPiece(clause.data(), clause.size()), opening());
}

// Where one question ends and the next begins within a sentence: ", and who", " and when did".
std::vector<std::string_view> split_clauses(std::string_view sentence) {
  static const RE2 kJoint(
      "(?i)(?:\\s*[,;:–—-]+\\s*(?:and |or |also |then |so )*|\\s+(?:and|or) (?:also )?)"
      "((?:what(?:'s|s)?|who(?:m|se|'s)?|when|where|why|how|which|is (?:there|it)|are "
      "(?:there|they)|was there|were there|does|do|did|has|have|had)\\b\\s)");
  std::vector<std::string_view> clauses;
  size_t begin = 0, at = 0;
  re2::StringPiece g[2];
  const re2::StringPiece all(sentence.data(), sentence.size());
  while (kJoint.Match(all, at, sentence.size(), RE2::UNANCHORED, g, 2)) {
    const size_t joint = static_cast<size_t>(g[0].data() - sentence.data());
    const size_t next = static_cast<size_t>(g[1].data() - sentence.data());
    // "Which services and which stores" only if something is asked before.
    const std::string_view before = trim(sentence.substr(begin, joint - begin));
    if (asks(before)) {
      clauses.push_back(before);
      begin = next;
    }
    at = std::max(next + 1, at + 1);
  }
  clauses.push_back(trim(sentence.substr(begin)));
  return clauses;
}

}  // namespace

std::vector<std::string> split_questions(std::string_view text) {
  // Sentences: a mark of their end and white space, or a line.
  std::vector<std::string_view> sentences;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool mark =
        text[i] == '?' || text[i] == ';' || text[i] == '\n' || text[i] == '!' || text[i] == '.';
    const bool ends = mark && (i + 1 == text.size() || text[i] == '\n' ||
                               isspace(static_cast<unsigned char>(text[i + 1])));
    if (!ends) continue;
    sentences.push_back(trim(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (begin < text.size()) sentences.push_back(trim(text.substr(begin)));

  std::vector<std::string> questions;
  std::string told;
  for (const std::string_view sentence : sentences) {
    if (sentence.empty()) continue;
    for (const std::string_view clause : split_clauses(sentence)) {
      if (!asks(clause)) {
        told.append(clause).append(". ");
        continue;
      }
      questions.push_back(std::exchange(told, {}) + std::string(clause));
    }
  }
  if (questions.size() < 2 || questions.size() > kMaxQuestions) return {std::string(trim(text))};
  if (!told.empty()) questions.back() += ". " + std::string(trim(told));
  return questions;
}

}  // namespace precedent
