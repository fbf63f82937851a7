// Over 400 lines: the rules for types, in the order in which they are asked.
#include "agent/understand/intent_type.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "agent/understand/incident_lists.h"
#include "base/strings.h"

namespace precedent {
namespace {

// What began longer ago is history, not an incident that goes on.
constexpr std::chrono::days kCurrent{14};

bool matches(const std::string& lower, const RE2& pattern) {
  return RE2::PartialMatch(lower, pattern);
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

// "Search slow?", "payments down", "why are bookings failing": trouble that goes on, of something
// in one or two words.
bool tells_of_trouble_now(const std::string& lower) {
  static const RE2 kTrouble(
      "^(?:(?:hi|hey|hello|help)\\W+)?(?:why (?:is|are) )?(?:the |our )?[\\w./-]+(?: [\\w./-]+)? "
      "(?:(?:so|super|very|really|all) )?"
      "(?:slow|down|failing|broken|erroring|timing out|unhealthy|degraded|stuck)\\b");
  // "Search errors", of nothing else.
  static const RE2 kTerse(
      "^(?:the |our )?[\\w./-]+(?: [\\w./-]+)? (?:errors?|error "
      "rate|5xx|latency|timeouts|failures|p\\d\\d)\\W*$");
  return matches(lower, kTrouble) || matches(lower, kTerse);
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

// "Are we meeting the SLO of /api/search?", "is checkout-api burning its error budget?": whether it
// holds now.
bool asks_whether_met(const Intent& intent, const std::string& lower) {
  static const RE2 kMet(
      "\\b(?:meet(?:ing|s)?|met|within|inside|keep(?:ing|s)?|hold(?:ing|s)?|hit(?:ting)?|burn\\w*|"
      "breach\\w*|"
      "violat\\w+|miss(?:ing|ed)?|exceed\\w*|over|outside|left|remaining|spent|used "
      "up|exhaust\\w*|broken?|ok(?:ay)?|green|red|at risk)\\b");
  static const RE2 kBudget(
      "\\bhow much .*\\berror budget\\b|\\berror budget (?:left|remaining|burn\\w*|spent)\\b");
  return intent.signals.slo && names_a_system(intent) &&
         ((intent.asks.whether && matches(lower, kMet)) || matches(lower, kBudget));
}

// How a system behaves now, rather than what is written about it.
bool asks_to_debug(const OpenIntent& intent, const std::string& lower, TimePoint now,
                   bool metrics) {
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
      !intent.qualifiers.label.empty() &&
      (is_current(intent, lower, now) || (intent.times.empty() && !matches(lower, kThen)));
  if (!dated && !ranked && std::ranges::all_of(intent.sentences, is_value)) return false;
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
      "throughput|traffic|request rate|requests? (?:per "
      "|/)(?:s|sec|second|min|minute)|rps|qps|saturation) (?:of|for|on|in|to) ");
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
         (!about_incidents(lower) || intent.qualifiers.everything);
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

void decide_by_rules(OpenIntent& intent, const SelfQuery& read, const Catalogue& catalogue,
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
                  intent.signals.code && intent.qualifiers.commit.empty()
                      ? QuestionType::kExplainCode
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

// How much likelier the adapter's type must be than the one that the rules gave: the less sure they
// are, the less.
constexpr double kLead = 0.5;
// From which probability the answer is made so.
constexpr double kTaken = 0.5;
// From which one metrics are looked at: to look too often costs less than not to look.
constexpr double kPerhapsTrouble = 0.25;

// Whether the question gives what a question of that type is answered with.
bool is_answerable_as(QuestionType type, OpenIntent& intent, const SelfQuery& read,
                      const IntentContext& context) {
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
    // Metrics are asked for what somebody names, and says something of. A value may stand in a
    // document, but where there are metrics it is theirs.
    case QuestionType::kDebugIncident:
      return names_a_system(intent) && (intent.signals.behaviour() || intent.deploy) &&
             (context.metrics || !asks_for_a_value(ascii_lower(intent.question)));
    // An objective is written down, and so is what documents call by its name (AUTH_KEY_REVOKED);
    // where it is set in code is asked by who says so.
    case QuestionType::kExplainCode: {
      const auto is_written = [&](const Subject& subject) {
        return subject.kind == SubjectKind::kSymbol && context.written &&
               context.written(subject.text);
      };
      return intent.signals.code || intent.signals.configuration ||
             (!intent.signals.slo && std::ranges::none_of(intent.subjects, is_written));
    }
    default: return true;
  }
}

// Nothing is asked: something is told.
bool only_tells(const Asks& a) {
  return !(a.steps || a.command || a.number || a.person || a.contact || a.time || a.cause ||
           a.remedy || a.list || a.count || a.status || a.impact || a.detection || a.work ||
           a.whether || a.value || a.other);
}

double probability_of(QuestionType type, const std::vector<TypeOpinion::Candidate>& ranked) {
  const auto own = std::ranges::find(ranked, type, &TypeOpinion::Candidate::type);
  return own == ranked.end() ? 0 : own->probability;
}

// Of the question, or of the part that tells most of it: "it fails since nine, and is there a
// runbook?".
double probability_of_trouble(const OpenIntent& intent, const TypeOpinion& opinion) {
  double most = probability_of(QuestionType::kDebugIncident, opinion.rank(intent.question));
  if (intent.questions.size() < 2) return most;
  for (const std::string& part : intent.sentences)
    most = std::max(most, probability_of(QuestionType::kDebugIncident, opinion.rank(part)));
  return most;
}

// Whether a question tells of trouble in something that runs now, whatever its words. Without an
// adapter, only what asks nothing and speaks of how a system behaves.
bool tells_of_trouble(const OpenIntent& intent, const TypeOpinion* opinion, TimePoint now) {
  const Signals& s = intent.signals;
  const Asks& a = intent.asks;
  const bool about = names_a_system(intent) || is_measured(s);
  const bool over = !intent.times.empty() && !is_dated(intent, now);
  // How it is put right, what is recorded or what is laid down is no trouble.
  if (!about || over || !intent.ids.empty() || !intent.document.empty() || a.steps || a.command ||
      a.contact || s.changes || s.firing || s.slo || intent.type == QuestionType::kSimilarIncidents)
    return false;
  const bool behaves = s.behaviour();
  constexpr double kUnsettled = 0.5;
  const bool settled = intent.confidence > kUnsettled;
  // What a rule is sure of needs a sign of trouble, too.
  if (settled && !behaves) return false;
  if (opinion == nullptr) return !settled && only_tells(a) && names_a_system(intent) && behaves;
  return probability_of_trouble(intent, *opinion) >= kPerhapsTrouble;
}

// Rules take it for a list, or have nothing to say.
bool may_be_of_records(const Intent& intent) {
  const bool list = intent.type == QuestionType::kRecentIncidents ||
                    intent.type == QuestionType::kApplicationIncidents;
  constexpr double kUnsettled = 0.5;
  const bool unsettled = intent.type == QuestionType::kKnowledge &&
                         intent.confidence <= kUnsettled && intent.documents.kinds.empty();
  return intent.ids.empty() && (list || unsettled) && !intent.signals.behaviour() &&
         !intent.deploy && !intent.asks.steps && !intent.asks.cause;
}

// Whether it is surely after a list of records, or something that is computed from one; where rules
// say nothing, a list or a number must be asked for, too.
bool surely_of_records(const OpenIntent& intent, const TypeOpinion& opinion) {
  constexpr double kSurely = 0.6;
  const auto ranked = opinion.rank(intent.question);
  return probability_of(QuestionType::kRecentIncidents, ranked) +
             probability_of(QuestionType::kApplicationIncidents, ranked) >=
         kSurely;
}

bool asks_for_records(const OpenIntent& intent, const TypeOpinion& opinion) {
  if (!surely_of_records(intent, opinion)) return false;
  const Asks asks = read_asks("", opinion.asked(intent.question));
  return intent.type != QuestionType::kKnowledge || asks.list || asks.count;
}

void ask_opinion(OpenIntent& intent, const SelfQuery& read, const IntentContext& context) {
  const auto ranked = context.opinion->rank(intent.question);
  if (ranked.empty()) return;
  const QuestionType settled =
      intent.type == QuestionType::kHowTo ? QuestionType::kKnowledge : intent.type;
  const TypeOpinion::Candidate& best = ranked.front();
  if (best.type == settled) {
    intent.confidence = std::max(intent.confidence, 0.85);
    return;
  }
  const double lead = best.probability - probability_of(settled, ranked);
  if (lead < kLead * (intent.confidence - 0.4) / 0.4) return;
  const std::string why =
      best.because.empty() ? fmt::format("learned ({:.2f})", best.probability) : best.because;
  if (best.probability < kTaken || !is_answerable_as(best.type, intent, read, context)) {
    intent.after = best.type;
    intent.confidence = 0.5;
    intent.cues.push_back(fmt::format("{}, perhaps: {}", name(best.type), why));
    return;
  }
  decide(intent, best.type, 0.6, why);
}

}  // namespace

void decide_type(OpenIntent& intent, const SelfQuery& read, const IntentContext& context) {
  decide_by_rules(intent, read, context.catalogue, context.now, context.metrics);
  constexpr double kSure = 0.85;
  bool lists = false, surely = false;
  if (context.opinion != nullptr && intent.ids.empty()) {
    auto tally = context.opinion->tally(intent.question);
    lists = tally && tally->lists();
    // Where a rule saw a question for similar cases, both must say so.
    const bool of_records = surely_of_records(intent, *context.opinion);
    surely =
        lists && (intent.type == QuestionType::kSimilarIncidents ? tally->surely && of_records
                                                                 : tally->surely || of_records);
    if (tally && tally->computes() && (tally->surely || may_be_of_records(intent))) {
      take_tally(intent, read_self_query(intent.question, context.catalogue, context.now, true),
                 *std::move(tally));
      intent.confidence = kSure;
      return;
    }
  }
  const bool other =
      !intent.ids.empty() || intent.deploy || intent.signals.behaviour() || intent.asks.steps;
  if (context.opinion != nullptr &&
      ((surely && !other) ||
       (may_be_of_records(intent) && (lists || asks_for_records(intent, *context.opinion))))) {
    take_records(intent, read_self_query(intent.question, context.catalogue, context.now, true));
    intent.confidence = kSure;
    return;
  }
  if (intent.type == QuestionType::kDebugIncident) return;
  if (context.metrics && tells_of_trouble(intent, context.opinion, context.now)) {
    intent.investigated = true;
    // Documents, or an incident, that are asked for by name stay what is asked for.
    const bool named = !intent.documents.kinds.empty() ||
                       intent.type == QuestionType::kLookupIncident ||
                       intent.type == QuestionType::kApplicationIncidents;
    if (!named) decide(intent, QuestionType::kDebugIncident, 0.7, "tells of trouble now");
  } else if (context.opinion != nullptr && intent.confidence < kSure) {
    ask_opinion(intent, read, context);
  }
}

void take_type(Intent& intent, QuestionType type) {
  // Ids, names and times that a list is made of are read by rule; metrics are asked for what is
  // named.
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
