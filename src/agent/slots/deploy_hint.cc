#include "agent/slots/deploy_hint.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <array>

#include "base/strings.h"
#include "time/time_hints.h"

namespace precedent {
namespace {

// People round the time of a deploy to minutes that are easy to say.
constexpr std::chrono::minutes kRounding{5};

// Group 1: a deploy as a time. Group 2: what shows that it is none: "the release notes",
// "deploy-bot".
const RE2& deploy_as_a_time() {
  // Which one: "the last", "yesterday's", "the 16:20", "the search-service".
  static constexpr std::string_view kWhich =
      "(?:(?:the|our|their|this|that|last|latest|most recent|previous|newest|new|recent|"
      "(?:today|yesterday|last night|this morning)(?:'|’)?s|"
      "(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:(?:'|’)s| (?:morning|night|evening)(?:'|’)s)?|"
      "\\d{1,2}:\\d{2}(?:\\s?utc|\\s?z)?|v?\\d+(?:\\.\\d+)*|production|prod|"
      "[a-z][a-z0-9]*(?:-[a-z0-9]+)+)\\s+)";
  static constexpr std::string_view kDeploy =
      "(?:(?:re)?deploy(?:ment|s)?|releases?|roll-?out|rollback|version bump|upgrade|"
      "we (?:shipped|deployed|released|rolled out)(?: [\\w.-]*\\d\\w*)?)\\b";
  static constexpr std::string_view kDay =
      "(?:\\s+(?:yesterday|today|this morning|last night|"
      "on (?:mon|tues|wednes|thurs|fri|satur|sun)day|on \\d{1,2} [a-z]+(?: \\d{4})?|"
      "on [a-z]+ \\d{1,2}(?:, \\d{4})?)\\b)?";
  static constexpr std::string_view kNone =
      "(\\s+(?:guides?|docs?|documents?|documentation|instructions?|manual|page|runbook|playbook|"
      "notes?|pipelines?|process(?:es)?|procedures?|workflows?|scripts?|jobs?|keys?|tokens?|"
      "targets?|checklists?|plans?|policy|strategy|managers?|teams?|engineers?|windows?|freeze|"
      "frequency|cadence|calendar|schedules?|dates?|branch(?:es)?|tags?|candidates?|trains?|"
      "tools?|logs?|commands?|stages?|steps?|approval)\\b|[-_/]\\w)?";
  static const RE2 kHint(
      fmt::format("(?i)\\b((?:ever |right |shortly |just )?"
                  "(?:(?:since|after|following)\\s+{0}*|(?:before|with|from|by|did)\\s+{0}+)"
                  "{1}(?:\\s+(?:of\\s+)?(?:v?\\d+(?:\\.\\d+)+|v\\d+)\\b)?{2}){3}",
                  kWhich, kDeploy, kDay, kNone));
  return kHint;
}

}  // namespace

std::optional<DeployHint> find_deploy_hint(std::string_view question, TimePoint now) {
  const re2::StringPiece all(question.data(), question.size());
  std::array<re2::StringPiece, 3> g;
  for (size_t at = 0;; at = static_cast<size_t>(g[0].data() + g[0].size() - question.data())) {
    if (!deploy_as_a_time().Match(all, at, question.size(), RE2::UNANCHORED, g.data(), 3))
      return std::nullopt;
    if (g[2].empty()) break;
  }
  DeployHint hint;
  hint.text = std::string(g[1].data(), g[1].size());
  hint.begin = static_cast<size_t>(g[1].data() - question.data());
  hint.end = hint.begin + g[1].size();
  static const RE2 kVersion("\\b(v?\\d+(?:\\.\\d+)+|v\\d+)\\b");
  RE2::PartialMatch(hint.text, kVersion, &hint.version);
  // "yesterday's" is a time of its own, without the words around it.
  static const RE2 kNoTime(
      "(?:'|’)s\\b|^(?:(?:ever|right|shortly|just) "
      ")?(?:since|after|before|following|with|from|by|did)\\s+|"
      "\\b\\d{1,2}:\\d{2}(?:\\s?utc|\\s?z)?\\b");
  std::string times = ascii_lower(hint.text);
  RE2::GlobalReplace(&times, kNoTime, "");
  static const RE2 kNoApostrophe("\\b(today|yesterday|last night|this morning)s\\b");
  RE2::GlobalReplace(&times, kNoApostrophe, "\\1");
  const auto hints = find_time_hints(times, now);
  if (!hints.empty()) hint.day = intersection(hints);
  static const RE2 kClock("\\b(\\d{1,2}):(\\d{2})\\b");
  int hour = 0, minute = 0;
  if (RE2::PartialMatch(hint.text, kClock, &hour, &minute) && hour < 24 && minute < 60) {
    const TimePoint day = std::chrono::floor<std::chrono::days>(hint.day.from.value_or(now));
    TimePoint at = day + std::chrono::hours(hour) + std::chrono::minutes(minute);
    if (hint.day.unbounded() && at > now) at -= std::chrono::days(1);
    hint.day = {at - kRounding, at + kRounding};
  }
  return hint;
}

}  // namespace precedent
