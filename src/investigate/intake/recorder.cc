#include "investigate/intake/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/foreign_json.h"
#include "base/redact.h"
#include "base/strings.h"
#include "files/files.h"
#include "investigate/intake/bundle_json.h"
#include "investigate/intake/recorded_events.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kMaxChanges = 5'000;
// Earlier days say what is usual for the hour, not for the minute.
constexpr std::chrono::minutes kEarlierStep{5};

Result<void> write(const fs::path& path, std::string_view text) {
  const std::string_view parts[] = {text};
  return write_file_atomically(path, parts);
}

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

class Recorder {
 public:
  Recorder(const RecordedSources& sources, const Window& window, const SourceContext& context)
      : sources_(sources), window_(window), context_(context) {}

  Result<Recording> run(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder / "context", error);
    if (error)
      return fail(ErrorCode::kUnavailable,
                  fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
    const std::string exposition = TRY(metrics());
    TRY(write(folder / "metrics.prom", exposition));
    const std::string active = TRY(alerts());
    TRY(write(folder / "alerts.json", active));
    TRY(changes(folder / "context"));
    TRY(logs(folder / "logs.ndjson"));
    TRY(traces(folder / "traces.json"));
    json about = {{"from", format_time(window_.from)},
                  {"to", format_time(window_.to)},
                  {"step_seconds", window_.step.count() / 1000},
                  {"metrics", done_.metrics},
                  {"series", done_.series},
                  {"samples", done_.samples},
                  {"alerts", done_.alerts},
                  {"changes", done_.changes},
                  {"log_lines", done_.lines},
                  {"spans", done_.spans},
                  {"missing", done_.missing}};
    if (!sources_.incident.title.empty()) about["incident"] = brief_json(sources_.incident);
    TRY(write(folder / "incident.json", dump_json(about) + "\n"));
    return std::move(done_);
  }

 private:
  // Of the exposition format: a histogram has three names, everything else its own.
  static std::vector<std::string> names_of(const MetricInfo& metric) {
    if (metric.type == MetricType::kHistogram)
      return {metric.name + "_bucket", metric.name + "_sum", metric.name + "_count"};
    if (metric.type == MetricType::kSummary)
      return {metric.name, metric.name + "_sum", metric.name + "_count"};
    return {metric.name};
  }

  Result<std::string> metrics() {
    std::string text;
    if (sources_.metrics == nullptr) {
      done_.missing.emplace_back("no source of metrics is configured");
      return text;
    }
    const auto catalogue = sources_.metrics->catalogue(context_);
    if (!catalogue) {
      done_.missing.push_back("metrics: " + catalogue.error().text());
      return text;
    }
    for (const MetricInfo& metric : *catalogue) {
      TRY(context_.cancel.check());
      std::string block;
      for (const std::string& name : names_of(metric)) {
        const auto found = sources_.metrics->range(PromQl{name}, window_, context_);
        if (!found) {
          done_.missing.push_back(fmt::format("{}: {}", name, found.error().text()));
          continue;
        }
        if (done_.series + found->series.size() > kMaxRecordedSeries) {
          done_.missing.push_back(fmt::format("{} and what follows: a recording holds {} series",
                                              name, kMaxRecordedSeries));
          return text + block;
        }
        block += earlier_days(name);
        done_.series += found->series.size();
        done_.samples += expose(name, *found, block);
      }
      if (block.empty()) continue;
      ++done_.metrics;
      text +=
          fmt::format("# TYPE {} {}\n{}", metric.name,
                      metric.type == MetricType::kUnknown ? "untyped" : name(metric.type), block);
    }
    return text;
  }

  // What is usual for the hour. A store that does not reach back has nothing to say.
  std::string earlier_days(const std::string& name) {
    std::string text;
    for (const std::chrono::hours earlier : {std::chrono::hours(7 * 24), std::chrono::hours(24)}) {
      Window then = window_.shifted(-earlier);
      then.step = std::max<std::chrono::milliseconds>(then.step, kEarlierStep);
      if (const auto found = sources_.metrics->range(PromQl{name}, then, context_))
        expose(name, *found, text);
    }
    return text;
  }

  // How many samples it wrote.
  static size_t expose(const std::string& name, const SeriesSet& set, std::string& text) {
    size_t written = 0;
    for (const Series& series : set.series) {
      const std::string labels = series.labels.empty() ? "" : format_labels(series.labels);
      for (const Sample& sample : series.samples) {
        ++written;
        text += fmt::format("{}{} {} {}\n", name, labels, number(sample.value),
                            sample.at.time_since_epoch().count());
      }
    }
    return written;
  }

  static json shown(const Alert& alert, const std::optional<Instant>& ended) {
    const auto clean = [](const LabelSet& labels) {
      json object = json::object();
      for (const auto& [key, value] : labels) object[key] = redact(value);
      return object;
    };
    json out = {{"labels", clean(alert.labels)},
                {"annotations", clean(alert.annotations)},
                {"startsAt", format_time(alert.starts_at)}};
    if (ended) out["endsAt"] = format_time(*ended);
    return out;
  }

