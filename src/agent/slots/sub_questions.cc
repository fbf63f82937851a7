#include "agent/slots/sub_questions.h"

#include <re2/re2.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {
namespace {

// More than these in one message are a list that somebody pasted.
constexpr size_t kMaxQuestions = 6;

const RE2& opening() {
  static const RE2 kOpening(
      "(?i)^(?:(?:and|so|also|but|then|or|please|pls|plus|hi|hey|if (?:not|so|yes))[, ]+)*"
      "(?:what(?:'s|s)?|who(?:m|se|'s)?|where|why|how|which|(?:in|on|at|to|from|by|since|for|"
      "under) "
      "(?:what|which|whom|when)|"
      // "When it rains, …" asks nothing.
      "when(?:'s|\\s+(?:do|does|did|is|are|was|were|will|can|could|should|would|has|have|had|to))|"
      "when$|is|are|was|were|do|does|did|has|have|had|can|could|should|would|"
      "will|"
      "any(?:thing|body|one)?|list|show|tell|explain|give|find|compare|describe|summari[sz]e|look"
      ")\\b");
  return kOpening;
}

// "SLO of search-api": what is written down of something, without a word of asking.
bool names_a_wish(std::string_view clause) {
  static const RE2 kWish(
      "(?i)^(?:the |our )?(?:slos?|slas?|service levels?|owners?|runbook|severity|root cause|"
      "thresholds?|error budget) (?:of|for) \\S+(?: \\S+){0,2}$");
  return RE2::PartialMatch(re2::StringPiece(clause.data(), clause.size()), kWish);
}

bool asks(std::string_view clause) {
  return RE2::PartialMatch(re2::StringPiece(clause.data(), clause.size()), opening());
}

// Whether the first word of `text` is `word`, whatever the letter case.
bool starts_with_word(std::string_view text, std::string_view word) {
  return iequals(text.substr(0, text.find(' ')), word);
}

struct Clause {
  std::string_view text;
  bool asks = false;
};

size_t words(std::string_view text) {
  return text.empty() ? 0 : 1 + static_cast<size_t>(std::ranges::count(text, ' '));
}

// "Root cause + owner of X": each is asked for.
std::vector<Clause> split_sum(std::string_view sentence) {
  static const RE2 kPlus("\\pL( \\+ )\\pL");
  std::vector<Clause> clauses;
  re2::StringPiece plus;
  while (RE2::PartialMatch(re2::StringPiece(sentence.data(), sentence.size()), kPlus, &plus)) {
    const size_t at = static_cast<size_t>(plus.data() - sentence.data());
    clauses.push_back({sentence.substr(0, at), true});
    sentence.remove_prefix(at + plus.size());
  }
  clauses.push_back({sentence, !clauses.empty()});
  return clauses;
}

// "What is p95 of A, the error rate of B and the lag of C": each of something else. Nothing where
// it is not of that form throughout.
std::vector<std::string> split_measures(std::string_view question) {
  static const RE2 kJoint("(?i)\\s*,\\s*(?:and\\s+)?|\\s+and\\s+");
  static const RE2 kPiece(
      "(?i)(?:(?:what(?:'s|s| is| are| was| were)?|show(?: me)?|give me|compare)\\s+)?(?:the )?"
      "((?:[\\w%-]+ ){0,2}[\\w%-]+ (?:of|for|on|in) (?:the )?([\\w./{}-]+)( (?:now|right "
      "now|currently|today))?)\\W*");
  static const RE2 kMeasure(
      "(?i)\\b(?:p\\d\\d|latency|error "
      "rate|errors|throughput|traffic|rps|qps|saturation|cpu|memory|lag|queue|backlog|depth|"
      "ratio|rate|connections?|usage|\\w+_\\w+)\\b");
  std::string pieces(question);
  RE2::GlobalReplace(&pieces, kJoint, "\n");
  std::vector<std::string> questions;
  std::set<std::string> of;
  for (const std::string_view piece : split(pieces, '\n')) {
    std::string measure, system;
    if (!RE2::FullMatch(re2::StringPiece(piece.data(), piece.size()), kPiece, &measure, &system) ||
        !RE2::PartialMatch(measure, kMeasure))
      return {};
    of.insert(ascii_lower(system));
    questions.push_back("what is the " + measure);
  }
  return of.size() > 1 ? questions : std::vector<std::string>();
}

// Where one question ends and the next begins within a sentence: ", and who", " and when did".
std::vector<Clause> split_clauses(std::string_view sentence) {
  static const RE2 kJoint(
      "(?i)(?:\\s*[,;:–—-]+\\s*(?:and |or |also |then |so )*|\\s+(?:and|or) (?:also )?)"
      "((?:what(?:'s|s)?|who(?:m|se|'s)?|when(?:'s)?|where(?:'s)?|why|how(?:'s)?|which|"
      "is (?:there|it|the|this|that)|are (?:there|they|we|the)|was (?:there|it)|were (?:there|we|"
      "they)|(?:can|should) (?:i|we)|does|do|did|has|have|had)\\b\\s)");
  std::vector<Clause> clauses;
  size_t begin = 0, at = 0;
  bool asked = false;  // by the clause that begins there
  re2::StringPiece g[2];
  const re2::StringPiece all(sentence.data(), sentence.size());
  while (kJoint.Match(all, at, sentence.size(), RE2::UNANCHORED, g, 2)) {
    const size_t joint = static_cast<size_t>(g[0].data() - sentence.data());
    const size_t next = static_cast<size_t>(g[1].data() - sentence.data());
    const std::string_view before = trim(sentence.substr(begin, joint - begin));
    // "Which services and which stores": one question.
    const std::string_view opener = trim({g[1].data(), g[1].size()});
    const bool listed = words(before) == 2 && starts_with_word(before, opener);
    if ((asked || asks(before) || names_a_wish(before)) && !listed) {
      clauses.push_back({before, true});
      begin = next;
    }
    // "Cache stampede: what is it": asked after what it is about.
    asked = asks(sentence.substr(next));
    at = std::max(next + 1, at + 1);
  }
  asked = asked || asks(sentence.substr(begin));
  clauses.push_back({trim(sentence.substr(begin)), asked});
  return clauses.size() == 1 && !asked ? split_sum(clauses[0].text) : clauses;
}

// "1) the limit of db_pool 2) who owns it": the items that are counted from 1, whatever they say,
// the first with what is told before it. Empty if fewer than two are.
std::vector<std::string> split_counted(std::string_view text) {
  static const RE2 kMark("(?:^|\\s)\\(?([1-9])[).]\\s+");
  const re2::StringPiece all(text.data(), text.size());
  std::vector<std::string> items;
  size_t at = 0, begin = 0;
  std::string_view told;
  char next = '1';
  re2::StringPiece mark[2];
  while (kMark.Match(all, at, text.size(), RE2::UNANCHORED, mark, 2)) {
    const auto begins = static_cast<size_t>(mark[0].data() - text.data());
    at = begins + mark[0].size();
    if (mark[1][0] != next) continue;
    if (next > '1')
      items.emplace_back(trim(text.substr(begin, begins - begin)));
    else
      told = trim(text.substr(0, begins));
    begin = at;
    ++next;
  }
  if (next > '2') items.emplace_back(trim(text.substr(begin)));
  if (std::ranges::any_of(items, &std::string::empty)) return {};
  if (!told.empty() && !items.empty()) items.front() = std::string(told) + "\n" + items.front();
  return items;
}

}  // namespace

