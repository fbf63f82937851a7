// Any bytes as PromQL: read or refused, and what was read is computed, within its limits, over a
// few series.
#include <cstdint>
#include <cstdlib>

#include "base/utf8.h"
#include "telemetry/promql/promql_parser.h"
#include "telemetry/snapshot/embedded_metrics.h"

using namespace precedent;

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void check_error(const Error& error) {
  check(error.code == ErrorCode::kInvalidArgument || error.code == ErrorCode::kResourceExhausted ||
        error.code == ErrorCode::kTimeout);
  check(!invalid_utf8_at(error.message) && error.message.size() < 2000);
}

EmbeddedMetrics metrics() {
  MetricData data;
  for (const char* metric : {"a", "b", "c_bucket"})
    for (const char* le : {"1", "2", "+Inf"}) {
      Series series{{{"le", le}, {"job", metric}}, {}};
      for (int i = 0; i < 10; ++i)
        series.samples.push_back(
            {Instant(std::chrono::minutes(i)), i == 4 ? stale_marker() : i * 1.5});
      data.series[metric].push_back(std::move(series));
    }
  return EmbeddedMetrics("fuzz", std::move(data));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const EmbeddedMetrics source = metrics();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto root = parse_promql(text);
  if (!root) {
    check_error(root.error());
    return 0;
  }
  check((*root)->height <= kMaxPromDepth);
  const CancelToken cancel;
  // Nested subqueries are slow by right; the deadline ends them.
  const SourceContext context{cancel, std::chrono::steady_clock::now() + std::chrono::seconds(1)};
  const auto answer = source.range(
      PromQl{std::string(text)},
      {Instant(std::chrono::minutes(3)), Instant(std::chrono::minutes(8)), std::chrono::minutes(1)},
      context);
  if (!answer) check_error(answer.error());
  return 0;
}
