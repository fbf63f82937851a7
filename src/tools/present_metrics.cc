// present() of a MetricsResult, and how its numbers are written.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "telemetry/metrics/metric_query.h"
#include "tools/present.h"

namespace precedent {
namespace {

// Four digits are more than anybody compares, and whole numbers stay whole.
std::string digits(double value) {
  if (std::abs(value) >= 1e4 && std::abs(value) < 1e15) return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value);
}

std::string bytes(double value, std::string_view suffix) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  size_t unit = 0;
  while (std::abs(value) >= 1000 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.4g} {}{}", value, kUnits[unit], suffix);
}

void add_line(std::string& out, const std::string& line) {
  out += line;
  out += '\n';
}

std::string p_value(double p) { return p < 1e-6 ? "p < 0.000001" : fmt::format("p = {:.2g}", p); }

// Two percentages differ by points; "+18 %" of 2 % would be 2.4 %.
std::string difference(double value, std::string_view unit) {
  if (unit == "ratio") return fmt::format("{:.4g} percentage points", value * 100);
  if (unit == "percent") return digits(value) + " percentage points";
  return format_metric_value(value, unit);
}

std::string describe(const WindowComparison& comparison, const std::string& unit) {
  std::string out =
      fmt::format("Against {} ({} to {}): mean {}", comparison.what, format_time(comparison.from),
                  format_time(comparison.to), format_metric_value(comparison.mean, unit));
  if (comparison.ratio)
    out += fmt::format(", the mean of this window is {:.3g}× that", *comparison.ratio);
  return out + fmt::format(", difference {}{}.", comparison.difference > 0 ? "+" : "",
                           difference(comparison.difference, unit));
}

std::string describe(const ChangePoint& change, const std::string& unit) {
  return fmt::format("{} at {}: from {} to {} (medians; {}).",
                     change.after > change.before   ? "Rose"
                     : change.after < change.before ? "Fell"
                                                    : "Changed",
                     format_time(change.at), format_metric_value(change.before, unit),
                     format_metric_value(change.after, unit), p_value(change.p_value));
}

std::string describe(const TopSeries& top, const std::string& unit) {
  std::string out =
      fmt::format("- {}: mean {}", format_labels(top.labels), format_metric_value(top.mean, unit));
  if (top.before) out += fmt::format(", before {}", format_metric_value(*top.before, unit));
  if (top.share) out += fmt::format(", {:.3g} % of the total", *top.share * 100);
  return out;
}

// `when`: "active since …".
std::string describe(const Alert& alert, const std::string& when) {
  std::string out =
      fmt::format("- {}{} {}", alert.name, alert.suppressed ? " (silenced)" : "", when);
  LabelSet labels = alert.labels;
  labels.erase("alertname");
  out += fmt::format(" {}", format_labels(labels));
  const std::string_view said = text_of(alert);
  return said.empty() ? out : fmt::format("{}: {}", out, said);
}

std::string describe(const Alert& alert) {
  return describe(alert, "active since " + format_time(alert.starts_at));
}

std::string describe(const PastAlert& past) {
  return describe(past.alert,
                  fmt::format("was active from {} to {}", format_time(past.alert.starts_at),
                              format_time(past.ends_at)));
}

// "p95_latency of {endpoint="/search"}": whose figures all that follows are.
std::string subject(const MetricsResult& result) {
  if (!result.of.empty()) return fmt::format("{} of {}", result.metric, result.of);
  if (result.series != 1 || result.top.empty() || result.top.front().labels.empty())
    return result.metric;
  return fmt::format("{} of {}", result.metric, format_labels(result.top.front().labels));
}

// "mean of 7 series; the highest of one was 97.8 % at … ({pod="a"}), the lowest …".
std::string combined(const MetricsResult& result) {
  std::string out = result.combined;
  const auto add = [&](const char* which, const std::optional<SeriesPeak>& peak) {
    if (peak)
      out += fmt::format("{} the {} of one was {} at {} ({})", out == result.combined ? ";" : ",",
                         which, format_metric_value(peak->value, result.unit),
                         format_time(peak->at), format_labels(peak->labels));
  };
  add("highest", result.highest);
  add("lowest", result.lowest);
  return out;
}

void add_numbers(std::string& out, const MetricsResult& result) {
  const WindowSummary& s = *result.summary;
  const auto value = [&](double number) { return format_value(result, number); };
  if (!result.combined.empty())
    add_line(out, fmt::format("The figures are the {}.", combined(result)));
  if (result.silence.empty())
    add_line(out, fmt::format("Now: {} (at {}).", value(s.last), format_time(s.last_at)));
  else
    add_line(out, fmt::format("Last: {} at {}; {} since.", value(s.last), format_time(s.last_at),
                              result.silence));
  add_line(out, fmt::format("Window {} to {}, {} points every {}: mean {}, p95 {}, lowest {} at "
                            "{}, highest {} at {}.",
                            format_time(result.from), format_time(result.to), s.points,
                            format_duration(std::chrono::floor<std::chrono::seconds>(result.step)),
                            value(s.mean), value(s.p95), value(s.min), format_time(s.min_at),
                            value(s.max), format_time(s.max_at)));
  if (result.total) add_line(out, fmt::format("In all of it: {}.", format_total(result)));
  for (const NowAgainst& then : result.now_against)
    add_line(out, fmt::format("{} {}.", result.silence.empty() ? "Now it is" : "Then it was",
                              format_now(then, result.unit)));
  for (const WindowComparison& comparison : result.comparisons)
    add_line(out, describe(comparison, result.unit));
  for (const ChangePoint& change : result.changes) add_line(out, describe(change, result.unit));
  for (const Episode& episode : result.episodes)
    add_line(out, fmt::format("It was {}.", format_episode(episode, result.unit)));
  if (result.changes.empty() && result.episodes.empty())
    add_line(out, "No significant change of level in this window and the one before.");
  if (result.first_unusual)
    add_line(out, "It was " + format_excursion(*result.first_unusual, result.unit) + ".");
  if (!result.sparkline.empty()) add_line(out, "Course: " + result.sparkline);
  if (result.series > 1 && !result.top.empty())
    add_line(out, fmt::format("Of {} series, those that contribute most to the difference:",
                              result.series));
  else if (!result.top.empty())
    add_line(out, "The only series:");
  for (const TopSeries& top : result.top) add_line(out, describe(top, result.unit));
}

}  // namespace

