#include "agent/deploy_hint.h"

#include <re2/re2.h>

#include "base/strings.h"
#include "search/time_hints.h"

namespace precedent {

std::optional<DeployHint> find_deploy_hint(std::string_view question, TimePoint now) {
  static const RE2 kHint(
      "(?i)\\b((?:ever |right |shortly |just "
      ")?(?:since|after|before|following|with|from|by|did)\\s+"
      "(?:(?:the|our|their|this|that|last|latest|most "
      "recent|previous|newest|new|recent|today(?:'|’)s|yesterday(?:'|’)s|"
      "last night(?:'|’)s|this "
      "morning(?:'|’)s|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:(?:'|’)s| morning(?:'|’)s| "
      "night(?:'|’)s| "
      "evening(?:'|’)s)?|\\d{1,2}:\\d{2}(?:\\s?utc|\\s?z)?|v?\\d+(?:\\.\\d+)*|production|prod|[a-z]"
      "[a-z0-9]*(?:-[a-z0-9]+)+)"
      "(?:\\s+))*"
      "(?:(?:re)?deploy(?:ment|s)?|releases?|roll-?out|rollback|version bump|upgrade|we "
      "(?:shipped|deployed|"
      "released|rolled out)(?: \\S*\\d\\S*)?)"
      "(?:\\s+(?:of\\s+)?(?:v?\\d+(?:\\.\\d+)+|v\\d+))?"
      "(?:\\s+(?:yesterday|today|this morning|last night|on "
      "(?:mon|tues|wednes|thurs|fri|satur|sun)day|on \\d{1,2} "
      "[a-z]+(?: \\d{4})?|on [a-z]+ \\d{1,2}(?:, \\d{4})?))?)");
  re2::StringPiece found;
  const re2::StringPiece text(question.data(), question.size());
  if (!RE2::PartialMatch(text, kHint, &found)) return std::nullopt;
  DeployHint hint;
  hint.text = std::string(found.data(), found.size());
  hint.begin = static_cast<size_t>(found.data() - question.data());
  hint.end = hint.begin + found.size();
  static const RE2 kVersion("\\b(v?\\d+(?:\\.\\d+)+|v\\d+)\\b");
  RE2::PartialMatch(hint.text, kVersion, &hint.version);
  // "yesterday's" is a time of its own, without the words around it.
  static const RE2 kNoTime(
      "(?:'|’)s\\b|^(?:(?:ever|right|shortly|just) "
      ")?(?:since|after|before|following|with|from|by|did)\\s+|"
      "\\b\\d{1,2}:\\d{2}(?:\\s?utc|\\s?z)?\\b");
  std::string times = ascii_lower(hint.text);
  RE2::GlobalReplace(&times, kNoTime, "");
  const auto hints = find_time_hints(times, now);
  if (!hints.empty()) hint.day = intersection(hints);
  static const RE2 kClock("\\b(\\d{1,2}):(\\d{2})\\b");
  int hour = 0, minute = 0;
  if (RE2::PartialMatch(hint.text, kClock, &hour, &minute) && hour < 24 && minute < 60) {
    const TimePoint day = std::chrono::floor<std::chrono::days>(hint.day.from.value_or(now));
    hint.day.from = day + std::chrono::hours(hour) + std::chrono::minutes(minute);
  }
  return hint;
}

}  // namespace precedent
