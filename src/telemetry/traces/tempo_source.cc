#include "telemetry/traces/tempo_source.h"

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "telemetry/traces/span_json.h"

namespace precedent {
namespace {

// Strings of TraceQL are written as those of PromQL.
std::string query_of(const std::string& service, bool failing) {
  std::string out;
  if (!service.empty()) out = "resource.service.name = " + quote(service);
  if (failing) out += out.empty() ? "status = error" : " && status = error";
  return out.empty() ? "{}" : "{ " + out + " }";
}

std::string whole_seconds(int64_t ns, bool up) {
  constexpr int64_t kSecond = 1'000'000'000;
  return fmt::format("{}", (ns + (up ? kSecond - 1 : 0)) / kSecond);
}

}  // namespace

Result<void> TempoSource::add_slice(const TracesWanted& wanted, const TraceSlice& slice,
                                    TraceSample& into, const SourceContext& context) const {
  const auto answer = TRY(http_.get("/api/search",
                                    {{"q", query_of(wanted.service, slice.failing)},
                                     {"start", whole_seconds(slice.from_ns, false)},
                                     {"end", whole_seconds(slice.to_ns, true)},
                                     {"limit", fmt::format("{}", slice.limit)}},
                                    context));
  const auto ids = read_tempo_search(answer);
  if (!ids) return http_.not_ours(dump_json(answer));
  into.answered(slice, ids->size());
  for (const std::string& id : *ids) {
    if (into.has(id) || !into.has_room()) continue;
    const auto trace = http_.get("/api/traces/" + id, {}, context);
    // It was forgotten meanwhile, as old ones are, or is one that nobody could read.
    const bool passes = !trace && (trace.error().code == ErrorCode::kNotFound ||
                                   trace.error().code == ErrorCode::kResourceExhausted);
    if (passes) {
      into.lose(fmt::format("{}: {}", id, trace.error().text()));
      continue;
    }
    if (!trace) return std::unexpected(trace.error());
    auto spans = read_otlp_trace(*trace);
    if (!spans) return http_.not_ours(dump_json(*trace));
    into.add(id, std::move(*spans));
  }
  return {};
}

Result<void> TempoSource::sample(const TracesWanted& wanted, TraceSample& into,
                                 const SourceContext& context) const {
  for (const TraceSlice& slice : TraceSample::slices(wanted)) {
    const auto done = add_slice(wanted, slice, into, context);
    if (done) continue;
    if (into.empty() || done.error().code == ErrorCode::kCancelled) return done;
    into.say("further traces: " + done.error().text());
    return {};
  }
  return {};
}

Result<TracesFound> TempoSource::read(const TracesWanted& wanted,
                                      const SourceContext& context) const {
  TraceSample found;
  TRY(sample(wanted, found, context));
  if (found.empty() && !wanted.service.empty()) {
    found.say(fmt::format("{} has no traces through {}; those of all services were read",
                          describe(), wanted.service));
    TRY(sample({"", wanted.from, wanted.to}, found, context));
  }
  return std::move(found).take(describe(), wanted);
}

}  // namespace precedent
