#include "time/bare_years.h"

#include <algorithm>

#include "time/calendar.h"
#include "time/time_words.h"

namespace precedent {
namespace {

using namespace std::chrono;  // NOLINT: calendar arithmetic reads badly without

// Whether the word in front of a number says what it numbers or counts: "port 2019", "error 2013",
// "more than 2000", "ports 2000 and 2001".
bool numbers_something(std::string_view before) {
  static constexpr size_t kSeen = 32;
  static const RE2 kNumbered(
      "(?:\\b(?:ports?|ver|versions?|v|release[sd]?|rev|revisions?|builds?|codes?|errors?|errno|"
      "err|"
      "status|exit|exited|signal|limits?|thresholds?|levels?|ids?|pid|lines?|sizes?|max|maximum|"
      "min|"
      "minimum|than|over|under|above|below|exactly|about|around|approximately|roughly|nearly|"
      "almost|"
      "is|was|were|are|be|by|to|with|got|has|had|have|gets?|reached|returned|returns|set|pages?|"
      "tickets?|issues?|pr|numbers?|no|nr|num|rows?|offsets?|timeouts?|ttl|queue|depth|counts?|"
      "total|"
      "rates?|values?|amounts?|sum|price|paid|cost|channel|mtu|key|batch|windows?|server|office|"
      "studio|sql|rfc|iso|cve|eur|usd|gbp|chf|dollars?|euros?|times|every|each|per)|"
      "\\d(?:\\s*,)?(?:\\s+(?:and|or))?|[^a-z0-9\\s,;?!.])\\s*$");
  const std::string_view seen = before.substr(before.size() - std::min(before.size(), kSeen));
  return RE2::PartialMatch(re2::StringPiece(seen.data(), seen.size()), kNumbered);
}

}  // namespace

std::optional<TimeReading> two_years(std::string_view before, std::string_view s, TimePoint now) {
  static const RE2 kYears("^" PRECEDENT_YEAR "\\s+(?:and|to|until|-|–)\\s+" PRECEDENT_YEAR);
  static constexpr int kRecent = 15;
  const TimeMatch m(kYears, s);
  if (!m || !clause_begins(before) || !clause_ends(s.substr(m.length()))) return std::nullopt;
  const int current = static_cast<int>(month_of(now).year());
  const int first = m.number(1), last = m.number(2);
  if (last <= first || last > current || first < current - kRecent) return std::nullopt;
  return TimeReading{m.length(), {first_of(year(first)), first_of(year(last + 1))}};
}

std::optional<TimeReading> bare_year(std::string_view whole, size_t at, TimePoint now) {
  // Longer texts are descriptions and pasted logs, whose numbers are anything.
  static constexpr size_t kLongest = 160;
  static constexpr int kEarliest = 1990;
  static const RE2 kYear("^" PRECEDENT_YEAR "\\b");
  static const RE2 kRecords(
      "^(?:['’]s)?\\s+(?:incidents?|outages?|post-?mortems?|sev-?[0-9]s?)\\b");
  static const RE2 kEnd("^(?:\\s*(?:$|[?!;)]|[.,:](?:\\s|$))|\\s+(?:for|please|pls)\\b)");
  if (whole.size() > kLongest) return std::nullopt;
  const std::string_view s = whole.substr(at);
  const TimeMatch m(kYear, s);
  if (!m) return std::nullopt;
  const int said = m.number(1);
  if (said < kEarliest || said > static_cast<int>(month_of(now).year()) + 1) return std::nullopt;
  const std::string_view after = s.substr(m.length());
  if (!TimeMatch(kEnd, after) && !TimeMatch(kRecords, after)) return std::nullopt;
  if (numbers_something(whole.substr(0, at))) return std::nullopt;
  return TimeReading{m.length(), {first_of(year(said)), first_of(year(said + 1))}};
}

}  // namespace precedent