  Result<std::string> alerts() {
    json all = json::array();
    if (sources_.alerts == nullptr) {
      done_.missing.emplace_back("no source of alerts is configured");
      return dump_json(all);
    }
    const auto active = sources_.alerts->active(window_.to, context_);
    const auto past = sources_.alerts->past(window_.from, window_.to, context_);
    TRY(context_.cancel.check());
    if (!active) done_.missing.push_back("alerts: " + active.error().text());
    if (active)
      for (const Alert& alert : *active) all.push_back(shown(alert, std::nullopt));
    if (past)
      for (const PastAlert& alert : *past) all.push_back(shown(alert.alert, alert.ends_at));
    done_.alerts = all.size();
    return dump_json(all);
  }

  json shown(const Change& change) const {
    json out = {{"id", change.id},
                {"time", format_time(change.at)},
                {"kind", name(change.kind)},
                {"title", redact(change.title)}};
    const auto put = [&](const char* key, const std::string& value) {
      if (!value.empty()) out[key] = redact(value);
    };
    if (!change.services.empty()) out["service"] = change.services;
    put("version", change.version), put("environment", change.environment);
    put("commit", change.commit), put("author", change.author);
    put("from", change.from), put("to", change.to);
    if (change.kind == ChangeKind::kFlag) put("flag", change.subject);
    if (change.kind == ChangeKind::kConfig) put("key", change.subject);
    if (!change.files.empty()) out["files"] = change.files;
    if (change.kind == ChangeKind::kCommit && sources_.patch) {
      const std::string diff = sources_.patch(change);
      if (!diff.empty()) out["diff"] = redact(diff);
    }
    return out;
  }

  Result<void> changes(const fs::path& folder) {
    json commits = json::array(), deploys = json::array(), flags = json::array();
    if (sources_.changes == nullptr) {
      done_.missing.emplace_back("no source of changes is configured");
      return {};
    }
    ChangeQuery query;
    query.range = {std::chrono::floor<std::chrono::seconds>(window_.from - kChangesBefore),
                   std::chrono::ceil<std::chrono::seconds>(window_.to)};
    query.limit = kMaxChanges;
    const auto list = sources_.changes->changes(query);
    if (!list) {
      done_.missing.push_back("changes: " + list.error().text());
      return {};
    }
    for (const AskedSource& asked : list->asked)
      if (!asked.note.empty()) done_.missing.push_back(asked.note);
    if (list->more)
      done_.missing.push_back(fmt::format("changes: there are more than {}", kMaxChanges));
    for (const Change& change : list->changes) {
      TRY(context_.cancel.check());
      const bool setting = change.kind == ChangeKind::kFlag || change.kind == ChangeKind::kConfig;
      json& into = change.kind == ChangeKind::kCommit ? commits : setting ? flags : deploys;
      into.push_back(shown(change));
      ++done_.changes;
    }
    for (const auto& [file, records] :
         {std::pair("commits.json", &commits), std::pair("deploys.json", &deploys),
          std::pair("flags.json", &flags)})
      TRY(write(folder / file, dump_json(*records) + "\n"));
    return {};
  }

  // A source that is configured leaves a file, so that nobody is told to write one.
  Result<void> logs(const fs::path& file) {
    if (sources_.logs == nullptr) {
      done_.missing.emplace_back("no source of logs is configured");
      return {};
    }
    auto found =
        sources_.logs->read({sources_.incident.service, window_.from, window_.to}, context_);
    TRY(context_.cancel.check());
    if (!found) {
      done_.missing.push_back("logs could not be read: " + found.error().text());
      return write(file, "");
    }
    std::ranges::move(found->missing, std::back_inserter(done_.missing));
    done_.lines = found->lines.size();
    return write(file, recorded_logs(found->lines));
  }

  Result<void> traces(const fs::path& file) {
    if (sources_.traces == nullptr) {
      done_.missing.emplace_back("no source of traces is configured");
      return {};
    }
    auto found =
        sources_.traces->read({sources_.incident.service, window_.from, window_.to}, context_);
    TRY(context_.cancel.check());
    if (!found) {
      done_.missing.push_back("traces could not be read: " + found.error().text());
      return write(file, "[]\n");
    }
    std::ranges::move(found->missing, std::back_inserter(done_.missing));
    done_.spans = found->spans.size();
    return write(file, recorded_traces(found->spans));
  }

  const RecordedSources& sources_;
  const Window window_;
  const SourceContext& context_;
  Recording done_;
};

}  // namespace

Result<Recording> record_incident(const RecordedSources& sources, const Window& window,
                                  const fs::path& folder, const SourceContext& context) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_empty(folder, error))
    return fail(ErrorCode::kConflict,
                fmt::format("{} holds something already; name a new folder", folder.string()));
  // Beside it, and renamed at the end.
  const fs::path unfinished = folder.string() + ".unfinished";
  fs::remove_all(unfinished, error);
  auto done = Recorder(sources, window, context).run(unfinished);
  if (done) {
    fs::remove(folder, error);  // an empty one
    fs::rename(unfinished, folder, error);
    if (!error) return done;
    done =
        fail(ErrorCode::kUnavailable, fmt::format("cannot rename {} to {}: {}", unfinished.string(),
                                                  folder.string(), error.message()));
  }
  std::error_code ignored;
  fs::remove_all(unfinished, ignored);
  return done;
}

}  // namespace precedent
