#include "agent/intent.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <nlohmann/json.hpp>

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
      "\\bcommands?\\b|\\bhow (?:do|can|should) (?:i|we|you) (?:check|see|list|run|restart|roll "
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
  asks.person = matches(q, kPerson);
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
  static const RE2 kOther(
      "^(?:(?:in|on|at|by|for) )?(?:did|does|is|are|was|were|has|have|had|which|where|what)\\b");
  asks.other = matches(q, kOther) && !asks.cause && !asks.remedy && !asks.list &&
               q.find("happened") == std::string::npos;
  return asks;
}

// The letters before the first '-' of an id.
std::string_view prefix(std::string_view id) { return id.substr(0, id.find('-')); }

// An id to look up: one that exists, or that has the form of this company's ids or of any incident
// tracker's.
bool is_incident_id(const IdMention& mention, std::string_view question,
                    const IntentContext& context) {
  if (context.exists(mention.id)) return true;
  if (prefix(mention.id) == "INC" || prefix(mention.id) == "INCIDENT") return true;
  // "incident PD-123", "ticket OPS-77"
  const std::string before = ascii_lower(trim(question.substr(0, mention.begin)));
  return before.ends_with("incident") || before.ends_with("ticket") ||
         before.ends_with("post-mortem for") || before.ends_with("postmortem for");
}

bool about_incidents(const std::string& q) {
  static const RE2 kIncidents("\\b(?:incidents?|outages?|post-?mortems? of incidents)\\b");
  return matches(q, kIncidents);
}

// The name in "incidents affecting NAME", "what incidents hit NAME?", "NAME incidents": text
// between the cue and the end of the clause, when the catalogue does not know it.
std::string name_after_cue(std::string_view question) {
  static const RE2 kAfter(
      "(?i)\\b(?:incidents?|outages?)\\b[^.?!]*?\\b(?:affect(?:ed|ing|s)?|impact(?:ed|ing|s)?|hit(?"
      ":ting)?|of|in|on|for|involv(?:ed|ing))\\s+"
      "(?:the\\s+|our\\s+)?(.+?)(?:\\s+(?:system|application|app|service|platform|component|team|"
      "product))?\\s*"
      "(?:\\b(?:in|over|during|since|from|within|between|before|after|this|last|so "
      "far)\\b.*)?[.?!]*$");
  std::string name;
  if (RE2::PartialMatch(re2::StringPiece(question.data(), question.size()), kAfter, &name) &&
      name.size() <= 80) {
    return std::string(trim(name));
  }
  return {};
}

// The names whose incidents are to be listed. Of several names at one place that begin so the tool
// takes all.
std::vector<std::string> asked_applications(std::string_view question,
                                            const std::vector<NameMention>& names) {
  std::vector<std::string> asked;
  for (const NameMention& mention : names) {
    // "PayU" inside of a service's name is no name of its own.
    const bool inside = !mention.whole && std::ranges::any_of(names, [&](const NameMention& m) {
      return m.whole && m.begin <= mention.begin && mention.end <= m.end;
    });
    if (inside) continue;
    const bool several = std::ranges::count(names, mention.begin, &NameMention::begin) > 1;
    std::string name =
        several ? std::string(question.substr(mention.begin, mention.end - mention.begin))
                : mention.name;
    if (std::ranges::find(asked, name) == asked.end()) asked.push_back(std::move(name));
  }
  return asked;
}

// "How long was the outage on 24 August 2025?": one incident, called by its day, and something of it.
bool asks_for_one_of_a_day(const Intent& intent, const std::string& lower) {
  static const RE2 kOne("\\b(?:the|that|an?) (?:\\S+ ){0,5}(?:incident|outage|sev ?[0-9])\\b");
  if (intent.times.size() != 1 || !matches(lower, kOne)) return false;
  const TimeRange& range = intent.times.front().range;
  const Asks& a = intent.asks;
  const bool of_it = a.cause || a.remedy || a.person || a.number || a.time || a.status || a.impact;
  return of_it && range.from && range.to && *range.to - *range.from <= std::chrono::days(1);
}

void add_subject(Intent& intent, const std::string& subject) {
  if (std::ranges::find(intent.subjects, subject) == intent.subjects.end())
    intent.subjects.push_back(subject);
}

}  // namespace

