#include "agent/understand/question_parts.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "agent/language/field_words.h"
#include "base/strings.h"

namespace precedent {
namespace {

// More are a list that somebody pasted; one search finds what is common to them.
constexpr size_t kMostParts = 4;

// What answers a question.
enum class Answering { kDocuments, kRecords, kInvestigation, kCode, kContacts };

Answering answering(const Intent& part) {
  if (part.asks.contact || part.asks.on_call_now) return Answering::kContacts;
  if (part.type == QuestionType::kDebugIncident) return Answering::kInvestigation;
  if (part.type == QuestionType::kExplainCode) return Answering::kCode;
  if (part.signals.changes || part.signals.firing) return Answering::kRecords;
  return Answering::kDocuments;
}

// "It", "them": of one or of several.
const RE2& leaning() {
  static const RE2 kLeaning(
      "(?i)\\b(?:(its|their)|it|it['’]s|they|them|that|this|those|these|there|he|she)\\b");
  return kLeaning;
}

// Whether it stands alone: it names something, and nothing that only the sentence before says.
bool stands_alone(const OpenIntent& part) {
  // "Who was accountable" names a field of what was named before.
  return !part.subjects.empty() && !own_terms(part.question).empty() &&
         !RE2::PartialMatch(part.question, leaning());
}

bool shares_a_subject(const Intent& a, const Intent& b) {
  if (!a.service.empty() && a.service == b.service) return true;
  return std::ranges::any_of(a.subjects, [&](const Subject& subject) {
    return std::ranges::find(b.subjects, subject) != b.subjects.end();
  });
}

// What the question after it would call "it"; "" if it names nothing. `its_slo`: it may be asked of
// the service level; who owns that is no question.
std::string named_by(const Intent& before, bool its_slo) {
  constexpr std::array kKinds = {SubjectKind::kService,  SubjectKind::kApplication,
                                 SubjectKind::kEndpoint, SubjectKind::kSymbol,
                                 SubjectKind::kMetric,   SubjectKind::kIncident};
  const std::string_view what = before.signals.slo && its_slo ? "the SLO of " : "";
  for (const SubjectKind kind : kKinds) {
    const auto named = std::ranges::find(before.subjects, kind, &Subject::kind);
    if (named != before.subjects.end()) return fmt::format("{}{}", what, named->text);
  }
  // "The SLO for search": a system that is called in short.
  for (const Subject& subject : before.subjects)
    if (before.signals.slo && !read_signals(ascii_lower(subject.text), false).slo)
      return fmt::format("{}{}", what, subject.text);
  return "";
}

// "Is it firing" → "is SearchLatencyHigh firing"; "who is on call" → "who is on call for
// search-api".
std::string made_whole(const std::string& question, const std::string& name) {
  re2::StringPiece found[2];
  if (!leaning().Match(question, 0, question.size(), RE2::UNANCHORED, found, 2))
    return question + " for " + name;
  const auto at = static_cast<size_t>(found[0].data() - question.data());
  std::string whole = question;
  return whole.replace(at, found[0].size(), found[1].empty() ? name : name + "'s");
}

// Whether documents answer both, and with different lines: each has words of its own, and none of
// them in common.
bool is_of_something_else(const OpenIntent& part, const OpenIntent& before) {
  constexpr size_t kFewest = 2;
  if (answering(part) != Answering::kDocuments || answering(before) != Answering::kDocuments ||
      RE2::PartialMatch(part.question, leaning()))
    return false;
  const std::vector<std::string> own = own_terms(part.question), other = own_terms(before.question);
  return own.size() >= kFewest && other.size() >= kFewest &&
         std::ranges::none_of(own, [&](const std::string& term) {
           return std::ranges::find(other, term) != other.end();
         });
}

// Whether one answer holds both: what the same source answers, and what an investigation tells
// anyway.
bool is_told_with(const Intent& part, const Intent& before) {
  const Answering own = answering(part), other = answering(before);
  return own == other || (other == Answering::kInvestigation &&
                          (own == Answering::kDocuments || own == Answering::kRecords));
}

}  // namespace

QuestionParts find_parts(const OpenIntent& whole, const ReadPart& read) {
  const bool one = whole.follow_up || whole.questions.size() < 2 ||
                   whole.questions.size() > kMostParts || !whole.documents.kinds.empty();
  if (one) return {};
  QuestionParts parts;
  std::vector<OpenIntent> intents;
  for (const std::string& question : whole.sentences) {
    OpenIntent part = read(question);
    if (intents.empty()) {
      parts.questions.push_back(question);
      intents.push_back(std::move(part));
      continue;
    }
    const OpenIntent& before = intents.back();
    const bool other = is_of_something_else(part, before);
    if (!other && before.subjects.empty() && answering(before) == Answering::kDocuments) return {};
    const bool alone = stands_alone(part);
    if (other || (alone && !shares_a_subject(part, before))) {
      parts.questions.push_back(question);
      intents.push_back(std::move(part));
      continue;
    }
    const std::string name = alone ? "" : named_by(before, !part.asks.contact);
    std::string completed = name.empty() ? question : made_whole(question, name);
    if (!name.empty()) part = read(completed);
    if (is_told_with(part, before)) {
      parts.questions.back() += "\n" + question;
      intents.back() = read(parts.questions.back());
    } else if (!alone && name.empty()) {
      parts.left_out.push_back(question);
    } else {
      parts.questions.push_back(std::move(completed));
      intents.push_back(std::move(part));
    }
  }
  if (parts.questions.size() + parts.left_out.size() < 2) return {};
  return parts;
}

}  // namespace precedent