std::vector<std::string> split_questions(std::string_view text) {
  if (auto counted = split_counted(text); counted.size() > 1 && counted.size() <= kMaxQuestions)
    return counted;
  // Sentences: a mark of their end and white space, or a line.
  std::vector<Clause> sentences;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool mark =
        text[i] == '?' || text[i] == ';' || text[i] == '\n' || text[i] == '!' || text[i] == '.';
    const bool ends = mark && (i + 1 == text.size() || text[i] == '\n' || is_space(text[i + 1]));
    if (!ends) continue;
    sentences.push_back({trim(text.substr(begin, i - begin)), text[i] == '?'});
    begin = i + 1;
  }
  if (begin < text.size()) sentences.push_back({trim(text.substr(begin)), false});

  std::vector<std::string> questions;
  std::string told;
  for (const Clause& sentence : sentences) {
    if (sentence.text.empty()) continue;
    std::vector<Clause> clauses = split_clauses(sentence.text);
    // What ends with "?" asks, however it begins.
    clauses.back().asks |= sentence.asks;
    for (const Clause& clause : clauses) {
      if (clause.asks)
        questions.push_back(std::exchange(told, {}) + std::string(clause.text));
      else
        told.append(clause.text).append(". ");
    }
  }
  if (questions.size() < 2) {
    auto measures = split_measures(trim(text));
    if (measures.size() > 1 && measures.size() <= kMaxQuestions) return measures;
  }
  if (questions.size() < 2 || questions.size() > kMaxQuestions) return {std::string(trim(text))};
  if (!told.empty()) questions.back() += ". " + std::string(trim(told));
  return questions;
}

}  // namespace precedent