std::string_view name(QuestionType type) {
  switch (type) {
    case QuestionType::kLookupIncident: return "lookup_incident";
    case QuestionType::kApplicationIncidents: return "application_incidents";
    case QuestionType::kRecentIncidents: return "recent_incidents";
    case QuestionType::kSimilarIncidents: return "similar_incidents";
    case QuestionType::kHowTo: return "debug_incident";
    case QuestionType::kKnowledge: return "knowledge";
  }
  return "knowledge";
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
  intent.ids = asked.ids;
  intent.document = asked.document;
  intent.parts_only = asked.parts_only;
  intent.advice = asked.advice;
  intent.except = asked.except;
  if (intent.follow_up) intent.cues.push_back("follow-up: " + asked.why);
  const std::string lower = ascii_lower(intent.question);
  intent.asks = read_asks(lower);
  for (const IdMention& mention : find_ids(intent.question)) {
    if (std::ranges::find(intent.ids, mention.id) != intent.ids.end()) continue;
    if (is_incident_id(mention, intent.question, context)) intent.ids.push_back(mention.id);
  }

  const SelfQuery read = read_self_query(intent.question, context.catalogue, context.now);
  intent.times = read.times;
  intent.filter = read.filter;
  intent.cues.insert(intent.cues.end(), read.cues.begin(), read.cues.end());
  for (const std::string& id : intent.ids) add_subject(intent, id);
  for (const NameMention& mention : read.names) add_subject(intent, mention.name);
  static const RE2 kEndpoint("(?:^|\\s)(/[A-Za-z0-9_{}][A-Za-z0-9_{}/.-]*[A-Za-z0-9_}])");
  re2::StringPiece rest(intent.question);
  for (std::string path; RE2::FindAndConsume(&rest, kEndpoint, &path);) add_subject(intent, path);

  if (!intent.ids.empty()) {
    intent.type = QuestionType::kLookupIncident;
    return intent;
  }
  if (intent.document.empty()) intent.documents = find_asked_documents(lower);
  if (!intent.documents.kinds.empty()) {
    for (const Kind kind : intent.documents.kinds)
      intent.cues.push_back(fmt::format("asks for documents of the kind {}", name(kind)));
    return intent;
  }
  if (asks_for_one_of_a_day(intent, lower)) {
    intent.type = QuestionType::kLookupIncident;
    intent.applications = asked_applications(intent.question, read.names);
    intent.cues.push_back(fmt::format("the incident of '{}'", intent.times.front().text));
    return intent;
  }
  static const RE2 kRecent("\\b(?:recent|recently|latest|newest|last few)\\b");
  static const RE2 kListOnly(
      "\\b(?:what|which|show|list|any|all|give|find|how many|were there|summar\\w+|tell me "
      "about)\\b|^(?:recent|latest|last)\\b|^incidents?\\b");
  const bool incidents = about_incidents(lower);
  // "Which incidents of X were caused by Y" is a search; "incidents of X" is a list.
  static const RE2 kHappened("\\bwhat (?:happened|broke|went wrong|failed)\\b");
  const bool happened = matches(lower, kHappened) && !intent.times.empty();
  static const RE2 kRestricted("^(?:\\S+ ){1,4}(?:incidents|outages)\\b");
  const bool restricted = !intent.filter.severities.empty() || !intent.filter.statuses.empty();
  const bool list_form = matches(lower, kListOnly) || (restricted && matches(lower, kRestricted));
  const bool plain_list = happened || read.lists ||
                          (incidents && list_form && !intent.asks.cause && !intent.asks.steps);
  intent.lists_only = read.only_frames || happened;
  if (plain_list && !read.names.empty()) {
    intent.type = QuestionType::kApplicationIncidents;
    intent.applications = asked_applications(intent.question, read.names);
    intent.cues.push_back(fmt::format("incidents of '{}'", join(intent.applications, "', '")));
  } else if (plain_list && (!intent.times.empty() || matches(lower, kRecent) ||
                            !intent.filter.statuses.empty() || !intent.filter.severities.empty())) {
    intent.type = QuestionType::kRecentIncidents;
    intent.cues.emplace_back(intent.times.empty() ? "recent" : intent.times.front().text);
  } else if (plain_list && !name_after_cue(intent.question).empty()) {
    intent.type = QuestionType::kApplicationIncidents;
    intent.applications = {name_after_cue(intent.question)};
    intent.lists_only = true;
    intent.cues.push_back(fmt::format("incidents of '{}'", intent.applications.front()));
  } else if (intent.asks.steps) {
    intent.type = QuestionType::kHowTo;
  } else if (incidents || lower.find("before") != std::string::npos ||
             lower.find("similar") != std::string::npos) {
    intent.type = QuestionType::kSimilarIncidents;
  }
  return intent;
}

nlohmann::json to_json(const Intent& intent) {
  nlohmann::json times = nlohmann::json::array();
  for (const TimeHint& hint : intent.times) {
    nlohmann::json time = {{"text", hint.text}, {"from", nullptr}, {"to", nullptr}};
    if (hint.range.from) time["from"] = format_time(*hint.range.from);
    if (hint.range.to) time["to"] = format_time(*hint.range.to);
    times.push_back(std::move(time));
  }
  return {{"question_type", name(intent.type)},
          {"subjects", intent.subjects},
          {"time_hints", times},
          {"follow_up", intent.follow_up},
          {"cues", intent.cues}};
}

}  // namespace precedent
