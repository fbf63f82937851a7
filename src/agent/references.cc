#include "agent/references.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <set>

#include "agent/field_words.h"
#include "agent/when.h"
#include "base/ids.h"
#include "base/strings.h"
#include "text/analyzer.h"

namespace precedent {
namespace {

using Ids = std::vector<std::string>;

bool matches(std::string_view text, const RE2& pattern) {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

// Everything the rules look at, read once.
struct Asked {
  std::string text;  // as said, trimmed
  std::string lower;
  const Conversation& conversation;
  const ReferenceContext& context;
  std::vector<NameMention> names;
  Ids ids;                       // said in the question, existing
  std::vector<std::string> own;  // terms that are not about fields of a record

  const std::string& previous() const { return conversation.turns().back().question; }
  std::string focus() const {
    return conversation.focuses().empty() ? "" : conversation.focuses().back();
  }
};

const Incident& incident_of_id(const Asked& q, const std::string& id) {
  return q.conversation.find(id)->incident;
}

// Where candidates come from, nearest first: the list shown last, then everything named so far.
std::array<Ids, 2> candidate_lists(const Asked& q) {
  Ids all;
  for (const Remembered& r : q.conversation.incidents()) all.push_back(r.incident.incident_id);
  return {q.conversation.latest_list(), all};
}

// The first candidates, of the nearest list that has any, that `holds`.
template <typename Predicate>
Ids nearest(const Asked& q, Predicate holds) {
  for (const Ids& list : candidate_lists(q)) {
    Ids found;
    std::ranges::copy_if(list, std::back_inserter(found),
                         [&](const std::string& id) { return holds(incident_of_id(q, id)); });
    if (!found.empty()) return found;
  }
  return {};
}

// ------------------------------------------------------------------ the previous question again

// What a correction opens with.
const RE2& correction() {
  static const RE2 kCorrection(
      "^(?:(?:no|nope|sorry|sry|wait|oops|oh|actually|correction|my bad|i mean|i meant|not that "
      "one|wrong "
      "(?:one|id|incident|service|name|system))\\b[\\s,.:;!-]*)+|\\bi mean(?:t)?\\b");
  return kCorrection;
}

// The text of the question before with [begin, end) replaced.
std::string replaced(const std::string& text, size_t begin, size_t end, std::string_view by) {
  return text.substr(0, begin) + std::string(by) + text.substr(end);
}

// The question before, asked of another incident.
std::string asked_of(const Asked& q, const std::string& id) {
  for (const IdMention& mention : find_ids(q.previous()))
    if (q.context.exists(mention.id) || q.ids.empty())
      return replaced(q.previous(), mention.begin, mention.end, id);
  return q.previous();
}

// Whether nothing but a correction is said: what is asked stands in the question before.
bool asks_nothing_itself(const std::string& rest) {
  static const RE2 kFiller(
      "\\b(?:i|mean|meant|not|the|a|an|one|ones|incident|outage|it|is|was|that|this|of|id|number|"
      "no|"
      "sorry|ending|in|with|instead|other|rather|please|but|service|application|system|app|wrong|"
      "for|"
      "first|second|third|fourth|fifth|last|on|at|from|and)\\b|[^a-z0-9]");
  std::string left = rest;
  RE2::GlobalReplace(&left, kFiller, "");
  return left.empty();
}

// "No, I meant 006": the id of the incident talked about, ending otherwise.
std::string completed_id(const Asked& q, const std::string& rest) {
  static const RE2 kNumber("(?:^|[\\s#-])0*(\\d{1,6})(?:$|[\\s.,!?])");
  static const RE2 kTail("(\\d[\\d-]*-\\d+)");
  std::string number;
  // The id without its letters: "2025-08-24-001".
  if (!q.focus().empty() && RE2::PartialMatch(rest, kTail, &number)) {
    const std::string id = q.focus().substr(0, q.focus().find('-') + 1) + number;
    if (q.context.exists(id)) return id;
  }
  if (q.focus().empty() || !RE2::PartialMatch(rest, kNumber, &number)) return {};
  std::set<std::string> stems = {q.focus()};
  for (const IdMention& said : find_ids(q.previous())) stems.insert(said.id);
  for (const std::string& stem : stems) {
    const size_t dash = stem.rfind('-');
    if (dash == std::string::npos) continue;
    const size_t digits = stem.size() - dash - 1;
    if (number.size() == 4 && (number.starts_with("19") || number.starts_with("20"))) {
      // Another year: "no, 2024".
      const size_t year = stem.find('-') + 1;
      const std::string other =
          stem.substr(0, year) + number + (stem.size() > year + 4 ? stem.substr(year + 4) : "");
      if (other != stem && q.context.exists(other)) return other;
    }
    if (number.size() > digits) continue;
    const std::string id =
        stem.substr(0, dash + 1) + std::string(digits - number.size(), '0') + number;
    if (id != q.focus() && q.context.exists(id)) return id;
  }
  return {};
}

// The name of `question` that another one of the same field replaces; the first, if none is of it.
const NameMention* counterpart(const std::vector<NameMention>& names, const NameMention& by) {
  for (const NameMention& name : names)
    if (name.field == by.field) return &name;
  return names.empty() ? nullptr : &names.front();
}

// The name that a correction puts in the place of another: not the one after "not".
const NameMention* corrected_name(const Asked& q) {
  for (const NameMention& name : q.names) {
    const std::string_view before = std::string_view(q.lower).substr(0, name.begin);
    const std::string_view trimmed = trim(before);
    if (!trimmed.ends_with(" not") && !trimmed.ends_with(" than") && trimmed != "not") return &name;
  }
  return nullptr;
}

std::optional<Reference> read_correction(const Asked& q) {
  if (!matches(q.lower, correction())) return std::nullopt;
  std::string rest = q.lower;
  RE2::GlobalReplace(&rest, correction(), " ");
  const std::string id = q.ids.empty() ? completed_id(q, rest) : q.ids.front();
  if (!id.empty()) {
    std::string own = rest;
    for (const IdMention& said : find_ids(rest)) own = replaced(own, said.begin, said.end, " ");
    static const RE2 kDigits("\\d+");
    RE2::GlobalReplace(&own, kDigits, "");
    const bool again = asks_nothing_itself(own);
    return Reference{{id}, again ? asked_of(q, id) : q.text, "correction to " + id};
  }
  if (const NameMention* name = corrected_name(q)) {
    const auto before = find_names(q.previous(), q.context.catalogue);
    std::string own = rest;
    for (const NameMention& said : q.names) {
      const size_t at = own.find(ascii_lower(q.text.substr(said.begin, said.end - said.begin)));
      if (at != std::string::npos) own = replaced(own, at, at + said.end - said.begin, " ");
    }
    if (const NameMention* old = counterpart(before, *name);
        old != nullptr && asks_nothing_itself(own)) {
      return Reference{{},
                       replaced(q.previous(), old->begin, old->end, name->name),
                       fmt::format("correction: {} instead of {}", name->name, old->name)};
    }
  }
  return std::nullopt;
}

// "And in february?", "yesterday's", "march 2025 then": of a list, the one opened then.
std::optional<Reference> read_listed_time(const Asked& q) {
  if (q.conversation.latest_list().size() < 2 || !q.names.empty()) return std::nullopt;
  const When when = read_when(q.lower, q.context.now);
  if (when.empty()) return std::nullopt;
  std::string rest = q.lower;
  static const RE2 kTime(
      "\\b(?:and|what|about|how|the|one|ones|in|on|at|from|of|s|then|that|was|same|for|again|is|"
      "last|"
      "this|jan\\w*|feb\\w*|mar\\w*|apr\\w*|may|june?|july?|aug\\w*|sep\\w*|oct\\w*|nov\\w*|dec\\w*"
      "|"
      "(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|today|week|month|year|night|morning|"
      "afternoon|evening|noon|midnight|am|pm)\\b|\\d+(?:st|nd|rd|th)?|[^a-z0-9]");
  RE2::GlobalReplace(&rest, kTime, " ");
  if (!own_terms(rest).empty()) return std::nullopt;
  Ids found;
  std::ranges::copy_if(q.conversation.latest_list(), std::back_inserter(found),
                       [&](const std::string& id) { return when.fits(incident_of_id(q, id)); });
  if (found.empty() || found.size() == q.conversation.latest_list().size()) return std::nullopt;
  return Reference{found, q.text, "of the list, opened then"};
}

// "And in March?", "what about checkout-api?", "same for PayU Core": nothing but a new time or name.
std::optional<Reference> read_ellipsis(const Asked& q) {
  static const RE2 kOpening(
      "^(?:(?:and|or|ok|okay|so|then|also)\\b[\\s,]*)*(?:(?:what|how) about|what of|(?:the )?same "
      "(?:question )?(?:for|in|on|with)|and|or)\\b[\\s,]*");
  if (!matches(q.lower, kOpening)) return std::nullopt;
  std::string own = q.lower;
  const auto blank = [&](size_t begin, size_t end) {
    std::fill(own.begin() + static_cast<ptrdiff_t>(begin),
              own.begin() + static_cast<ptrdiff_t>(end), ' ');
  };
  const auto times = find_time_hints(q.text, q.context.now);
  for (const NameMention& name : q.names) blank(name.begin, name.end);
  for (const TimeHint& time : times) blank(time.begin, time.end);
  RE2::Replace(&own, kOpening, "");
  static const RE2 kSmall(
      "\\b(?:in|on|for|the|of|at|during|with|since|from|system|service|team|app|"
      "application)\\b|[^a-z0-9]");
  RE2::GlobalReplace(&own, kSmall, "");
  if (!own.empty() || (q.names.empty() && times.empty())) return std::nullopt;
  std::string whole = q.previous();
  if (!times.empty()) {
    const auto before = find_time_hints(whole, q.context.now);
    whole = before.empty()
                ? whole + " " + q.text.substr(times[0].begin, times[0].end - times[0].begin)
                : replaced(whole, before[0].begin, before[0].end, times[0].text);
  }
  if (!q.names.empty()) {
    const auto before = find_names(whole, q.context.catalogue);
    const NameMention* old = counterpart(before, q.names.front());
    if (old == nullptr && times.empty()) return std::nullopt;
    if (old != nullptr) whole = replaced(whole, old->begin, old->end, q.names.front().name);
  }
  return Reference{{}, whole, "the question before, with " + std::string(trim(q.text))};
}

// ------------------------------------------------------------------------- one of the incidents

struct Ordinal {
  std::string_view words;
  int position;  // from 1; negative: from the end
};
constexpr Ordinal kOrdinals[] = {
    {"first", 1},  {"1st", 1},   {"second", 2},  {"2nd", 2},    {"third", 3}, {"3rd", 3},
    {"fourth", 4}, {"4th", 4},   {"fifth", 5},   {"5th", 5},    {"sixth", 6}, {"6th", 6},
    {"one", 1},    {"two", 2},   {"three", 3},   {"four", 4},   {"five", 5},  {"former", 1},
    {"top", 1},    {"last", -1}, {"latter", -1}, {"bottom", -1}};

// "The first one we discussed": over the whole conversation rather than the last list.
bool looks_back(const Asked& q) {
  static const RE2 kBack(
      "\\b(?:back to|return(?:ing)? to|from before|we "
      "(?:discussed|talked|looked|started|spoke|began|opened|"
      "mentioned|asked)|you (?:mentioned|showed|said|told|listed)|i (?:asked|mentioned)|earlier|"
      "at the (?:beginning|start)|originally|initial(?:ly)?|to begin with|started with)\\b");
  return matches(q.lower, kBack);
}

Ids by_date(const Asked& q, Ids ids) {
  std::ranges::stable_sort(ids, [&](const std::string& a, const std::string& b) {
    return opened(incident_of_id(q, a)) < opened(incident_of_id(q, b));
  });
  return ids;
}

std::optional<Reference> read_ordinal(const Asked& q) {
  static const RE2 kPhrase(
      "(?:^|\\b(?:the|that|and|back to|show|open|what about|how about) "
      "|\\b(?:number|nr\\.?|no\\.?|item) "
      "?|#)(first|second|third|fourth|fifth|sixth|one|two|three|four|five|1st|2nd|3rd|4th|5th|6th|"
      "former|"
      "latter|top|bottom|middle|last|latest|newest|most "
      "recent|oldest|earliest|previous|next|\\d{1,2})"
      "(?: (?:one|ones|incident|outage|issue|result|entry|case|item|of|we|you|i|in the list|on the "
      "list)\\b|[\\s,.?!'’]*$|['’]s\\b|:)");
  std::string word;
  if (!RE2::PartialMatch(q.lower, kPhrase, &word)) return std::nullopt;
  const auto [latest, all] = candidate_lists(q);
  const Ids& list = looks_back(q) || latest.size() < 2 ? all : latest;
  if (list.empty()) return std::nullopt;
  if (word == "previous") {
    const auto& focuses = q.conversation.focuses();
    if (focuses.size() < 2) return std::nullopt;
    return Reference{{focuses[focuses.size() - 2]}, q.text, "the incident before"};
  }
  if (word == "next" || word == "middle") {
    const auto at = std::ranges::find(list, q.focus());
    const size_t place =
        word == "middle" ? list.size() / 2 : static_cast<size_t>(at - list.begin()) + 1;
    if (place >= list.size()) return std::nullopt;
    return Reference{{list[place]}, q.text, "the " + word + " one of the list"};
  }
  if (word == "latest" || word == "newest" || word == "most recent")
    return Reference{{by_date(q, list).back()}, q.text, "the newest of the conversation"};
  if (word == "oldest" || word == "earliest")
    return Reference{{by_date(q, list).front()}, q.text, "the oldest of the conversation"};
  int position = 0;
  for (const Ordinal& ordinal : kOrdinals)
    if (word == ordinal.words) position = ordinal.position;
  if (position == 0) position = std::atoi(word.c_str());
  const auto size = static_cast<int>(list.size());
  const int index = position < 0 ? size + position : position - 1;
  if (index < 0 || index >= size) return std::nullopt;
  return Reference{{list[static_cast<size_t>(index)]},
                   q.text,
                   fmt::format("number {} of the {} incidents named", index + 1, size)};
}

std::optional<Reference> read_other(const Asked& q) {
  static const RE2 kOther(
      "\\b(?:the|that) other (?:one|ones|incident|incidents|outage|two|three|case)\\b|\\bthe "
      "other(?:['’]s|s)?[\\s?.!,]*$|\\bthe others\\b|^(?:and )?the other\\b");
  if (!matches(q.lower, kOther)) return std::nullopt;
  static const RE2 kSeveral("\\bothers|other (?:ones|incidents|two|three)\\b");
  const bool several = matches(q.lower, kSeveral);
  for (const Ids& list : candidate_lists(q)) {
    Ids others;
    // Without a single focus the first of a list has been the one talked about.
    std::ranges::copy_if(list, std::back_inserter(others),
                         [&](const std::string& id) { return id != q.focus(); });
    if (others.empty()) continue;
    // Over the whole conversation the other one is the one before.
    const bool earlier = &list != &q.conversation.latest_list() &&
                         q.conversation.focuses().size() >= 2 && !several &&
                         list.size() != q.conversation.latest_list().size();
    if (earlier) others = {q.conversation.focuses()[q.conversation.focuses().size() - 2]};
    if (!several) others.resize(1);
    return Reference{others, q.text, "other than " + q.focus()};
  }
  return std::nullopt;
}

// ------------------------------------------------------------------------- by what its record says

// "The … one", "that … incident", "the one …": definite and singular, so one of those named. The
// words that tell which one.
std::string description_of_one(const Asked& q) {
  static const RE2 kBefore(
      "\\b(?:the|that) ([a-z0-9][^.?!,;]{0,60}?) "
      "(?:one|incident|outage|issue|case|thing|stuff|problem|story|mess)\\b");
  static const RE2 kBackTo(
      "\\b(?:back to|return to|returning to) (?:the |that )?([a-z0-9][^.?!,;:]{1,40})");
  static const RE2 kAfter(
      "\\b(?:the|that) (?:one|incident|outage) "
      "((?:in|on|at|from|about|with|of|during|around|for|where|that|which|caused by|involving|"
      "affecting|opened|before|after|by)\\b[^?!;]{1,80})");
  static const RE2 kSeverity("\\b(?:the|that) (sev-?\\d|p\\d)\\b");
  std::string words;
  if (RE2::PartialMatch(q.lower, kAfter, &words) || RE2::PartialMatch(q.lower, kBefore, &words) ||
      RE2::PartialMatch(q.lower, kSeverity, &words) || RE2::PartialMatch(q.lower, kBackTo, &words))
    return words;
  return {};
}

// The terms of everything that a record says about itself.
std::set<std::string> terms_of(const Incident& i, const Analyzer& analyzer) {
  std::string text;
  for (const std::string* part : {&i.title, &i.impacted_application, &i.severity, &i.status,
                                  &i.root_cause, &i.accountable_party, &i.description})
    text.append(*part).append("\n");
  text += i.action_taken + "\n" + i.mitigation + "\n";
  text += join(i.services, "\n") + "\n" + join(i.tags, "\n");
  for (const auto& [key, value] : i.extra) text += "\n" + key + "\n" + value;
  const auto terms = analyzer.terms(text);
  return {terms.begin(), terms.end()};
}

// The candidates that share most of the words; a title says more than a story.
Ids by_words(const Asked& q, const std::string& words, const Ids& list) {
  constexpr size_t kTitle = 3;
  const Analyzer analyzer;
  std::vector<std::string> wanted = analyzer.terms(words);
  std::erase_if(wanted, [](const std::string& term) {
    return term == "incid" || term == "outag" || term == "issu" || term == "on";
  });
  if (wanted.empty()) return {};
  size_t best = 0, best_shared = 0;
  Ids found;
  for (const std::string& id : list) {
    const Incident& incident = incident_of_id(q, id);
    const auto held = terms_of(incident, analyzer);
    const auto named = analyzer.terms(incident.title + "\n" + incident.impacted_application);
    size_t shared = 0, score = 0;
    for (const std::string& term : wanted) {
      if (!held.contains(term)) continue;
      ++shared;
      score += std::ranges::find(named, term) != named.end() ? kTitle : 1;
    }
    if (shared == 0 || score < best) continue;
    if (score > best) found.clear();
    best = score;
    best_shared = shared;
    found.push_back(id);
  }
  // Half of the words may be about what is asked rather than about which one.
  return best_shared * 2 >= wanted.size() ? found : Ids{};
}

std::optional<Reference> read_description(const Asked& q) {
  const std::string words = description_of_one(q);
  if (words.empty()) return std::nullopt;
  const When when = read_when(words, q.context.now);
  if (!when.empty()) {
    Ids found = nearest(q, [&](const Incident& i) { return when.fits(i); });
    if (found.size() > 1)
      if (Ids narrowed = by_words(q, words, found); !narrowed.empty()) found = narrowed;
    if (!found.empty()) {
      found.resize(1);
      return Reference{found, q.text, "opened then: " + words};
    }
  }
  for (const Ids& list : candidate_lists(q)) {
    if (looks_back(q) && list.size() < q.conversation.incidents().size()) continue;
    Ids found = by_words(q, words, list);
    if (found.empty() || (found.size() == list.size() && list.size() > 1)) continue;
    // Of several alike the one talked about last.
    const bool focused = std::ranges::find(found, q.focus()) != found.end();
    return Reference{{focused ? q.focus() : found.front()}, q.text, "described: " + words};
  }
  return std::nullopt;
}

// ------------------------------------------------------------------------- the one talked about

// Whether the question names something that the incident does not know: a subject of its own.
bool has_other_subject(const Asked& q, const Incident& incident) {
  static const RE2 kEndpoint("(?:^|\\s)/[A-Za-z0-9_{}][A-Za-z0-9_{}/.-]*");
  if (matches(q.text, kEndpoint)) return true;
  const Analyzer analyzer;
  const auto held = terms_of(incident, analyzer);
  return std::ranges::any_of(q.names, [&](const NameMention& name) {
    const auto terms = analyzer.terms(name.name);
    return !std::ranges::all_of(terms, [&](const auto& t) { return held.contains(t); });
  });
}

// Whether at most a third of the question's words are neither of its record nor ask about one.
bool mostly_about(const Asked& q, const Incident& incident) {
  const auto held = terms_of(incident, Analyzer());
  const auto strange =
      std::ranges::count_if(q.own, [&](const std::string& term) { return !held.contains(term); });
  return static_cast<size_t>(strange) * 3 <= q.own.size();
}

// "Those", "both", "which of the two lasted longer", "which ones are repeats": of the list shown
// last, or of the two incidents talked about.
std::optional<Reference> read_plural(const Asked& q) {
  static const RE2 kPlural(
      "\\b(?:those|these|them|both|either|neither|each|all (?:of (?:them|those|these)|two|three|"
      "four|five|\\d)|(?:the|those|these) (?:two|three|four|\\d)|which ones?|any of (?:them|those))"
      "\\b|^(?:and )?(?:which|is any|are any|was any|were any)(?: one| ones)?(?: of .*)?(?: "
      "still)? "
      "(?:was|were|is|are|has|had|have|took|lasted|affected|hit|caused|came|open|closed|resolved|"
      "repeat)");
  if (!matches(q.lower, kPlural)) return std::nullopt;
  Ids list = q.conversation.latest_list();
  if (list.size() < 2) {
    list = q.conversation.focuses();
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  if (list.size() < 2) return std::nullopt;
  const bool others = std::ranges::any_of(q.names, [&](const NameMention& name) {
    return std::ranges::none_of(list, [&](const std::string& id) {
      return incident_of_id(q, id).impacted_application == name.name;
    });
  });
  if (others) return std::nullopt;
  return Reference{list, q.text, "all that were named last"};
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
  const Incident& incident = incident_of_id(q, q.focus());
  if (matches(q.lower, kElsewhere) || has_other_subject(q, incident)) return std::nullopt;
  const auto held = terms_of(incident, Analyzer());
  const auto shared =
      std::ranges::count_if(q.own, [&](const std::string& term) { return held.contains(term); });
  if (static_cast<size_t>(shared) * 3 < q.own.size() * 2) return std::nullopt;
  return Reference{{q.focus()}, q.text, "its record speaks of this: " + q.focus()};
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
  const bool pronoun = matches(q.lower, kPronoun) ||
                       (matches(q.lower, kWeak) && mostly_about(q, incident_of_id(q, q.focus())));
  if (!pronoun && !fields) return std::nullopt;
  // "Which incidents happened before?" looks for others.
  if (!pronoun && matches(q.lower, kList)) return std::nullopt;
  if (has_other_subject(q, incident_of_id(q, q.focus()))) return std::nullopt;
  return Reference{{q.focus()}, q.text, "the incident talked about, " + q.focus()};
}

// A follow-up on something without an id: the question before says what "it" is.
std::optional<Reference> read_leftover(const Asked& q) {
  static const RE2 kLeans(
      "^(?:and|so|then|ok|okay|but)\\b|^(?:what|how) "
      "about\\b|\\b(?:it|its|they|them|their)\\b|\\b(?:that|"
      "this) (?:one|runbook|document|command|step|alert|error|problem|service|team|issue)\\b");
  const bool leans = matches(q.lower, kLeans) || q.own.empty();
  if (!leans || !q.names.empty() || q.previous().empty()) return std::nullopt;
  return Reference{{}, q.previous() + "\n" + q.text, "asked together with the question before"};
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
  for (const auto rule : {read_other, read_plural, read_ordinal, read_description, read_listed_time,
                          read_ellipsis, read_pronoun, read_held, read_leftover})
    if (auto reference = rule(q)) return *reference;
  return alone;
}

}  // namespace precedent
