// PagerDutyIncidents: incidents of PagerDuty, over its REST API (version 2).
//
//   GET /incidents/{id}            by id or number; "PD-12345" is 12345
//   GET /incidents/{id}/alerts     whose bodies hold what the monitor said
//   GET /incidents/{id}/notes, …/log_entries
//
// What of the last three cannot be read is missing, and no error. The
// token is sent to the configured address alone, over TLS or to this machine. Source:
// https://developer.pagerduty.com/api-reference. Errors: those of SourceHttp and IncidentSource.
// Thread safety: fetch() may be called from several threads if the client may be shared.
// Ownership: borrows client and clock.
#pragma once

#include <vector>

#include "base/clock.h"
#include "investigate/intake/incident_source.h"
#include "net/http_client.h"

namespace precedent {

struct PagerDutyOptions {
  std::string url = "https://api.pagerduty.com";
  std::string token;
  std::string token_env = "PAGERDUTY_TOKEN";  // what messages call it
};

class PagerDutyIncidents final : public IncidentSource {
 public:
  // Errors: kInvalidArgument for an address that is none or that would get the token in clear.
  static Result<PagerDutyIncidents> open(PagerDutyOptions options, HttpClient& client,
                                         const Clock& clock);

  std::string describe() const override;
  Result<IncidentBrief> fetch(std::string_view id, const CancelToken& cancel) const override;

 private:
  PagerDutyIncidents(PagerDutyOptions options, HttpClient& client, const Clock& clock)
      : options_(std::move(options)), client_(client), clock_(clock) {}

  PagerDutyOptions options_;
  HttpClient& client_;
  const Clock& clock_;
};

// Whether somebody means an incident of PagerDuty: "PD-" and letters or digits.
bool is_pagerduty_id(std::string_view text);
// What PagerDuty calls it: "PD-12345" is 12345.
std::string_view pagerduty_id(std::string_view id);

}  // namespace precedent
