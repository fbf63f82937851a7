// NoteWriter: writes what an investigation came to where the incident is talked about. Only for
// whoever asked for it.
//
//   PagerDuty   POST /incidents/{id}/notes of the REST API (version 2), in the name of the user
//               whose e-mail address is `from`; the token must be allowed to write
//   Slack       an incoming webhook, whose address is a secret: no message shows more than its host
//
// Each is sent once: a note that came twice is worse than one that says it could not be written.
// Sources: https://developer.pagerduty.com/api-reference, https://docs.slack.dev/messaging.
// Thread safety: write() may be called from several threads if the client may be shared.
// Ownership: borrows its client, which outlives it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "investigate/notes/note.h"
#include "net/http_client.h"

namespace precedent {

// Each with the environment's variable that messages name.
struct NoteOptions {
  std::string pagerduty_url = "https://api.pagerduty.com";  // PAGERDUTY_URL
  std::string token;                                        // PAGERDUTY_TOKEN
  std::string from;                                         // PAGERDUTY_FROM; "": no notes there
  std::string slack_url;                                    // SLACK_WEBHOOK_URL; "": none there
};

// One place that was written to, or could not be.
struct NoteOutcome {
  std::string place;  // "a note on PagerDuty's incident 77", "a message to Slack"
  Result<void> done;
};

class NoteWriter {
 public:
  // Errors: kInvalidArgument naming the variable: none is set, one takes another, an address is
  // none or would get a secret in clear.
  static Result<NoteWriter> open(NoteOptions options, HttpClient& client);

  // Whether there is a place for a note on this incident ("PD-77", or anything else). Errors:
  // kInvalidArgument naming the variable that is missing.
  Result<void> check(std::string_view incident) const;
  // To each place that there is, whatever became of the others. Errors in it: kPermission,
  // kNotFound, kInvalidArgument with what the service said, and those of HttpClient.
  std::vector<NoteOutcome> write(const CaseNote& note, std::string_view incident,
                                 const CancelToken& cancel) const;

 private:
  NoteWriter(NoteOptions options, HttpClient& client)
      : options_(std::move(options)), client_(&client) {}
  bool takes(std::string_view incident) const;
  std::vector<HttpHeader> headers() const;
  Result<std::string> whole_id(const std::string& id, const CancelToken& cancel) const;
  Result<void> add_note(const std::string& id, const CaseNote& note,
                        const CancelToken& cancel) const;
  Result<void> say_in_slack(const CaseNote& note, const CancelToken& cancel) const;

  NoteOptions options_;
  HttpClient* client_;
};

}  // namespace precedent
