// A shop's four hours, as OpenMetrics text: one corpus for the contract of every MetricsSource, so
// that Prometheus and a snapshot can be held to the same numbers.
//
// 2026-11-19T10:00 to 14:00 UTC, a sample a minute, seven seconds past it, so that no sample lies
// on an edge of a window. Made by arithmetic alone. Pure functions.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "telemetry/alerts/alert_json.h"
#include "telemetry/snapshot/embedded_metrics.h"
#include "telemetry/snapshot/exposition.h"

namespace precedent {

inline Instant lab_time(std::string_view text) { return parse_time(text).value(); }
inline Instant lab_begin() { return lab_time("2026-11-19T10:00:00Z"); }
inline Instant lab_end() { return lab_time("2026-11-19T14:00:00Z"); }
// Searches become slow here.
inline Instant lab_deploy() { return lab_time("2026-11-19T13:00:00Z"); }

inline std::string lab_openmetrics() {
  using std::chrono::minutes;
  const auto at = [](int minute) {
    return std::chrono::duration<double>(
               (lab_begin() + minutes(minute) + std::chrono::seconds(7)).time_since_epoch())
        .count();
  };
  constexpr int kMinutes = 240;
  std::string out =
      "# TYPE http_requests counter\n# HELP http_requests Requests that were served.\n";
  // 600 a minute; at 12:00 the server starts anew. 30 of them fail from 13:00 on; none before.
  for (int m = 0; m < kMinutes; ++m)
    out += fmt::format(
        "http_requests_total{{service=\"search\",handler=\"/api/search\",code=\"200\"}} {} {}\n",
        m < 120 ? 50'000 + 600 * m : 600 * (m - 120) + 100, at(m));
  for (int m = 180; m < kMinutes; ++m)
    out += fmt::format(
        "http_requests_total{{service=\"search\",handler=\"/api/search\",code=\"500\"}} {} {}\n",
        1000 + 30 * (m - 180), at(m));
  // 60 a minute, and no scrape for twenty minutes.
  for (int m = 0; m < kMinutes; ++m)
    if (m < 60 || m >= 80)
      out += fmt::format(
          "http_requests_total{{service=\"cart\",handler=\"/api/cart\",code=\"200\"}} {} {}\n",
          9000 + 60 * m, at(m));
  out +=
      "# TYPE http_request_duration_seconds histogram\n# UNIT http_request_duration_seconds "
      "seconds\n";
  struct Share {
    const char* le;
    double before, after;
  };
  constexpr Share kShares[] = {{"0.05", 300, 60}, {"0.1", 540, 120}, {"0.25", 594, 300},
                               {"0.5", 598, 480}, {"1.0", 599, 570}, {"+Inf", 600, 600}};
  for (const char* handler : {"/api/search", "/api/cart"}) {
    const bool search = std::string_view(handler) == "/api/search";
    const auto total = [&](const Share& share, int m) {
      const int slow = search ? std::max(0, m - 180) : 0;
      return 10'000 + share.before * (m - slow) + share.after * slow;
    };
    for (const Share& share : kShares)
      for (int m = 0; m < kMinutes; ++m)
        out +=
            fmt::format("http_request_duration_seconds_bucket{{handler=\"{}\",le=\"{}\"}} {} {}\n",
                        handler, share.le, total(share, m), at(m));
    for (int m = 0; m < kMinutes; ++m)
      out += fmt::format("http_request_duration_seconds_count{{handler=\"{}\"}} {} {}\n", handler,
                         total(kShares[5], m), at(m));
    for (int m = 0; m < kMinutes; ++m)
      out += fmt::format("http_request_duration_seconds_sum{{handler=\"{}\"}} {} {}\n", handler,
                         40.0 * m, at(m));
  }
  out +=
      "# TYPE memory_bytes gauge\n# UNIT memory_bytes bytes\n# HELP memory_bytes Resident "
      "memory.\n";
  // The second instance is gone from 12:30 on.
  for (int m = 0; m < kMinutes; ++m)
    out += fmt::format("memory_bytes{{service=\"search\",instance=\"a\"}} {} {}\n", 1e8 + 1e5 * m,
                       at(m));
  for (int m = 0; m < 150; ++m)
    out += fmt::format("memory_bytes{{service=\"search\",instance=\"b\"}} {} {}\n", 2e8, at(m));
  out += "# TYPE cache_hit_ratio gauge\n";
  for (int m = 0; m < kMinutes; ++m)
    out += m >= 30 && m < 40 ? fmt::format("cache_hit_ratio{{service=\"search\"}} NaN {}\n", at(m))
                             : fmt::format("cache_hit_ratio{{service=\"search\"}} {} {}\n",
                                           m < 180 ? 0.97 : 0.52, at(m));
  return out + "# EOF\n";
}

inline MetricData lab_data() {
  MetricBuilder builder;
  ReadProblems problems;
  read_exposition(lab_openmetrics(), "lab.om", builder, problems);
  return std::move(builder).take();
}

inline std::string lab_alerts_json() {
  return R"([
  {"labels": {"alertname": "SearchLatencyHigh", "severity": "critical", "service": "search",
              "handler": "/api/search"},
   "annotations": {"summary": "p95 of /api/search above 400 ms"},
   "startsAt": "2026-11-19T13:05:00Z"},
  {"labels": {"alertname": "CartSlow", "severity": "warning", "service": "cart"},
   "annotations": {"summary": "cart was slow"},
   "startsAt": "2026-11-19T11:00:00Z", "endsAt": "2026-11-19T11:30:00Z"},
  {"labels": {"alertname": "DiskFilling", "severity": "warning", "service": "ledger"},
   "annotations": {"summary": "disk of ledger is 82 % full"},
   "startsAt": "2026-11-19T09:00:00Z"}
])";
}

}  // namespace precedent
