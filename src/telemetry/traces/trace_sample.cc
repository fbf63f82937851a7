#include "telemetry/traces/trace_sample.h"

#include <algorithm>
#include <tuple>

namespace precedent {

static_assert(TraceSample::kParts * (TraceSample::kFailing + TraceSample::kOthers) <=
              TracesSource::kMaxTraces);

std::vector<TraceSlice> TraceSample::slices(const TracesWanted& wanted) {
  const int64_t begin = wanted.from.time_since_epoch().count() * 1'000'000;
  const int64_t end = (wanted.to.time_since_epoch().count() + 1) * 1'000'000;
  constexpr auto kCount = static_cast<int64_t>(kParts);
  const int64_t part = std::max<int64_t>((end - begin + kCount - 1) / kCount, 1);
  std::vector<TraceSlice> out;
  for (const bool failing : {true, false})
    for (int64_t from = begin; from < end; from += part)
      out.push_back({from, std::min(from + part, end), failing, failing ? kFailing : kOthers});
  return out;
}

void TraceSample::add(const std::string& id, std::vector<StoredSpan> spans) {
  if (spans.empty() || !seen_.insert(id).second) return;
  if (found_.spans.size() + spans.size() > TracesSource::kMaxSpans) {
    full_ = true;
    return;
  }
  ++found_.traces;
  std::ranges::move(spans, std::back_inserter(found_.spans));
}

TracesFound TraceSample::take(std::string_view source, const TracesWanted& wanted) && {
  // Parents before their children, where they begin together: a root has no parent.
  std::ranges::sort(found_.spans, [](const StoredSpan& a, const StoredSpan& b) {
    return std::tuple(a.start_ns, std::string_view(a.trace), !a.parent.empty(), -a.duration_ns,
                      std::string_view(a.id)) < std::tuple(b.start_ns, std::string_view(b.trace),
                                                           !b.parent.empty(), -b.duration_ns,
                                                           std::string_view(b.id));
  });
  if (cut_ > 0)
    say(
        fmt::format("{}: its traces are a sample: at most {} that failed and {} others of each of "
                    "{} parts of the window",
                    source, kFailing, kOthers, kParts));
  if (full_)
    say(fmt::format("{}: traces with more than {} spans together were left out", source,
                    TracesSource::kMaxSpans));
  if (lost_ > 0) say(fmt::format("{} traces were left out; of the first: {}", lost_, why_));
  if (found_.traces == 0 && found_.missing.empty())
    say(fmt::format("{} has no traces from {} to {}", source, format_time(wanted.from),
                    format_time(wanted.to)));
  return std::move(found_);
}

}  // namespace precedent
