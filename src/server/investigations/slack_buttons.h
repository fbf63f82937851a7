// SlackButtons: presses of the buttons Yes and No below a deciding question in Slack
// (investigate/notes/slack_cards.h).
//
//   POST /webhook/slack   a form with the field `payload`, JSON of the type block_actions; signed:
//                         X-Slack-Signature is "v0=" and the HMAC-SHA256 of
//                         "v0:X-Slack-Request-Timestamp:BODY", hexadecimal
//
// 200 at once, as Slack wants within three seconds; 401 for a wrong signature and for one that is
// more than five minutes off, 409 for a message that came before. Whoever presses is a user of
// precedent (auth/slack_users.h), or nothing moves. The press does what POST
// /investigations/{id}/answer does, and stands in the audit log under that user's name. What went
// wrong is whispered to who pressed.
// Source: https://docs.slack.dev/authentication/verifying-requests-from-slack.
// Thread safety: all members. Ownership: borrows its parts; ends its thread.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "server/auth/audit.h"
#include "server/auth/slack_users.h"
#include "server/http/router.h"
#include "server/investigations/investigations.h"
#include "server/investigations/kept_ids.h"

namespace precedent {

struct SlackButtonOptions {
  std::vector<std::string> secrets = {};  // of the app, several while they are changed
  SlackUsers users = {};
  // A line that one user of a channel sees; empty: nobody is told.
  std::function<Result<void>(const std::string& channel, const std::string& user,
                             const std::string& text, const CancelToken& cancel)>
      whisper = {};
};

class SlackButtons {
 public:
  struct Parts {
    Investigations& investigations;
    const Clock& clock;
    std::filesystem::path ids;  // the file of signatures that came; "": none
    std::filesystem::path tokens;
    bool identity_provider = false;
    std::function<void(const Audit::Entry& entry, const Caller& caller, int status)> audit;
    WarnOf warn;
  };
  SlackButtons(SlackButtonOptions options, Parts parts);
  ~SlackButtons();
  SlackButtons(const SlackButtons&) = delete;
  SlackButtons& operator=(const SlackButtons&) = delete;

  ServedResponse press(const ServedRequest& request);

 private:
  struct Press {
    std::string member, channel, id, mark, answer;
  };
  struct Whisper {
    std::string channel, member, text;
  };
  bool is_signed(const ServedRequest& request) const;
  void take(const Press& press, const std::string& client);
  Result<void> answer(const Press& press) const;
  std::string who_may() const;
  void whisper(const Press& press, std::string text);
  void say_all(const std::stop_token& stop);

  const SlackButtonOptions options_;
  const Parts parts_;
  const SlackBinding binding_;
  KeptIds seen_;
  Mutex mutex_;  // one message at a time: between being asked for and added, an id is nobody else's
  Mutex whispers_mutex_;
  ConditionVariable some_;
  std::deque<Whisper> whispers_ GUARDED_BY(whispers_mutex_);
  CancelToken cancel_;
  std::jthread speaker_;  // Slack's own answers may take longer than it waits for ours
};

}  // namespace precedent
