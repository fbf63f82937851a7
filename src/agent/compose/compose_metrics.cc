// What the metrics say, in figures.
#include "agent/compose/compose_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "agent/compose/alert_lines.h"
#include "agent/language/fixed_phrases.h"
#include "agent/understand/system_words.h"
#include "base/strings.h"
#include "tools/metrics_query.h"
#include "tools/present.h"

namespace precedent {

Source source_of(const MetricsResult& metric, const Receipt& receipt) {
  return {metric.metric, metric.expression, "metric", metric.source, {}, receipt.id};
}

std::string metric_label(const MetricsResult& metric) {
  if (!metric.of.empty()) return fmt::format("{} of {}", metric.metric, metric.of);
  return metric.combined.empty() ? metric.metric
                                 : fmt::format("{} ({})", metric.metric, metric.combined);
}

bool is_current(const MetricsResult& metric, TimePoint now) {
  if (!metric.silence.empty()) return false;
  constexpr std::chrono::minutes kFresh{15};
  return now - metric.summary->last_at <=
         std::max<std::chrono::milliseconds>(kFresh, 3 * metric.step);
}

namespace {

std::string last_value(const MetricsResult& metric) {
  return format_value(metric, metric.summary->last);
}

// "at 2026-11-18T18:00:00Z, no values since": the time of a value that is not current.
std::string last_time(const MetricsResult& metric) {
  std::string text = "at " + format_time(metric.summary->last_at);
  return metric.silence.empty() ? text : fmt::format("{}, {} since", text, metric.silence);
}

// What a mean of several series hides, and what a histogram cannot tell; "" if neither applies.
std::string limits_of(const MetricsResult& metric) {
  std::string text;
  if (const auto& peak = metric.highest)
    text += fmt::format("; the highest of one was {} at {} ({})",
                        format_metric_value(peak->value, metric.unit), format_time(peak->at),
                        format_labels(peak->labels));
  if (metric.ceiling)
    text += fmt::format("; {} is the highest bound of the histogram",
                        format_metric_value(*metric.ceiling, metric.unit));
  return text;
}

// If a moment is asked about, the value at that moment; of a window, the value at its end.
std::string time_of_last(const MetricsResult& metric, const Intent& intent) {
  const bool of_a_window = metric.silence.empty() && !intent.qualifiers.moment;
  return of_a_window ? "at the end, " + format_time(metric.summary->last_at) : last_time(metric);
}

std::string metric_line(Writer& out, const Receipt& receipt, const MetricsResult& metric,
                        TimePoint now) {
  const WindowSummary& s = *metric.summary;
  std::string text =
      metric.silence.empty()
          ? fmt::format("- **{}**: {} {} (at {})", metric_label(metric), last_value(metric),
                        is_current(metric, now) ? "now" : "at the end", format_time(s.last_at))
          : fmt::format("- **{}**: {} {}", metric_label(metric), last_value(metric),
                        last_time(metric));
  for (const NowAgainst& then : metric.now_against)
    if (!then.what.contains("mean")) text += ", " + format_now(then, metric.unit);
  text += fmt::format("; mean {} since {}", format_metric_value(s.mean, metric.unit),
                      format_time(metric.from));
  if (metric.total) text += fmt::format(" ({} in all)", format_total(metric));
  for (const WindowComparison& comparison : metric.comparisons) {
    const std::string mean = format_metric_value(comparison.mean, metric.unit);
    text += comparison.ratio
                ? fmt::format(", {:.3g}× {} ({})", *comparison.ratio, comparison.what, mean)
                : fmt::format(", {}: {}", comparison.what, mean);
  }
  if (metric.comparisons.empty()) text += "; no values before";
  for (const ChangePoint& change : metric.changes)
    if (change.at >= metric.from) text += "; " + format_change(change, metric.unit);
  for (const Episode& episode : metric.episodes)
    if (episode.until || metric.changes.empty())
      text += "; was " + format_episode(episode, metric.unit);
  text += limits_of(metric);
  return fmt::format("{} {} {}", text, metric.sparkline, out.cite(source_of(metric, receipt)));
}

bool is_grouped(const Receipt& receipt) {
  const auto question = metrics_question_of(receipt);
  return question && !question->by.empty();
}

}  // namespace

bool is_asked_for(const Receipt& receipt) {
  const auto question = metrics_question_of(receipt);
  return question && std::ranges::any_of(question->filters, [](const LabelFilter& filter) {
           return (filter.label == "endpoint" || filter.label == "service") &&
                  (filter.op == LabelFilter::Op::kEqual || filter.op == LabelFilter::Op::kMatches);
         });
}

bool concerns(const MetricsResult& metric, const Receipt& receipt,
              const std::set<std::string>& words) {
  if (words.empty() || is_narrowed(receipt) || metric.top.empty()) return true;
  const bool named = std::ranges::any_of(
      words, [&](const std::string& word) { return metric.expression.contains(word); });
  return named || std::ranges::all_of(metric.top, [&](const TopSeries& top) {
           return naming_label(top.labels, words) != top.labels.end();
         });
}

void show_metrics(Writer& out, const Answer& answer, const std::set<std::string>& words,
                  const Onset* onset, const std::vector<Moved>& moved) {
  const auto metrics = results_of<MetricsResult>(answer);
  if (metrics.empty()) return;
  std::vector<std::string> lines;
  std::set<const MetricsResult*> shown;
  const auto show = [&](const Receipt* receipt, const MetricsResult* metric) {
    if (metric->summary && shown.insert(metric).second)
      lines.push_back(metric_line(out, *receipt, *metric, answer.intent.now));
  };
  if (onset != nullptr) show(onset->receipt, onset->metric);
  for (const Moved& m : moved) show(m.receipt, m.metric);
  // It may be bad all the same: only the time before tells.
  std::map<std::string, std::vector<std::string>> steady;
  for (const auto& [receipt, metric] : metrics) {
    if (!metric->summary || shown.contains(metric)) continue;
    if (!concerns(*metric, *receipt, words)) continue;
    // It was asked about, though nothing happened to it: its numbers are the answer.
    // So are those of a series that ended, which is a change, too.
    if ((onset == nullptr && moved.empty()) || metric->comparisons.empty() ||
        !metric->silence.empty()) {
      show(receipt, metric);
      continue;
    }
    steady[metric->comparisons.front().what].push_back(
        is_current(*metric, answer.intent.now)
            ? fmt::format("{} now {} {}", metric_label(*metric), last_value(*metric),
                          out.cite(source_of(*metric, *receipt)))
            : fmt::format("{} {} {} {}", metric_label(*metric), last_value(*metric),
                          last_time(*metric), out.cite(source_of(*metric, *receipt))));
  }
  for (const auto& [before, those] : steady)
    lines.push_back(fmt::format("- Much as in {}: {}", before, join(those, ", ")));
  for (std::string& line :
       alert_lines(out, answer, words, kMaxAlertsShown, [&](const auto& alert, const auto& metric) {
         return concerns(alert, words, metric.from);
       }))
    lines.push_back(std::move(line));
  for (std::string& line : past_alert_lines(out, answer, words)) lines.push_back(std::move(line));
  if (lines.empty()) return;
  out.gap();
  out.line("**Evidence from metrics**");
  for (const std::string& line : lines) out.line(line);
}

void tell_state(Writer& out, const Answer& answer, const std::set<std::string>& words,
                bool as_ever) {
  for (const auto& [receipt, metric] : results_of<MetricsResult>(answer)) {
    if (!metric->summary || !concerns(*metric, *receipt, words)) continue;
    const bool current = is_current(*metric, answer.intent.now);
    std::string text =
        fmt::format("{}**{} {} {} {}**", as_ever ? "Nothing unusual: " : "", metric_label(*metric),
                    current ? "is" : "was", last_value(*metric),
                    current ? "now" : time_of_last(*metric, answer.intent));
    if (metric->total)
      text += fmt::format(", {} in all since {}", format_total(*metric), format_time(metric->from));
    if (!metric->now_against.empty() && metric->now_against.front().low)
      text += ", " + format_now(metric->now_against.front(), metric->unit);
    if (!metric->comparisons.empty() && metric->comparisons.front().ratio)
      text += fmt::format("; its mean is {:.3g}× that of {}", *metric->comparisons.front().ratio,
                          metric->comparisons.front().what);
    text += limits_of(*metric);
    out.line(fmt::format("{} {}", text, out.cite(source_of(*metric, *receipt))));
    return;
  }
}

void tell_ranking(Writer& out, const Answer& answer) {
  const bool ascending = answer.intent.qualifiers.least;
  for (const auto& [receipt, metric] : results_of<MetricsResult>(answer)) {
    if (!is_grouped(*receipt) || metric->top.size() < 2) continue;
    std::vector<TopSeries> ranked = metric->top;
    std::ranges::sort(ranked, [&](const TopSeries& a, const TopSeries& b) {
      return ascending ? a.mean < b.mean : a.mean > b.mean;
    });
    const std::string where = out.cite(source_of(*metric, *receipt));
    const auto value = [&](const TopSeries& top) {
      return fmt::format(
          "{}: mean {}{}", format_labels(top.labels), format_metric_value(top.mean, metric->unit),
          top.before ? fmt::format(", before {}", format_metric_value(*top.before, metric->unit))
                     : "");
    };
    out.gap();
    out.line(fmt::format("**{} since {}, {} first** {}", metric->metric, format_time(metric->from),
                         ascending ? "lowest" : "highest", where));
    for (const TopSeries& top : ranked) out.line(fmt::format("- {} {}", value(top), where));
    if (metric->series > ranked.size())
      out.line(fmt::format("- Of {} series, only those that changed most.", metric->series));
  }
}

void tell_onset(Writer& out, const Onset& onset, TimePoint now) {
  const std::string& unit = onset.metric->unit;
  const std::string first = onset.first     ? "was " + format_excursion(*onset.first, unit)
                            : onset.episode ? "was " + format_episode(*onset.episode, unit)
                                            : "";
  const std::string change = onset.change ? format_change(*onset.change, unit) : "";
  std::string text =
      fmt::format("**{} {}.**", metric_label(*onset.metric), change.empty() ? first : change);
  if (!first.empty() && !change.empty()) text += fmt::format(" It {}.", first);
  const MetricsResult& metric = *onset.metric;
  const std::string last = last_value(metric);
  // "At most" is about the episode; outside of it the window may have been higher.
  const bool higher = onset.episode && change.empty() && onset.episode->above() &&
                      metric.summary->max > onset.episode->peak;
  const std::string highest =
      higher ? fmt::format("; the highest since {} was {} at {}", format_time(metric.from),
                           format_value(metric, metric.summary->max),
                           format_time(metric.summary->max_at))
             : "";
  const std::string against =
      metric.now_against.empty() ? "" : ", " + format_now(metric.now_against.front(), unit);
  out.line(fmt::format("{} It {}{}{}{}. {}", text,
                       is_current(metric, now) ? fmt::format("is {} now", last)
                                               : fmt::format("was {} {}", last, last_time(metric)),
                       against, highest, limits_of(metric),
                       out.cite(source_of(*onset.metric, *onset.receipt))));
}

void compose_gaps(Answer& answer, Writer& out) {
  // Grouped by the window and the reason, which several metrics may share.
  std::vector<std::pair<std::string, std::vector<std::string>>> unmeasured;
  for (const auto& [receipt, metric] : results_of<MetricsResult>(answer)) {
    // Without a source only alerts were asked for.
    if (metric->summary || metric->source.empty()) continue;
    std::string why = fmt::format("{} to {}.{}", format_time(metric->from), format_time(metric->to),
                                  metric->notes.empty() ? "" : " " + join(metric->notes, " "));
    auto same = std::ranges::find(unmeasured, why, [](const auto& u) { return u.first; });
    if (same == unmeasured.end())
      same = unmeasured.insert(unmeasured.end(), {std::move(why), std::vector<std::string>()});
    if (std::ranges::find(same->second, metric->metric) == same->second.end())
      same->second.push_back(metric->metric);
  }
  for (const auto& [why, metrics] : unmeasured)
    out.missing(not_found(fmt::format("the metric{} {}, {}", metrics.size() == 1 ? "" : "s",
                                      join(metrics, ", "), why)));
  compose_changes_gaps(answer, out);
  const auto code = results_of<CodeResult>(answer);
  const bool no_code =
      std::ranges::all_of(code, [](const auto& c) { return c.second->items.empty(); });
  if (!code.empty() && no_code) {
    const std::string& note = code.front().second->note;
    out.missing(not_found("code for this question.") + (note.empty() ? "" : " " + note));
  }
}

}  // namespace precedent
