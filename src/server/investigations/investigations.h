// Investigations: those that were asked for and those that alarms began, from their order to their
// report.
//
// Each runs on the workers of all turns and writes what happens into a log that any number of
// clients read. Reports are files of a folder, one each, and are found after a restart.
//
// An alarm becomes an investigation once it has lasted a while (`debounce`); what is resolved
// before never was one. Alarms of one group are one investigation, and the group rests after it
// (`cooldown`), whatever came of it; it is over when all of its alarms are, and then scored by what
// ended it. There is a limit of them an hour, which critical ones pass.
// Alarms that wait, groups that rest, keys that were used and questions that are open outlive a
// restart. So does what ran: the next server goes on with it, at most three times.
// Thread safety: all members. Ownership: borrows its parts; cancels what runs at its end.
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "server/investigations/alarms.h"
#include "server/investigations/investigator.h"
#include "server/investigations/kept_ids.h"
#include "server/turns/turns.h"

namespace precedent {

struct InvestigationLimits {
  std::chrono::milliseconds debounce{120'000};
  std::chrono::milliseconds cooldown{1'800'000};
  size_t an_hour = 20;   // begun by alarms, but for critical ones
  size_t waiting = 256;  // alarms within their debounce
  size_t kept = 200;     // ended ones that are listed, and whose files stay
  // Whether those of alarms stop at their deciding question: where somebody is asked (notes with
  // buttons).
  bool alarms_ask = false;
};

struct ShownInvestigation {
  std::string id;
  std::string state;    // "waiting", "running", "asking", "done", "failed", "cancelled"
  std::string by;       // who asked; "pagerduty", "alertmanager"
  std::string about;    // the incident, or how it is described; its title, once it is read
  std::string summary;  // what it came to, in a sentence; "" before that
  TimePoint created_at{};
  std::optional<TimePoint> ended_at, resolved_at;
  std::string error;               // of one that failed
  uint64_t alarms = 0;             // that it is of; 0: somebody ordered it
  nlohmann::json score = nullptr;  // of what ended its alarm, once that is over (Investigator)
};
nlohmann::json to_json(const ShownInvestigation& shown);

class Investigations {
 public:
  Investigations(
      Investigator& investigator, TurnPool& pool, const Clock& clock, std::filesystem::path folder,
      const InvestigationLimits& limits = {}, const WarnOf& warn = [](const std::string&) {});
  ~Investigations();
  Investigations(const Investigations&) = delete;
  Investigations& operator=(const Investigations&) = delete;

  // The id of a new one; with a `key` that was used before, of that one. Errors: kConflict for a
  // key of another order; kNotFound for an incident that nobody knows; those of TurnPool::add.
  Result<std::string> start(const InvestigationOrder& order, const std::string& by,
                            const std::string& key);
  // Errors: kResourceExhausted: too many wait; it is to be sent again.
  Result<void> alarm(const Alarm& alarm);

  // The last first.
  std::vector<ShownInvestigation> list() const;
  // Alarms that began nothing, since the hour had its limit.
  uint64_t left_out() const;
  // Errors of the following: kNotFound.
  Result<ShownInvestigation> find(const std::string& id) const;
  // Errors: also kUnavailable while it has none.
  Result<InvestigationReport> report(const std::string& id) const;
  // Its log; of one of before a restart there is none, and it is null.
  Result<std::shared_ptr<ChatTurn>> log(const std::string& id) const;
  // Goes on with one that asks: with the answer to its deciding question. Errors: kConflict for one
  // that does not ask; those of TurnPool::add.
  Result<ShownInvestigation> answer(const std::string& id, const std::string& answer);
  // Ended ones stay as they are.
  Result<ShownInvestigation> cancel(const std::string& id);

 private:
  // A report, or an order with the alerts of a storm.
  static constexpr size_t kMaxReport = 16ull << 20;
  using Steady = std::chrono::steady_clock;
  struct Entry {
    ShownInvestigation shown;
    std::string group;
    std::set<std::string> members;  // alarms of the group that are not over
    InvestigationOrder order;
    uint64_t attempts = 1;   // by servers that began it or went on with it
    bool cancelled = false;  // somebody asked for it
    std::shared_ptr<ChatTurn> log;
  };
  struct Pending {
    std::vector<Alarm> alarms;  // at least one
    Steady::time_point due;
  };

  Result<std::string> begin(const InvestigationOrder& order, const std::string& by,
                            const std::string& group, const std::vector<Alarm>& alarms);
  // Puts an entry to work, and into its file that it is.
  Result<void> launch(const std::string& id);
  // What ran when the last server ended.
  void go_on_with_all();
  void keep(const Entry& entry) const REQUIRES_LOCK(mutex_);
  bool was_cancelled(const std::string& id) const;
  void run(const std::string& id, const InvestigationOrder& order, ChatTurn& own);
  void go_on(const std::string& id, const std::string& answer, ChatTurn& own);
  void set_state(const std::string& id, const std::string& state, const std::string& error = "");
  InvestigationOrder order_of(const std::string& id) const;
  // The group whose alarm began it; "": somebody ordered it.
  std::string group_of(const std::string& id) const;
  void end(const std::string& id, const Result<InvestigationReport>& report, bool cancelled);
  // Where people talk about it, if an alarm began it.
  void tell(const std::string& id, const InvestigationReport& report, const CancelToken& cancel);
  void tell_resolved(const std::string& id, const CancelToken& cancel);
  // An alarm is over.
  void resolve(const Alarm& alarm);
  // Another alarm of a group that rests.
  void join(const Alarm& alarm) REQUIRES_LOCK(mutex_);
  // What ended its alarm against its report, once there are both.
  void score(const std::string& id);
  // Puts what changes after its end into its file.
  void keep_end(const Entry& entry) const REQUIRES_LOCK(mutex_);
  void load();
  void wait_again();
  void watch(const std::stop_token& stop);
  // Whether the hour has no place for it.
  bool is_one_too_many(const std::vector<Alarm>& alarms) REQUIRES_LOCK(mutex_);
  void forget_old() REQUIRES_LOCK(mutex_);
  const Entry* entry(const std::string& id) const REQUIRES_LOCK(mutex_);
  std::filesystem::path file_of(const std::string& id) const;

  Investigator& investigator_;
  const Clock& clock_;
  const std::filesystem::path folder_;
  const InvestigationLimits limits_;
  const WarnOf warn_;
  KeptIds keys_;  // "WHO:KEY" → "ID MARK"
  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::list<Entry> entries_ GUARDED_BY(mutex_);                           // the last first
  const KeptAlarms kept_alarms_ GUARDED_BY(mutex_);                       // those of pending_
  std::map<std::string, Pending> pending_ GUARDED_BY(mutex_);             // by group
  std::map<std::string, Steady::time_point> resting_ GUARDED_BY(mutex_);  // groups, until then
  std::deque<Steady::time_point> begun_ GUARDED_BY(mutex_);  // by alarms, the oldest first
  uint64_t left_out_ GUARDED_BY(mutex_) = 0;
  Turns turns_;
  std::jthread watcher_;  // of alarms that wait
};

}  // namespace precedent
