// Notes on incidents (investigate/notes/note_writer.h) and cards in Slack
// (investigate/notes/slack_cards.h) with what the environment says: PAGERDUTY_FROM,
// PAGERDUTY_TOKEN, PAGERDUTY_URL, SLACK_WEBHOOK_URL, SLACK_BOT_TOKEN, SLACK_CHANNEL, SLACK_API_URL,
// and PRECEDENT_PUBLIC_URL, under which people reach the server.
//
// Thread safety: all members, from several threads. Ownership: owns its client.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "investigate/notes/note_writer.h"
#include "investigate/notes/slack_cards.h"
#include "net/curl_http_client.h"

namespace precedent {

class Notes {
 public:
  // One state of an investigation, to be told.
  struct State {
    const nlohmann::json& report;  // docs/format/investigation.md
    std::string_view incident;
    std::string_view id;    // under which later states are told; "": there will be none
    std::string_view link;  // where the report is read
    bool asks = false;
  };

  // `buttons`: whether this program takes the presses of a card's buttons. Errors:
  // kInvalidArgument naming the variable.
  static Result<std::unique_ptr<Notes>> open(const std::filesystem::path& data_dir, bool buttons);
  // As NoteWriter::check; a card has a place for anything.
  Result<void> check(std::string_view incident) const;
  // `say`: told each place that was written to. Errors: what went wrong, of all places.
  Result<void> write(const State& state, const std::function<void(std::string_view)>& say,
                     const CancelToken& cancel) const;
  // Into the thread of its card, if there is one: its alarm is over.
  Result<void> resolved(std::string_view id, const CancelToken& cancel) const;
  // A line that one user of a channel of Slack sees. Errors: kUnavailable where no bot is
  // configured.
  Result<void> whisper(const std::string& channel, const std::string& user, const std::string& text,
                       const CancelToken& cancel) const;
  // Where people read the report of an investigation of the server: its page, or else its file.
  std::string link_to(const std::string& id, const std::filesystem::path& file) const;

 private:
  Notes() = default;
  CurlHttpClient client_;
  std::unique_ptr<NoteWriter> writer_;  // null: neither PagerDuty nor an incoming webhook
  std::unique_ptr<SlackCards> cards_;   // null: no bot
  std::string public_url_;
};

}  // namespace precedent
