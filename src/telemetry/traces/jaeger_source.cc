#include "telemetry/traces/jaeger_source.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "telemetry/traces/span_json.h"

namespace precedent {

Result<std::vector<std::string>> JaegerSource::services(const TracesWanted& wanted,
                                                        TraceSample& into,
                                                        const SourceContext& context) const {
  const auto answer = TRY(http_.get("/api/services", {}, context));
  auto all = read_jaeger_services(answer);
  if (!all) return http_.not_ours(dump_json(answer));
  std::ranges::sort(*all);
  const std::string lower = ascii_lower(wanted.service);
  const auto exact = std::ranges::find(*all, wanted.service);
  const auto same = std::ranges::find_if(
      *all, [&](const std::string& each) { return ascii_lower(each) == lower; });
  if (exact != all->end()) return std::vector{*exact};
  if (same != all->end()) return std::vector{*same};
  if (!wanted.service.empty() && !all->empty())
    into.say(fmt::format("{} has no traces through {}; those of all services were read", describe(),
                         wanted.service));
  if (all->size() > kMaxServices) {
    into.say(fmt::format("{}: of its {} services the first {} were asked for", describe(),
                         all->size(), kMaxServices));
    all->resize(kMaxServices);
  }
  return all;
}

Result<void> JaegerSource::add_slice(const std::string& service, const TraceSlice& slice,
                                     TraceSample& into, const SourceContext& context) const {
  FormFields fields = {{"service", service},
                       {"start", fmt::format("{}", slice.from_ns / 1'000)},
                       {"end", fmt::format("{}", (slice.to_ns + 999) / 1'000)},
                       {"limit", fmt::format("{}", slice.limit)}};
  if (slice.failing) fields.emplace_back("tags", R"({"error":"true"})");
  const auto answer = TRY(http_.get("/api/traces", fields, context));
  auto traces = read_jaeger_traces(answer);
  if (!traces) return http_.not_ours(dump_json(answer));
  into.answered(slice, traces->size());
  for (std::vector<StoredSpan>& trace : *traces) {
    const std::string id = trace.front().trace;
    into.add(id, std::move(trace));
  }
  return {};
}

Result<TracesFound> JaegerSource::read(const TracesWanted& wanted,
                                       const SourceContext& context) const {
  TraceSample found;
  const std::vector<std::string> asked = TRY(services(wanted, found, context));
  const auto read_all = [&]() -> Result<void> {
    for (TraceSlice slice : TraceSample::slices(wanted)) {
      slice.limit = std::max<size_t>(slice.limit / std::max<size_t>(asked.size(), 1), 2);
      for (const std::string& service : asked) TRY(add_slice(service, slice, found, context));
    }
    return {};
  };
  if (const auto done = read_all(); !done) {
    if (found.empty() || done.error().code == ErrorCode::kCancelled)
      return std::unexpected(done.error());
    found.say("further traces: " + done.error().text());
  }
  return std::move(found).take(describe(), wanted);
}

}  // namespace precedent
