// Of alarms: how they wait, and which of them become investigations.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "server/investigations/investigations.h"
#include "server/investigations/kept_order.h"

namespace precedent {

Result<void> Investigations::alarm(const Alarm& alarm) {
  if (alarm.resolved) {
    resolve(alarm);
    return {};
  }
  const MutexLock lock(mutex_);
  const auto now = Steady::now();
  std::erase_if(resting_, [&](const auto& group) { return group.second <= now; });
  if (const auto waits = pending_.find(alarm.group); waits != pending_.end()) {
    std::vector<Alarm>& alarms = waits->second.alarms;
    if (std::ranges::find(alarms, alarm.member, &Alarm::member) != alarms.end()) return {};
    if (alarms.size() >= limits_.waiting)
      return fail(ErrorCode::kResourceExhausted, "too many alarms wait; send it again in a moment");
    kept_alarms_.add(alarm, clock_.now());
    alarms.push_back(alarm);
    return {};
  }
  if (resting_.contains(alarm.group)) {
    join(alarm);
    return {};
  }
  if (pending_.size() >= limits_.waiting)
    return fail(ErrorCode::kResourceExhausted, "too many alarms wait; send it again in a moment");
  kept_alarms_.add(alarm, clock_.now());
  pending_.emplace(alarm.group, Pending{{alarm}, now + limits_.debounce});
  changed_.notify_all();
  return {};
}

void Investigations::join(const Alarm& alarm) {
  const auto own = std::ranges::find(entries_, alarm.group, &Entry::group);
  if (own == entries_.end() || alarm.member.empty()) return;
  if (!own->members.insert(alarm.member).second) return;
  ++own->shown.alarms;
  if (own->shown.ended_at) keep_end(*own);
}

bool Investigations::is_one_too_many(const std::vector<Alarm>& alarms) {
  const auto now = Steady::now();
  while (!begun_.empty() && begun_.front() + std::chrono::hours(1) <= now) begun_.pop_front();
  const bool critical = std::ranges::any_of(alarms, &Alarm::critical);
  return !critical && begun_.size() >= limits_.an_hour;
}

uint64_t Investigations::left_out() const {
  const MutexLock lock(mutex_);
  return left_out_;
}

void Investigations::watch(const std::stop_token& stop) {
  // How long to wait where the workers have no place.
  constexpr std::chrono::seconds kAgain{5};
  for (;;) {
    std::vector<Alarm> due;
    bool left_out = false;
    {
      const MutexLock lock(mutex_);
      while (due.empty() && !stop.stop_requested()) {
        const auto next = std::ranges::min_element(
            pending_, {}, [](const auto& each) { return each.second.due; });
        if (next == pending_.end()) {
          changed_.wait(mutex_);
        } else if (next->second.due > Steady::now()) {
          std::ignore = changed_.wait_until(mutex_, next->second.due);
        } else {
          due = std::move(next->second.alarms);
          pending_.erase(next);
        }
      }
      if (due.empty()) return;
      left_out = is_one_too_many(due);
      if (left_out) {
        ++left_out_;
        for (const Alarm& each : due) kept_alarms_.remove(each);
      } else {
        resting_[due.front().group] = Steady::now() + limits_.cooldown;
        begun_.push_back(Steady::now());
      }
    }
    const Alarm& first = due.front();
    if (left_out) {
      warn_(fmt::format("no investigation of {} ({}): {} began within an hour, which is the limit",
                        squeeze(about_of(first.order)), first.by, limits_.an_hour));
      continue;
    }
    InvestigationOrder order = first.order;
    order.ask = order.ask || limits_.alarms_ask;
    const auto begun = begin(order, first.by, first.group, due);
    const MutexLock lock(mutex_);
    if (begun) {
      for (const Alarm& each : due) kept_alarms_.remove(each);
      continue;
    }
    resting_.erase(first.group);
    begun_.pop_back();
    pending_.try_emplace(first.group, Pending{due, Steady::now() + kAgain});
  }
}

}  // namespace precedent
