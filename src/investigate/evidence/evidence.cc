#include "investigate/evidence/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/redact.h"
#include "base/strings.h"
#include "files/files.h"
#include "investigate/logs/log_files.h"
#include "telemetry/snapshot/snapshot.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;

// What is looked at before an alert, where nobody says otherwise.
constexpr hours kBefore{6};
constexpr size_t kMaxPoints = 2'000;
constexpr size_t kMaxPatternBytes = 16ull << 20;

// The time that the folder's samples span, within what was asked for.
Window window_of(const CaseFile& evidence, const MetricsSource* metrics,
                 const GatherOptions& options) {
  Instant to = evidence.brief.fired_at.value_or(Instant(options.now)) + minutes(30);
  if (metrics != nullptr && metrics->frozen_at()) to = *metrics->frozen_at();
  if (options.brief.until) to = *options.brief.until;
  const Instant from = options.brief.since.value_or(begin_of(evidence.brief, to, kBefore));
  Window window{from, std::max(from, to), minutes(1)};
  const auto span = window.to - window.from;
  if (span / window.step > static_cast<int64_t>(kMaxPoints)) window.step = span / kMaxPoints;
  return window;
}

// A summary of logs that somebody else made: patterns.json, with counts and what they were before.
std::vector<LogTemplate> read_patterns(const fs::path& folder, std::vector<std::string>& missing) {
  std::vector<LogTemplate> out;
  std::error_code ignored;
  const fs::path path = folder / "patterns.json";
  if (!fs::is_regular_file(path, ignored)) return out;
  const auto text = read_file(path, kMaxPatternBytes);
  const json records = text ? parse_json(*text) : json();
  if (!records.is_array()) {
    missing.push_back("patterns.json: is no list of signatures");
    return out;
  }
  for (const json& record : records) {
    if (!record.is_object() || out.size() >= kMaxTemplates) continue;
    const auto text_at = [&](const char* key) {
      const auto found = record.find(key);
      return found != record.end() && found->is_string() ? found->get<std::string>()
                                                         : std::string();
    };
    LogTemplate made;
    made.sample = text_at("signature");
    if (made.sample.empty()) continue;
    made.service = text_at("service");
    made.text = masked(made.sample);
    made.detail = made.sample;
    made.file = "patterns.json";
    if (const auto count = record.find("count");
        count != record.end() && count->is_number_unsigned())
      made.count = count->get<size_t>();
    const std::string delta = text_at("delta_vs_baseline");
    const bool more = delta.starts_with('+') && delta != "+0";
    made.fresh = more && delta.substr(1) == std::to_string(made.count);
    made.grown = more;
    made.level = text_at("sentiment") == "negative" ? LogLevel::kWarn : LogLevel::kInfo;
    made.symptoms = symptoms_of_text(made.sample);
    out.push_back(std::move(made));
  }
  return out;
}

// Since when to look for departures: the alert, where two samples followed it; else the onset.
Instant began_of(const CaseFile& evidence) {
  const auto& fired = evidence.brief.fired_at;
  if (fired && evidence.window.to - *fired >= 2 * evidence.window.step) return *fired;
  return evidence.onset.value_or(fired.value_or(evidence.window.to));
}

bool is_known(const std::vector<LogTemplate>& mined, const LogTemplate& pattern) {
  return std::ranges::any_of(mined, [&](const LogTemplate& made) {
    return made.service == pattern.service && (made.text.starts_with(pattern.text.substr(0, 40)) ||
                                               pattern.text.starts_with(made.text.substr(0, 40)));
  });
}

void read_named_edges(CaseFile& evidence) {
  ServiceGraph& graph = evidence.graph;
  for (const LogTemplate& made : evidence.logs) {
    if (made.service.empty() || !(made.bad() || made.level == LogLevel::kInfo)) continue;
    if (const std::string other = graph.named_in(made.sample, made.service);
        !other.empty() && made.bad())
      graph.add_edge({made.service, other,
                      fmt::format("{} logs: {}", made.service, shown_text(made.sample, 160)), "",
                      false});
  }
  for (const MetricFinding& finding : evidence.metrics.findings)
    if (const std::string other = graph.named_in(finding.metric, finding.service); !other.empty())
      graph.add_edge({finding.service, other,
                      fmt::format("{} has the metric {}", finding.service, finding.metric), "",
                      false});
}

// What a recording could not have (recorder.h): a source that was down.
std::vector<std::string> not_recorded(const fs::path& folder) {
  constexpr size_t kMaxAbout = 1 << 20;
  std::vector<std::string> out;
  const auto text = read_file(folder / "incident.json", kMaxAbout);
  const json about = text ? parse_json(*text) : json();
  const auto missing = about.is_object() ? about.find("missing") : about.end();
  if (!about.is_object() || missing == about.end() || !missing->is_array()) return out;
  for (const json& each : *missing)
    if (each.is_string()) out.push_back(shown_text(each.get_ref<const std::string&>()));
  return out;
}

// Events that come long after the last sample: times are compared as they stand, so it is said.
constexpr minutes kApart{10};
void compare_clocks(std::string_view what, Instant last, CaseFile& out) {
  if (out.metrics.series == 0 || last <= out.window.to + kApart) return;
  out.missing.push_back(fmt::format(
      "{} go on for {} minutes after the last metric: their clocks disagree, or the metrics end "
      "early; times are compared as they stand",
      what, std::chrono::duration_cast<minutes>(last - out.window.to).count()));
}

