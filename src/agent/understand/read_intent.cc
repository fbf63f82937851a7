#include "agent/understand/read_intent.h"

#include <re2/re2.h>

#include <algorithm>

#include "agent/slots/sub_questions.h"
#include "agent/understand/intent_type.h"
#include "base/ascii.h"
#include "base/ids.h"
#include "base/strings.h"

namespace precedent {
namespace {

// The letters before the first '-' of an id.
std::string_view prefix(std::string_view id) { return id.substr(0, id.find('-')); }

// Letters before a number that are no tracker's.
bool is_technical(std::string_view prefix) {
  static const RE2 kTechnical(
      "^(?:HTTPS?|UTF|ISO|SHA|MD|RFC|CVE|AES|RSA|TLS|SSL|IPV|ADR|JDK|JAVA|GCC|SEV|PRIO|P|S|Q|H|V|"
      "VERSION|X|EC|"
      "UTC|GMT|TCP|UDP|IP|HOST|VM|ASCII|LATIN|WINDOWS|PYTHON|NODE|PG|POSTGRES|GO|PORT|CODE|ERROR|"
      "EXIT|SIG|"
      "LEVEL|TIER|PAGE|"
      "[A-Z]{16,})$");
  return RE2::FullMatch(re2::StringPiece(prefix.data(), prefix.size()), kTechnical);
}

// An id to look up: one that exists, or that has the form of this company's ids or of any incident
// tracker's.
bool is_incident_id(const IdMention& mention, std::string_view question,
                    const IntentContext& context) {
  if (context.exists(mention.id)) return true;
  if (prefix(mention.id) == "INC" || prefix(mention.id) == "INCIDENT") return true;
  // "incident PD-123", "ticket OPS-77"
  const std::string before = ascii_lower(trim(question.substr(0, mention.begin)));
  if (before.ends_with("incident") || before.ends_with("ticket") ||
      before.ends_with("post-mortem for") || before.ends_with("postmortem for"))
    return true;
  // "OPS-7731: owner?", "what did we do about MIM-20260314-2": what a record has is asked of it.
  static const RE2 kOfARecord(
      "(?i)\\b(?:incident|ticket|record|case|status|owner|severity|resolution|resolved|root "
      "cause|timeline|impact|"
      "statement|mitigat\\w+|summary|summari[sz]e|details|pull|open|show|read|tl;?dr|what "
      "happened|happened|recorded|siblings|"
      "similar to|like|fix|closed|opened)\\b");
  // "ALM-440 record locked": what documents write about is an error's code, or another thing's.
  if (context.written && context.written(mention.id)) return false;
  const size_t digits = static_cast<size_t>(std::ranges::count_if(mention.id, is_digit));
  return digits >= 3 && !is_technical(prefix(mention.id)) &&
         RE2::PartialMatch(re2::StringPiece(question.data(), question.size()), kOfARecord);
}

// Ids of trackers that need no hyphen: "INC0048213", "INC_2026_05_05_001", "ticket #4471".
std::vector<std::string> tracker_ids(std::string_view question) {
  static const RE2 kTracker(
      "\\b((?:INC|CHG|PRB|RITM)_?\\d{4,}(?:_\\d+)*)\\b|(?i:\\b(?:incident|ticket) "
      "#(\\d{3,12})\\b)");
  std::vector<std::string> ids;
  re2::StringPiece rest(question.data(), question.size());
  for (std::string tracker, number; RE2::FindAndConsume(&rest, kTracker, &tracker, &number);) {
    std::ranges::replace(tracker, '_', '-');
    ids.push_back(tracker.empty() ? number : tracker);
  }
  return ids;
}

// Ids that exist, with a blank or nothing for a hyphen: "pet 2241", "inc 2026 11 18 001".
std::vector<std::string> loose_ids(std::string_view question, const IntentContext& context) {
  static const RE2 kLoose("\\b([A-Za-z]{2,10})[ _#-]{0,2}(\\d{2,}(?:[ _-]\\d{1,6}){0,4})\\b");
  std::vector<std::string> ids;
  re2::StringPiece rest(question.data(), question.size());
  for (std::string letters, digits; RE2::FindAndConsume(&rest, kLoose, &letters, &digits);) {
    std::ranges::replace(digits, ' ', '-');
    // What follows an id may be a number of its own.
    for (std::string id = normalize_id(letters + "-" + digits);; id.resize(id.rfind('-'))) {
      std::ranges::replace(id, '_', '-');
      if (context.exists(id)) ids.push_back(id);
      if (context.exists(id) || std::ranges::count(id, '-') < 2) break;
    }
  }
  return ids;
}

}  // namespace

OpenIntent read_intent(const Reference& asked, const IntentContext& context) {
  OpenIntent intent;
  intent.question = asked.question;
  intent.follow_up = asked.is_reference();
  intent.candidates = asked.candidates;
  intent.ids = asked.ids;
  intent.document = asked.document;
  intent.parts_only = asked.parts_only;
  intent.advice = asked.advice;
  intent.except = asked.except;
  intent.live = asked.live;
  intent.recall = asked.recall;
  intent.order = asked.order;
  if (intent.follow_up) intent.cues.push_back("follow-up: " + asked.why);
  const std::string lower = ascii_lower(intent.question);
  intent.asks = read_asks(lower);
  for (const IdMention& mention : find_ids(intent.question)) {
    if (std::ranges::find(intent.ids, mention.id) != intent.ids.end()) continue;
    if (is_incident_id(mention, intent.question, context)) intent.ids.push_back(mention.id);
  }
  for (std::string& id : tracker_ids(intent.question))
    if (std::ranges::find(intent.ids, id) == intent.ids.end()) intent.ids.push_back(std::move(id));

  for (std::string& id : loose_ids(intent.question, context))
    if (std::ranges::find(intent.ids, id) == intent.ids.end()) intent.ids.push_back(std::move(id));

  const SelfQuery read = read_self_query(intent.question, context.catalogue, context.now);
  intent.times = read.times;
  intent.filter = read.filter;
  intent.cues.insert(intent.cues.end(), read.cues.begin(), read.cues.end());
  intent.qualifiers = read_qualifiers(intent.question, intent.times, context.now);
  intent.deploy = find_deploy_hint(intent.question, context.now);
  intent.signals = read_signals(intent.question, !intent.times.empty());
  intent.asks.objective = intent.signals.slo;
  // What changed about an incident stands in its record, and how to change something in a runbook.
  const bool of_a_record = intent.follow_up && intent.live.empty();
  if (of_a_record || !intent.ids.empty() || intent.asks.steps)
    intent.signals.changes = intent.signals.firing = false;
  intent.sentences = split_questions(intent.question);
  intent.questions = {intent.sentences.begin(), intent.sentences.end()};
  intent.now = context.now;
  std::vector<std::string> not_subjects;
  for (const TimeHint& hint : intent.times) not_subjects.push_back(hint.text);
  if (intent.deploy) not_subjects.push_back(intent.deploy->text);
  intent.subjects = find_subjects(intent.question, intent.ids, read.names, not_subjects);

  const bool of_a_system = std::ranges::any_of(intent.subjects, [](const Subject& subject) {
    return subject.kind == SubjectKind::kService || subject.kind == SubjectKind::kApplication;
  });
  if (of_a_system && !intent.follow_up && intent.qualifiers.version) intent.signals.changes = true;
  if (asked.type) {
    intent.type = *asked.type;
    intent.confidence = 0.9;
  } else {
    decide_type(intent, read, context);
  }
  // The rules for types go by the words; the form of the answer by what was learned, too.
  if (context.opinion != nullptr) {
    intent.asks = read_asks(lower, context.opinion->asked(intent.question));
    intent.asks.objective = intent.signals.slo;
  }
  return intent;
}

}  // namespace precedent
