// Counters: what all requests were and took together, as Prometheus metrics.
//
//   agent_requests_total{question_type}     agent_tool_calls_total{tool}
//   agent_grounded_responses_total          agent_tool_error_total{tool}
//   agent_checked_responses_total           agent_grounding_rate
//   agent_request_duration_seconds          agent_tool_duration_seconds{tool}
//
// Labels come from closed sets, so that no question can make a series: whatever is not in them is
// "other". Every series exists from the beginning, since a rate needs a zero to start from.
// docs/observability.md is their page. Thread safety: all members. Ownership: owns its registry.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "observe/request_record.h"

namespace precedent {

// The values of question_type, beside "other".
constexpr std::array<std::string_view, 12> kQuestionTypes = {"debug_incident",
                                                             "explain_code",
                                                             "design_overview",
                                                             "lookup_incident",
                                                             "application_incidents",
                                                             "recent_incidents",
                                                             "knowledge",
                                                             "similar_incidents",
                                                             "conceptual",
                                                             "ambiguous",
                                                             "off_topic",
                                                             "follow_up"};

// A histogram as it was counted.
struct Distribution {
  struct Bucket {
    double upper_bound;  // seconds, inclusive; the last is infinite
    uint64_t count;      // of all values up to it
  };
  std::vector<Bucket> buckets;
  uint64_t count = 0;
  double sum = 0;  // seconds

  // Seconds, interpolated within a bucket as histogram_quantile() of Prometheus does; NaN without
  // values. `q` is 0–1.
  double quantile(double q) const;
};

struct ToolTotals {
  uint64_t calls = 0;
  uint64_t errors = 0;
  Distribution took;
};

// The counters as values; series that are zero are left out.
struct Totals {
  uint64_t requests = 0;
  uint64_t grounded = 0;
  uint64_t checked = 0;
  std::map<std::string, uint64_t> by_type;
  std::map<std::string, ToolTotals> tools;
  Distribution took;
};

class Counters {
 public:
  // `tools`: the values of the label tool, beside "other".
  explicit Counters(const std::vector<std::string>& tools);
  ~Counters();
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  void add(const RequestRecord& record);

  Totals totals() const;
  // Prometheus' text format 0.0.4, ordered by name and labels.
  std::string exposition() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace precedent
