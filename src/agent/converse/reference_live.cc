// "And the errors?", "what about checkout-api?", "is it still going on?" after systems were asked:
// what is now is asked again, of the same system and time.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "agent/converse/reference_live_rules.h"
#include "agent/findings/onset.h"
#include "agent/language/field_words.h"
#include "agent/slots/subjects.h"
#include "base/strings.h"
#include "tools/metrics_query.h"

namespace precedent {
namespace {

// As they are now, whatever time was asked about.
Reference state_of(LiveFocus live) {
  live.to.clear();
  return figures_of(live);
}

// " of /v1/slots since …": behind what is asked.
std::string of_it(const LiveFocus& live) {
  LiveFocus system = live;
  system.metrics.clear();
  const std::string text = focus_phrase(system);
  return text.empty() || live.system().empty() ? " " + text : " of " + text;
}

std::optional<Reference> read_alerts(const Asked& q, const LiveFocus& live) {
  static const RE2 kAlerts(
      "\\b(?:which|what|any|are|is|did|has|have|show|list|the)\\b.*?\\b(?:alerts?|alarms?|pages?|"
      "paging|alerting|"
      "firing)\\b(?: (?:are|is|was|were|fir\\w+|active|open|going off|there))*");
  static const RE2 kRules("\\b(?:rule|wired|configured|threshold|defined|who)\\b");
  if (!matches(q.lower, kAlerts) || matches(q.lower, kRules) || !says_only(q, live, kAlerts))
    return std::nullopt;
  // Rules of alerts name the service, rarely an endpoint.
  const std::string& of = live.service.empty() ? live.endpoint : live.service;
  return asked_again(live, of.empty() ? "Which alerts are firing?"
                                      : fmt::format("Which alerts are firing for {}?", of));
}

// "Is it still going on?", "better now?", "has it recovered?"
std::optional<Reference> read_state(const Asked& q, const LiveFocus& live) {
  static const RE2 kNow(
      "\\b(?:(?:is|are|has|have|does|did|how(?:['’]?s| is| are| does)|what(?:['’]?s| "
      "is)|still|any)\\b.*?)?"
      "\\b(?:still(?: (?:going|on|slow|high|bad|up|down|broken|failing|like "
      "that|elevated))*|ongoing|going "
      "on|(?:any )?(?:better|worse)|recover\\w*|gone|over|back to normal|back "
      "up|okay|ok|fine|fixed|resolved|"
      "stopp\\w+|improv\\w+|calm\\w*|current\\w*|status|state|look\\w*|like|doing|now|high|healthy)"
      "\\b"
      "(?: (?:now|again|right now|at the moment|yet|going on))*");
  static const RE2 kOpens(
      "^(?:(?:and|so|ok|okay|but)[, "
      "]+)*(?:is|are|has|have|does|did|how(?:['’]?s)?|what(?:['’]?s)?|still|any "
      "better|better|worse)\\b");
  static const RE2 kOther("\\b(?:who|team|customers?|users?|runbook|incident|ticket|status of)\\b");
  if (!matches(q.lower, kOpens) || !matches(q.lower, kNow) || matches(q.lower, kOther))
    return std::nullopt;
  if (!says_only(q, live, kNow)) return std::nullopt;
  return state_of(live);
}

// "Was it like this last week?", "was it as bad yesterday?": its figures are told beside those of a
// day and a week before.
std::optional<Reference> read_likeness_before(const Asked& q, const LiveFocus& live) {
  static const RE2 kLike(
      "\\b(?:was|were|has|have|had) (?:it|this|that|they) (?:been )?(?:ever )?(?:like "
      "(?:this|that)|(?:this|that|as|so) "
      "(?:bad|high|slow|low)|the same|also|normal|higher|lower|slower|worse|better)\\b(?: (?:as "
      "(?:now|this|today)|too|also))*");
  if (live.metrics.empty() || !matches(q.lower, kLike)) return std::nullopt;
  Asked rest = q;
  for (const TimeHint& hint : find_time_hints(q.text, q.context.now))
    std::fill_n(rest.lower.begin() + static_cast<ptrdiff_t>(hint.begin), hint.end - hint.begin,
                ' ');
  static const RE2 kBefore("\\b(?:before|earlier|then)\\b");
  RE2::GlobalReplace(&rest.lower, kBefore, " ");
  if (!says_only(rest, live, kLike)) return std::nullopt;
  return figures_of(live);
}

// "Is it above the alert threshold?": the alerts of it say so, and what they stand for.
std::optional<Reference> read_threshold(const Asked& q, const LiveFocus& live) {
  static const RE2 kThreshold(
      "\\b(?:is|are|was|did|has|does) "
      "(?:it|this|that|they|we)\\b.*?\\b(?:above|over|past|beyond|below|under|within|"
      "cross(?:ed|es|ing)?|exceed(?:s|ed|ing)?|hit|reach(?:ed|es)?)\\b.*?\\b(?:alert(?:ing)?s?|"
      "thresholds?|limits?)\\b"
      "(?: (?:thresholds?|limits?|rules?))?");
  if (!matches(q.lower, kThreshold) || !says_only(q, live, kThreshold)) return std::nullopt;
  const std::string& of = live.service.empty() ? live.endpoint : live.service;
  if (of.empty()) return std::nullopt;
  return asked_again(live, fmt::format("Which alerts are firing for {}?", of));
}

// "And the errors?", "is p99 affected too?", "how about the CPU?"
std::optional<Reference> read_metric(const Asked& q, const LiveFocus& live) {
  static const RE2 kMetric(
      "\\b(p\\d{2}(?:\\.\\d+)?|latency|latencies|response times?|errors?(?: rates?)?|error "
      "budget|5xx|4xx|"
      "failures?|cpu|memory|saturation|load|throughput|traffic|requests?(?: "
      "rates?)?|rps|qps|(?:cache )?hit "
      "(?:rate|ratio)s?|(?:consumer|replication )?lag|queue depth|backlog)\\b");
  static const RE2 kAsks(
      "\\b(?:what about|how about|what(?:['’]?s| is| are| was| were)?|how(?:['’]?s| is| are| many| "
      "much| high)|is|"
      "are|was|were|did|does|do|has|have|show|give|me|affected|elevated|impacted|up|down|higher?|"
      "lower?|risen|"
      "rise|rising|rose|go|goes|going|gone|went|grow\\w*|climb\\w*|drop\\w*|fall\\w*|fell|changed?|"
      "increased?|normal|fine|ok|rates?|there|many|look\\w*|like|same|there "
      "any|any|case|level|"
      "db|database|pool)\\b");
  if (!matches(q.lower, kMetric)) return std::nullopt;
  Asked rest = q;
  RE2::GlobalReplace(&rest.lower, kAsks, " ");
  if (!says_only(rest, live, kMetric)) return std::nullopt;
  std::vector<std::string> asked;
  re2::StringPiece text(q.lower);
  for (std::string name; RE2::FindAndConsume(&text, kMetric, &name);) asked.push_back(name);
  return asked_again(live, fmt::format("What is the {}{}?", join(asked, " and "), of_it(live)));
}

// When what was asked about began, as its metrics have it.
std::optional<Instant> onset_of(const LiveFocus& live) {
  std::vector<Receipt> receipts;
  for (const auto& receipt : live.receipts) receipts.push_back(*receipt);
  const auto its_own = [](const MetricsResult&, const Receipt& receipt) {
    return is_narrowed(receipt);
  };
  const auto onset = find_onset(receipts, its_own, Direction::kAny);
  return onset ? std::optional(onset->at()) : std::nullopt;
}

// "What else was deployed around that time?", "anything else changed then?": of any system, about
// when it began.
std::optional<Reference> read_other_changes(const Asked& q, const LiveFocus& live) {
  static const RE2 kChanged(
      "\\b(?:chang(?:ed?|es)|(?:re)?deploy\\w*|releas\\w+|roll(?:ed)?[ "
      "-]?outs?|shipped|merged|flags?|"
      "flipped|"
      "commits?)\\b");
  static const RE2 kBack(
      "\\b(?:(?:what|who|any(?:thing|body|one)?|something) "
      "else|others?|elsewhere|then|(?:around|at|about|near|before|by) "
      "(?:that|this|the same) (?:time|moment|point|hour))\\b");
  Asked rest = q;
  if (!matches(q.lower, kChanged) || !RE2::GlobalReplace(&rest.lower, kBack, " ") ||
      !says_only(rest, live, kChanged))
    return std::nullopt;
  constexpr std::chrono::hours kBefore{3};
  constexpr std::chrono::minutes kAfter{30};
  static const RE2 kDeploys("\\b(?:(?:re)?deploy\\w*|releas\\w+|roll(?:ed)?[ -]?outs?|shipped)\\b");
  const std::string_view what = matches(q.lower, kDeploys) ? "deploys" : "changes";
  const auto began = onset_of(live);
  const std::string when = began ? fmt::format(" from {} to {}", format_time(*began - kBefore),
                                               format_time(*began + kAfter))
                           : live.from.empty() ? ""
                                               : " since " + live.from;
  return asked_again(live, fmt::format("Which {} were there{}?", what, when));
}

// "Is it the 22:15 deploy of pickup-api?": whether that is behind what is talked about.
std::optional<Reference> read_blamed(const Asked& q, const LiveFocus& live) {
  static const RE2 kIsIt(
      "(?i)^(?:(?:so|and|but|or)[, ]+)*(?:is|was|could|might|can) (?:it|this|that) (?:be "
      ")?(?:because of |due to |caused by |from "
      ")?((?:the |our )?(?:[\\w:.-]+ "
      "){0,4}?(?:deploy(?:ment)?|release|roll-?out|commit|change|flag) (?:of|in|to|on) "
      "[\\w./ -]{3,60}?)\\W*$");
  std::string blamed;
  if (live.system().empty() || !RE2::PartialMatch(q.text, kIsIt, &blamed)) return std::nullopt;
  return asked_again(live, fmt::format("Is {} behind {}?", blamed, live.system()));
}

// "Is the database affected as well?": what goes with it is looked at.
std::optional<Reference> read_part(const Asked& q, const LiveFocus& live) {
  static const RE2 kPart(
      "\\b(?:databases?|db|caches?|queues?|pools?|disks?|nodes?|pods?|hosts?|upstreams?|"
      "downstreams?|"
      "dependenc(?:y|ies))\\b");
  static const RE2 kState(
      "\\b(?:affected|okay|ok|fine|healthy|involved|slow|overloaded|saturated|full|down|up|normal|"
      "struggling|"
      "impacted|hit)\\b");
  Asked rest = q;
  if (!matches(q.lower, kPart) || !RE2::GlobalReplace(&rest.lower, kState, " "))
    return std::nullopt;
  if (!says_only(rest, live, kPart)) return std::nullopt;
  Reference part = asked_again(live, std::string(extensible(q.text)) + of_it(live) + "?");
  part.type = QuestionType::kDebugIncident;
  return part;
}

// "How do I fix it?", "roll it back?", "what should we do?"
std::optional<Reference> read_remedy(const Asked& q, const LiveFocus& live) {
  static const RE2 kRemedy(
      "\\bhow (?:do|can|should|would|could) (?:i|we|you|one) "
      "(?:fix|solve|resolve|mitigate|handle|stop|roll|revert|undo|disable|turn|switch|restart|"
      "scale|debug)\\b"
      "(?: (?:it|that|this))?(?: (?:back|off|down|up))?|"
      "\\bwhat (?:should|do|can|could|must) (?:i|we) (?:now |have to |need to "
      ")?(?:do|try)\\b|\\bwork-?arounds?\\b|"
      "^(?:(?:and|so|ok|okay|then|please)[, ]+)*(?:(?:should|can|could|shall|do) (?:i|we|you) "
      ")?(?:just )?"
      "(?:roll|revert|undo|restart|disable|turn|switch|scale)\\b(?: (?:it|that|this|the "
      "deploy\\w*|the "
      "release|the change))*(?: (?:back|off|down|up))?");
  if (!matches(q.lower, kRemedy) || !says_only(q, live, kRemedy)) return std::nullopt;
  static const RE2 kBack("\\b(?:roll\\w* (?:\\w+ ){0,2}?back|revert|undo)\\b");
  static const RE2 kHow("\\b(?:how|what)\\b");
  const std::string& of = live.service.empty() ? live.endpoint : live.service;
  std::string asked(extensible(q.text));
  if (matches(q.lower, kBack)) {
    asked = "How do I roll back " + of;
  } else if (!matches(q.lower, kHow)) {
    asked = "How do I " + asked;
  }
  Reference remedy = asked_again(
      live, fmt::format("{}?\n{} {} {}", asked, metrics_phrase(live), live.endpoint,
                        live.endpoint.empty() || of != live.service ? of : live.service));
  remedy.type = QuestionType::kHowTo;
  static const RE2 kAsksWhether("\\b(?:how|what|should|shall|work-?arounds?)\\b");
  static const RE2 kVerb(
      "\\b(roll|revert|undo|restart|disable|turn|switch|scale)\\b(?:.*\\b(back|off|on|up|down)\\b)"
      "?");
  std::string verb, behind;
  if (!matches(q.lower, kAsksWhether) && RE2::PartialMatch(q.lower, kVerb, &verb, &behind))
    remedy.order = behind.empty() ? verb : verb + " " + behind;
  return remedy;
}

using Rule = std::optional<Reference> (*)(const Asked&, const LiveFocus&);

std::optional<Reference> first_of(std::initializer_list<Rule> rules, const Asked& q,
                                  const LiveFocus& live) {
  for (const Rule rule : rules)
    if (auto reference = rule(q, live)) return reference;
  return std::nullopt;
}

std::optional<Reference> read_of(const Asked& q, const LiveFocus& live) {
  return first_of({read_blamed, read_recalled, read_other_changes, read_threshold, read_alerts,
                   read_likeness_before, read_metric, read_part, read_state, read_another,
                   read_time_before, read_other_time},
                  q, live);
}

// "Is it better now?" after a look at an incident that is over, which is no answer on the present;
// "has the latency recovered?" after anything else.
std::optional<Reference> read_present(const Asked& q) {
  static const RE2 kNow(
      "\\b(?:now|currently|at the moment|right now|still|ongoing|going on|firing|better)\\b");
  static const RE2 kTense("^(?:(?:and|so|ok|but)[, ]+)*(?:is|are|has|have|how (?:is|are))\\b");
  const auto& lives = q.conversation.lives();
  if (lives.empty()) return std::nullopt;
  const std::set<std::string> held = terms_of(lives.back());
  const bool named = !q.own.empty() && matches(q.lower, kTense) &&
                     std::ranges::all_of(q.own, [&](const auto& t) { return held.contains(t); });
  const bool over = !q.focus().empty() && is_closed_status(q.incident(q.focus()).status);
  if (!named && !(over && matches(q.lower, kNow))) return std::nullopt;
  return first_of({read_alerts, read_metric, read_state}, q, lives.back());
}

}  // namespace

std::optional<Reference> read_live_return(const Asked& q) {
  static const RE2 kBack(
      "^(?:(?:ok|okay|so|now|and|but|let['’]?s|please|can we|let us|going|go|coming|come|get)[, "
      "]+)*"
      "(?:back|return(?:ing)?) to ([^,:;?!]{2,60}?)(?:(?: [-–—]|[,:;?!.])\\s*(.*))?$");
  static const RE2 kIncident("\\b(?:incidents?|outages?|ones?|post-?mortems?|runbooks?)\\b");
  std::string words;
  re2::StringPiece rest;
  if (!RE2::PartialMatch(q.lower, kBack, &words, &rest) || matches(words, kIncident))
    return std::nullopt;
  static const RE2 kGeneric(
      "\\b(?:problems?|issues?|trouble|topic|thing|question|story|investigation)\\b");
  RE2::GlobalReplace(&words, kGeneric, " ");
  const std::vector<std::string> wanted = own_terms(words);
  const auto& lives = q.conversation.lives();
  if (wanted.empty() || lives.empty()) return std::nullopt;
  const auto is_meant = [&](const LiveFocus& live) {
    const std::set<std::string> held = terms_of(live);
    return std::ranges::all_of(wanted, [&](const auto& term) { return held.contains(term); });
  };
  // Nobody goes back to where they are: an earlier one first, if there is any.
  const bool there = q.conversation.leading_live() != nullptr;
  auto live = std::find_if(lives.rbegin() + (there ? 1 : 0), lives.rend(), is_meant);
  if (live == lives.rend()) live = std::find_if(lives.rbegin(), lives.rend(), is_meant);
  if (live == lives.rend()) return std::nullopt;
  Asked asked = q;
  asked.lower = std::string(trim(std::string_view(rest.data(), rest.size())));
  asked.text = asked.lower;
  if (asked.lower.empty()) return state_of(*live);
  if (auto reference = read_of(asked, *live)) return reference;
  if (auto reference = read_remedy(asked, *live)) return reference;
  return asked_again(*live, asked.text + "\n" + focus_phrase(*live));
}

std::optional<Reference> read_live(const Asked& q) {
  if (!q.ids.empty()) return std::nullopt;
  const LiveFocus* live = q.conversation.live();
  if (live == nullptr) return read_present(q);
  if (auto reference = read_of(q, *live)) return reference;
  return q.conversation.leading_live() == nullptr ? std::nullopt : read_remedy(q, *live);
}

std::optional<Reference> read_live_rest(const Asked& q) {
  const LiveFocus* live = q.conversation.leading_live();
  if (live == nullptr || !q.names.empty()) return std::nullopt;
  static const RE2 kLeans("\\b(?:it|its|it['’]s|that|this)\\b|^(?:and|so|but)\\b");
  // What was done then stands in records.
  static const RE2 kPast("\\b(?:was|were|did|had|been|resolution|lasted|fixed|resolved)\\b");
  static const RE2 kRecords("\\b(?:incidents?|outages?|ones?|post-?mortems?|steps?|list)\\b");
  static const RE2 kDocuments(
      "\\b(?:is there|are there|any|which|runbooks?|playbooks?|documents?|docs?|guides?)\\b");
  static const RE2 kPresent("\\b(?:is|are)\\b");
  const bool leans = matches(q.lower, kLeans) || (q.own.empty() && matches(q.lower, kPresent));
  if (!leans || matches(q.lower, kPast) || matches(q.lower, kRecords)) return std::nullopt;
  if (!says_only(q, *live, kDocuments)) return std::nullopt;
  return asked_again(*live, q.text + "\n" + focus_phrase(*live));
}

}  // namespace precedent
