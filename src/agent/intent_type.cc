#include "agent/intent_type.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "agent/field_words.h"
#include "base/strings.h"

namespace precedent {
namespace {

// What began longer ago is history, not an incident that goes on.
constexpr std::chrono::days kCurrent{14};

bool matches(const std::string& lower, const RE2& pattern) {
  return RE2::PartialMatch(lower, pattern);
}

bool about_incidents(const std::string& q) {
  static const RE2 kIncidents(
      "\\b(?:incidents?|outages?|post-?mortems? of incidents|(?:sev-?|p)[0-5]s|logged against|"
      "(?:anything|what(?:'s| is)) (?:still )?open)\\b");
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

// A name in "NAME incidents", "outages of NAME", "did NAME have", "NAME: anything open?" that the
// catalogue does not know: several capitalised words, or a component's. "" if there is none.
std::string unknown_application(const Intent& intent) {
  static constexpr std::string_view kName =
      "(\\p{Lu}[\\pL\\d]*(?: (?:& )?\\p{Lu}[\\pL\\d]*)+|[a-z][a-z0-9]*(?:-[a-z0-9]+)+)";
  static constexpr std::string_view kList = "(?i:incidents?|outages?|(?:sev-?|p)[0-5]s|logged)";
  static const RE2 kForms[] = {
      fmt::format("\\b{1}\\b[^.?!]*?\\b(?i:of|in|on|for|against|at|with|affect\\w*|impact\\w*|"
                  "hit\\w*|involv\\w*) (?i:the |our )?['\"]?{0}",
                  kName, kList),
      fmt::format("(?:^|[^\\pL\\d-]){}(?:(?:'|’)s)? (?i:incidents?|outages?)\\b", kName),
      fmt::format("\\b(?i:did|does|do|has) (?i:the |our )?{} (?i:have|had|see|seen|suffer)\\b",
                  kName),
      fmt::format("\\b(?i:where) (?i:the |our )?{} (?i:is|was|were) (?i:affected|hit|involved)\\b",
                  kName),
      fmt::format("\\b(?i:gone wrong (?:with|in|on)) (?i:the |our )?{}\\b", kName),
      fmt::format("^{}: ", kName)};
  for (const RE2& form : kForms) {
    std::string name;
    if (!RE2::PartialMatch(intent.question, form, &name)) continue;
    // "Which SEV1 incidents": a sentence begins there, no name.
    static const RE2 kFrame(
        "^(?i:which|what|how|show|list|all|any|the|did|does|has|recent|latest|last|open|find|give|"
        "sev\\S*|p\\d) ");
    while (RE2::Replace(&name, kFrame, "")) {
    }
    const bool component = name.find('-') != std::string::npos;
    const bool a_service = std::ranges::any_of(intent.subjects, [&](const Subject& s) {
      return s.kind == SubjectKind::kService && s.text == name;
    });
    const bool a_time = std::ranges::any_of(intent.times, [&](const TimeHint& hint) {
      return hint.text.find(name) != std::string::npos || name.find(hint.text) != std::string::npos;
    });
    if (a_time || (component ? !a_service : name.find(' ') == std::string::npos)) continue;
    return name;
  }
  return {};
}

// "Checkout" of "incidents of checkout in 2026" and "checkout incidents": how the names of applications or services begin.
// "" if none does.
std::string name_in_short(std::string_view question, const Catalogue& catalogue) {
  static const RE2 kHad(
      "(?i)\\b(?:did|does|do|has|have) (?:the |our )?([a-z][a-z0-9 &_-]{2,30}?) "
      "(?:have|had|see|seen|suffer)\\b");
  static const RE2 kNoun(
      "(?i)(?:^|\\b(?:all|any|list|show|show me|the|our|which|what|recent|open|latest|last) )"
      "([a-z][a-z0-9&_-]{2,30}) (?:incidents|outages)\\b");
  const auto begins = [](const std::string& said, const std::vector<std::string>& names) {
    return std::ranges::any_of(names, [key = name_key(said) + " "](const std::string& name) {
      return (name_key(name) + " ").starts_with(key);
    });
  };
  const re2::StringPiece text(question.data(), question.size());
  std::string name = name_after_cue(question);
  if (name.empty()) RE2::PartialMatch(text, kHad, &name);
  if (name.size() > 2 && (begins(name, catalogue.applications) || begins(name, catalogue.services)))
    return name;
  // "Payment incidents" may be of payments in general: only what begins an application is taken for one.
  name.clear();
  RE2::PartialMatch(text, kNoun, &name);
  return !name.empty() && begins(name, catalogue.applications) ? name : "";
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

// "Longest outage", "which incident of X lasted longest in 2026", and nothing else: "longest" or
// "shortest". "" for any other question.
std::string read_ranking(const Intent& intent, const SelfQuery& read, const std::string& lower) {
  static constexpr std::string_view kNoun =
      "(?:incidents?|outages?|downtimes?|(?:sev-?|p)[0-5]s?(?: incidents?| outages?)?)";
  static const RE2 kForms[] = {
      fmt::format("\\b(longest|shortest)(?:[ -](?:running|lasting))? (?:\\S+ ){{0,4}}?{}\\b",
                  kNoun),
      fmt::format("\\b{}\\b.*\\b(?:lasted|took|was|were|ran) (?:the )?(longest|shortest)\\b",
                  kNoun)};
  std::string which;
  if (!matches(lower, kForms[0]) && !matches(lower, kForms[1])) return {};
  static const RE2 kWhich("\\b(longest|shortest)\\b");
  if (!RE2::PartialMatch(lower, kWhich, &which)) return {};
  // What else it says would be left out of the ranking.
  std::string rest = lower;
  const auto blank = [&](size_t begin, size_t end) {
    std::fill(rest.begin() + static_cast<ptrdiff_t>(begin),
              rest.begin() + static_cast<ptrdiff_t>(end), ' ');
  };
  for (const NameMention& name : read.names) blank(name.begin, name.end);
  for (const TimeHint& hint : intent.times) blank(hint.begin, hint.end);
  static const RE2 kFrame(
      "\\b(?:(?:sev-?|p)[0-5]s?|running|lasting|ran|downtimes?|list|top|ever|record(?:ed|s)?|"
      "history|"
      "knowledge base|there|here|\\d+)\\b");
  RE2::GlobalReplace(&rest, kFrame, " ");
  return own_terms(rest).empty() ? which : "";
}

// "Incidents of X in March": what a list is made of, and of what. False: no list is asked for.
bool decide_list(Intent& intent, const SelfQuery& read, const Catalogue& catalogue,
                 const std::string& lower) {
  static const RE2 kRecent(
      "\\b(?:recent|recently|lately|latest|newest|last (?:few|incidents|outages))\\b");
  static const RE2 kListOnly(
      "\\b(?:what|which|show|list|any(?:thing)?|all|every(?:thing)?|history of|number of|give|find|"
      "how many|were there|summar\\w+|tell me "
      "about)\\b|^(?:recent|latest|newest|last)\\b|^incidents?\\b|^(?:sev-?|p)[0-5]s\\b");
  const bool incidents = about_incidents(lower);
  // "Which incidents of X were caused by Y" is a search; "incidents of X" is a list.
  static const RE2 kHappened("\\bwhat (?:happened|broke|went wrong|failed|has gone wrong)\\b");
  const bool happened =
      matches(lower, kHappened) && (!intent.times.empty() || matches(lower, kRecent));
  static const RE2 kRestricted("^(?:\\S+ ){1,4}(?:incidents|outages)\\b");
  const bool restricted = !intent.filter.severities.empty() || !intent.filter.statuses.empty();
  const bool list_form = matches(lower, kListOnly) || (restricted && matches(lower, kRestricted));
  intent.ranked = read_ranking(intent, read, lower);
  const bool plain_list = happened || read.lists || !intent.ranked.empty() ||
                          (incidents && list_form && !intent.asks.cause && !intent.asks.steps);
  intent.lists_only = read.only_frames || happened || !intent.ranked.empty();
  // "Incidents in which a retry storm took down X" is a search.
  static const RE2 kLike(
      "\\b(?:resembl\\w+|similar|comparable|incidents (?:[\\w-]+ ){0,6}(?:where|in which))\\b");
  if (read.names.empty() && matches(lower, kLike)) return false;
  const std::string unknown = read.names.empty() && intent.ranked.empty() &&
                                      (incidents || happened) && !intent.asks.cause &&
                                      !intent.asks.steps
                                  ? unknown_application(intent)
                                  : "";
  const std::string in_short =
      plain_list && read.names.empty() ? name_in_short(intent.question, catalogue) : "";
  if (!in_short.empty()) {
    intent.type = QuestionType::kApplicationIncidents;
    intent.applications = {in_short};
    intent.lists_only = true;
    intent.cues.push_back(fmt::format("incidents of '{}'", in_short));
  } else if (plain_list && !read.names.empty()) {
    intent.type = QuestionType::kApplicationIncidents;
    intent.applications = asked_applications(intent.question, read.names);
    intent.cues.push_back(fmt::format("incidents of '{}'", join(intent.applications, "', '")));
  } else if (!unknown.empty()) {
    intent.type = QuestionType::kApplicationIncidents;
    intent.applications = {unknown};
    intent.lists_only = true;
    intent.cues.push_back(fmt::format("incidents of '{}'", unknown));
  } else if (plain_list &&
             (!intent.ranked.empty() || !intent.times.empty() || matches(lower, kRecent) ||
              !intent.filter.statuses.empty() || !intent.filter.severities.empty())) {
    intent.type = QuestionType::kRecentIncidents;
    intent.cues.emplace_back(!intent.ranked.empty() ? intent.ranked
                             : intent.times.empty() ? "recent"
                                                    : intent.times.front().text);
  } else if (plain_list && !name_after_cue(intent.question).empty()) {
    intent.type = QuestionType::kApplicationIncidents;
    intent.applications = {name_after_cue(intent.question)};
    intent.lists_only = true;
    intent.cues.push_back(fmt::format("incidents of '{}'", intent.applications.front()));
  } else {
    return false;
  }
  return true;
}

bool has(const Intent& intent, std::initializer_list<SubjectKind> kinds) {
  return std::ranges::any_of(intent.subjects, [&](const Subject& subject) {
    return std::ranges::find(kinds, subject.kind) != kinds.end();
  });
}

// Something that runs, and has a name.
bool names_a_system(const Intent& intent) {
  return has(intent, {SubjectKind::kEndpoint, SubjectKind::kService, SubjectKind::kApplication,
                      SubjectKind::kMetric});
}

// Whether it says that something began lately.
bool is_dated(const Intent& intent, TimePoint now) {
  return intent.deploy || std::ranges::any_of(intent.times, [&](const TimeHint& hint) {
           return hint.range.from && *hint.range.from >= now - kCurrent && *hint.range.from <= now;
         });
}

// "Search slow?", "payments down", "why are bookings failing": trouble that goes on, of something in one or two words.
bool tells_of_trouble_now(const std::string& lower) {
  static const RE2 kTrouble(
      "^(?:(?:hi|hey|hello|help)\\W+)?(?:why (?:is|are) )?(?:the |our )?[\\w./-]+(?: [\\w./-]+)? "
      "(?:(?:so|super|very|really|all) )?"
      "(?:slow|down|failing|broken|erroring|timing out|unhealthy|degraded|stuck)\\b");
  return matches(lower, kTrouble);
}

bool is_current(const Intent& intent, const std::string& lower, TimePoint now) {
  if (is_dated(intent, now)) return true;
  static const RE2 kPresent(
      "\\b(?:is|are|keeps?|has been|have been|right "
      "now|now|currently|current|getting|throwing|again|at the "
      "moment|shows?|returns|returning|(?:do|does) (?:\\S+ ){1,4}(?:return|throw|fail|crash|time "
      "out|hang|restart)|going on|every few "
      "(?:seconds|minutes)|recovered|how's|wrong with)\\b|\\b(?:help(?: me| "
      "us)?|urgent|asap)\\W*$");
  return matches(lower, kPresent) || tells_of_trouble_now(lower);
}

bool is_measured(const Signals& s) { return s.latency || s.errors || s.throughput || s.saturation; }

// "What is the read timeout of X?": a value that is written down, unless it is asked for now.
bool asks_for_a_value(const std::string& lower) {
  static const RE2 kLookUp(
      "^(?:\\W|and |so |ok |hi |hey |please )*(?:what(?:'s|s)?|which|whose|how "
      "(?:long|large|big|many|much|old|often)|at "
      "(?:what|which)|after how|for how|from which|is there|are there|who|when|where)\\b");
  static const RE2 kNow(
      "\\b(?:now|right now|currently|current|today|at the moment|going on|happening|wrong "
      "with)\\b");
  return matches(lower, kLookUp) && !matches(lower, kNow);
}

// "Are we meeting the SLO of /api/search?", "is checkout-api burning its error budget?": whether it holds now.
bool asks_whether_met(const Intent& intent, const std::string& lower) {
  static const RE2 kMet(
      "\\b(?:meet(?:ing|s)?|met|within|inside|keep(?:ing|s)?|hold(?:ing|s)?|hit(?:ting)?|burn\\w*|"
      "breach\\w*|"
      "violat\\w+|miss(?:ing|ed)?|exceed\\w*|over|outside|left|remaining|spent|used "
      "up|exhaust\\w*)\\b");
  return intent.signals.slo && intent.asks.whether && names_a_system(intent) &&
         matches(lower, kMet);
}

// How a system behaves now, rather than what is written about it.
bool asks_to_debug(const Intent& intent, const std::string& lower, TimePoint now, bool metrics) {
  const Signals& s = intent.signals;
  if (asks_whether_met(intent, lower)) return metrics;
  if (!s.behaviour() && !intent.deploy) return false;
  const bool dated = is_dated(intent, now);
  if (!dated && (s.code || s.configuration || s.precedent || s.alerts || s.slo)) return false;
  const bool trouble = tells_of_trouble_now(lower);
  if (intent.asks.steps && !dated && !trouble) return false;
  // A value that is written down is not asked of metrics.
  const auto is_value = [](const std::string& part) { return asks_for_a_value(ascii_lower(part)); };
  // "Which has the most errors", of no time: now.
  static const RE2 kThen("\\b(?:was|were|did|had)\\b");
  const bool ranked =
      !ranked_label(intent.question).empty() &&
      (is_current(intent, lower, now) || (intent.times.empty() && !matches(lower, kThen)));
  if (!dated && !ranked && std::ranges::all_of(intent.questions, is_value)) return false;
  if (s.log_line && !s.precedent) return true;
  // "Why is it slow since the deploy", of nothing named: metrics tell of what.
  if (metrics && (dated || ranked || trouble) && is_measured(s) && !s.precedent && !s.code)
    return true;
  return names_a_system(intent) && is_current(intent, lower, now) &&
         (s.behaviour() || intent.deploy);
}

// A value that metrics hold, rather than a document: how many requests, not how many are allowed.
bool asks_for_a_measurement(const Intent& intent, const std::string& lower, TimePoint now) {
  const Signals& s = intent.signals;
  static const RE2 kSetDown(
      "\\b(?:should|must|may|can|allowed?|configured?|limits?|thresholds?|budgets?|targets?|"
      "objectives?|maximum|minimum|max|min)\\b");
  static const RE2 kThen("\\b(?:was|were|did|had)\\b");
  if (!intent.ids.empty() || matches(lower, kSetDown) || s.slo || s.alerts || s.configuration ||
      s.code || s.architecture || s.precedent)
    return false;
  // A metric is named: of a time that metrics may go back to, or of no time.
  const bool dated = is_dated(intent, now);
  if (has(intent, {SubjectKind::kMetric}) && !intent.asks.steps &&
      (dated || (intent.times.empty() && (intent.asks.cause || intent.asks.value))))
    return true;
  // "Memory usage of X" asks for it without a word of asking.
  static const RE2 kFigure(
      "^(?:(?:show|give)(?: me)? )?(?:the |our |current )*(?:(?:memory|cpu|disk|heap)(?: usage| "
      "pressure| utili[sz]ation| load)?|latency|p\\d\\d(?:\\.\\d)?(?: latency)?|error rate|"
      "throughput|traffic|request rate|rps|qps|saturation) (?:of|for|on|in) ");
  return is_measured(s) && has(intent, {SubjectKind::kEndpoint, SubjectKind::kService}) &&
         (asks_for_a_value(lower) || matches(lower, kFigure)) && (dated || !matches(lower, kThen));
}

// Where something stands in the code, or what it does.
bool asks_for_code(const Intent& intent, const std::string& lower) {
  if (intent.signals.code || intent.signals.configuration || has(intent, {SubjectKind::kFile}))
    return true;
  static const RE2 kOfSymbol(
      "\\b(?:what does|what do|where|default|explain|how is|does anything|which value|read)\\b");
  static const RE2 kMeaning("\\bmeans?\\b"), kWhere("\\bwhere\\b");
  // Nothing but a name of code.
  static const RE2 kAlone("^\\W*[a-z]\\w*(?:_\\w+)+\\W*$");
  if (has(intent, {SubjectKind::kSymbol}) && matches(lower, kAlone)) return true;
  return has(intent, {SubjectKind::kSymbol}) && matches(lower, kOfSymbol) &&
         (!matches(lower, kMeaning) || matches(lower, kWhere));
}

// Which alerts are active, and nothing about how anything behaves.
bool asks_for_alerts(const Intent& intent, const std::string& lower) {
  const Signals& s = intent.signals;
  return s.firing && !s.latency && !s.errors && !s.throughput && !s.saturation &&
         (!about_incidents(lower) || asks_how_all_is(lower));
}

// What was changed, and nothing about how it behaves or what a file says.
bool asks_for_changes(const Intent& intent, const std::string& lower) {
  return intent.signals.changes && !intent.signals.behaviour() &&
         !has(intent, {SubjectKind::kFile, SubjectKind::kSymbol}) && !about_incidents(lower);
}

bool asks_for_design(const Intent& intent, const std::string& lower) {
  const Signals& s = intent.signals;
  static const RE2 kOwned(
      "\\b(?:who|runbook|playbook|escalat\\w+|on-?call|steps?|workaround|known issues?)\\b");
  if (matches(lower, kOwned) && !s.architecture) return false;
  return s.architecture || s.slo || s.alerts;
}

// A term, not a system of this company.
bool asks_for_a_concept(const Intent& intent) {
  return intent.signals.concept_only && !intent.signals.ours &&
         !has(intent, {SubjectKind::kEndpoint, SubjectKind::kService, SubjectKind::kApplication,
                       SubjectKind::kFile, SubjectKind::kIncident}) &&
         intent.times.empty();
}

void decide(Intent& intent, QuestionType type, double confidence, std::string_view why) {
  intent.type = type;
  intent.confidence = confidence;
  intent.cues.push_back(fmt::format("{}: {}", name(type), why));
}

void decide_by_rules(Intent& intent, const SelfQuery& read, const Catalogue& catalogue,
                     TimePoint now, bool metrics) {
  const std::string lower = ascii_lower(intent.question);
  intent.cues.insert(intent.cues.end(), intent.signals.cues.begin(), intent.signals.cues.end());
  if (!intent.ids.empty()) {
    intent.type = QuestionType::kLookupIncident;
    intent.confidence = 1;
    return;
  }
  if (intent.document.empty()) intent.documents = find_asked_documents(lower);
  if (!intent.documents.kinds.empty()) {
    for (const Kind kind : intent.documents.kinds)
      intent.cues.push_back(fmt::format("asks for documents of the kind {}", name(kind)));
    intent.confidence = 0.9;
    return;
  }
  if (intent.asks.contact && !about_incidents(lower))
    return decide(intent, QuestionType::kKnowledge, 0.9, "asks whom to call");
  if (asks_for_alerts(intent, lower))
    return decide(intent, QuestionType::kKnowledge, 0.9, "asks for active alerts");
  if (asks_for_changes(intent, lower))
    return decide(intent,
                  intent.signals.code && asked_commit(lower).empty() ? QuestionType::kExplainCode
                                                                     : QuestionType::kKnowledge,
                  0.9, "asks for the record of changes");
  if (asks_for_one_of_a_day(intent, lower)) {
    intent.applications = asked_applications(intent.question, read.names);
    return decide(intent, QuestionType::kLookupIncident, 0.9,
                  fmt::format("the incident of '{}'", intent.times.front().text));
  }
  if (decide_list(intent, read, catalogue, lower)) {
    intent.confidence = 0.9;
    return;
  }
  const Signals& s = intent.signals;
  if (asks_to_debug(intent, lower, now, metrics))
    return decide(intent, QuestionType::kDebugIncident, s.behaviour() ? 0.9 : 0.6,
                  "how something named behaves now");
  if (metrics && asks_for_a_measurement(intent, lower, now))
    return decide(intent, QuestionType::kDebugIncident, 0.9, "a value that metrics hold");
  if (s.precedent)
    return decide(intent, QuestionType::kSimilarIncidents, 0.8, "asks for earlier cases");
  if (asks_for_code(intent, lower) && !intent.asks.steps)
    return decide(intent, QuestionType::kExplainCode, s.code ? 0.85 : 0.7,
                  "where something stands in code or configuration");
  if (asks_for_a_concept(intent) && !s.architecture)
    return decide(intent, QuestionType::kConceptual, 0.7, "a term and no system of the company");
  if (asks_for_design(intent, lower))
    return decide(intent, QuestionType::kDesignOverview, 0.7, "how parts hang together");
  if (intent.asks.steps) return decide(intent, QuestionType::kHowTo, 0.7, "what to do");
  static const RE2 kSimilar("\\b(?:incidents?|outages?|before|similar)\\b");
  if (matches(lower, kSimilar))
    return decide(intent, QuestionType::kSimilarIncidents, 0.5, "speaks of incidents");
  intent.confidence = 0.5;
}

// How much nearer an example must be than those of the type that the rules gave: the less sure they
// are, the less.
constexpr double kLead = 0.16;
// Below it a sentence resembles nothing.
constexpr double kAlike = 0.35;
// For its answer to be made so.
constexpr double kVeryAlike = 0.45;

// Names say what a question is about, not what it is after.
std::string without_names(const Intent& intent) {
  std::string text = intent.question;
  for (const Subject& subject : intent.subjects) {
    std::string_view stand_in;
    switch (subject.kind) {
      case SubjectKind::kService:
      case SubjectKind::kApplication: stand_in = "the service"; break;
      case SubjectKind::kEndpoint: stand_in = "/api/orders"; break;
      default: continue;
    }
    if (const size_t at = text.find(subject.text); at != std::string::npos)
      text.replace(at, subject.text.size(), stand_in);
  }
  return text;
}

// Whether the question gives what a question of that type is answered with.
bool is_answerable_as(QuestionType type, Intent& intent, const SelfQuery& read, bool metrics) {
  switch (type) {
    // Ids are read by rule, and so is a wish for earlier cases.
    case QuestionType::kLookupIncident:
    case QuestionType::kSimilarIncidents: return false;
    case QuestionType::kApplicationIncidents:
      if (intent.applications.empty())
        intent.applications = asked_applications(intent.question, read.names);
      return !intent.applications.empty();
    case QuestionType::kRecentIncidents:
      return !intent.times.empty() || !intent.filter.severities.empty() ||
             !intent.filter.statuses.empty();
    // Metrics are asked for what somebody names, and says something of. A value may stand in a document,
    // but where there are metrics it is theirs.
    case QuestionType::kDebugIncident:
      return names_a_system(intent) && (intent.signals.behaviour() || intent.deploy) &&
             (metrics || !asks_for_a_value(ascii_lower(intent.question)));
    // An objective is written down; where it is set in code is asked by who says so.
    case QuestionType::kExplainCode:
      return !intent.signals.slo || intent.signals.code || intent.signals.configuration;
    default: return true;
  }
}

void ask_examples(Intent& intent, const SelfQuery& read, const IntentContext& context) {
  const auto ranked = context.examples->rank(without_names(intent));
  if (ranked.empty() || ranked.front().cosine < kAlike) return;
  const QuestionType settled =
      intent.type == QuestionType::kHowTo ? QuestionType::kKnowledge : intent.type;
  const auto& best = ranked.front();
  if (best.type == settled) {
    intent.confidence = std::max(intent.confidence, 0.85);
    return;
  }
  double own = 0;
  for (const auto& likeness : ranked)
    if (likeness.type == settled) own = likeness.cosine;
  if (best.cosine - own < kLead * (intent.confidence - 0.4) / 0.4) return;
  const std::string why = fmt::format("like '{}' ({:.2f})", best.sentence, best.cosine);
  if (best.cosine < kVeryAlike || !is_answerable_as(best.type, intent, read, context.metrics)) {
    intent.after = best.type;
    intent.confidence = 0.5;
    intent.cues.push_back(fmt::format("{}, perhaps: {}", name(best.type), why));
    return;
  }
  decide(intent, best.type, 0.6, why);
}

}  // namespace

void decide_type(Intent& intent, const SelfQuery& read, const IntentContext& context) {
  decide_by_rules(intent, read, context.catalogue, context.now, context.metrics);
  constexpr double kSure = 0.85;
  if (context.examples != nullptr && intent.confidence < kSure) ask_examples(intent, read, context);
}

void take_type(Intent& intent, QuestionType type) {
  // Ids, names and times that a list is made of are read by rule; metrics are asked for what is named.
  const bool listed = type == QuestionType::kLookupIncident ||
                      type == QuestionType::kApplicationIncidents ||
                      type == QuestionType::kRecentIncidents;
  if (type == intent.type) return;
  if (listed || (type == QuestionType::kDebugIncident && !names_a_system(intent))) {
    intent.after = type;
  } else {
    intent.type = type;
    intent.after.reset();
  }
}

}  // namespace precedent
