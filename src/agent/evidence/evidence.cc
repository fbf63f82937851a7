#include "agent/evidence/evidence.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <set>

#include "agent/sources/unknown_names.h"
#include "base/ascii.h"
#include "base/strings.h"
#include "base/time.h"
#include "search/passages.h"

namespace precedent {
namespace {

bool has_digit(std::string_view text) { return std::ranges::any_of(text, is_digit); }

bool label_has(const Evidence& e, std::initializer_list<std::string_view> words) {
  const std::string label = ascii_lower(e.label + "\n" + e.heading);
  return std::ranges::any_of(
      words, [&](std::string_view word) { return label.find(word) != std::string::npos; });
}

}  // namespace

bool is_attribute(const Evidence& evidence) {
  return evidence.label == kAttributes && evidence.source.lines.begin == 0;
}

std::string text_of(const Evidence& evidence) {
  return join(
      {evidence.source.title, evidence.context, evidence.label, evidence.heading, evidence.quote},
      "\n");
}

bool has_phone(std::string text) {
  static const RE2 kPhone(
      "(?:^|[^\\w.:-])(?:\\+\\d{1,3}[ -]?)?\\(?\\d{2,5}\\)?(?:[ /-]\\d{2,}){1,4}(?:$|[^\\w:-])");
  static const RE2 kDate("\\d{4}-\\d{2}-\\d{2}");
  // A short number needs a word that says what it is: "phone 4410", "dial 118".
  static const RE2 kShort(
      "(?i)\\b(?:(?:tele)?phone|tel|ext|extension|hotline|pager|mobile|cell)\\b\\.?"
      "(?:\\s+(?:no\\.?|number))?(?:\\s+is)?[:\\s]+\\+?\\d{3,}\\b|"
      "\\b(?:call|dial|ring)\\s+\\+?\\d{3,}(?:$|[.,;:!?)]|\\s+(?:or|and|if|at|for)\\b)");
  RE2::GlobalReplace(&text, kDate, "");
  return RE2::PartialMatch(text, kPhone) || RE2::PartialMatch(text, kShort);
}

float form_fit(const Asks& asks, const Evidence& e) {
  static const RE2 kClock(
      "\\d{1,2}:\\d{2}|\\d{4}-\\d{2}-\\d{2}|(?i)\\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|"
      "dec)[a-z]* \\d");
  static const RE2 kBecause(
      "(?i)\\b(?:because|caused by|cause was|due to|root cause|led to|triggered|resulted in|as a "
      "result)\\b");
  static const RE2 kDid(
      "(?i)\\b(?:restarted|rolled "
      "back|reverted|increased|raised|deployed|fixed|updated|added|removed|disabled|enabled|"
      "replaced|scaled|patched|restored|failed over|resolved|mitigated|rotated|reduced)\\b");
  static const RE2 kPerson(
      "(?i)\\b(?:team|on-?call|owner|owned "
      "by|escalat\\w+|contact|squad|lead|engineer|manager|slack|pager\\w*)\\b|@|#[a-z]");
  static const RE2 kReason(
      "(?i)\\b(?:context|background|rationale|motivation|reasons?|why|problem)\\b");
  static const RE2 kObjective(
      "(?i)\\b(?:service levels?|slos?|slis?|objectives?|error budgets?)\\b");
  float fit = 0;
  const auto reward = [&](bool asked, bool fits) {
    if (asked && fits) fit = std::max(fit, 1.0f);
  };
  reward(asks.number, has_digit(e.quote));
  reward(asks.command, e.form == Form::kCommand || e.code);
  reward(asks.steps, e.form == Form::kItem || e.form == Form::kCommand ||
                         label_has(e, {"action", "mitigation"}));
  if (asks.phone) return has_phone(e.quote) ? 1 : 0;
  reward(asks.person, e.kind == Kind::kOwnership ||
                          label_has(e, {"owner", "accountable", "team", "oncall", "on-call",
                                        "escalation", "author", "contact"}) ||
                          RE2::PartialMatch(e.quote, kPerson));
  // A release is a time, too: "removed in 6.0.0".
  static const RE2 kRelease(
      "(?i)\\b(?:in|since|with|from|until) (?:v?\\d+\\.\\d+\\.\\d+|(?:version|release) v?\\d)");
  reward(asks.time, label_has(e, {"opened", "resolved", "date", "timeline"}) ||
                        RE2::PartialMatch(e.quote, kClock) || RE2::PartialMatch(e.quote, kRelease));
  // The reason for a decision is under its own heading in the record of the decision.
  const bool reason = e.kind == Kind::kAdr && RE2::PartialMatch(e.heading + " " + e.label, kReason);
  reward(asks.cause, label_has(e, {"cause"}) || RE2::PartialMatch(e.quote, kBecause) || reason);
  reward(asks.objective, RE2::PartialMatch(e.context + " " + e.quote, kObjective) &&
                             e.kind != Kind::kIncident && has_digit(e.quote));
  reward(asks.remedy,
         label_has(e, {"action", "mitigation", "resol", "workaround", "fix", "remed"}) ||
             RE2::PartialMatch(e.quote, kDid));
  reward(asks.status, label_has(e, {"status", "severity", "resolved"}));
  reward(asks.impact, label_has(e, {"impact"}));
  return fit;
}

namespace {

// Whether a field of an incident answers a question that does not name the incident: its form does,
// or its label is asked for. "Open file descriptors" does not ask for "Opened at".
bool asks_for(const Evidence& field, const Asks& asks, const std::set<std::string>& asked,
              const Analyzer& analyzer) {
  if (form_fit(asks, field) > 0) return true;
  if (parse_time(field.quote)) return false;
  const std::vector<std::string> label = analyzer.terms(field.label);
  return std::ranges::any_of(label, [&](const std::string& term) { return asked.contains(term); });
}

// Whether a sentence repeats the question: all its words are the question's, and most of those.
bool is_echo(const Evidence& e, const std::vector<std::string>& terms,
             const std::set<std::string>& asked) {
  constexpr size_t kFewest = 4;
  constexpr double kMost = 0.7;
  if (e.form != Form::kSentence && e.form != Form::kItem && e.form != Form::kRow) return false;
  const std::set<std::string> said(terms.begin(), terms.end());
  if (said.size() < kFewest ||
      static_cast<double>(said.size()) < kMost * static_cast<double>(asked.size()))
    return false;
  return std::ranges::all_of(said, [&](const std::string& term) { return asked.contains(term); });
}

// Whether a piece says anything new: a heading or a title that echoes the question is no answer,
// and neither is another question.
bool adds_something(const Evidence& e, const Intent& intent, const std::set<std::string>& asked,
                    const Analyzer& analyzer) {
  if (e.quote.ends_with('?')) return false;
  const std::vector<std::string> terms = analyzer.terms(e.quote);
  const auto is_asked = [&](const std::string& term) { return asked.contains(term); };
  // "Last validated: …" answers only a question for it, however relevant its document is.
  if (is_attribute(e)) {
    Asks facts = intent.asks;
    facts.steps = facts.command = false;  // an attribute is no step
    // The time of a document's last review is not the time of what it tells.
    static const RE2 kOfDocument("(?i)^[^:]*(?:valid|review|updated|modified|checked)[^:]*:");
    if (RE2::PartialMatch(e.quote, kOfDocument)) facts.time = facts.number = false;
    return std::ranges::any_of(terms, is_asked) || form_fit(facts, e) > 0;
  }
  if (e.form == Form::kField)
    return intent.follow_up || !intent.ids.empty() || asks_for(e, intent.asks, asked, analyzer);
  return !std::ranges::all_of(terms, is_asked) || is_echo(e, terms, asked);
}

// Whether the question says its heading: "when is it escalated" and "Escalation". A document's
// title is what the question is about, not what it asks.
bool stands_under_asked(const Evidence& e, const std::set<std::string>& asked,
                        const Analyzer& analyzer) {
  const std::string& heading = e.heading.empty() ? e.label : e.heading;
  if (e.kind == Kind::kIncident || is_attribute(e) || heading == e.source.title) return false;
  const std::vector<std::string> terms = analyzer.terms(heading);
  return !terms.empty() &&
         std::ranges::all_of(terms, [&](const std::string& term) { return asked.contains(term); });
}

// The document whose title the question says; of several, the one that covers most of the question.
// "" if there is none, or if any document may tell what is asked.
std::string titled_document(const std::vector<Evidence>& ranked, const Asks& asks,
                            const std::set<std::string>& asked, const Analyzer& analyzer) {
  constexpr size_t kFewest = 2;
  constexpr double kCovers = 0.4;
  const bool of_any = asks.number || asks.person || asks.time || asks.count || asks.cause ||
                      asks.objective || asks.impact || asks.status;
  if (of_any && !asks.steps) return "";
  std::map<std::string, double> covered;  // by document
  std::string best;
  for (const Evidence& e : ranked) {
    if (covered.contains(e.source.id)) continue;
    const std::vector<std::string> terms = analyzer.terms(e.source.title);
    const std::set<std::string> title(terms.begin(), terms.end());
    const bool said =
        title.size() >= kFewest &&
        std::ranges::all_of(title, [&](const std::string& term) { return asked.contains(term); });
    const double covers =
        said ? static_cast<double>(title.size()) / static_cast<double>(asked.size()) : 0;
    covered[e.source.id] = covers;
    if (covers >= kCovers && (best.empty() || covers > covered[best])) best = e.source.id;
  }
  return best;
}

void put_meant_first(std::vector<Evidence>& ranked, const Intent& intent,
                     const std::set<std::string>& asked, const Analyzer& analyzer) {
  const auto says_it = [&](const Evidence& e) {
    return is_echo(e, analyzer.terms(e.quote), asked);
  };
  std::string meant = titled_document(ranked, intent.asks, asked, analyzer);
  // Of several documents that repeat the question, the one that ranks best.
  if (const auto echo = std::ranges::find_if(ranked, says_it);
      meant.empty() && echo != ranked.end())
    meant = echo->source.id;
  if (meant.empty()) return;
  std::erase_if(ranked, [&](const Evidence& e) { return e.source.id != meant && says_it(e); });
  for (Evidence& e : ranked) e.meant = e.source.id == meant;
  std::ranges::stable_partition(ranked, &Evidence::meant);
  std::ranges::stable_partition(ranked, [&](const Evidence& e) { return e.meant && says_it(e); });
}

}  // namespace

Result<std::vector<Evidence>> rank_evidence(const Intent& intent, std::vector<Evidence> evidence,
                                            const Searcher& search) {
  constexpr float kInPassing = 0.5f;
  const std::vector<std::string> terms = intent.asked.text.terms();
  const std::set<std::string> asked(terms.begin(), terms.end());
  std::erase_if(evidence, [&](const Evidence& e) {
    return !adds_something(e, intent, asked, search.analyzer());
  });
  std::vector<bool> under(evidence.size());
  for (size_t i = 0; i < evidence.size(); ++i)
    under[i] = stands_under_asked(evidence[i], asked, search.analyzer());
  // Causes and fixes are also in records, which have no headings.
  const bool named =
      (intent.asks.person || intent.asks.time) && std::ranges::find(under, true) != under.end();
  // "When was the check removed?": if a line tells of the removal, the time of something else is no
  // answer.
  const std::vector<std::string> deed = search.analyzer().terms(intent.qualifiers.deed);
  const auto tells = [&](const Evidence& e) {
    const std::vector<std::string> own = search.analyzer().terms(e.quote);
    return std::ranges::find(own, deed.front()) != own.end() && form_fit(intent.asks, e) > 0;
  };
  const bool told = !deed.empty() && std::ranges::any_of(evidence, tells);
  std::vector<Passage> passages;
  passages.reserve(evidence.size());
  for (const Evidence& e : evidence) {
    // A field's label is part of what it says: "Severity: SEV1".
    const std::string text =
        e.form == Form::kField ? fmt::format("{}: {}", e.label, e.quote) : e.quote;
    float fit = form_fit(intent.asks, e);
    // Ownership documents say who owns a service; others name people in passing.
    if (intent.asks.person && !intent.subjects.empty() && e.kind != Kind::kOwnership &&
        !label_has(e, {"accountable"}))
      fit *= kInPassing;
    // Under another heading than the one asked for, people and times belong to something else.
    if (named) fit = under[passages.size()] ? 1 : fit * kInPassing;
    if (told && !tells(e)) fit = 0;
    passages.push_back({text, e.context, e.relevance, fit, e.source.title});
  }
  const Verbatim asked_for = intent.asked.text.verbatim(search.analyzer());
  std::vector<Evidence> ranked;
  ranked.reserve(evidence.size());
  for (const PassageScore& score :
       TRY(rank_passages(intent.asked.without_ids.to_search(), passages, search))) {
    Evidence& e = evidence[score.passage];
    e.score = score.score;
    e.coverage = score.coverage;
    e.verbatim = score.verbatim;
    e.cosine = score.cosine;
    e.answers = score.answers;
    e.entry = asked_for.holds(e.head) || asked_for.holds(e.heading);
    // Whoever pasted an alert wants what the catalogue of alerts has of it.
    if (e.entry && intent.signals.log_line) e.verbatim = 1;
    ranked.push_back(std::move(e));
  }
  put_meant_first(ranked, intent, asked, search.analyzer());
  if (!ranked.empty())
    ranked.front().whole =
        holds_what_is_written(ranked.front().quote, intent.asked.without_ids.terms(), search);
  return ranked;
}

}  // namespace precedent
