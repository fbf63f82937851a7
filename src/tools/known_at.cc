#include "tools/known_at.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "knowledge/incident.h"
#include "search/self_query.h"
#include "text/markdown.h"
#include "text/sentences.h"

namespace precedent {
namespace {

using std::chrono::days;
using std::chrono::floor;
using std::chrono::hours;

// "09:41" of a record that began at 23:50 is of the next morning, "08:15" of one that began at
// 09:00 is of the same.
TimePoint nearest_to(TimePoint begun, std::string_view clock) {
  const auto day = floor<days>(begun);
  const auto time = parse_time(fmt::format("{} {}", format_date(day), clock));
  if (!time) return begun;
  if (*time > begun + hours(12)) return *time - days(1);
  if (*time < begun - hours(12)) return *time + days(1);
  return *time;
}

std::optional<TimePoint> date_of(const std::string& text) {
  const auto time = parse_time(text);
  return time ? std::optional(*time) : std::nullopt;
}

// "2 January" of a record that began on 30 December is of the next year.
std::optional<TimePoint> nearest_year(TimePoint begun, const std::string& day) {
  const std::chrono::year_month_day date(floor<days>(begun));
  std::optional<TimePoint> nearest;
  for (int year = static_cast<int>(date.year()) - 1; year <= static_cast<int>(date.year()) + 1;
       ++year) {
    const auto time = date_of(fmt::format("{} {}", day, year));
    if (time && (!nearest || std::chrono::abs(*time - begun) < std::chrono::abs(*nearest - begun)))
      nearest = time;
  }
  return nearest;
}

// The last moment that a text names.
std::optional<TimePoint> last_moment(std::string_view words, TimePoint begun) {
  static const RE2 kMoment(
      "(?i)\\b(?:"
      "(\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2})?(?:Z|[+-]\\d{2}:?\\d{2})?)?)"
      "|(\\d{1,2}\\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}(?: \\d{4})?)"
      "|((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} \\d{1,2}(?:,? \\d{4})?)"
      "|((?:[01]?\\d|2[0-3]):[0-5]\\d))\\b");
  static const RE2 kYear("\\d{4}");
  re2::StringPiece text(words.data(), words.size());
  std::optional<TimePoint> last;
  std::optional<TimePoint> day;  // that was named before
  std::string iso, day_first, month_first, clock;
  while (RE2::FindAndConsume(&text, kMoment, &iso, &day_first, &month_first, &clock)) {
    std::optional<TimePoint> moment;
    if (!clock.empty()) {
      moment = day ? parse_time(fmt::format("{} {}", format_date(*day), clock)).value_or(*day)
                   : nearest_to(begun, clock);
    } else {
      const std::string date = iso + day_first + month_first;
      moment = RE2::PartialMatch(date, kYear) ? date_of(date) : nearest_year(begun, date);
      if (!moment) continue;  // "12 marks"
      day = moment;
    }
    if (!last || *moment > *last) last = moment;
  }
  return last;
}

TimePoint begin_of(const Document& document, TimePoint at) {
  return document.opened_at.value_or(document.updated_at.value_or(at));
}

bool is_after(const std::optional<TimePoint>& time, TimePoint at) { return time && *time > at; }

bool names_later(std::string_view text, TimePoint begun, TimePoint at) {
  return is_after(last_moment(text, begun), at);
}

// Without the units that name a later moment, and without the list markers that are left of them.
std::string without_later(std::string_view text, TimePoint begun, TimePoint at) {
  std::string kept;
  size_t copied = 0;
  constexpr std::string_view kMarkers = "-*+0123456789.)> \t";  // of lists and quotations
  for (const Unit& unit : find_units(text, parse_blocks(text))) {
    if (!names_later(unit.bytes.in(text), begun, at)) continue;
    kept += text.substr(copied, unit.bytes.begin - copied);
    copied = unit.bytes.end;
    const size_t rest = std::min(text.find_first_not_of(" \t", copied), text.size());
    if (rest < text.size() && text[rest] != '\n') continue;
    const size_t line = kept.rfind('\n') + 1;  // npos + 1 is 0
    const size_t end = kept.find_last_not_of(kMarkers) + 1;
    if (end <= line) {
      kept.resize(line);
      copied = std::min(rest + 1, text.size());
    } else {
      kept.resize(kept.find_last_not_of(" \t") + 1);
    }
  }
  kept += text.substr(copied);
  return std::string(trim(kept));
}

// A further field without its later items; "" if nothing of it was known.
std::string field_known_at(const std::string& value, TimePoint begun, TimePoint at) {
  if (!names_later(value, begun, at)) return value;
  if (!value.starts_with('[')) return value.starts_with('{') ? "" : without_later(value, begun, at);
  const nlohmann::json list = parse_json(value);
  if (!list.is_array()) return "";
  nlohmann::json known = nlohmann::json::array();
  for (const auto& item : list)
    if (!names_later(dump_json(item), begun, at)) known.push_back(item);
  return known.empty() ? "" : dump_json(known);
}

// Whether anything in it was or may have been written after the moment.
bool is_touched_later(const Document& document, TimePoint at) {
  return is_after(document.updated_at, at) || is_after(document.resolved_at, at);
}

// What else names a later moment is a plan: "renewed on 1 March". A record of the days before that
// does not say when it was written last was written while it went on.
bool drops_lines(const Document& document, TimePoint at) {
  if (is_touched_later(document, at)) return true;
  return !document.updated_at && !document.resolved_at && document.opened_at &&
         at - *document.opened_at < days(2);
}

bool is_hindsight_free(const Document& document) {
  return document.kind == Kind::kGolden || document.kind == Kind::kCode;
}

void leave_out_undated(Document& document, TimePoint at) {
  const bool over = document.resolved_at && *document.resolved_at <= at;
  if (over || document.kind != Kind::kIncident) return;
  Incident incident = incident_of(document);
  incident.root_cause.clear();
  incident.action_taken.clear();
  incident.mitigation.clear();
  document.body = to_document(incident).body;
  const bool closed_unknown_when = !document.resolved_at && is_closed_status(document.status);
  document.status = closed_unknown_when ? "" : kOpenThen;
}

}  // namespace

std::optional<Document> known_at(Document document, TimePoint at) {
  if (is_hindsight_free(document)) return document;
  if (is_after(document.opened_at, at)) return std::nullopt;
  if (is_touched_later(document, at)) leave_out_undated(document, at);
  if (drops_lines(document, at)) {
    const TimePoint begun = begin_of(document, at);
    document.body = without_later(document.body, begun, at);
    for (auto& [key, value] : document.attributes) value = field_known_at(value, begun, at);
    std::erase_if(document.attributes, [](const auto& field) { return field.second.empty(); });
  }
  if (is_after(document.resolved_at, at)) document.resolved_at.reset();
  if (is_after(document.updated_at, at)) document.updated_at.reset();
  return document;
}

std::string text_known_at(std::string_view text, const Document& document, TimePoint at) {
  if (is_hindsight_free(document) || !drops_lines(document, at)) return std::string(text);
  return without_later(text, begin_of(document, at), at);
}

}  // namespace precedent
