#include "agent/intent.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "agent/asked_changes.h"
#include "agent/intent_type.h"
#include "agent/sub_questions.h"
#include "base/ids.h"
#include "base/strings.h"

namespace precedent {
namespace {

bool matches(const std::string& lower, const RE2& pattern) {
  return RE2::PartialMatch(lower, pattern);
}

// Each form of answer and the words that ask for it.
Asks read_asks(const std::string& q) {
  static const RE2 kSteps(
      "\\bhow (?:do|can|should|would|to|does one)\\b|\\bsteps?\\b|\\bwhat (?:should|do|can) "
      "(?:i|we) (?:do|check|try|run)\\b|"
      "\\bfix(?:ing)?\\b|\\bprocedure\\b|\\bmitigate\\b|\\btroubleshoot|\\brunbook for\\b|\\bwhat "
      "to do\\b|\\bnext steps?\\b|\\bwhat (?:now|next)\\b|\\bwork-?arounds?\\b");
  static const RE2 kCommand(
      "\\b(?:commands?|cmds?)\\b|\\bhow (?:do|can|should) (?:i|we|you) "
      "(?:check|see|list|run|restart|roll "
      "?back|scale|flush|drain|verify|inspect|query|find|tell)\\b|"
      "\\bwhich (?:flag|option|query|script)\\b|\\bwhat "
      "(?:flag|option|query|script)\\b|\\bkubectl\\b|\\bpsql\\b|\\bcurl\\b");
  static const RE2 kNumber(
      "\\bhow "
      "(?:many|much|long|often|big|large|high|low|fast|old|far)\\b|\\bthresholds?\\b|\\blimits?\\b|"
      "\\bdefaults?\\b|\\bpercent(?:age)?\\b|"
      "\\bwhat "
      "(?:port|size|value|number|rate|version|timeout|ttl|interval|slo|budget|duration|setting)\\b|"
      "\\bmaximum\\b|\\bminimum\\b|\\bmax\\b|\\bduration\\b|\\bvalue of\\b|"
      "\\bwhich (?:port|version|value)\\b|\\btime to "
      "(?:repair|resolve|recover|detect)|\\b(?:recovery|"
      "detection|repair) (?:time|took)\\b|\\bm?tt[rd]\\b|\\bset to\\b");
  static const RE2 kPerson(
      "\\bwho\\b|\\bwhom\\b|\\bwhose\\b|\\bwhich team\\b|\\bwhat "
      "team\\b|\\bon-?call\\b|\\bowns?\\b|\\bowners?\\b|\\baccountable\\b|"
      "\\bescalat\\w+|\\bcontact\\b|\\bresponsible\\b|\\bpage\\b|\\bauthor\\b");
  static const RE2 kTime(
      "\\bwhen\\b|\\bwhat (?:time|date|day|year|month)\\b|\\bsince when\\b|\\bhow long ago\\b");
  static const RE2 kCause(
      "\\bwhy\\b|\\bcaus(?:e|es|ed|ing)\\b|\\breasons?\\b|\\bculprit\\b|\\btrigger(?:ed|s)?\\b|"
      "\\bbecause of\\b|\\bwhat went wrong\\b|\\bwhat broke\\b|"
      "\\bto blame\\b|\\bbehind\\b|\\bled to\\b");
  static const RE2 kRemedy(
      "\\bresolv(?:e|ed|es|ing)\\b|\\bresolution\\b|\\bfix(?:ed|es)?\\b|\\bmitigat\\w+|\\baction(?:"
      "s)? taken\\b|\\bwhat (?:was|were|did) .*\\b(?:done|do)\\b|\\bwork-?arounds?\\b|\\bremed\\w+|"
      "\\brecover(?:ed|y)?\\b|\\bsolved?\\b|\\bsolution\\b|\\bafterwards\\b|\\bprevent\\w*|\\bbeen "
      "done\\b");
  static const RE2 kList(
      "\\b(?:list|show(?: me)?|which|what|give "
      "me|find|any|all)\\b.*\\b(?:incidents?|outages?|runbooks?|post-?mortems?|known "
      "issues?|adrs?|documents?|docs)\\b");
  static const RE2 kCount(
      "\\bhow many (?:\\w+ ){0,4}(?:incidents?|outages?|times)\\b|\\bnumber of (?:\\w+ "
      "){0,3}(?:incidents?|outages?)\\b|\\bhow often\\b|"
      "^(?:and |so )*how many(?: (?:are|were) (?:there|they)| of (?:them|those)| in total| is "
      "that)?\\W*$");
  static const RE2 kStatus(
      "\\bstatus\\b|\\bstill (?:open|ongoing|broken|down|happening)\\b|\\bis it "
      "(?:open|closed|resolved|fixed)\\b|\\bseverity\\b|\\bhas .* been "
      "(?:resolved|fixed|closed)\\b");
  static const RE2 kImpact(
      "\\bimpact\\w*|\\baffect\\w*|\\bblast radius\\b|\\bcustomers?\\b|\\busers?\\b");
  Asks asks;
  asks.steps = matches(q, kSteps);
  asks.command = matches(q, kCommand);
  asks.count = matches(q, kCount);
  asks.number = matches(q, kNumber) && !asks.count;
  static const RE2 kPhone(
      "\\b(?:tele)?phone(?: number| no\\b|$|\\W)|\\b(?:pager|mobile|cell|hotline|duty|desk) "
      "number\\b|\\bnumber to call\\b");
  static const RE2 kNow(
      "\\bon-? ?call\\b.*\\b(?:now|currently|tonight|today|this "
      "(?:week|weekend|evening|morning|shift)|at the moment)\\b|"
      "\\b(?:currently|now) on-? ?call\\b");
  asks.contact = asks_for_contact(q);
  asks.on_call_now = asks.contact && matches(q, kNow);
  asks.phone = asks.contact && matches(q, kPhone);
  asks.person = asks.contact || matches(q, kPerson);
  asks.time = matches(q, kTime);
  asks.cause = matches(q, kCause);
  asks.remedy = matches(q, kRemedy);
  asks.list = matches(q, kList);
  asks.status = matches(q, kStatus);
  asks.impact = matches(q, kImpact);
  static const RE2 kDetection(
      "\\b(?:detect\\w*|notic\\w+|discover\\w*|spotted)\\b|\\bfound out\\b|\\bwho "
      "(?:saw|told|reported)\\b");
  asks.detection = matches(q, kDetection);
  static const RE2 kWork(
      "\\b(?:action (?:items?|points?)|follow-?up (?:actions?|items?|tasks?)|to-?dos?)\\b|"
      "\\b(?:what|anything|something)(?:'s| is| was| were| has been)? (?:still |left |it leave )*"
      "(?:open|outstanding|unfinished|undone|left to do)\\b");
  asks.work = matches(q, kWork);
  static const RE2 kWhether(
      "^(?:(?:hi|hey|ok|okay|and|so|please|quick question)\\W+)*"
      "(?:is|are|was|were|does|do|did|has|have|any|anything)\\b");
  asks.whether = matches(q, kWhether) && !asks.steps && !asks.cause && !asks.remedy && !asks.list;
  static const RE2 kValue(
      "^(?:(?:hi|hey|ok|okay|and|so|please)\\W+)*(?:what(?:'s|s| is| are| was| were)|how "
      "(?:is|are|was|were|many|much|high|slow|fast|large|big)|current|show(?: me)?|give me)\\b");
  asks.value = matches(q, kValue) && !asks.steps && !asks.cause && !asks.remedy && !asks.list;
  static const RE2 kOther(
      "^(?:(?:in|on|at|by|for) )?(?:did|does|is|are|was|were|has|have|had|which|where|what)\\b");
  asks.other = matches(q, kOther) && !asks.cause && !asks.remedy && !asks.list &&
               q.find("happened") == std::string::npos;
  return asks;
}

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
  const size_t digits = static_cast<size_t>(
      std::ranges::count_if(mention.id, [](unsigned char c) { return isdigit(c); }));
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

bool asks_for_contact(const std::string& q) {
  static const RE2 kContact(
      "\\bwho(?:m)? (?:do|should|can|could|would|must|to|shall)(?: i| we| you)? "
      "(?:call|page|contact|ask|talk|speak|escalate|wake|notify|tell|ping|reach|inform|phone|email|"
      "alert|involve)\\b|"
      "\\bwho(?:'s|s| is| are)? (?:currently |now )?(?:the )?(?:on-?call|on call)\\b|"
      "\\bhow (?:do|can|should) (?:i|we) (?:reach|contact|page|escalate|get hold of)\\b|"
      "\\b(?:whose|who(?:'s| is| has)?(?: the)?) (?:pager|service is|system is)\\b|"
      "\\bcontacts? (?:for|of|at|person|details)\\b|\\b(?:tele)?phone(?: number| no| "
      "(?:of|for)|\\W*$)|"
      "\\b(?:pager|mobile|cell|hotline|duty|desk) number\\b|"
      "\\bescalation (?:contacts?|path|for)\\b|\\bwho (?:owns|maintains|leads|looks after|is "
      "responsible "
      "for)\\b|"
      "\\bwhich team (?:owns|is responsible for|maintains|looks after)\\b|\\bowners? of\\b");
  static const RE2 kTask("\\b(?:action|task|ticket|follow-?up|to-?do|item|incident|outage)s?\\b");
  return matches(q, kContact) && !matches(q, kTask);
}

bool is_vague(std::string_view question, const Analyzer& analyzer) {
  // Words that say that something is wrong, but not what.
  static const std::vector<std::string> kGeneric = Analyzer().terms(
      "broken broke break again problem problems issue issues help wrong error errors fail failed "
      "failing failure work "
      "working down fix fixed thing things something everything happen happened happening bad "
      "weird strange slow stuck "
      "please hello hi hey thanks urgent now still show tell know need want look check question "
      "ask anything going on "
      "up not");
  return std::ranges::all_of(analyzer.terms(question), [](const std::string& term) {
    return std::ranges::find(kGeneric, term) != kGeneric.end();
  });
}

Intent read_intent(const Reference& asked, const IntentContext& context) {
  Intent intent;
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
  intent.deploy = find_deploy_hint(intent.question, context.now);
  intent.signals = read_signals(intent.question, !intent.times.empty());
  intent.asks.objective = intent.signals.slo;
  // What changed about an incident stands in its record, and how to change something in a runbook.
  const bool of_a_record = intent.follow_up && intent.live.empty();
  if (of_a_record || !intent.ids.empty() || intent.asks.steps)
    intent.signals.changes = intent.signals.firing = false;
  intent.questions = split_questions(intent.question);
  intent.now = context.now;
  std::vector<std::string> not_subjects;
  for (const TimeHint& hint : intent.times) not_subjects.push_back(hint.text);
  if (intent.deploy) not_subjects.push_back(intent.deploy->text);
  intent.subjects = find_subjects(intent.question, intent.ids, read.names, not_subjects);

  const bool of_a_system = std::ranges::any_of(intent.subjects, [](const Subject& subject) {
    return subject.kind == SubjectKind::kService || subject.kind == SubjectKind::kApplication;
  });
  if (of_a_system && !intent.follow_up && asks_for_a_version(lower)) intent.signals.changes = true;
  if (asked.type) {
    intent.type = *asked.type;
    intent.confidence = 0.9;
  } else {
    decide_type(intent, read, context);
  }
  return intent;
}

bool asks_only_for_records(const Intent& intent) {
  const bool changes = intent.signals.changes, alerts = intent.signals.firing;
  if (!changes && !alerts) return false;
  if (intent.type != QuestionType::kKnowledge && intent.type != QuestionType::kExplainCode)
    return false;
  if (intent.questions.size() > static_cast<size_t>(changes) + static_cast<size_t>(alerts))
    return false;
  const bool named = std::ranges::any_of(intent.subjects, [](const Subject& s) {
    return s.kind == SubjectKind::kPerson || s.kind == SubjectKind::kFlag;
  });
  if (!changes || named || !intent.service.empty() || !intent.changed.empty() ||
      !asked_commit(intent.question).empty())
    return true;
  // "What changed in the refund policy": what documents may tell.
  static const RE2 kOfAnything(
      "^(?:what|which|who|when|was|were|is|are|did|has|have|been|there|any|all|the|an?|list|show|"
      "me|"
      "we|our|us|they|anyone|anybody|anything|someone|something|else|new|recent|recently|lately|"
      "latest|"
      "last|newest|changes?|changed|(?:re)?deploy\\w*|releas\\w+|shipped|ship|merged?|rolled|roll|"
      "out|roll-?(?:outs?|backs?)|back|went|gone|go|live|pushed|push|commits?|feature|flags?|flips?"
      "|flipped|"
      "toggled?|switched|turned|on|off|in|to|into|of|since|prod|production|please|alerts?|alerting|"
      "active|firing|open|current|currently|now|paging|going|and|or|by|whom|at|around|so|far|yet|"
      "made|[\\W\\d]+)$");
  std::string rest = ascii_lower(intent.question);
  for (const TimeHint& hint : intent.times)
    std::fill_n(rest.begin() + static_cast<ptrdiff_t>(hint.begin), hint.end - hint.begin, ' ');
  if (const std::string_view environment = asked_environment(rest); !environment.empty())
    std::fill_n(rest.begin() + (environment.data() - rest.data()), environment.size(), ' ');
  for (char& c : rest)
    if (std::string_view("?!.,;:\"'").contains(c)) c = ' ';
  return std::ranges::all_of(split(squeeze(rest), ' '), [](std::string_view word) {
    return word.empty() || RE2::FullMatch(re2::StringPiece(word.data(), word.size()), kOfAnything);
  });
}

namespace {

nlohmann::json time_json(const std::string& text, const TimeRange& range) {
  nlohmann::json time = {{"text", text}, {"from", nullptr}, {"to", nullptr}};
  if (range.from) time["from"] = format_time(*range.from);
  if (range.to) time["to"] = format_time(*range.to);
  return time;
}

nlohmann::json times_json(const Intent& intent) {
  nlohmann::json times = nlohmann::json::array();
  for (const TimeHint& hint : intent.times) {
    // "yesterday" of "since yesterday's deploy" is the deploy's.
    const bool inside =
        intent.deploy && hint.begin < intent.deploy->end && intent.deploy->begin < hint.end;
    if (!inside) times.push_back(time_json(hint.text, hint.range));
  }
  if (intent.deploy) {
    nlohmann::json time = time_json(intent.deploy->text, intent.deploy->day);
    time["relative_to"] = intent.deploy->version.empty() ? "last_deploy" : "named_release";
    if (intent.deploy->deploy) {
      time["from"] = format_time(intent.deploy->deploy->change.at);
      time["to"] = nullptr;
      time["resolved_by"] = intent.deploy->deploy->text();
    }
    times.push_back(std::move(time));
  }
  return times;
}

}  // namespace

nlohmann::json to_json(const Intent& intent) {
  nlohmann::json subjects = nlohmann::json::array();
  for (const Subject& subject : intent.subjects) subjects.push_back(subject.text);
  // What a follow-up is about decides the plan; that it is one decides how it is read.
  nlohmann::json out = {
      {"question_type", intent.follow_up ? "follow_up" : name(intent.after.value_or(intent.type))},
      {"subjects", std::move(subjects)},
      {"time_hints", times_json(intent)},
      {"sub_questions", intent.questions},
      {"confidence", std::round(intent.confidence * 100) / 100},
      {"follow_up", intent.follow_up},
      {"cues", intent.cues}};
  if (intent.follow_up) out["about"] = name(intent.type);
  return out;
}

nlohmann::json unread_intent(QuestionType type, std::string_view reason) {
  Intent intent;
  intent.type = type;
  intent.confidence = 1;
  if (!reason.empty()) intent.cues.emplace_back(reason);
  return to_json(intent);
}

}  // namespace precedent