// Metrics first: they say which time there is evidence of.
Result<void> read_metrics(const fs::path& folder, const GatherOptions& options,
                          const SourceContext& context, CaseFile& out) {
  std::ranges::move(not_recorded(folder), std::back_inserter(out.missing));
  const auto snapshot = open_snapshot(folder);
  const MetricsSource* metrics = snapshot ? snapshot->metrics.get() : nullptr;
  out.window = window_of(out, metrics, options);
  if (snapshot) {
    for (const std::string& warning : snapshot->warnings) out.missing.push_back(warning);
    auto found = find_departures(*metrics, out.window, context);
    if (found)
      out.metrics = std::move(*found);
    else
      out.missing.push_back("metrics: " + found.error().text());
  } else {
    out.missing.push_back(snapshot.error().text());
  }
  std::ranges::copy(out.metrics.missing, std::back_inserter(out.missing));
  for (const std::string& service : out.metrics.services) out.graph.add_service(service);
  return context.cancel.check();
}

// When the failure was there already: by the metric that departed farthest, else by the alert,
// which waits for some minutes before it fires.
std::optional<Instant> failing_at(const CaseFile& evidence) {
  constexpr minutes kWaits{10};
  for (const MetricFinding& finding : evidence.metrics.findings)
    if (finding.worse && finding.meaning && is_failure(finding.meaning->symptom))
      return finding.course.onset - 2 * evidence.window.step;
  if (!evidence.brief.fired_at) return std::nullopt;
  return *evidence.brief.fired_at - kWaits;
}

// What is compared with nothing is said to be calm; where the failure was there before the first
// line, it is not.
LogCalm calm_of(const LogLines& logs, CaseFile& out) {
  LogCalm calm;
  if (out.metrics.series > 0) calm.from = out.window.from;
  const auto failing = failing_at(out);
  if (!failing || logs.lines.front().at < *failing) return calm;
  calm.failing = true;
  out.dark_since = out.window.from;
  out.missing.push_back(fmt::format(
      "the logs begin at {}, after the failure: nothing tells which of their errors are usual",
      format_time(logs.lines.front().at)));
  return calm;
}

Result<void> read_events(const fs::path& folder, const GatherOptions& options,
                         const SourceContext& context, CaseFile& out) {
  LogLines lines = read_logs(folder, out.window);
  std::ranges::move(lines.missing, std::back_inserter(out.missing));
  Instant last_span{};
  for (const LogLine& line : lines.lines) out.graph.add_service(line.service);
  // Whoever cuts the window has cut the metrics, too.
  if (!options.brief.until) compare_clocks("logs", lines.last.value_or(Instant()), out);
  if (!lines.lines.empty()) out.logs = mine_templates(lines.lines, calm_of(lines, out));
  for (LogTemplate& pattern : read_patterns(folder, out.missing))
    if (!is_known(out.logs, pattern)) out.logs.push_back(std::move(pattern));
  TRY(context.cancel.check());
  out.traces = read_traces(folder);
  std::ranges::copy(out.traces.missing, std::back_inserter(out.missing));
  for (const TraceSpan& span : out.traces.spans) last_span = std::max(last_span, span.at);
  if (!options.brief.until) compare_clocks("traces", last_span, out);
  read_edges(out.traces, out.graph);
  out.changes = read_candidates(folder, out.graph);
  std::ranges::copy(out.changes.missing, std::back_inserter(out.missing));
  return {};
}

}  // namespace

const Receipt* CaseFile::receipt(std::string_view id) const {
  const auto found = std::ranges::find(receipts, id, &Receipt::id);
  return found == receipts.end() ? nullptr : &*found;
}

const Sign* CaseFile::sign(Symptom symptom, std::string_view service) const {
  const Sign* untimed = nullptr;
  for (const Sign& sign : signs) {
    if (sign.symptom != symptom || (!service.empty() && sign.service != service)) continue;
    if (sign.onset) return &sign;
    if (untimed == nullptr) untimed = &sign;
  }
  return untimed;
}

SymptomSet CaseFile::symptoms_of(std::string_view service) const {
  SymptomSet out;
  for (const Sign& sign : signs)
    if (sign.service == service) out.add(sign.symptom);
  return out;
}

Result<CaseFile> gather(IncidentBrief brief, const fs::path& folder, const GatherOptions& options,
                        const SourceContext& context) {
  CaseFile out;
  out.brief = std::move(brief);
  fill_in(out.brief, options.brief);
  out.missing = out.brief.missing;
  out.graph.add_service(out.brief.service);
  if (folder.empty()) {
    // Not the working directory, which "" would be.
    out.window = window_of(out, nullptr, options);
    out.missing.emplace_back(
        "nothing was measured: name a folder with evidence (--snapshot), or the systems to ask in "
        "tools.yaml");
  } else {
    TRY(read_metrics(folder, options, context, out));
    TRY(read_events(folder, options, context, out));
  }
  out.slack = std::max<milliseconds>(out.window.step * 3 / 2, minutes(1));
  read_named_edges(out);
  make_signs(out);
  find_failing(out);
  out.ranking = rank_services(out.metrics.of_services, out.graph, began_of(out));
  out.metrics.of_services.clear();
  return out;
}

void redact_texts(CaseFile& evidence) {
  const auto clean = [](std::string& text) { text = redact(text); };
  for (LogTemplate& made : evidence.logs) {
    clean(made.text), clean(made.sample), clean(made.detail);
    for (auto& [field, value] : made.constant) clean(value);
  }
  for (TraceSpan& span : evidence.traces.spans) {
    if (!span.error.empty()) clean(span.error);
    for (auto& [attribute, value] : span.attributes) clean(value);
  }
  for (ChangeCandidate& candidate : evidence.changes.candidates) {
    clean(candidate.change.title), clean(candidate.change.from), clean(candidate.change.to);
    for (Hunk& hunk : candidate.hunks)
      for (DiffLine& line : hunk.lines) clean(line.text);
    for (Effect& effect : candidate.effects) clean(effect.line);
  }
}

}  // namespace precedent
