#include "sources/source_keeper.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "sources/sync_schedule.h"

namespace precedent {
namespace {

using std::chrono::steady_clock;

// The clock of the wall may be set, and a laptop sleeps: what is due is looked at again so often.
constexpr std::chrono::seconds kLookAgain{30};
// A sync that left no trace, as another process did one, is not tried again at once.
constexpr std::chrono::seconds kShortestPause{60};

}  // namespace

std::string_view name(SourceActivity activity) {
  switch (activity) {
    case SourceActivity::kIdle: return "idle";
    case SourceActivity::kWaiting: return "waiting";
    case SourceActivity::kSyncing: return "syncing";
  }
  return "idle";
}

SourceKeeper::SourceKeeper(KeeperParts parts)
    : parts_(std::move(parts)), sources_(parts_.sources) {}

void SourceKeeper::start() {
  {
    const MutexLock lock(mutex_);
    ended_ = false;
  }
  thread_ = std::jthread([this] { run(); });
}

SourceKeeper::~SourceKeeper() { stop(std::chrono::milliseconds(0)); }

bool SourceKeeper::stop(std::chrono::milliseconds time) {
  const SteadyTime until = steady_clock::now() + time;
  const MutexLock lock(mutex_);
  stopped_ = true;
  cancel_.cancel();
  changed_.notify_all();
  while (!ended_)
    if (!changed_.wait_until(mutex_, until)) return ended_;
  return true;
}

void SourceKeeper::replace(std::vector<SourceConfig> sources) {
  const MutexLock lock(mutex_);
  std::map<std::string, std::string> marks;
  for (const SourceConfig& source : sources) marks[source.name] = settings_mark(source);
  for (const SourceConfig& old : sources_) {
    const auto now = marks.find(old.name);
    if (now != marks.end() && now->second == settings_mark(old)) continue;
    if (running_ == old.name) cancel_.cancel();
    not_before_.erase(old.name);
    if (now == marks.end())
      asked_.erase(old.name);
    else if (std::ranges::find(sources, old.name, &SourceConfig::name)->every.count() > 0)
      asked_.try_emplace(old.name);
  }
  sources_ = std::move(sources);
  changed_.notify_all();
}

Result<void> SourceKeeper::ask(const std::string& name, const SyncOptions& options) {
  const MutexLock lock(mutex_);
  if (std::ranges::find(sources_, name, &SourceConfig::name) == sources_.end()) {
    std::vector<std::string> names;
    for (const SourceConfig& source : sources_) names.push_back(source.name);
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no source '{}'; sources.yaml has {}", name,
                            names.empty() ? "none" : join(names, ", ")));
  }
  SyncOptions& asked = asked_[name];
  asked.sweep |= options.sweep;
  asked.yes |= options.yes;
  changed_.notify_all();
  return {};
}

Result<std::vector<KeptSource>> SourceKeeper::sources() {
  const SourceStates states = TRY(parts_.states());
  std::vector<KeptSource> all;
  const MutexLock lock(mutex_);
  for (const SourceConfig& source : sources_) {
    KeptSource& kept = all.emplace_back(KeptSource{.config = source});
    if (const auto state = states.find(source.name); state != states.end())
      kept.state = state->second;
    if (running_ == source.name)
      kept.activity = SourceActivity::kSyncing;
    else if (asked_.contains(source.name))
      kept.activity = SourceActivity::kWaiting;
    kept.next_at = next_sync(source, kept.state);
    if (kept.next_at) kept.next_at = std::max(*kept.next_at, parts_.clock.now());
  }
  return all;
}

std::optional<SourceKeeper::Turn> SourceKeeper::next_turn(const SourceStates& states,
                                                          SteadyTime& until) {
  for (const SourceConfig& source : sources_)
    if (const auto asked = asked_.find(source.name); asked != asked_.end()) {
      Turn turn{source, asked->second};
      asked_.erase(asked);
      return turn;
    }
  const SteadyTime now = steady_clock::now();
  until = now + kLookAgain;
  std::optional<Turn> turn;
  TimePoint earliest;
  for (const SourceConfig& source : sources_) {
    const auto state = states.find(source.name);
    const auto due = next_sync(source, state == states.end() ? SourceState() : state->second);
    if (!due) continue;
    SteadyTime at = now + std::max(std::chrono::seconds(0), *due - parts_.clock.now());
    if (const auto pause = not_before_.find(source.name); pause != not_before_.end())
      at = std::max(at, pause->second);
    until = std::min(until, at);
    // The one that has waited longest.
    if (at <= now && (!turn || *due < earliest)) {
      turn = Turn{source, {}};
      earliest = *due;
    }
  }
  return turn;
}

void SourceKeeper::run() {
  const auto ends = [this]() -> bool {
    const MutexLock lock(mutex_);
    return stopped_;
  };
  while (!ends()) {
    // What cannot be read is told by every sync.
    const SourceStates states = parts_.states().value_or(SourceStates());
    std::optional<Turn> turn;
    {
      const MutexLock lock(mutex_);
      if (stopped_) break;
      SteadyTime until;
      turn = next_turn(states, until);
      if (turn) {
        running_ = turn->source.name;
        // Of the sync before, where that was cancelled as its source was gone.
        cancel_.reset();
      } else {
        changed_.wait_until(mutex_, until);
      }
    }
    if (turn) sync_one(*turn);
  }
  const MutexLock lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

void SourceKeeper::sync_one(const Turn& turn) {
  const SourceConfig& source = turn.source;
  const Result<SyncReport> report = parts_.sync(source, turn.options, cancel_);
  bool dropped = false;
  {
    const MutexLock lock(mutex_);
    running_.clear();
    dropped = cancel_.cancelled();
    const auto every = std::chrono::duration_cast<std::chrono::seconds>(source.every);
    if (!dropped) not_before_[source.name] = steady_clock::now() + std::min(every, kShortestPause);
  }
  if (!dropped) parts_.told(source, report);
}

}  // namespace precedent
