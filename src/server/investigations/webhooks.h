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
// the ids of message and event, which are remembered for three days, also over a restart.
// Sources: https://developer.pagerduty.com/docs/webhooks/v3-overview,
// https://prometheus.io/docs/alerting/latest/configuration/#webhook_config.
// Thread safety: all members. Ownership: borrows its parts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "server/http/router.h"
#include "server/investigations/investigations.h"
#include "server/investigations/kept_ids.h"

namespace precedent {

class Webhooks {
 public:
  // `secrets` of PagerDuty's subscription, several while they are changed; none: it is refused.
  // `ids`: the file of those that came.
  Webhooks(Investigations& investigations, std::vector<std::string> secrets,
           const std::filesystem::path& ids, const Clock& clock, WarnOf warn)
      : investigations_(investigations),
        secrets_(std::move(secrets)),
        seen_(ids, clock, {}, std::move(warn)) {}

  ServedResponse pagerduty(const ServedRequest& request);
  ServedResponse alertmanager(const ServedRequest& request);

 private:
  bool is_signed(const ServedRequest& request) const;

  Investigations& investigations_;
  const std::vector<std::string> secrets_;
  KeptIds seen_;
  Mutex mutex_;  // one message at a time: between being asked for and added, an id is nobody else's
};

}  // namespace precedent
