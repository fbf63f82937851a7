// "The second one", "the other", "the PayU one": one of the incidents that were named.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "agent/converse/held_terms.h"
#include "agent/converse/reference_rules.h"
#include "agent/language/field_words.h"
#include "agent/slots/time_condition.h"
#include "base/strings.h"
#include "text/analyzer.h"

namespace precedent {
namespace {

// The first candidates, of the nearest list that has any, that `holds`.
template <typename Predicate>
Ids nearest(const Asked& q, Predicate holds) {
  for (const Ids& list : candidate_lists(q)) {
    Ids found;
    std::ranges::copy_if(list, std::back_inserter(found),
                         [&](const std::string& id) { return holds(q.incident(id)); });
    if (!found.empty()) return found;
  }
  return {};
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

bool is_one_of(const std::vector<std::string>& values, std::string_view value) {
  return values.empty() || std::ranges::any_of(values, [&](const std::string& wanted) {
           return name_key(wanted) == name_key(value);
         });
}

Ids by_date(const Asked& q, Ids ids) {
  std::ranges::stable_sort(ids, [&](const std::string& a, const std::string& b) {
    return opened(q.incident(a)) < opened(q.incident(b));
  });
  return ids;
}

// "The one before that", "and the one after it": the next older or newer one, unless the incident
// talked about was reached by its place in a list.
std::optional<Reference> read_neighbour(const Asked& q) {
  static const RE2 kNeighbour("\\b(?:the )?one (before|after) (?:that|it|this)(?: one)?\\W*$");
  static const RE2 kPlace(
      "\\b(?:first|second|third|fourth|fifth|sixth|next|previous|[1-6](?:st|nd|rd|th)|number "
      "\\d)\\b");
  std::string way;
  if (!RE2::PartialMatch(q.lower, kNeighbour, &way)) return std::nullopt;
  for (const Ids& shown : candidate_lists(q)) {
    if (shown.size() < 2) continue;
    const bool by_place = matches(ascii_lower(q.previous()), kPlace);
    const Ids list = by_place ? shown : by_date(q, shown);
    const auto at = std::ranges::find(list, q.focus());
    if (at == list.end()) continue;
    const bool before = way == "before";
    if (before ? at == list.begin() : at + 1 == list.end()) return std::nullopt;
    return Reference{{before ? *(at - 1) : *(at + 1)}, q.text, "the one " + way + " " + q.focus()};
  }
  return std::nullopt;
}

}  // namespace

std::vector<Ids> candidate_lists(const Asked& q) {
  std::vector<Ids> lists = {q.conversation.latest_list()};
  const auto& shown = q.conversation.lists();
  for (auto list = shown.rbegin(); list != shown.rend(); ++list)
    if (list->ids != lists.back()) lists.push_back(list->ids);
  Ids all;
  for (const Remembered& r : q.conversation.incidents()) all.push_back(r.incident.incident_id);
  lists.push_back(std::move(all));
  return lists;
}

std::optional<Reference> read_ordinal(const Asked& q) {
  if (auto beside = read_neighbour(q)) return beside;
  static const RE2 kPhrase(
      "(?:^|\\b(?:the|that|and|back to|show|open|what about|how about) "
      "|\\b(?:number|nr\\.?|no\\.?|item) "
      "?|#)(first|second|third|fourth|fifth|sixth|one|two|three|four|five|1st|2nd|3rd|4th|5th|6th|"
      "former|"
      "latter|top|bottom|middle|last|latest|newest|most "
      "recent|later|newer|oldest|older|earliest|earlier|previous|next|\\d{1,2})"
      "(?: (?:one|ones|incident|outage|issue|result|entry|case|item|of|we|you|i|in the list|on the "
      "list)\\b|[\\s,.?!'’]*$|['’]s\\b|:)");
  std::string word;
  if (!RE2::PartialMatch(q.lower, kPhrase, &word)) return std::nullopt;
  // "How long was that one?" counts nothing.
  static const RE2 kPronoun("\\b(?:that|the) one\\b");
  if (word == "one" && matches(q.lower, kPronoun)) return std::nullopt;
  int position = 0;
  for (const Ordinal& ordinal : kOrdinals)
    if (word == ordinal.words) position = ordinal.position;
  if (position == 0) position = std::atoi(word.c_str());
  const std::vector<Ids> lists = candidate_lists(q);
  // "The third" of three, though two of them were shown since.
  const auto least = static_cast<size_t>(std::max(position, 2));
  const auto several =
      std::ranges::find_if(lists, [&](const Ids& ids) { return ids.size() >= least; });
  // "The earlier one" is one of those, not one of earlier turns.
  const bool compares = word.starts_with("earl") || word.starts_with("old");
  const Ids& list =
      (looks_back(q) && !compares) || several == lists.end() ? lists.back() : *several;
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
  if (word == "latest" || word == "newest" || word == "most recent" || word == "later" ||
      word == "newer")
    return Reference{{by_date(q, list).back()}, q.text, "the newest of the conversation"};
  if (compares)
    return Reference{{by_date(q, list).front()}, q.text, "the oldest of the conversation"};
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
  static const RE2 kTheOther("\\bthe other\\b");
  const Filter filter = read_self_query(q.text, q.context.catalogue, q.context.now).filter;
  // "The other SEV2": of those with these values alone.
  const bool restricted = !filter.severities.empty() || !filter.statuses.empty();
  if (!matches(q.lower, kOther) && !(restricted && matches(q.lower, kTheOther)))
    return std::nullopt;
  static const RE2 kSeveral("\\bothers|other (?:ones|incidents|two|three)\\b");
  const bool several = matches(q.lower, kSeveral);
  const auto& focuses = q.conversation.focuses();
  // Without a single focus the first of a list has been the one talked about.
  const auto is_other = [&](const std::string& id) {
    const Incident& incident = q.incident(id);
    return id != q.focus() && is_one_of(filter.severities, incident.severity) &&
           is_one_of(filter.statuses, incident.status);
  };
  std::vector<Ids> lists = candidate_lists(q);
  // Of all that was named so far, the one before is the other, unless a value tells.
  if (!restricted) lists.pop_back();
  for (const Ids& list : lists) {
    if (list.size() < 2 || std::ranges::find(list, q.focus()) == list.end()) continue;
    Ids others;
    std::ranges::copy_if(list, std::back_inserter(others), is_other);
    if (others.empty()) continue;
    const std::string why = "of the list, other than " + q.focus();
    if (others.size() == 1 || several) return Reference{others, q.text, why};
    Reference unclear{{}, q.text, why + ": several"};
    unclear.candidates = std::move(others);
    return unclear;
  }
  if (restricted || focuses.size() < 2) return std::nullopt;
  return Reference{{focuses[focuses.size() - 2]}, q.text, "the incident before " + q.focus()};
}

namespace {

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
  static const RE2 kAlone(
      "^(?:(?:and|or|ok|now|what about|how about|show) )*(?:the|that) ([a-z0-9./_-]+)\\W*$");
  std::string words;
  if (RE2::PartialMatch(q.lower, kAfter, &words) || RE2::PartialMatch(q.lower, kBefore, &words) ||
      RE2::PartialMatch(q.lower, kAlone, &words) || RE2::PartialMatch(q.lower, kBackTo, &words))
    return words;
  return {};
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
    const Incident& incident = q.incident(id);
    const auto held = terms_of(incident);
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

// "The SEV1", "the sev-2 one".
std::optional<Reference> read_severity(const Asked& q) {
  static const RE2 kSeverity("\\b(?:the|that) (sev|p)[ -]?(\\d)\\b");
  std::string scale, level;
  if (!RE2::PartialMatch(q.lower, kSeverity, &scale, &level)) return std::nullopt;
  Ids found = nearest(q, [&](const Incident& i) {
    std::string severity = ascii_lower(i.severity);
    std::erase_if(severity, [](char c) { return c == ' ' || c == '-'; });
    return severity == scale + level;
  });
  if (found.empty()) return std::nullopt;
  found.resize(1);
  return Reference{found, q.text, "of the severity " + scale + level};
}

std::string without_times(std::string words) {
  static const RE2 kTimes(
      "\\b(?:jan\\w*|feb\\w*|mar(?:ch)?|apr\\w*|may|june?|july?|aug\\w*|sep\\w*|oct\\w*|nov\\w*|"
      "dec\\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|today|last|this|week|month|"
      "year|night|morning|afternoon|evening|noon|midnight|am|pm|in|on|at|from|of|the|one|around|"
      "before|after)\\b|\\d+(?:st|nd|rd|th)?|[^a-z0-9]");
  RE2::GlobalReplace(&words, kTimes, " ");
  return words;
}

}  // namespace

std::optional<Reference> read_description(const Asked& q) {
  if (auto found = read_severity(q)) return found;
  const std::string words = description_of_one(q);
  if (words.empty()) return std::nullopt;
  const TimeCondition when = read_time_condition(words, q.context.now);
  if (!when.empty()) {
    Ids found = nearest(q, [&](const Incident& i) { return when.fits(i); });
    if (found.size() > 1)
      if (Ids narrowed = by_words(q, words, found); !narrowed.empty()) found = narrowed;
    if (!found.empty()) {
      found.resize(1);
      return Reference{found, q.text, "opened then: " + words};
    }
    // None of that time was named: such incidents are looked for, and those that were are not taken
    // for one. Unless the words say more, and the time is only mentioned.
    if (own_terms(without_times(words)).empty()) {
      return Reference{{},
                       fmt::format("which incidents {}: {}", words, q.previous()),
                       "none that was named is of that time"};
    }
  }
  // "No, the other twilio one": not the one just shown.
  static const RE2 kOther("^(?:an)?other\\b");
  const bool another = matches(words, kOther) || corrects(q);
  for (const Ids& list : candidate_lists(q)) {
    if (looks_back(q) && list.size() < q.conversation.incidents().size()) continue;
    Ids found = by_words(q, words, list);
    if (another) std::erase(found, q.focus());
    if (found.empty() || (found.size() == list.size() && list.size() > 1)) continue;
    // Of several alike the one talked about last.
    const bool focused = std::ranges::find(found, q.focus()) != found.end();
    return Reference{{focused ? q.focus() : found.front()}, q.text, "described: " + words};
  }
  return std::nullopt;
}

}  // namespace precedent
