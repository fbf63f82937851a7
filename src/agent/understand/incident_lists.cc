#include "agent/understand/incident_lists.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "agent/language/field_words.h"
#include "base/strings.h"

namespace precedent {
namespace {

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
std::string unknown_application(const OpenIntent& intent) {
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

// "Checkout" of "incidents of checkout in 2026" and "checkout incidents": how the names of
// applications or services begin.
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
  // "Payment incidents" may be of payments in general: only what begins an application is taken for
  // one.
  name.clear();
  RE2::PartialMatch(text, kNoun, &name);
  return !name.empty() && begins(name, catalogue.applications) ? name : "";
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
  static const RE2 kWhich("\\b(longest|shortest)\\b");
  if (!RE2::PartialMatch(lower, kWhich, &which)) return {};
  if (read.of_records) return which;
  if (!RE2::PartialMatch(lower, kForms[0]) && !RE2::PartialMatch(lower, kForms[1])) return {};
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

}  // namespace

bool about_incidents(const std::string& q) {
  static const RE2 kIncidents(
      "\\b(?:incidents?|outages?|post-?mortems? of incidents|(?:sev-?|p)[0-5]s|logged against|"
      "(?:anything|what(?:'s| is)) (?:still )?open)\\b");
  return RE2::PartialMatch(q, kIncidents);
}

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

bool asks_for_one_of_a_day(const Intent& intent, const std::string& lower) {
  static const RE2 kOne("\\b(?:the|that|an?) (?:\\S+ ){0,5}(?:incident|outage|sev ?[0-9])\\b");
  if (intent.times.size() != 1 || !RE2::PartialMatch(lower, kOne)) return false;
  const TimeRange& range = intent.times.front().range;
  const Asks& a = intent.asks;
  const bool of_it = a.cause || a.remedy || a.person || a.number || a.time || a.status || a.impact;
  return of_it && range.from && range.to && *range.to - *range.from <= std::chrono::days(1);
}

bool decide_list(OpenIntent& intent, const SelfQuery& read, const Catalogue& catalogue,
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
  const bool happened = RE2::PartialMatch(lower, kHappened) &&
                        (!intent.times.empty() || RE2::PartialMatch(lower, kRecent));
  static const RE2 kRestricted("^(?:\\S+ ){1,4}(?:incidents|outages)\\b");
  const bool restricted = !intent.filter.severities.empty() || !intent.filter.statuses.empty();
  const bool list_form =
      RE2::PartialMatch(lower, kListOnly) || (restricted && RE2::PartialMatch(lower, kRestricted));
  intent.ranked = read_ranking(intent, read, lower);
  const bool plain_list = happened || read.lists || !intent.ranked.empty() ||
                          (incidents && list_form && !intent.asks.cause && !intent.asks.steps);
  intent.lists_only = read.only_frames || happened || !intent.ranked.empty();
  if (read.only_frames) intent.count = read.count;
  // "Incidents in which a retry storm took down X" is a search.
  static const RE2 kLike(
      "\\b(?:resembl\\w+|similar|comparable|incidents (?:[\\w-]+ ){0,6}(?:where|in which))\\b");
  if (read.names.empty() && RE2::PartialMatch(lower, kLike)) return false;
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
  } else if (plain_list && (!intent.ranked.empty() || !intent.times.empty() || intent.count ||
                            RE2::PartialMatch(lower, kRecent) || !intent.filter.statuses.empty() ||
                            !intent.filter.severities.empty())) {
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

void take_records(OpenIntent& intent, const SelfQuery& read) {
  intent.ranked = read_ranking(intent, read, ascii_lower(intent.question));
  intent.filter = read.filter;
  if (!intent.ranked.empty()) intent.filter.statuses.clear();
  intent.open = read.open && intent.ranked.empty();
  intent.count = read.count;
  intent.lists_only = true;
  for (const std::string& word : read.rest)
    if (!own_terms(word).empty()) intent.saying.push_back(word);
  intent.cues.emplace_back("records are asked for: learned");
  const bool by_rule = intent.type == QuestionType::kRecentIncidents ||
                       intent.type == QuestionType::kApplicationIncidents;
  if (by_rule) return;  // rules know of what
  intent.applications = asked_applications(intent.question, read.names);
  intent.type = intent.applications.empty() ? QuestionType::kRecentIncidents
                                            : QuestionType::kApplicationIncidents;
}

void take_tally(OpenIntent& intent, const SelfQuery& read, Tally tally) {
  intent.filter = read.filter;
  intent.count = read.count;
  intent.lists_only = true;
  intent.ranked.clear();
  intent.saying = read.rest;
  intent.cues.push_back(
      fmt::format("{} of {} by {} over the records: learned", tally.function, tally.of, tally.by));
  intent.tally = std::move(tally);
  // Only names that are known: "for my yearly report" is none.
  intent.applications = asked_applications(intent.question, read.names);
  intent.type = intent.applications.empty() ? QuestionType::kRecentIncidents
                                            : QuestionType::kApplicationIncidents;
}

}  // namespace precedent
