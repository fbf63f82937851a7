// LogsSource over the HTTP API of Loki, or of anything that speaks it.
//
// Which label names a service is looked up (GET /loki/api/v1/labels, …/label/NAME/values), never
// guessed. The lines of the service that is asked for are read first, then those of all others,
// each from GET /loki/api/v1/query_range in stretches of the window that may have equally many
// lines: a day that is loud in the morning does not hide the evening. Where a stretch has more, its
// first lines are read, and that is said.
// Source: https://grafana.com/docs/loki/latest/reference/loki-http-api.
// Thread safety: as the client. Ownership: borrows the client.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "telemetry/http/store_http.h"
#include "telemetry/logs/logs_source.h"

namespace precedent {

struct LokiOptions {
  StoreEndpoint endpoint;
  // Names of the label that says which service a stream is of, the likeliest first.
  std::vector<std::string> labels = {"service_name", "app", "service", "container", "job"};
  // Lines of one request; Loki's own limit (max_entries_limit_per_query) is 5,000.
  size_t page = 5'000;
  size_t max_lines = LogsSource::kMaxLines;
  size_t max_bytes = LogsSource::kMaxBytes;
};

class LokiSource final : public LogsSource {
 public:
  LokiSource(HttpClient& client, LokiOptions options)
      : http_(client, options.endpoint, "Loki", "logs.loki"), options_(std::move(options)) {}

  std::string describe() const override { return http_.describe(); }
  Result<LogsFound> read(const LogsWanted& wanted, const SourceContext& context) const override;

 private:
  struct Place;
  class Reading;
  Result<Place> find_service(const LogsWanted& wanted, const SourceContext& context) const;
  Result<std::vector<std::string>> names(const std::string& path, const LogsWanted& wanted,
                                         const SourceContext& context) const;
  Result<std::vector<StoredLine>> page(const std::string& selector, int64_t from, int64_t to,
                                       size_t limit, const SourceContext& context) const;

  StoreHttp http_;
  LokiOptions options_;
};

}  // namespace precedent
