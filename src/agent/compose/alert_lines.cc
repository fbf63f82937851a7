#include "agent/compose/alert_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/language/fixed_phrases.h"
#include "agent/understand/system_words.h"
#include "base/strings.h"
#include "tools/present.h"

namespace precedent {
namespace {

constexpr size_t kMaxAlertsListed = 20;

// The services and endpoints that the question is about, as it names them.
std::string named_systems(const Intent& intent) {
  std::vector<std::string> names;
  for (const Subject& subject : intent.subjects)
    if (subject.kind == SubjectKind::kEndpoint || subject.kind == SubjectKind::kService ||
        (subject.kind == SubjectKind::kSymbol && intent.signals.firing))
      names.push_back(subject.text);
  if (names.empty()) names.push_back(intent.service);
  return join(names, ", ");
}

// What the alert is about, its severity and its team: "search-api, severity page, team search"; ""
// if its labels do not say.
std::string belonging_of(const Alert& alert) {
  std::vector<std::string> parts;
  for (const char* label : {"service", "severity", "team"}) {
    const auto own = alert.labels.find(label);
    if (own == alert.labels.end()) continue;
    const bool itself = own->first == "service";
    parts.push_back(itself ? own->second : fmt::format("{} {}", label, own->second));
  }
  return join(parts, ", ");
}

std::string alert_line(Writer& out, const Alert& alert, const std::string& when,
                       const MetricsResult& metric, const Receipt& receipt) {
  std::string text =
      fmt::format("- Alert **{}**{} {}", alert.name, alert.suppressed ? " (silenced)" : "", when);
  if (const std::string_view said = text_of(alert); !said.empty()) text.append(": ").append(said);
  return fmt::format(
      "{} {}", text,
      out.cite(
          {alert.name, format_labels(alert.labels), "alert", metric.alert_source, {}, receipt.id}));
}

}  // namespace

std::vector<std::pair<const Receipt*, const MetricsResult*>> alerted(
    const Answer& answer, const std::set<std::string>& words) {
  const auto all = results_of<MetricsResult>(answer);
  auto named = all;
  std::erase_if(named,
                [&](const auto& result) { return !is_named(*result.second, answer.intent); });
  return words.empty() && !named.empty() ? named : all;
}

bool is_named(const MetricsResult& metric, const Intent& intent) {
  return std::ranges::any_of(intent.subjects, [&](const Subject& subject) {
    return subject.kind == SubjectKind::kMetric &&
           (metric.metric == subject.text || metric.expression.contains(subject.text));
  });
}

std::string no_alert_text(const Intent& intent, const MetricsResult& metric) {
  const bool over = metric.to < Instant(intent.now);
  return not_found(fmt::format("an active alert of {}{} in {}.", named_systems(intent),
                               over ? " at " + format_time(metric.to) : "", metric.alert_source));
}

bool concerns(const Alert& alert, const std::set<std::string>& words, Instant from) {
  return words.empty() ? alert.starts_at >= from
                       : naming_label(alert.labels, words) != alert.labels.end();
}

std::vector<std::string> alert_lines(Writer& out, const Answer& answer,
                                     const std::set<std::string>& words, size_t most,
                                     const WantedAlert& wanted, bool whose) {
  std::vector<std::string> lines;
  std::set<std::pair<std::string, LabelSet>> shown;
  for (const auto& [receipt, metric] : alerted(answer, words)) {
    for (const Alert& alert : metric->alerts) {
      if (lines.size() >= most || !wanted(alert, *metric)) continue;
      if (!shown.insert({alert.name, alert.labels}).second) continue;
      const std::string belonging = whose ? belonging_of(alert) : "";
      lines.push_back(alert_line(
          out, alert,
          fmt::format("{}since {}", belonging.empty() ? "" : fmt::format("({}) ", belonging),
                      format_time(alert.starts_at)),
          *metric, *receipt));
    }
  }
  return lines;
}

std::vector<std::string> past_alert_lines(Writer& out, const Answer& answer,
                                          const std::set<std::string>& words) {
  std::vector<std::string> lines;
  std::set<std::pair<std::string, Instant>> shown;
  for (const auto& [receipt, metric] : alerted(answer, words))
    for (const PastAlert& past : metric->past_alerts) {
      if (lines.size() >= kMaxAlertsShown) break;
      if (!words.empty() && naming_label(past.alert.labels, words) == past.alert.labels.end())
        continue;
      if (!shown.insert({past.alert.name, past.alert.starts_at}).second) continue;
      const std::string when = fmt::format(
          "was active from {} to {}", format_time(past.alert.starts_at), format_time(past.ends_at));
      lines.push_back(alert_line(out, past.alert, when, *metric, *receipt));
    }
  return lines;
}

void compose_alerts(Answer& answer, Writer& out) {
  const auto results = results_of<MetricsResult>(answer);
  // They could not be read, as the failed call says; nothing may look as if all were calm.
  if (results.empty()) return tell_gaps(answer, out);
  const auto& [receipt, first] = results.front();
  const std::set<std::string> words = system_words(answer.intent);
  const std::vector<std::string> lines = alert_lines(
      out, answer, words, kMaxAlertsListed,
      [&](const Alert& alert, const MetricsResult&) {
        return words.empty() || concerns(alert, words, {});
      },
      true);
  if (lines.empty()) {
    const bool of_all = words.empty() && named_systems(answer.intent).empty();
    out.missing(of_all ? fmt::format("No active alert fits, says {}.", first->alert_source)
                       : no_alert_text(answer.intent, *first));
    out.line(answer.missing.back());
  } else {
    out.line(fmt::format("**Active alerts**, says {}", first->alert_source));
  }
  for (const std::string& line : lines) out.line(line);
  if (const auto past = past_alert_lines(out, answer, words); !past.empty()) {
    out.gap();
    out.line("**Alerts that are over**");
    for (const std::string& line : past) out.line(line);
  }
  if (lines.size() < first->alerts_total && words.empty())
    out.line(fmt::format("- {} in all.", first->alerts_total));
}

}  // namespace precedent
