// "What about appointment-api?", "and the day before?", "and yesterday?": what was asked of a
// system, asked of another one or of another time.
#include <fmt/format.h>
#include <re2/re2.h>

#include "agent/converse/reference_live_rules.h"
#include "agent/language/field_words.h"
#include "agent/slots/subjects.h"

namespace precedent {
namespace {

// The name of a system that is all that is asked about: "what about appointment-api?"
std::string another_system(const Asked& q) {
  static const RE2 kAnother(
      "(?i)^(?:(?:and|or|ok|okay|so|then|also)\\b[\\s,]*)*(?:(?:what|how) about|what of|(?:the "
      ")?same "
      "(?:question |thing )?(?:for|on|with|of)|is it the same (?:for|on|with)|(?:but "
      ")?(?:only|just)|and|or)\\b\\s*(?:on "
      "|for |in |of "
      ")?(?:the )?([a-z0-9/{][\\w./{}&-]*(?: [\\w&-]+)?)[?.! ]*$");
  std::string name;
  if (!RE2::PartialMatch(q.text, kAnother, &name)) return {};
  for (const NameMention& mention : q.names)
    if (q.text.substr(mention.begin, mention.end - mention.begin) == name) return mention.name;
  const auto found = find_subjects(name, {}, {}, {});
  const bool system =
      found.size() == 1 && found.front().text == name &&
      (found.front().kind == SubjectKind::kEndpoint || found.front().kind == SubjectKind::kService);
  return system ? name : "";
}

}  // namespace

std::optional<Reference> read_another(const Asked& q, const LiveFocus& live) {
  const std::string name = another_system(q);
  if (name.empty()) return std::nullopt;
  if (std::string whole = question_of(live, name); !whole.empty())
    return asked_again(live, std::move(whole));
  if (live.metrics.empty())
    return asked_again(live, fmt::format("{} for {}?", extensible(live.question), name));
  LiveFocus other = live;
  other.endpoint = name;
  Reference same = figures_of(other);
  same.live = name_of(live);
  return same;
}

namespace {

// The question on changes with another time in the place of its own; "" if it names none.
std::string question_of_time(const LiveFocus& live, std::string_view time, TimePoint now) {
  const auto own = find_time_hints(live.question, now);
  if (own.size() != 1) return "";
  std::string whole = live.question;
  return whole.replace(own[0].begin, own[0].end - own[0].begin, time);
}

}  // namespace

std::optional<Reference> read_time_before(const Asked& q, const LiveFocus& live) {
  static const RE2 kBefore(
      "^(?:(?:and|what about|how about)[, ]+)*the (?:day|week|night) before\\W*$");
  const auto own = find_time_hints(live.question, q.context.now);
  if (!live.metrics.empty() || !matches(q.lower, kBefore) || own.size() != 1 || !own[0].range.from)
    return std::nullopt;
  const TimePoint from = *own[0].range.from;
  const auto length =
      q.lower.find("week") != std::string::npos ? std::chrono::days(7) : std::chrono::days(1);
  return asked_again(live,
                     question_of_time(live,
                                      fmt::format("between {} and {}", format_date(from - length),
                                                  format_date(from - std::chrono::days(1))),
                                      q.context.now));
}

std::optional<Reference> read_other_time(const Asked& q, const LiveFocus& live) {
  const auto times = find_time_hints(q.text, q.context.now);
  static const RE2 kNothing("^$");
  static const RE2 kOpening("\\b(?:what|how) (?:about|was (?:it|that))\\b");
  if (times.size() != 1) return std::nullopt;
  Asked rest = q;
  rest.lower.replace(times[0].begin, times[0].end - times[0].begin, " ");
  RE2::GlobalReplace(&rest.lower, kOpening, " ");
  if (!says_only(rest, live, kNothing) || !own_terms(rest.lower).empty()) return std::nullopt;
  if (live.metrics.empty()) {
    std::string whole = question_of_time(live, times[0].text, q.context.now);
    return whole.empty() ? std::nullopt : std::optional(asked_again(live, std::move(whole)));
  }
  LiveFocus then = live;
  then.from.clear();
  return asked_again(live, fmt::format("What is the {} {}?", focus_phrase(then), times[0].text));
}

}  // namespace precedent
