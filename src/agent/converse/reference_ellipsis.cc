// "No, I meant 006", "and in March?": the question before, asked again of something else.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "agent/converse/reference_rules.h"
#include "agent/language/field_words.h"
#include "agent/slots/time_condition.h"
#include "base/ids.h"
#include "base/strings.h"

namespace precedent {
namespace {

// ------------------------------------------------------------------ the previous question again

// What a correction opens with.
const RE2& correction() {
  static const RE2 kCorrection(
      "^(?:(?:no|nope|sorry|sry|wait|oops|oh|actually|correction|my bad|i mean|i meant|not that "
      "one|wrong "
      "(?:one|id|incident|service|name|system))\\b[\\s,.:;!-]*)+|\\bi mean(?:t)?\\b");
  return kCorrection;
}

// The question before, made whole where it only said "and in March?" itself. A few turns are looked
// at: a chain of such questions is short.
std::string previous_whole(const Asked& q) {
  constexpr size_t kMostTurns = 6;
  const auto& turns = q.conversation.turns();
  if (turns.size() < 2) return q.previous();
  const size_t first = turns.size() - std::min(turns.size(), kMostTurns);
  const Conversation before({turns.begin() + static_cast<ptrdiff_t>(first), turns.end() - 1},
                            [](std::string_view) { return std::nullopt; });
  Asked earlier{q.previous(),
                ascii_lower(q.previous()),
                before,
                q.context,
                find_names(q.previous(), q.context.catalogue),
                {},
                own_terms(q.previous())};
  auto whole = read_ellipsis(earlier);
  if (!whole) whole = read_contact(earlier);
  return whole ? whole->question : q.previous();
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
      "\\b(?:i|its?|mean|meant|not|the|a|an|one|ones|incident|outage|it|is|was|that|this|of|id|"
      "number|"
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
  static const RE2 kNumber("(?:^|[\\s#-])0*(\\d{1,6})(?:$|[\\s.,!?*])");
  static const RE2 kTail("(\\d[\\d-]*-\\d+)");
  std::string number;
  // The id without its letters: "2025-08-24-001".
  if (!q.focus().empty() && RE2::PartialMatch(rest, kTail, &number)) {
    const std::string id = q.focus().substr(0, q.focus().find('-') + 1) + number;
    if (q.context.exists(id)) return id;
  }
  if (!RE2::PartialMatch(rest, kNumber, &number)) return {};
  // The one that was said may not exist.
  std::set<std::string> stems;
  for (const IdMention& said : find_ids(q.previous())) stems.insert(said.id);
  if (!q.focus().empty()) stems.insert(q.focus());
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
    if (id != stem && q.context.exists(id)) return id;
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

}  // namespace

std::string_view extensible(std::string_view question) {
  const size_t end = question.find_last_not_of(" ?.!\t\n");
  return question.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

bool corrects(const Asked& q) { return matches(q.lower, correction()); }

std::optional<Reference> read_other_search(const Asked& q) {
  if (!corrects(q)) return std::nullopt;
  static const RE2 kPointing("\\b(?:not that|the other|another|other|the|that|ones?)\\b");
  std::string rest = q.lower;
  RE2::GlobalReplace(&rest, correction(), " ");
  RE2::GlobalReplace(&rest, kPointing, " ");
  rest = squeeze(rest);
  if (own_terms(rest).empty()) return std::nullopt;
  return Reference{{}, rest, "corrected: something else is meant"};
}

std::optional<Reference> read_correction(const Asked& q) {
  // "2024", "002*" after an id: the part of it that was wrong.
  static const RE2 kNumberAlone("^\\W*\\d{1,6}\\W*$");
  const bool number = matches(q.lower, kNumberAlone) && !find_ids(q.previous()).empty();
  if (!number && !corrects(q)) return std::nullopt;
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

std::optional<Reference> read_listed_time(const Asked& q) {
  if (q.conversation.lists().empty() || !q.names.empty()) return std::nullopt;
  const TimeCondition when = read_time_condition(q.lower, q.context.now);
  if (when.empty()) return std::nullopt;
  std::string rest = q.lower;
  static const RE2 kTime(
      "\\b(?:and|only|just|what|about|how|the|one|ones|in|on|at|from|of|s|then|that|was|same|for|"
      "again|is|"
      "last|"
      "this|jan\\w*|feb\\w*|mar\\w*|apr\\w*|may|june?|july?|aug\\w*|sep\\w*|oct\\w*|nov\\w*|dec\\w*"
      "|"
      "(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|today|week|month|year|night|morning|"
      "afternoon|evening|noon|midnight|am|pm)\\b|\\d+(?:st|nd|rd|th)?|[^a-z0-9]");
  RE2::GlobalReplace(&rest, kTime, " ");
  if (!own_terms(rest).empty()) return std::nullopt;
  for (const Ids& list : candidate_lists(q)) {
    Ids found;
    std::ranges::copy_if(list, std::back_inserter(found),
                         [&](const std::string& id) { return when.fits(q.incident(id)); });
    if (!found.empty() && found.size() < list.size())
      return Reference{found, q.text, "of the list, opened then"};
  }
  return std::nullopt;
}

namespace {

struct SaidTime {
  size_t begin, end;  // in the question
  std::string text;   // as it stands in the question made whole
};

// The first time of a question that is nothing but "april?", "and 2025?" or "in March". A month or
// a year alone is one here.
std::optional<SaidTime> time_said(const Asked& q) {
  if (const auto times = find_time_hints(q.text, q.context.now); !times.empty()) {
    static const RE2 kYear("\\d{4}");
    const TimeHint& time = times.front();
    return SaidTime{time.begin, time.end,
                    RE2::FullMatch(time.text, kYear) ? "in " + time.text : time.text};
  }
  static const RE2 kLast("([a-z][a-z0-9]*|(?:19|20)\\d\\d)\\W*$");
  re2::StringPiece word;
  if (!RE2::PartialMatch(q.lower, kLast, &word)) return std::nullopt;
  const std::string alone = "in " + std::string(word);
  const auto times = find_time_hints(alone, q.context.now);
  if (times.size() != 1 || times.front().text != alone) return std::nullopt;
  const size_t begin = static_cast<size_t>(word.data() - q.lower.data());
  return SaidTime{begin, begin + word.size(), alone};
}

// "April" after "in March 2024" is of that year.
std::string in_the_year_of(const std::string& time, const std::string& before) {
  static const RE2 kMonth("(?i)in (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*");
  static const RE2 kYear("\\b((?:19|20)\\d{2})\\b");
  std::string year;
  if (!RE2::FullMatch(time, kMonth) || !RE2::PartialMatch(before, kYear, &year)) return time;
  return time + " " + year;
}

// "checkout?" for "Checkout Platform": the words that an application or a service is called by, or
// begins with. "" if the question is anything else.
std::string name_said(const Asked& q) {
  const std::string said = name_key(q.text);
  if (said.size() < 3 || own_terms(said).empty()) return {};
  for (const auto* names : {&q.context.catalogue.applications, &q.context.catalogue.services}) {
    for (const std::string& name : *names)
      if ((name_key(name) + " ").starts_with(said + " ")) return said;
  }
  return {};
}

// Whether incidents are listed, of whatever it says.
bool lists_incidents(const std::string& question) {
  static const RE2 kIncidents("(?i)\\b(?:incidents|outages|post-?mortems|sev-?[0-9]s)\\b");
  return RE2::PartialMatch(question, kIncidents);
}

}  // namespace

std::optional<Reference> read_ellipsis(const Asked& q) {
  // "What about checkout?" puts a name that the catalogue does not know as such in the old place.
  static const RE2 kAnother(
      "^(?:and |or |ok |so )*(?:what|how) about (?:the )?([a-z0-9][a-z0-9 &_-]{1,40}?)[?.! ]*$");
  static const RE2 kOpening(
      "^(?:(?:and|or|ok|okay|so|then|also)\\b[\\s,]*)*(?:(?:what|how) about|what of|(?:the )?same "
      "(?:question )?(?:for|in|on|with)|and|or)\\b[\\s,]*");
  const bool opens = matches(q.lower, kOpening);
  std::string own = q.lower;
  const auto blank = [&](size_t begin, size_t end) {
    std::fill(own.begin() + static_cast<ptrdiff_t>(begin),
              own.begin() + static_cast<ptrdiff_t>(end), ' ');
  };
  const auto time = time_said(q);
  for (const NameMention& name : q.names) blank(name.begin, name.end);
  for (const TimeHint& hint : find_time_hints(q.text, q.context.now)) blank(hint.begin, hint.end);
  if (time) blank(time->begin, time->end);
  RE2::Replace(&own, kOpening, "");
  static const RE2 kSmall(
      "\\b(?:in|on|for|the|of|at|during|with|since|from|system|service|team|app|"
      "application)\\b|[^a-z0-9]");
  RE2::GlobalReplace(&own, kSmall, "");
  std::string whole = previous_whole(q);
  if (std::string name; q.names.empty() && !time && RE2::PartialMatch(q.lower, kAnother, &name)) {
    const auto before = find_names(whole, q.context.catalogue);
    if (before.size() != 1 || own_terms(name).empty()) return std::nullopt;
    return Reference{{},
                     replaced(whole, before[0].begin, before[0].end, name),
                     "the question before, of " + name};
  }
  // A name in small letters, alone.
  const std::string bare = q.names.empty() && !time && !own.empty() ? name_said(q) : "";
  if (bare.empty() && (!own.empty() || (q.names.empty() && !time))) return std::nullopt;
  const bool list = lists_incidents(whole);
  if (time) {
    const auto before = find_time_hints(whole, q.context.now);
    // Without "and", a time alone repeats what has a time, or a list.
    if (before.empty() && !opens && !list) return std::nullopt;
    whole = before.empty() ? std::string(extensible(whole)) + " " + time->text
                           : replaced(whole, before[0].begin, before[0].end,
                                      in_the_year_of(time->text, before[0].text));
  }
  if (!q.names.empty() || !bare.empty()) {
    const auto before = find_names(whole, q.context.catalogue);
    const NameMention* old = q.names.empty() ? (before.empty() ? nullptr : &before.front())
                                             : counterpart(before, q.names.front());
    const std::string name = q.names.empty() ? bare : q.names.front().name;
    if (old == nullptr && !time && !list) return std::nullopt;
    if (old != nullptr) {
      whole = replaced(whole, old->begin, old->end, name);
    } else if (list) {
      whole = std::string(extensible(whole)) + " of " + name;
    }
  }
  return Reference{{}, whole, "the question before, with " + std::string(trim(q.text))};
}

}  // namespace precedent
