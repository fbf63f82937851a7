#include "investigate/traces/slow_calls.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "investigate/onset/burst.h"

namespace precedent {
namespace {

constexpr double kSlow = 3;
// The begin of an operation's spans that is taken for calm, and how many it must have.
constexpr size_t kCalmPart = 4;
constexpr size_t kLeastCalm = 5;
// Nobody feels less.
constexpr double kLeastMs = 5;

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

std::vector<SlowCall> slow_calls(const Traces& traces) {
  using Key = std::tuple<std::string, std::string, std::string>;  // caller, service, operation
  std::map<Key, std::vector<const TraceSpan*>> all;
  for (const TraceSpan& span : traces.spans) {
    if (span.duration_ms <= 0 || span.service.empty()) continue;
    const std::string& above =
        span.parent_index == SIZE_MAX ? span.service : traces.spans[span.parent_index].service;
    all[{above == span.service ? "" : above, span.service, span.name}].push_back(&span);
  }
  std::vector<SlowCall> out;
  for (auto& [key, spans] : all) {
    std::ranges::stable_sort(spans, {}, &TraceSpan::at);
    const size_t calm = std::max(kLeastCalm, spans.size() / kCalmPart);
    if (spans.size() <= calm) continue;
    std::vector<double> usual;
    for (size_t i = 0; i < calm; ++i) usual.push_back(spans[i]->duration_ms);
    const double usual_ms = median_of(std::move(usual));
    const double bound = std::max(kSlow * usual_ms, usual_ms + kLeastMs);
    std::vector<Instant> slow;
    for (const TraceSpan* span : spans)
      if (span->duration_ms >= bound) slow.push_back(span->at);
    const auto since = find_burst(slow, spans.front()->at, spans.back()->at);
    if (!since) continue;
    std::vector<double> later;
    const TraceSpan* first = nullptr;
    for (const TraceSpan* span : spans) {
      if (span->at < *since) continue;
      later.push_back(span->duration_ms);
      if (first == nullptr && span->duration_ms >= bound) first = span;
    }
    const double slow_ms = median_of(std::move(later));
    if (slow_ms < bound) continue;
    out.push_back({first, std::get<0>(key), *since, usual_ms, slow_ms});
  }
  std::ranges::stable_sort(out, std::greater<>(), &SlowCall::factor);
  return out;
}

}  // namespace precedent
