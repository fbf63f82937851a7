#include "telemetry/snapshot/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "files/files.h"
#include "telemetry/snapshot/exposition.h"
#include "telemetry/snapshot/metric_csv.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

// A day of a large system as text; mapped, not read into memory.
constexpr size_t kMaxFileBytes = 1ull << 30;
constexpr size_t kMaxAlertBytes = 64ull << 20;
constexpr std::array<std::string_view, 4> kMetricEndings = {".csv", ".om", ".prom", ".txt"};

bool has_ending(const fs::path& path, std::span<const std::string_view> endings) {
  return std::ranges::find(endings, path.extension().string()) != endings.end();
}

// Regular files of a folder by name; none if there is no such folder.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->is_regular_file(error)) files.push_back(entry->path());
  std::ranges::sort(files);
  return files;
}

struct Files {
  std::vector<fs::path> metrics, alerts;
};

Files find_files(const fs::path& folder) {
  Files files;
  for (const fs::path& file : files_in(folder)) {
    const std::string name = file.filename().string();
    if (name.starts_with("metrics") && has_ending(file, kMetricEndings))
      files.metrics.push_back(file);
    if (name.starts_with("alert") && file.extension() == ".json") files.alerts.push_back(file);
  }
  for (const fs::path& file : files_in(folder / "metrics"))
    if (has_ending(file, kMetricEndings)) files.metrics.push_back(file);
  for (const fs::path& file : files_in(folder / "alerts"))
    if (file.extension() == ".json") files.alerts.push_back(file);
  return files;
}

Result<MetricData> read_metrics(const std::vector<fs::path>& files,
                                std::vector<std::string>& warnings) {
  MetricBuilder builder;
  for (const fs::path& file : files) {
    const MappedFile mapped = TRY(MappedFile::open(file));
    if (mapped.text().size() > kMaxFileBytes)
      return fail(ErrorCode::kResourceExhausted,
                  fmt::format("{} is larger than 1 GB; keep fewer series or a shorter time",
                              file.string()));
    ReadProblems problems;
    if (file.extension() == ".csv")
      read_metric_csv(mapped.text(), file.string(), builder, problems);
    else
      read_exposition(mapped.text(), file.string(), builder, problems);
    const std::vector<std::string> lines = problems.lines();
    warnings.insert(warnings.end(), lines.begin(), lines.end());
  }
  return std::move(builder).take();
}

}  // namespace

Result<void> EmbeddedAlerts::check(const SourceContext& context) const {
  TRY(context.cancel.check());
  if (unread_.empty()) return {};
  return fail(ErrorCode::kUnavailable,
              fmt::format("the alerts of {} cannot be read: {}; mend or remove the file",
                          description_, join(unread_, "; ")));
}

Result<std::vector<Alert>> EmbeddedAlerts::active(Instant now, const SourceContext& context) const {
  TRY(check(context));
  std::vector<Alert> out;
  for (const RecordedAlert& recorded : alerts_)
    if (recorded.alert.starts_at <= now && (!recorded.ends_at || *recorded.ends_at > now))
      out.push_back(recorded.alert);
  sort_alerts(out);
  return out;
}

Result<std::vector<PastAlert>> EmbeddedAlerts::past(Instant from, Instant to,
                                                    const SourceContext& context) const {
  TRY(check(context));
  std::vector<PastAlert> out;
  for (const RecordedAlert& recorded : alerts_)
    if (recorded.ends_at && *recorded.ends_at >= from && *recorded.ends_at <= to)
      out.push_back({recorded.alert, *recorded.ends_at});
  std::ranges::stable_sort(out, std::greater<>(),
                           [](const PastAlert& past) { return past.alert.starts_at; });
  return out;
}

Result<TelemetrySnapshot> open_snapshot(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no folder {}; name one with metrics.om or metrics.csv and "
                            "alerts.json",
                            folder.string()));
  const Files files = find_files(folder);
  if (files.metrics.empty() && files.alerts.empty())
    return fail(ErrorCode::kNotFound,
                fmt::format("{} is no snapshot: it has neither metrics*.om, *.prom, *.txt or *.csv "
                            "nor alert*.json, also below metrics/ and alerts/",
                            folder.string()));
  TelemetrySnapshot snapshot;
  MetricData data = TRY(read_metrics(files.metrics, snapshot.warnings));
  std::vector<RecordedAlert> alerts;
  std::vector<std::string> unread;
  for (const fs::path& file : files.alerts) {
    auto read = read_alerts(TRY(read_file(file, kMaxAlertBytes)), file.string());
    if (!read) {
      snapshot.warnings.push_back(read.error().text());
      unread.push_back(read.error().message);
      continue;
    }
    std::ranges::move(*read, std::back_inserter(alerts));
  }
  const std::string description = fmt::format("the snapshot {}", folder.string());
  snapshot.metrics = std::make_unique<EmbeddedMetrics>(description, std::move(data));
  snapshot.alerts =
      std::make_unique<EmbeddedAlerts>(description, std::move(alerts), std::move(unread));
  return snapshot;
}

}  // namespace precedent
