// Of alarms: how they wait, and which of them become investigations.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "server/investigations/investigations.h"
#include "server/investigations/kept_order.h"

namespace precedent {

Result<void> Investigations::alarm(const Alarm& alarm) {
  if (alarm.resolved) {
    resolve(alarm.group);
    return {};
  }
  const MutexLock lock(mutex_);
  const auto now = Steady::now();
  std::erase_if(resting_, [&](const auto& group) { return group.second <= now; });
  if (pending_.contains(alarm.group) || resting_.contains(alarm.group)) return {};
  if (pending_.size() >= limits_.waiting)
    return fail(ErrorCode::kResourceExhausted, "too many alarms wait; send it again in a moment");
  kept_alarms_.add(alarm, clock_.now());
  pending_.emplace(alarm.group, Pending{alarm, now + limits_.debounce});
  changed_.notify_all();
  return {};
}

bool Investigations::is_one_too_many(const Alarm& alarm) {
  const auto now = Steady::now();
  while (!begun_.empty() && begun_.front() + std::chrono::hours(1) <= now) begun_.pop_front();
  return !alarm.critical && begun_.size() >= limits_.an_hour;
}

uint64_t Investigations::left_out() const {
  const MutexLock lock(mutex_);
  return left_out_;
}

void Investigations::watch(const std::stop_token& stop) {
  // How long to wait where the workers have no place.
  constexpr std::chrono::seconds kAgain{5};
  for (;;) {
    std::optional<Alarm> due;
    bool left_out = false;
    {
      const MutexLock lock(mutex_);
      while (!due && !stop.stop_requested()) {
        const auto next = std::ranges::min_element(
            pending_, {}, [](const auto& each) { return each.second.due; });
        if (next == pending_.end()) {
          changed_.wait(mutex_);
        } else if (next->second.due > Steady::now()) {
          std::ignore = changed_.wait_until(mutex_, next->second.due);
        } else {
          due = std::move(next->second.alarm);
          pending_.erase(next);
        }
      }
      if (!due) return;
      left_out = is_one_too_many(*due);
      if (left_out) {
        ++left_out_;
        kept_alarms_.remove(due->group);
      } else {
        resting_[due->group] = Steady::now() + limits_.cooldown;
        begun_.push_back(Steady::now());
      }
    }
    if (left_out) {
      warn_(fmt::format("no investigation of {} ({}): {} began within an hour, which is the limit",
                        squeeze(about_of(due->order)), due->by, limits_.an_hour));
      continue;
    }
    InvestigationOrder order = due->order;
    order.ask = order.ask || limits_.alarms_ask;
    const auto begun = begin(order, due->by, due->group);
    const MutexLock lock(mutex_);
    if (begun) {
      kept_alarms_.remove(due->group);
      continue;
    }
    resting_.erase(due->group);
    begun_.pop_back();
    pending_.try_emplace(due->group, Pending{*due, Steady::now() + kAgain});
  }
}

}  // namespace precedent