std::string format_metric_value(double value, std::string_view unit) {
  if (unit == "ratio") return fmt::format("{:.4g} %", value * 100);
  if (unit == "bytes") return bytes(value, "");
  if (unit == "bytes/s") return bytes(value, "/s");
  if (unit == "percent") return digits(value) + " %";
  if (unit == "seconds") return digits(value) + " s";
  if (unit == "milliseconds") return digits(value) + " ms";
  return unit.empty() ? digits(value) : fmt::format("{} {}", digits(value), unit);
}

std::string format_total(const MetricsResult& result) {
  const WindowTotal& total = *result.total;
  if (result.unit.starts_with("bytes")) return "about " + bytes(total.count, "");
  const double whole = std::round(total.count);
  std::string text = whole == 0 ? "none" : fmt::format("about {:.0f}", whole);
  if (total.of) return fmt::format("{} of {:.0f}", text, std::round(*total.of));
  // "requests/s", "requests in 5m".
  const std::string_view unit = result.unit;
  const std::string_view counted = unit.substr(0, std::min(unit.find('/'), unit.find(" in ")));
  if (counted.empty() || counted == "1" || counted.starts_with("in ")) return text;
  return fmt::format("{} {}", text, counted);
}

std::string format_value(const MetricsResult& result, double value) {
  // What interpolation between two bounds leaves.
  constexpr double kRounding = 1e-9;
  const bool open = result.ceiling && value >= *result.ceiling * (1 - kRounding);
  return fmt::format("{}{}", open ? "at least " : "", format_metric_value(value, result.unit));
}

std::string present(const MetricsResult& result) {
  std::string out = fmt::format("## {}\n", subject(result));
  if (result.summary) add_numbers(out, result);
  for (const std::string& note : result.notes) add_line(out, note);
  if (!result.alerts.empty()) {
    add_line(out, fmt::format("Active alerts ({}{}), says {}:", result.alerts_total,
                              result.alerts.size() < result.alerts_total
                                  ? fmt::format(", the first {}", result.alerts.size())
                                  : "",
                              result.alert_source));
    for (const Alert& alert : result.alerts) add_line(out, describe(alert));
  } else if (!result.alert_source.empty() && result.alert_problem.empty()) {
    add_line(out, fmt::format("No active alert fits, says {}.", result.alert_source));
  }
  if (!result.past_alerts.empty()) {
    add_line(out, fmt::format("Alerts of this time that are over, says {}:", result.alert_source));
    for (const PastAlert& past : result.past_alerts) add_line(out, describe(past));
  }
  if (!result.expression.empty())
    add_line(out, fmt::format("Query: `{}` on {}.", result.expression, result.source));
  return out;
}

std::string format_excursion(const Excursion& first, std::string_view unit) {
  return fmt::format("first {} all of the time before ({}) at {}, with {}",
                     first.value > first.bound ? "above" : "below",
                     format_metric_value(first.bound, unit), format_time(first.at),
                     format_metric_value(first.value, unit));
}

std::string format_episode(const Episode& episode, std::string_view unit) {
  return fmt::format("{} what is usual ({}) {}, {} {} at {}", episode.above() ? "above" : "below",
                     format_metric_value(episode.usual, unit),
                     episode.until ? fmt::format("from {} to {}", format_time(episode.from),
                                                 format_time(*episode.until))
                                   : "since " + format_time(episode.from),
                     episode.above() ? "at most" : "at least",
                     format_metric_value(episode.peak, unit), format_time(episode.peak_at));
}

std::string format_now(const NowAgainst& then, std::string_view unit) {
  const auto value = [&](double of) { return format_metric_value(of, unit); };
  // What every day does is no trouble of today.
  const bool alike = then.ratio < kClearFactor && then.ratio * kClearFactor > 1;
  std::string text = alike
                         ? fmt::format("close to {} ({})", then.what, value(then.value))
                         : fmt::format("{:.3g}× {} ({})", then.ratio, then.what, value(then.value));
  // What was usual about that time, where the value alone would mislead.
  if (!alike && then.low && then.high &&
      (*then.high > kClearFactor * then.value || *then.low * kClearFactor < then.value))
    text += fmt::format(", about which it went from {} to {}", value(*then.low), value(*then.high));
  return text;
}

std::string format_change(const ChangePoint& change, std::string_view unit) {
  return fmt::format("{} at {} from {} to {}", change.after > change.before ? "rose" : "fell",
                     format_time(change.at), format_metric_value(change.before, unit),
                     format_metric_value(change.after, unit));
}

}  // namespace precedent
