#include "investigate/notes/slack_bot.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "investigate/alerts/brief.h"
#include "net/url.h"

namespace precedent {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using std::chrono::steady_clock;

// Whoever waits for a report does not wait for a chat.
constexpr seconds kPatience{20};
constexpr size_t kMaxReply = 256 * 1024;

// What Slack's errors mean: https://docs.slack.dev/reference/methods/chat.postMessage#errors.
struct KnownError {
  std::string_view error;
  ErrorCode code;
  std::string_view remedy;
};
constexpr std::string_view kToken = "SLACK_BOT_TOKEN is not, or no longer, a token of this app";
constexpr std::string_view kChannel =
    "check SLACK_CHANNEL, and invite the app to the channel (/invite)";
constexpr std::string_view kMessage = "the message is gone, or not the app's own";
constexpr KnownError kKnown[] = {
    {"not_authed", ErrorCode::kPermission, kToken},
    {"invalid_auth", ErrorCode::kPermission, kToken},
    {"account_inactive", ErrorCode::kPermission, kToken},
    {"token_revoked", ErrorCode::kPermission, kToken},
    {"token_expired", ErrorCode::kPermission, kToken},
    {"not_allowed_token_type", ErrorCode::kPermission,
     "SLACK_BOT_TOKEN must be a bot's token (xoxb-…)"},
    {"missing_scope", ErrorCode::kPermission,
     "give the app the scope chat:write, and install it anew"},
    {"channel_not_found", ErrorCode::kNotFound, kChannel},
    {"not_in_channel", ErrorCode::kNotFound, kChannel},
    {"is_archived", ErrorCode::kNotFound, kChannel},
    {"message_not_found", ErrorCode::kNotFound, kMessage},
    {"cant_update_message", ErrorCode::kNotFound, kMessage},
    {"edit_window_closed", ErrorCode::kNotFound, kMessage},
    {"ratelimited", ErrorCode::kUnavailable, "it was asked too often"},
};

std::unexpected<Error> refused(std::string_view method, const std::string& error) {
  const std::string what =
      fmt::format("Slack refuses {}: {}", method,
                  error.empty() ? "it does not say why" : shown_text(error, 100));
  const auto* known = std::ranges::find(kKnown, error, &KnownError::error);
  if (known == std::end(kKnown)) return fail(ErrorCode::kInvalidArgument, what);
  return fail(known->code, fmt::format("{}; {}", what, known->remedy));
}

std::optional<seconds> retry_after(const HttpResponse& response) {
  const std::string_view text = response.header("Retry-After");
  int64_t value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value < 0 ? std::nullopt : std::optional(seconds(value));
}

// False: cancelled.
bool wait(seconds pause, const CancelToken& cancel) {
  for (const auto until = steady_clock::now() + pause; steady_clock::now() < until;) {
    if (cancel.cancelled()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

bool fits_a_header(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 127; });
}

}  // namespace

Result<SlackBot> SlackBot::open(SlackBotOptions options, HttpClient& client) {
  if (options.token.empty() || options.channel.empty())
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("messages of a bot to Slack take SLACK_BOT_TOKEN and SLACK_CHANNEL; {} "
                            "is not set",
                            options.token.empty() ? "SLACK_BOT_TOKEN" : "SLACK_CHANNEL"));
  if (!fits_a_header(options.token))
    return fail(ErrorCode::kInvalidArgument, "SLACK_BOT_TOKEN is no token; it begins with xoxb-");
  while (options.url.ends_with('/')) options.url.pop_back();
  const auto url = parse_url(options.url);
  if (!url)
    return fail(ErrorCode::kInvalidArgument, fmt::format("SLACK_API_URL: {}", url.error().message));
  if (url->scheme != "https" && !is_loopback(url->host))
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("SLACK_API_URL would send a secret in clear to {}; write https", url->shown()));
  return SlackBot(std::move(options), client);
}

Result<json> SlackBot::call(std::string_view method, const json& body,
                            const CancelToken& cancel) const {
  const HttpRequest request{
      .method = "POST",
      .url = fmt::format("{}/{}", options_.url, method),
      .headers = {{"Authorization", "Bearer " + options_.token},
                  {"Content-Type", "application/json; charset=utf-8"},
                  {"User-Agent", "precedent"}},
      .body = dump_json(body),
      .max_response_bytes = kMaxReply,
  };
  for (bool again = true;; again = false) {
    TRY(cancel.check());
    const HttpResponse response =
        TRY(client_->send(request, {cancel, steady_clock::now() + kPatience}));
    if (response.status == 429) {
      const auto asked = retry_after(response);
      if (again && asked && *asked <= kLongestWait && wait(*asked, cancel)) continue;
      return fail(ErrorCode::kUnavailable,
                  fmt::format("Slack refuses {}: it was asked too often; try again {}", method,
                              asked ? fmt::format("in {} s", asked->count()) : "later"));
    }
    if (response.status >= 500)
      return fail(
          ErrorCode::kUnavailable,
          fmt::format("Slack answered {} with HTTP {}; try again later", method, response.status));
    json reply = parse_json(response.body);
    if (response.status != 200 || !reply.is_object() || !reply.contains("ok"))
      return fail(ErrorCode::kUnavailable,
                  fmt::format("what answered {} with HTTP {} is not Slack; check SLACK_API_URL",
                              method, response.status));
    if (reply["ok"] == true) return reply;
    return refused(method, foreign::string_at(reply, "error"));
  }
}

Result<SlackPlace> SlackBot::post(const json& message, const CancelToken& cancel) const {
  json body = message;
  body["channel"] = options_.channel;
  body["unfurl_links"] = false, body["unfurl_media"] = false;
  const json reply = TRY(call("chat.postMessage", body, cancel));
  SlackPlace place{foreign::string_at(reply, "channel"), foreign::string_at(reply, "ts")};
  // Some answers leave the channel out.
  if (place.channel.empty()) place.channel = options_.channel;
  if (place.ts.empty())
    return fail(ErrorCode::kUnavailable,
                "Slack took the message, and does not say where it stands; it cannot be updated");
  return place;
}

Result<void> SlackBot::reply(const SlackPlace& place, const json& message,
                             const CancelToken& cancel) const {
  json body = message;
  body["channel"] = place.channel, body["thread_ts"] = place.ts;
  body["unfurl_links"] = false, body["unfurl_media"] = false;
  TRY(call("chat.postMessage", body, cancel));
  return {};
}

Result<void> SlackBot::update(const SlackPlace& place, const json& message,
                              const CancelToken& cancel) const {
  json body = message;
  body["channel"] = place.channel, body["ts"] = place.ts;
  TRY(call("chat.update", body, cancel));
  return {};
}

Result<void> SlackBot::whisper(const std::string& channel, const std::string& user,
                               const std::string& text, const CancelToken& cancel) const {
  TRY(call("chat.postEphemeral", {{"channel", channel}, {"user", user}, {"text", text}}, cancel));
  return {};
}

}  // namespace precedent
