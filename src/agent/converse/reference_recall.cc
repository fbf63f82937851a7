// "When did it start?", "who deployed it?", "show me the code" after systems were asked: what is
// over stands in the receipts of the conversation.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "agent/converse/reference_live_rules.h"
#include "agent/language/field_words.h"
#include "base/strings.h"
#include "tools/metrics_query.h"

namespace precedent {

bool says_only(const Asked& q, const LiveFocus& live, const RE2& said) {
  static const RE2 kFrame(
      "\\b(?:it|its|that|this|there|then|the|these|those|exactly|precisely|right|just|really|"
      "actually|"
      "please|though|too|also|as well|well|ok|okay|and|so|but|or|hmm|now|at the "
      "moment|before|earlier|all|"
      "with|for|of|on|in|to|by|from|since|yet|anything|something|happen\\w*|thing|issue|problem|"
      "trouble|spikes?|slow\\w*|endpoint|service|system|see|seen|get|got|any "
      "idea|idea|know|think|guess|bad|severe|"
      "serious|big)\\b");
  std::string rest = q.lower;
  RE2::GlobalReplace(&rest, said, " ");
  RE2::GlobalReplace(&rest, kFrame, " ");
  const std::set<std::string> held = terms_of(live);
  return std::ranges::all_of(own_terms(rest),
                             [&](const std::string& term) { return held.contains(term); });
}

std::string name_of(const LiveFocus& live) {
  std::string text = focus_phrase(live);
  return text.empty() ? live.question : text;
}

Reference asked_again(const LiveFocus& live, std::string whole) {
  Reference reference{{}, std::move(whole), "what systems were asked about, " + name_of(live)};
  reference.live = name_of(live);
  return reference;
}

Reference figures_of(const LiveFocus& live) {
  return asked_again(live, live.metrics.empty()
                               ? live.question
                               : fmt::format("What is the {}?", focus_phrase(live)));
}

namespace {

Reference recalled(const Asked& q, const LiveFocus& live, Recall what) {
  Reference reference{
      {}, q.text + "\n" + focus_phrase(live), "what was read before of " + name_of(live)};
  reference.live = name_of(live);
  reference.recall = what;
  return reference;
}

template <typename Result>
bool was_read(const LiveFocus& live) {
  return std::ranges::any_of(live.receipts, [](const auto& receipt) {
    return std::holds_alternative<Result>(receipt->result) && receipt->status == ReceiptStatus::kOk;
  });
}

// "When did it start?", "since when?", "how long has this been going on?"
std::optional<Reference> read_onset(const Asked& q, const LiveFocus& live) {
  static const RE2 kWhen(
      "\\b(?:since when|how long ago|when|what time|at what (?:time|point)|how long)\\b.*?"
      "(?:\\b(?:start\\w*|beg[aiu]n\\w*|happen\\w*|rise|rose|increas\\w+|jump\\w*|spik\\w+|"
      "chang\\w+|"
      "occur\\w*|go(?:ne|ing)? (?:up|on|bad|wrong)|been "
      "(?:like|going|so|slow|bad|down|high|broken|failing|wrong|degraded|happening)|"
      "kick\\w* in|set in|appear\\w*|get (?:slow|worse|bad)|break|broke)\\b|[?. ]*$)");
  static const RE2 kLasted("\\b(?:did (?:it|that|this) (?:last|take)|was|were)\\b");
  if (!matches(q.lower, kWhen) || matches(q.lower, kLasted) || !says_only(q, live, kWhen))
    return std::nullopt;
  // Alerts say themselves since when.
  return live.metrics.empty() ? figures_of(live) : recalled(q, live, Recall::kOnset);
}

// "How long did it last?" of what is over, as its metrics have it.
std::optional<Reference> read_duration(const Asked& q, const LiveFocus& live) {
  static const RE2 kLasted(
      "\\b(?:how long|for how long) (?:did|was|were|has|had) (?:it|that|this|they) "
      "(?:last|take|on|for|down|out|bad|slow|like "
      "(?:that|this))?\\b|\\bhow long did (?:it|that|this) last\\b");
  const bool over = std::ranges::any_of(live.receipts, [](const auto& receipt) {
    const auto* metric = std::get_if<MetricsResult>(&receipt->result);
    return metric != nullptr && is_narrowed(*receipt) &&
           std::ranges::any_of(metric->episodes,
                               [](const Episode& e) { return e.until.has_value(); });
  });
  if (!over || !matches(q.lower, kLasted) || !says_only(q, live, kLasted)) return std::nullopt;
  return recalled(q, live, Recall::kOnset);
}

// "Who deployed it?", "who did that?", "which version is that?"
std::optional<Reference> read_author(const Asked& q, const LiveFocus& live) {
  static const RE2 kWho(
      "\\b(?:which|what) (?:version|release|deploy\\w*) (?:is|was) "
      "(?:it|that|this|running|out|live)\\b|"
      "\\b(?:who|whose|which (?:version|release|deploy\\w*|commit)|what "
      "(?:version|release)|when)\\b.*?"
      "\\b(?:(?:re)?deploy\\w*|releas\\w+|shipp?\\w*|roll\\w* (?:\\w+ "
      ")?out|commit\\w*|push\\w*|merg\\w+|wrote|"
      "author\\w*|chang\\w+|made|did|done|version|live|out)\\b(?:.*\\b(?:(?:re)?deploy\\w*|"
      "releas\\w+|"
      "commit\\w*|chang\\w+|roll-?out)\\b)?");
  if (!matches(q.lower, kWho) || !says_only(q, live, kWho)) return std::nullopt;
  if (!was_read<ChangesResult>(live))
    return asked_again(live, fmt::format("Who deployed {} last?", live.service));
  return recalled(q, live, Recall::kAuthor);
}

// "Show me the code", "what did that commit change?"
std::optional<Reference> read_code(const Asked& q, const LiveFocus& live) {
  static const RE2 kCode(
      "\\b(?:what|which|where|show|see|open|give|print|look|let)\\b.*?\\b(?:code|diff|patch|source|"
      "lines?|"
      "files?|config\\w*)\\b(?: (?:of|for|in|behind|did|was|were|is|that|it|changed?|touched))*|"
      "^(?:and |so |ok )*(?:the )?(?:code|diff|patch)\\W*$|"
      "\\bwhat (?:did|does|do|was|is|were) (?:that |the |this |these |those |it\\b)?(?:last |new )?"
      "(?:commits?|(?:re)?deploy\\w*|releases?|change|version|roll-?out)?(?: (?:actually|really))?"
      " (?:change|do|touch|bring|contain|modify|alter|add|in it)\\w*\\b|"
      "\\bwhat(?:['’]?s| is| was) in (?:that|the|this) "
      "(?:commit|deploy\\w*|release|change|version)\\b");
  if (!matches(q.lower, kCode) || !says_only(q, live, kCode)) return std::nullopt;
  if (was_read<CodeResult>(live) || was_read<ChangesResult>(live))
    return recalled(q, live, Recall::kCode);
  Reference code =
      asked_again(live, fmt::format("Show me the code of {} {}", live.endpoint, live.service));
  code.type = QuestionType::kExplainCode;
  return code;
}

// "What changed right before that?", "any deploys?"
std::optional<Reference> read_changes(const Asked& q, const LiveFocus& live) {
  static const RE2 kChanges(
      "\\b(?:what|which|did|was|were|any|anything|something|has|have|list|show)\\b.*?"
      "\\b(?:chang\\w+|(?:re)?deploy\\w*|releas\\w+|shipped|rolled "
      "out|roll-?outs?|merged|commits?|flags?)\\b"
      "(?: (?:right|just|shortly|immediately|happened|made|done|there|then))*");
  // Elsewhere was not looked.
  static const RE2 kElsewhere("\\b(?:else(?:where)?|other|another)\\b");
  if (!matches(q.lower, kChanges) || matches(q.lower, kElsewhere)) return std::nullopt;
  if (!find_time_hints(q.text, q.context.now).empty() || !says_only(q, live, kChanges))
    return std::nullopt;
  if (!was_read<ChangesResult>(live))
    return asked_again(live, fmt::format("What was changed lately in {}?", live.service));
  return recalled(q, live, Recall::kChanges);
}

// "And compared to last week?", "is that normal?"
std::optional<Reference> read_comparison(const Asked& q, const LiveFocus& live) {
  static const RE2 kCompared(
      "\\b(?:(?:how does )?(?:it|this|that)? ?compar\\w+(?: (?:it|that|this))? "
      "?(?:to|with|against)?|versus|vs\\.?|"
      "(?:worse|better|higher|lower|more|less|slower|faster) than|(?:is|was) (?:it|that|this) "
      "(?:normal|usual|unusual|typical)|against|relative to)(?:\\W|$)");
  if (!matches(q.lower, kCompared) || live.metrics.empty()) return std::nullopt;
  static const RE2 kWhen(
      "\\b(?:yesterday|last|week|month|day|usual|normal|before|same|time|a|ago|earlier|previous|"
      "the|now)\\b");
  Asked rest = q;
  RE2::GlobalReplace(&rest.lower, kWhen, " ");
  if (!says_only(rest, live, kCompared)) return std::nullopt;
  return recalled(q, live, Recall::kComparison);
}

// "Why?", "what caused it?", "what's the reason?"
std::optional<Reference> read_cause(const Asked& q, const LiveFocus& live) {
  static const RE2 kWhy(
      "^(?:and |so |but |ok )*why\\b(?: (?:is|did|does|has|was) (?:it|that|this)\\b.*)?|"
      "\\bwhat(?:['’]?s| is| was| has)? (?:the |likely |probable |root |most "
      ")*(?:caus\\w+|reason|culprit|behind|"
      "to blame|responsible|trigger\\w*)\\b");
  if (!matches(q.lower, kWhy) || !says_only(q, live, kWhy) || !was_read<ChangesResult>(live))
    return std::nullopt;
  return recalled(q, live, Recall::kCause);
}

}  // namespace

std::optional<Reference> read_recalled(const Asked& q, const LiveFocus& live) {
  for (const auto rule : {read_comparison, read_duration, read_onset, read_author, read_code,
                          read_changes, read_cause})
    if (auto reference = rule(q, live)) return reference;
  return std::nullopt;
}

}  // namespace precedent
