// What "it" is.
//
// The idea: a follow-up is a question with a hole, and the conversation has few things that fill
// it: the incident talked about last, the list shown last, the document or the system of the last
// answer. Each rule knows one form of hole and one kind of filling, and gives up (nullopt) as soon
// as the question says more than the form: a question with a subject of its own is no follow-up,
// however it begins. So the order of the rules decides only where two forms fit, and the narrower
// one stands first.
//
// A counter-example: "and the settlement worker?" after a question on the checkout is no reference,
// though it begins like one: it names something that is not among the terms held
// (has_other_subject), and is asked anew with that name. "And the second one?" names nothing, and
// is of the list shown last, not of the incident talked about.
//
// What it costs: a few automata for each rule over one line of text; no look-up but of ids.
//
// Covered by references_test.cc (forms, and what is none), reference_live_test.cc (systems in
// operation) and eval/conversations.jsonl (whole conversations, scored by
// eval/score_conversations.py).
#include "agent/converse/references.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "agent/converse/extremes.h"
#include "agent/converse/held_terms.h"
#include "agent/converse/reference_rules.h"
#include "agent/language/field_words.h"
#include "agent/slots/asks.h"
#include "base/ids.h"
#include "base/strings.h"
#include "text/analyzer.h"

namespace precedent {

bool has_other_subject(const Asked& q, const std::set<std::string>& held) {
  static const RE2 kEndpoint("(?:^|\\s)/[A-Za-z0-9_{}][A-Za-z0-9_{}/.-]*");
  if (matches(q.text, kEndpoint)) return true;
  const Analyzer analyzer;
  return std::ranges::any_of(q.names, [&](const NameMention& name) {
    const auto terms = analyzer.terms(name.name);
    return !std::ranges::all_of(terms, [&](const auto& t) { return held.contains(t); });
  });
}

size_t shared(const std::vector<std::string>& own, const std::set<std::string>& held) {
  return static_cast<size_t>(
      std::ranges::count_if(own, [&](const std::string& term) { return held.contains(term); }));
}

namespace {

// ------------------------------------------------------------------------- the one talked about

// Whether at most a third of the question's words are neither held nor ask about a field.
bool mostly_about(const Asked& q, const std::set<std::string>& held) {
  return (q.own.size() - shared(q.own, held)) * 3 <= q.own.size();
}

// "Both", "all three", "these 4": how many are meant; 0 if that is not said.
size_t number_meant(const Asked& q) {
  static const RE2 kNumber(
      "\\b(?:(both|either|neither)|(?:the|those|these|all|all of the) "
      "(two|three|four|five|[2-9]))\\b");
  std::string pair, number;
  if (!RE2::PartialMatch(q.lower, kNumber, &pair, &number)) return 0;
  if (!pair.empty() || number == "two") return 2;
  if (number == "three") return 3;
  if (number == "four") return 4;
  if (number == "five") return 5;
  return static_cast<size_t>(number.front() - '0');
}

// The incidents talked about one by one since the list was shown, without those in it, each once.
Ids focuses_beyond(const Asked& q, const Ids& list) {
  Ids found;
  const auto& focuses = q.conversation.focuses();
  for (auto focus = focuses.rbegin(); focus != focuses.rend(); ++focus) {
    if (std::ranges::find(list, *focus) != list.end()) break;
    if (std::ranges::find(found, *focus) == found.end()) found.insert(found.begin(), *focus);
  }
  return found;
}

// The several incidents that "they" are: the list shown last, or those talked about since.
Ids several_meant(const Asked& q) {
  const auto& lists = q.conversation.lists();
  const size_t number = number_meant(q);
  for (auto list = lists.rbegin(); number > 0 && list != lists.rend(); ++list)
    if (list->ids.size() == number) return list->ids;
  const Ids latest = lists.empty() ? Ids{} : lists.back().ids;
  Ids since = focuses_beyond(q, latest);
  if (number > 0 && since.size() > number)
    since.erase(since.begin(), since.end() - static_cast<ptrdiff_t>(number));
  return since.size() > 1 ? since : latest;
}

// "Those", "both", "which of the two lasted longer", "which ones are repeats".
std::optional<Reference> read_plural(const Asked& q) {
  static const RE2 kPlural(
      "\\b(?:those|these|them|both|either|neither|each|all (?:of (?:them|those|these)|two|three|"
      "four|five|\\d)|(?:the|those|these) (?:two|three|four|\\d)|which ones?|any of (?:them|those)|"
      "(?:are|were|have|did|do) they)"
      "\\b|^(?:and )?(?:which|is any|are any|was any|were any)(?: one| ones)?(?: of .*)?(?: "
      "still)? "
      "(?:was|were|is|are|has|had|have|took|lasted|affected|hit|caused|came|open|closed|resolved|"
      "repeat)");
  static const RE2 kHowMany(
      "^(?:and |so )*how many(?: (?:are|were) (?:there|they)| of (?:them|those)| in total| is "
      "that)?\\W*$");
  if (!matches(q.lower, kPlural) && !matches(q.lower, kHowMany)) return std::nullopt;
  // "What did they do?" asks for people, unless several incidents were shown just now.
  static const RE2 kPeople("\\b(?:are|were|have|did|do) they\\b");
  if (matches(q.lower, kPeople) && q.conversation.latest_list().size() < 2) return std::nullopt;
  const Ids list = several_meant(q);
  if (list.size() < 2) return std::nullopt;
  const bool others = std::ranges::any_of(q.names, [&](const NameMention& name) {
    return std::ranges::none_of(list, [&](const std::string& id) {
      return q.incident(id).impacted_application == name.name;
    });
  });
  if (others) return std::nullopt;
  return Reference{list, q.text, "all that were named last"};
}

// "And the shortest?", "the worst?": of the list shown last, as its records decide
// (agent/converse/extremes.h).
std::optional<Reference> read_extreme(const Asked& q) {
  if (!q.own.empty() || !q.names.empty() || q.conversation.lists().empty()) return std::nullopt;
  const bool asked = std::ranges::any_of(read_extremes(q.lower), [](Extreme extreme) {
    return extreme == Extreme::kSeverest || extreme == Extreme::kLongest ||
           extreme == Extreme::kShortest;
  });
  const size_t last = q.conversation.turns().size() - 1;
  // What is measured of a system has extremes, too.
  const bool of_a_system =
      q.conversation.leading_live() != nullptr && q.conversation.lists().back().turn != last;
  if (!asked || of_a_system) return std::nullopt;
  return Reference{q.conversation.lists().back().ids, q.text, "of the incidents shown last"};
}

// A few words that the record of the incident talked about holds: "how many payments failed?".
std::optional<Reference> read_held(const Asked& q) {
  // More words than these are a question of their own.
  constexpr size_t kMaxOwn = 3;
  if (q.focus().empty() || q.own.empty() || q.own.size() > kMaxOwn) return std::nullopt;
  static const RE2 kElsewhere(
      "\\b(?:incidents|outages|runbooks?|playbooks?|post-?mortems?|adrs?|list|recent|latest|any "
      "other|"
      "another)\\b|^how (?:do|can|should|to)\\b");
  const auto held = terms_of(q.incident(q.focus()));
  if (matches(q.lower, kElsewhere) || has_other_subject(q, held)) return std::nullopt;
  // "Who owns checkout-api?" is whole, whatever incident it was in; what was is about the incident.
  static const RE2 kInGeneral(
      "^(?:and |ok |so )*(?:who|what|where|which|how)(?:['’]?s)? "
      "(?:is|are|owns?|runs?|maintains?|does|do|team|teams)?\\b"),
      kThen("\\b(?:was|were|did|had|been|affected|involved)\\b");
  if (!q.names.empty() && matches(q.lower, kInGeneral) && !matches(q.lower, kThen))
    return std::nullopt;
  if (shared(q.own, held) * 3 < q.own.size() * 2) return std::nullopt;
  return Reference{{q.focus()}, q.text, "its record speaks of this: " + q.focus()};
}

// "Has this happened before?", "anything similar?": other incidents like the one talked about.
std::optional<Reference> read_likeness(const Asked& q) {
  static const RE2 kAlike(
      "\\b(?:happen(?:ed|s)?|seen|had|see) (?:it |this |that |something like (?:it|this|that) )?"
      "(?:before|already|again|earlier|in the past)\\b|\\b(?:similar|alike|comparable)(?: "
      "\\S+){0,2}\\W*$|"
      "\\b(?:anything|something|others?|more) like (?:it|this|that)\\b|"
      "\\b(?:is|was) (?:it|this|that) (?:the )?first time\\b");
  if (!matches(q.lower, kAlike)) return std::nullopt;
  static const RE2 kFrame(
      "\\b(?:seen|see|similar|alike|comparable|anything|something|like|before|already|earlier|past|"
      "incidents?|ones?|cases?|ever|times?)\\b");
  std::string rest = q.lower;
  RE2::GlobalReplace(&rest, kFrame, " ");
  if (!q.names.empty() || !own_terms(rest).empty()) return std::nullopt;
  if (const LiveFocus* live = q.conversation.leading_live()) {
    Reference alike{
        {},
        fmt::format("seen before: {} {} {}", metrics_phrase(*live), live->endpoint, live->service),
        "earlier cases like what systems were asked about"};
    alike.live = focus_phrase(*live);
    alike.type = QuestionType::kSimilarIncidents;
    return alike;
  }
  if (const CitedDocument* cited = q.conversation.document(); q.focus().empty() && cited != nullptr)
    return Reference{{}, "seen before: " + cited->document.title, "what the document is about"};
  if (q.focus().empty()) return std::nullopt;
  // A record that says whether it was a repeat answers itself.
  static const RE2 kOthers("\\b(?:similar|alike|comparable|like|others?|seen|see|had)\\b");
  if (!matches(q.lower, kOthers) && q.incident(q.focus()).repeat_incident) return std::nullopt;
  Reference alike{{},
                  "seen before: " + q.incident(q.focus()).title,
                  "others like the incident talked about, " + q.focus()};
  alike.except = q.focus();
  return alike;
}

// "What do I do now?", "next steps?", "a workaround?": for the incident talked about.
std::optional<Reference> read_advice(const Asked& q) {
  static const RE2 kAdvice(
      "\\bwhat (?:should|do|can|could) (?:i|we) (?:do|try|check|run)\\b|\\bwhat (?:now|next)\\b|"
      "\\bnext steps?\\b|\\bwork-?arounds?\\b|"
      "\\bhow (?:do|can|should) (?:i|we) (?:fix|solve|resolve|mitigate|handle|stop|proceed)\\b");
  if (q.focus().empty() || !q.names.empty() || !matches(q.lower, kAdvice)) return std::nullopt;
  static const RE2 kFrame(
      "\\b(?:now|next|steps?|work-?arounds?|try|check|run|solve|stop|proceed)\\b");
  std::string rest = q.lower;
  RE2::GlobalReplace(&rest, kFrame, " ");
  if (!own_terms(rest).empty()) return std::nullopt;
  Reference advice{{q.focus()}, q.text, "what to do about " + q.focus()};
  advice.advice = true;
  return advice;
}

// "And the failover in August, how long was that one?": what the pronoun stands for is said before
// it, and is not held.
bool has_own_antecedent(const Asked& q, const std::set<std::string>& held) {
  static const RE2 kBefore("^(.*\\b(?:the|an?)\\b.*?)[,;:–-] .*\\b(?:it|its|that|this|they)\\b");
  std::string before;
  if (!RE2::PartialMatch(q.lower, kBefore, &before)) return false;
  const Ids own = own_terms(before);
  return !own.empty() && shared(own, held) == 0;
}

std::optional<Reference> read_pronoun(const Asked& q) {
  if (q.focus().empty()) return std::nullopt;
  static const RE2 kPronoun(
      "\\b(?:it|its|it['’]s|they|them|their|he|she)\\b|\\b(?:the|that|this) (?:one|incident|outage|"
      "issue|error|problem|alert|failure|bug|fault)\\b");
  // These also join sentences: only with little else in the question.
  static const RE2 kWeak(
      "\\b(?:that|this|those|these|same|then|the (?:fix|change|team|service))\\b");
  static const RE2 kList("\\b(?:incidents|outages|runbooks?|post-?mortems?|list|recent)\\b");
  const bool fields = q.own.empty();
  const auto held = terms_of(q.incident(q.focus()));
  const bool pronoun =
      matches(q.lower, kPronoun) || (matches(q.lower, kWeak) && mostly_about(q, held));
  if (!pronoun && !fields) return std::nullopt;
  // "Which incidents happened before?" looks for others.
  if (!pronoun && matches(q.lower, kList)) return std::nullopt;
  if (has_other_subject(q, held) || has_own_antecedent(q, held)) return std::nullopt;
  return Reference{{q.focus()}, q.text, "the incident talked about, " + q.focus()};
}

// Whether the incident talked about, a document shown or the question before has half of the words.
bool is_held_by_what_was_said(const Asked& q) {
  const auto holds = [&](const std::set<std::string>& held) {
    return shared(q.own, held) * 2 >= q.own.size();
  };
  if (!q.focus().empty() && holds(terms_of(q.incident(q.focus())))) return true;
  const auto before = Analyzer().terms(q.previous());
  if (holds({before.begin(), before.end()})) return true;
  return std::ranges::any_of(q.conversation.documents(), [&](const CitedDocument& cited) {
    return holds(terms_of(cited.document));
  });
}

// A follow-up on something without an id: the question before says what "it" is.
std::optional<Reference> read_leftover(const Asked& q) {
  static const RE2 kLeans(
      "^(?:and|so|then|ok|okay|but)\\b|^(?:what|how) "
      "about\\b|\\b(?:it|its|they|them|their)\\b|\\b(?:that|"
      "this) (?:one|runbook|document|command|step|alert|error|problem|service|team|issue)\\b");
  const bool leans = matches(q.lower, kLeans) || q.own.empty();
  if (!leans || !q.names.empty() || q.previous().empty()) return std::nullopt;
  // "What about deadlocks?", where nothing that was talked about knows the word, changes the
  // subject.
  static const RE2 kPoints(
      "\\b(?:it|its|they|them|their|that|this|those|these|there|then|same|else|again|more)\\b");
  if (!q.own.empty() && !matches(q.lower, kPoints) && !is_held_by_what_was_said(q))
    return std::nullopt;
  return Reference{{}, q.previous() + "\n" + q.text, "asked together with the question before"};
}

// "The longest outage", "which incident lasted longest in 2025": one of all, not of those named.
bool is_of_all(const Asked& q) {
  static const RE2 kRanked(
      "\\b(?:longest|shortest) (?:\\S+ ){0,4}?(?:incident|outage)s?\\b|"
      "\\b(?:incident|outage)\\b.*\\b(?:lasted|took|was) (?:the )?(?:longest|shortest)\\b");
  static const RE2 kNamed("\\b(?:those|these|them|both|they|that|this|two|three)\\b");
  return matches(q.lower, kRanked) && !matches(q.lower, kNamed);
}

}  // namespace

Reference resolve_reference(std::string_view question, const Conversation& conversation,
                            const ReferenceContext& context) {
  Asked q{std::string(trim(question)), "", conversation, context, {}, {}, own_terms(question)};
  q.lower = ascii_lower(q.text);
  Reference alone{{}, q.text, ""};
  if (conversation.empty()) return alone;
  q.names = find_names(q.text, context.catalogue);
  for (const IdMention& said : find_ids(q.text))
    if (conversation.find(said.id) != nullptr || context.exists(said.id)) q.ids.push_back(said.id);
  if (const auto corrected = read_correction(q)) return *corrected;
  if (!q.ids.empty()) {
    const bool known = std::ranges::all_of(
        q.ids, [&](const std::string& id) { return conversation.find(id) != nullptr; });
    if (known) return {q.ids, q.text, "named again: " + join(q.ids, ", ")};
    return alone;
  }
  if (is_of_all(q)) return alone;
  const auto compared = [&](Reference reference) {
    static const RE2 kCompared(
        "\\b(?:compar\\w+|differ\\w*|versus|vs)\\b.*\\b(?:it|this|that)(?: one)?\\b|"
        "\\b(?:it|this|that)(?: one)?\\b.*\\b(?:compar\\w+|differ\\w*|versus|vs)\\b");
    const bool other = reference.ids.size() == 1 && reference.ids.front() != q.focus();
    if (other && !q.focus().empty() && matches(q.lower, kCompared))
      reference.ids.insert(reference.ids.begin(), q.focus());
    return reference;
  };
  for (const auto rule :
       {read_live_return, read_other, read_plural, read_extreme, read_ordinal, read_description,
        read_listed_time, read_live, read_ellipsis, read_other_search, read_likeness, read_contact,
        read_document, read_live_rest, read_advice, read_pronoun, read_held, read_leftover})
    if (auto reference = rule(q)) return compared(*reference);
  return alone;
}

}  // namespace precedent
