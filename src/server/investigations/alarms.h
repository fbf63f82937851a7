// Alarms: what webhooks say is wrong, and those that wait for their investigation, as files.
//
// A vendor that was told 202 does not send its message again, so an alarm that waits must outlive a
// restart: each is a file of a folder until its investigation begins. What cannot be read is
// removed, with a warning. Format: docs/format/investigations.md.
//
// Thread safety: KeptAlarms belongs to one thread at a time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.h"
#include "server/investigations/investigator.h"
#include "server/investigations/kept_ids.h"

namespace precedent {

// Something is wrong, or is over.
struct Alarm {
  std::string group;
  InvestigationOrder order;
  std::string by;
  // Which of the group's: an incident of PagerDuty; "" where the group is over as a whole.
  std::string member = {};
  bool critical = false;
  bool resolved = false;
};

class KeptAlarms {
 public:
  // "": none are kept.
  KeptAlarms(std::filesystem::path folder, WarnOf warn)
      : folder_(std::move(folder)), warn_(std::move(warn)) {}
  // Those of an earlier run, by group. Older ones than a day are removed: what they told of was
  // seen by people meanwhile.
  std::vector<Alarm> read(TimePoint now) const;
  void add(const Alarm& alarm, TimePoint now) const;
  void remove(const Alarm& alarm) const;

 private:
  std::filesystem::path file_of(const Alarm& alarm) const;

  const std::filesystem::path folder_;
  const WarnOf warn_;
};

}  // namespace precedent
