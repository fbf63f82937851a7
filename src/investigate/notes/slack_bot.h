// SlackBot: messages of an app to one channel of Slack, by its Web API.
//
//   chat.postMessage     a message, or a reply in the thread of one
//   chat.update          a message of its own anew
//   chat.postEphemeral   a line that one user of a channel sees
//
// A token (xoxb-…) with the scope chat:write; it is sent to the configured address alone, over TLS
// or to this machine. What Slack refused (429) is sent once more where it says to wait for at most
// kLongestWait; nothing else is sent twice. Source: https://docs.slack.dev/reference/methods.
// Errors: kPermission (the token), kNotFound (the channel, the message), kUnavailable,
// kInvalidArgument with Slack's word, and those of HttpClient; each says what to do.
// Thread safety: all members, if the client may be shared. Ownership: borrows its client.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/error.h"
#include "net/http_client.h"

namespace precedent {

// Each with the environment's variable that messages name.
struct SlackBotOptions {
  std::string url = "https://slack.com/api";  // SLACK_API_URL
  std::string token;                          // SLACK_BOT_TOKEN
  std::string channel;                        // SLACK_CHANNEL: its id, or its name
};

// Where a message stands.
struct SlackPlace {
  std::string channel;  // its id
  std::string ts;       // Slack's name of the message
  bool operator==(const SlackPlace&) const = default;
};

class SlackBot {
 public:
  static constexpr std::chrono::seconds kLongestWait{10};

  // Errors: kInvalidArgument naming the variable that is missing, or wrong.
  static Result<SlackBot> open(SlackBotOptions options, HttpClient& client);

  // `message` has `text` and perhaps `blocks`.
  Result<SlackPlace> post(const nlohmann::json& message, const CancelToken& cancel) const;
  // Into the thread of a message, wherever that stands.
  Result<void> reply(const SlackPlace& place, const nlohmann::json& message,
                     const CancelToken& cancel) const;
  Result<void> update(const SlackPlace& place, const nlohmann::json& message,
                      const CancelToken& cancel) const;
  Result<void> whisper(const std::string& channel, const std::string& user, const std::string& text,
                       const CancelToken& cancel) const;

 private:
  SlackBot(SlackBotOptions options, HttpClient& client)
      : options_(std::move(options)), client_(&client) {}
  Result<nlohmann::json> call(std::string_view method, const nlohmann::json& body,
                              const CancelToken& cancel) const;

  SlackBotOptions options_;
  HttpClient* client_;
};

}  // namespace precedent
