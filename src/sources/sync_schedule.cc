#include "sources/sync_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/hash.h"

namespace precedent {
namespace {

using std::chrono::seconds;

constexpr seconds kLongestWait = std::chrono::hours(6);
// The first wait after a failure is twice this, for whatever is asked less often.
constexpr seconds kSoon = std::chrono::minutes(15);

seconds wait_after(seconds every, size_t failures) {
  if (failures == 0) return every;
  seconds wait = std::min(every, kSoon);
  const seconds longest = std::max(every, kLongestWait);
  for (size_t i = 0; i < failures && wait < longest; ++i) wait *= 2;
  return std::min(wait, longest);
}

// -100 to 100, the same for the same name and time.
int64_t thousandths(const std::string& name, TimePoint last) {
  const std::string hash =
      content_hash(fmt::format("{} {}", name, last.time_since_epoch().count()));
  uint32_t number = 0;
  std::from_chars(hash.data(), hash.data() + 6, number, 16);
  return static_cast<int64_t>(number % 201) - 100;
}

}  // namespace

std::optional<TimePoint> next_sync(const SourceConfig& config, const SourceState& state) {
  if (config.every.count() == 0) return std::nullopt;
  const TimePoint last =
      std::max(state.synced_at.value_or(TimePoint()), state.failed_at.value_or(TimePoint()));
  if (last == TimePoint()) return last;
  const seconds wait =
      wait_after(std::chrono::duration_cast<seconds>(config.every), state.failures);
  return last + wait + wait * thousandths(config.name, last) / 1000;
}

}  // namespace precedent
