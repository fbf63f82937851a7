// The parts of an answer that come from the systems in operation: what the metrics say, which alerts are active, and which cause is
// likely.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <set>

#include "agent/compose/alert_lines.h"
#include "agent/compose/compose_parts.h"
#include "agent/evidence/own_runbooks.h"
#include "agent/understand/system_words.h"
#include "base/strings.h"
#include "time/time_hints.h"
#include "tools/present.h"

namespace precedent {

Source source_of(const MetricsResult& metric, const Receipt& receipt) {
  return {metric.metric, metric.expression, "metric", metric.source, {}, receipt.id};
}

std::string called(const MetricsResult& metric) {
  if (!metric.of.empty()) return fmt::format("{} of {}", metric.metric, metric.of);
  return metric.combined.empty() ? metric.metric
                                 : fmt::format("{} ({})", metric.metric, metric.combined);
}

namespace {

// Whether the last value is of the present, not of the end of a window that is over, or of a series that
// ended.
bool is_current(const MetricsResult& metric, TimePoint now) {
  if (!metric.silence.empty()) return false;
  constexpr std::chrono::minutes kFresh{15};
  return now - metric.summary->last_at <=
         std::max<std::chrono::milliseconds>(kFresh, 3 * metric.step);
}

std::string last_value(const MetricsResult& metric) {
  return format_value(metric, metric.summary->last);
}

// "at 2026-11-18T18:00:00Z, no values since": when a value was that is not of now.
std::string last_time(const MetricsResult& metric) {
  std::string text = "at " + format_time(metric.summary->last_at);
  return metric.silence.empty() ? text : fmt::format("{}, {} since", text, metric.silence);
}

// What a mean of several hides, and what a histogram cannot tell; "" where there is neither.
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

// Of a moment that is asked about it is the value; of a window it is that of its end.
std::string time_of_last(const MetricsResult& metric, const Intent& intent) {
  const bool of_a_window = metric.silence.empty() && !find_moment(intent.question, intent.now);
  return of_a_window ? "at the end, " + format_time(metric.summary->last_at) : last_time(metric);
}

std::string metric_line(Writer& out, const Receipt& receipt, const MetricsResult& metric,
                        TimePoint now) {
  const WindowSummary& s = *metric.summary;
  std::string text =
      metric.silence.empty()
          ? fmt::format("- **{}**: {} {} (at {})", called(metric), last_value(metric),
                        is_current(metric, now) ? "now" : "at the end", format_time(s.last_at))
          : fmt::format("- **{}**: {} {}", called(metric), last_value(metric), last_time(metric));
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

bool is_filtered(const Receipt& receipt) { return receipt.args.contains("filter="); }

// Whether it was asked for of the endpoint or the service that the question names (plan_live.cc).
bool is_asked_for(const Receipt& receipt) {
  static const RE2 kOfIt("filter=\\W*(?:endpoint|service)=");
  return RE2::PartialMatch(receipt.args, kOfIt);
}

// A metric that was asked for without a filter is of everything: it concerns the question if its name
// or its series do. Where only some of them do, they were asked for by themselves (plan_again).
bool concerns(const MetricsResult& metric, const Receipt& receipt,
              const std::set<std::string>& words) {
  if (words.empty() || is_filtered(receipt) || metric.top.empty()) return true;
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
  // Which may be bad all the same: only the time before says.
  std::map<std::string, std::vector<std::string>> steady;
  for (const auto& [receipt, metric] : metrics) {
    if (!metric->summary || shown.contains(metric)) continue;
    if (!concerns(*metric, *receipt, words)) continue;
    // Asked about, though nothing happened to it: its numbers are the answer.
    // So are those of one that ended: it is not as it was.
    if ((onset == nullptr && moved.empty()) || metric->comparisons.empty() ||
        !metric->silence.empty()) {
      show(receipt, metric);
      continue;
    }
    steady[metric->comparisons.front().what].push_back(
        is_current(*metric, answer.intent.now)
            ? fmt::format("{} now {} {}", called(*metric), last_value(*metric),
                          out.cite(source_of(*metric, *receipt)))
            : fmt::format("{} {} {} {}", called(*metric), last_value(*metric), last_time(*metric),
                          out.cite(source_of(*metric, *receipt))));
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

// That nothing is wrong, as far as it was looked at; "" if an alert concerns it, or no metric does.
std::string calm_of(const Answer& answer, const std::set<std::string>& words) {
  bool alerts_read = false;
  const MetricsResult* past = nullptr;
  const MetricsResult* measured = nullptr;
  std::vector<std::string> compared, alone;
  for (const auto& [receipt, metric] : alerted(answer, words))
    for (const Alert& alert : metric->alerts)
      if (concerns(alert, words, metric->from)) return "";
  for (const auto& [receipt, metric] : results_of<MetricsResult>(answer)) {
    alerts_read |= !metric->alert_source.empty() && metric->alert_problem.empty();
    if (!metric->summary || !concerns(*metric, *receipt, words)) continue;
    measured = metric;
    (metric->comparisons.empty() ? alone : compared).push_back(called(*metric));
    if (!is_current(*metric, answer.intent.now)) past = metric;
  }
  if (measured == nullptr) return "";
  // What has no past is neither usual nor unusual.
  if (compared.empty())
    return fmt::format("Not found: values of {} from before {} to compare with{}.",
                       join(alone, ", "), format_time(measured->from),
                       alerts_read ? ", or an active alert" : "");
  // Of which alerts were active then, and of the time since, nothing is known.
  if (past != nullptr)
    return fmt::format("Not found: anything unusual in these metrics from {} to {}.",
                       format_time(past->from), format_time(past->to));
  return alerts_read ? "Not found: anything unusual in these metrics, or an active alert."
                     : "Not found: anything unusual in these metrics.";
}

// What was to be measured and was not comes before what was found instead; and that no alert tells of it either.
void tell_unmeasured(Answer& answer, Writer& out, const std::set<std::string>& words) {
  compose_gaps(answer, out);
  const auto results = results_of<MetricsResult>(answer);
  const auto read = std::ranges::find_if(results, [](const auto& result) {
    return !result.second->alert_source.empty() && result.second->alert_problem.empty();
  });
  const bool alerted = std::ranges::any_of(results, [&](const auto& result) {
    return std::ranges::any_of(result.second->alerts, [&](const Alert& alert) {
      return concerns(alert, words, result.second->from);
    });
  });
  if (read != results.end() && !alerted && !words.empty())
    out.missing(no_alert_text(answer.intent, *read->second));
  tell_gaps(answer, out);
}

// Where nothing began in the window: what the metric that is asked about says.
void tell_state(Writer& out, const Answer& answer, const std::set<std::string>& words,
                bool as_ever) {
  for (const auto& [receipt, metric] : results_of<MetricsResult>(answer)) {
    if (!metric->summary || !concerns(*metric, *receipt, words)) continue;
    const bool current = is_current(*metric, answer.intent.now);
    std::string text = fmt::format("{}**{} {} {} {}**", as_ever ? "Nothing unusual: " : "",
                                   called(*metric), current ? "is" : "was", last_value(*metric),
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

// "Memory of X" where what is measured is its CPU: said before the figure, which is of something else.
void tell_resource(Answer& answer, Writer& out) {
  static const RE2 kResource("(?i)\\b(memory|heap|cpu|disk)\\b"), kPart("(memory|heap|cpu|disk)");
  std::string asked;
  if (!RE2::PartialMatch(answer.intent.question, kResource, &asked)) return;
  asked = ascii_lower(asked);
  const std::string other = asked == "heap" ? "memory" : asked;
  for (const auto& [receipt, metric] : results_of<MetricsResult>(answer)) {
    const std::string own = ascii_lower(metric->metric + " " + metric->expression);
    std::string its;
    if (own.contains(asked) || own.contains(other)) return;
    if (!metric->summary || !RE2::PartialMatch(own, kPart, &its)) continue;
    const std::string note =
        fmt::format("Not found: a metric of {}; {} is of {}.", asked, metric->metric, its);
    out.missing(note);
    out.line(note);
    out.gap();
    return;
  }
}

// An active alert of what is asked about, where no metric tells that something began; false if none is.
bool tell_alarm(Writer& out, const Answer& answer, const std::set<std::string>& words) {
  const std::vector<std::string> lines =
      alert_lines(out, answer, words, 1, [&](const Alert& alert, const MetricsResult& metric) {
        return concerns(alert, words, metric.from);
      });
  for (std::string_view line : lines) {
    if (line.starts_with("- ")) line.remove_prefix(2);
    out.line(std::string(line));
    out.gap();
  }
  return !lines.empty();
}

// "Which service had the most errors": each one's mean, in that order; false if that was not asked.
bool tell_ranking(Writer& out, const Answer& answer) {
  static const RE2 kLeast("(?i)\\b(?:lowest|fewest|fastest|least)\\b");
  const bool ascending = RE2::PartialMatch(answer.intent.question, kLeast);
  bool told = false;
  for (const auto& [receipt, metric] : results_of<MetricsResult>(answer)) {
    if (!receipt->args.contains(" by=") || metric->top.size() < 2) continue;
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
    told = true;
  }
  return told;
}

// "What is p95 of X", "memory of X": neither why nor whether something is wrong.
bool asks_for_a_figure(const Intent& intent) {
  const Asks& asks = intent.asks;
  const bool named = std::ranges::any_of(
      intent.subjects, [](const Subject& s) { return s.kind == SubjectKind::kMetric; });
  return !intent.signals.unhealthy &&
         (asks.value || (named && !asks.cause && !asks.whether && !asks.steps && !intent.deploy));
}

// What was agreed, beside what is measured.
void tell_objective(Writer& out, const std::vector<Evidence>& evidence,
                    const std::set<std::string>& words) {
  static const RE2 kBound(
      "(?i)\\b(?:slos?|objectives?|targets?|below|under|within|at (?:most|least)|above|less "
      "than)\\b.*\\d|\\d.*\\b(?:slos?|objectives?)\\b");
  std::vector<Evidence> bounds;
  for (const Evidence& piece : evidence) {
    const std::set<std::string> its = telling_words(piece.quote);
    const bool named =
        std::ranges::any_of(words, [&](const std::string& word) { return its.contains(word); });
    if (named && RE2::PartialMatch(piece.quote, kBound)) bounds.push_back(piece);
  }
  if (bounds.empty()) return;
  out.gap();
  quote_best(out, bounds, 1);
}

// Whether there are figures of what the question names exactly.
bool is_measured(const Answer& answer) {
  return std::ranges::any_of(results_of<MetricsResult>(answer), [](const auto& m) {
    return m.second->summary && is_asked_for(*m.first);
  });
}

// "Is X ok?", rather than one of its endpoints or metrics.
bool is_of_whole_systems(const Intent& intent) {
  return std::ranges::none_of(intent.subjects, [](const Subject& s) {
    return s.kind == SubjectKind::kEndpoint || s.kind == SubjectKind::kMetric;
  });
}

// Whether there are figures of a metric that the question names.
bool names_measured(const Answer& answer) {
  return std::ranges::any_of(results_of<MetricsResult>(answer), [&](const auto& m) {
    return m.second->summary && is_named(*m.second, answer.intent);
  });
}

}  // namespace

std::string suspected_service(const Answer& answer, const Onset* onset) {
  if (!answer.intent.service.empty() || onset == nullptr || onset->metric->top.empty())
    return answer.intent.service;
  for (const auto& [label, value] : onset->metric->top.front().labels)
    for (const auto& [receipt, changes] : results_of<ChangesResult>(answer))
      for (const Change& change : changes->changes)
        if (std::ranges::any_of(change.services,
                                [&](const std::string& own) { return iequals(own, value); }))
          return value;
  return "";
}

std::optional<Onset> onset_of(const Answer& answer) {
  const std::set<std::string> words = system_words(answer.intent);
  // What the question names exactly, else what goes with it: a neighbour's trouble is not its own.
  const bool measured = is_measured(answer);
  const bool named = std::ranges::any_of(results_of<MetricsResult>(answer), [&](const auto& m) {
    return m.second->summary && is_named(*m.second, answer.intent);
  });
  const auto of_the_question = [&](const MetricsResult& metric, const Receipt& receipt) {
    if (named && words.empty()) return is_named(metric, answer.intent);
    return measured ? is_asked_for(receipt) : concerns(metric, receipt, words);
  };
  const Direction direction = asked_direction(answer.intent);
  const auto own = find_onset(answer.receipts, of_the_question, direction);
  if (own || !measured || !is_of_whole_systems(answer.intent)) return own;
  // What carries the name of a system is its own, too, whatever its series are labelled with.
  const auto by_name = [&](const MetricsResult& metric, const Receipt& receipt) {
    return concerns(metric, receipt, words);
  };
  return find_onset(answer.receipts, by_name, direction);
}

void tell_onset(Writer& out, const Onset& onset, TimePoint now) {
  const std::string& unit = onset.metric->unit;
  const std::string first = onset.first     ? "was " + format_excursion(*onset.first, unit)
                            : onset.episode ? "was " + format_episode(*onset.episode, unit)
                                            : "";
  const std::string change = onset.change ? format_change(*onset.change, unit) : "";
  std::string text =
      fmt::format("**{} {}.**", called(*onset.metric), change.empty() ? first : change);
  if (!first.empty() && !change.empty()) text += fmt::format(" It {}.", first);
  const MetricsResult& metric = *onset.metric;
  const std::string last = last_value(metric);
  // "At most" is said of the episode; the window may have been higher outside of it.
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

bool has_live_results(const Answer& answer) {
  return std::ranges::any_of(answer.receipts, [](const Receipt& receipt) {
    return std::holds_alternative<MetricsResult>(receipt.result) ||
           std::holds_alternative<ChangesResult>(receipt.result);
  });
}

bool has_asked_systems(const Answer& answer) {
  return std::ranges::any_of(answer.receipts, [](const Receipt& receipt) {
    return receipt.tool == "metrics_query" || receipt.tool == "recent_changes";
  });
}

void compose_gaps(Answer& answer, Writer& out) {
  // By when it was looked for and why it was not found, which several may share.
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
    out.missing(fmt::format("Not found: the metric{} {}, {}", metrics.size() == 1 ? "" : "s",
                            join(metrics, ", "), why));
  compose_changes_gaps(answer, out);
  const auto code = results_of<CodeResult>(answer);
  const bool no_code =
      std::ranges::all_of(code, [](const auto& c) { return c.second->items.empty(); });
  if (!code.empty() && no_code) {
    const std::string& note = code.front().second->note;
    out.missing("Not found: code for this question." + (note.empty() ? "" : " " + note));
  }
}

void compose_investigation(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  const std::set<std::string> words = system_words(answer.intent);
  const bool measured = is_measured(answer);
  const std::optional<Onset> onset = onset_of(answer);
  const Onset* begun = onset ? &*onset : nullptr;
  std::vector<Moved> moved = find_moved(answer.receipts, begun);
  // That a metric has no past says something only beside one that changed.
  std::erase_if(moved, [&](const Moved& m) {
    return !concerns(*m.metric, *m.receipt, words) || (m.appeared && !onset);
  });
  const bool seen = std::ranges::any_of(results_of<MetricsResult>(answer), [&](const auto& m) {
    return m.second->summary && concerns(*m.second, *m.first, words);
  });
  const std::string calm = onset || !moved.empty() ? "" : calm_of(answer, words);
  std::optional<Suspect> suspect;
  // Without an onset only who says that something is wrong now is told what may be behind it.
  const TimeRange asked = intersection(answer.intent.times);
  const bool over = asked.to && *asked.to < answer.intent.now;
  const bool claims = !answer.intent.asks.whether && !answer.intent.asks.value && !over;
  if (answer.intent.type == QuestionType::kDebugIncident &&
      (onset || (!measured && claims && calm.empty())))
    suspect = find_suspect(answer.receipts, begun, suspected_service(answer, begun), evidence);
  if (!seen) tell_unmeasured(answer, out, words);
  tell_resource(answer, out);
  if (tell_ranking(out, answer)) return;
  if (onset) tell_onset(out, *onset, answer.intent.now);
  const auto undone = suspect ? find_undone(answer.receipts, *suspect->change) : std::nullopt;
  if (undone) tell_undone(out, *suspect, *undone, begun);
  compose_blame(answer, out, onset ? std::optional(onset->at()) : std::nullopt);
  if (!calm.empty()) {
    out.missing(calm);
    out.line(calm);
  }
  // An alert of a system says more on it than one metric that is as ever.
  const bool alarmed = !onset && is_of_whole_systems(answer.intent) && !words.empty() &&
                       answer.intent.asks.whether && !over && tell_alarm(out, answer, words);
  // Asked whether it is so, it is measured, and is as ever: what else moved may still be told.
  const bool as_ever = !onset && !alarmed && measured && answer.intent.asks.whether && !over;
  if (!onset) tell_state(out, answer, words, as_ever && calm.empty());
  if (answer.intent.signals.slo) tell_objective(out, evidence, words);
  // Asked for a figure: what is around it is not asked.
  const bool figure = (measured || names_measured(answer)) && asks_for_a_figure(answer.intent);
  if (!figure) compose_open(answer, out);
  const bool bare = answer.intent.asks.value || !onset;
  if (!(figure && bare) && !as_ever) compose_changes(answer, out);
  show_metrics(out, answer, words, begun, moved);
  if (figure) return;
  // Asked whether something is wrong, and nothing is: what to do about it is not asked.
  if ((!calm.empty() || as_ever) && answer.intent.asks.whether) return;
  // Nor where nothing says so; but what was wrong with it before may help to find out.
  if (!seen && answer.intent.asks.whether) return compose_precedents(answer, out, evidence);
  compose_code(answer, out, evidence);
  std::vector<std::string> systems = {answer.intent.service, answer.intent.blamed};
  if (suspect)
    systems.insert(systems.end(), suspect->change->services.begin(),
                   suspect->change->services.end());
  systems = systems_of_documents(systems, answer.receipts);
  const std::vector<Evidence> own = without_others_runbooks(evidence, answer.receipts, systems);
  const bool remote = is_remote(own);
  if (!own.empty() && !remote && is_convincing(own.front())) {
    out.gap();
    out.line("**From documents**");
    quote_best(out, own, kMaxQuotes);
  }
  const auto recorded =
      onset ? find_recorded(answer.receipts, *onset, words, answer.intent.now) : std::nullopt;
  compose_cause(out, {begun, moved, suspect, recorded, undone});
  compose_precedents(answer, out, evidence);
  std::string cause = suspect ? suspect->change->title : "";
  for (const Evidence* told : suspect ? suspect->told : std::vector<const Evidence*>())
    cause += " " + told->quote;
  // Where a runbook is asked for, its steps stand above.
  if (!remote && answer.intent.documents.kinds.empty())
    compose_steps(answer, out,
                  runbooks_on(answer.intent.question + " " + cause, own, answer.receipts, systems),
                  cause);
}

}  // namespace precedent
