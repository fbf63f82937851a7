// Webhooks: what PagerDuty and Alertmanager send when something is wrong, or is over.
//
//   POST /webhook/pagerduty      webhooks v3: signed with X-PagerDuty-Signature, a list of
//                                "v1=" and the HMAC-SHA256 of the body, hexadecimal. A message
//                                comes again until it is answered with 2xx, and a 4xx counts as
//                                a fault of this server: only a wrong signature gets one
//   POST /webhook/alertmanager   webhook version 4, which signs nothing: whoever sends it has
//                                signed in, or is this machine. Only 5xx is sent again
//
// Answered at once: 202, or 503 while too many alarms wait. PagerDuty's messages are taken once, by
// the ids of message and event, which are remembered for three days or until a restart.
// Sources: https://developer.pagerduty.com/docs/webhooks/v3-overview,
// https://prometheus.io/docs/alerting/latest/configuration/#webhook_config.
// Thread safety: all members. Ownership: borrows its parts.
#pragma once

#include <chrono>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "server/investigations.h"
#include "server/router.h"

namespace precedent {

class Webhooks {
 public:
  // `secrets` of PagerDuty's subscription, several while they are changed; none: it is refused.
  Webhooks(Investigations& investigations, std::vector<std::string> secrets)
      : investigations_(investigations), secrets_(std::move(secrets)) {}

  ServedResponse pagerduty(const ServedRequest& request);
  ServedResponse alertmanager(const ServedRequest& request);

 private:
  bool is_signed(const ServedRequest& request) const;
  // False: it came before.
  bool is_new(const std::string& id);
  void forget(const std::string& id);

  Investigations& investigations_;
  const std::vector<std::string> secrets_;
  Mutex mutex_;
  std::set<std::string> seen_ GUARDED_BY(mutex_);
  std::deque<std::pair<std::chrono::steady_clock::time_point, std::string>> order_
      GUARDED_BY(mutex_);
};

}  // namespace precedent
