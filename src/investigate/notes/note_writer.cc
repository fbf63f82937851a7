#include "investigate/notes/note_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/foreign_json.h"
#include "investigate/alerts/brief.h"
#include "investigate/intake/pagerduty.h"
#include "net/url.h"

namespace precedent {
namespace {

using nlohmann::json;

// Whoever waits for a report does not wait for a chat.
constexpr std::chrono::seconds kPatience{20};
constexpr size_t kMaxReply = 256 * 1024;
constexpr size_t kMaxAddress = 254;

Result<void> check_address(std::string_view variable, const std::string& url) {
  const auto parsed = parse_url(url);
  if (!parsed)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {}", variable, parsed.error().message));
  if (parsed->scheme != "https" && !is_loopback(parsed->host))
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} would send a secret in clear to {}; write https", variable,
                            parsed->shown()));
  return {};
}

// What the service says of a refusal, for people: {"error":{"message":…,"errors":[…]}}, or a word.
std::string said_in(const HttpResponse& response) {
  const json reply = parse_json(response.body);
  if (reply.is_discarded()) return shown_text(response.body, 120);
  if (!reply.is_object() || !reply.contains("error") || !reply["error"].is_object()) return "";
  const json& error = reply["error"];
  std::string said;
  if (error.contains("message") && error["message"].is_string())
    said = error["message"].get<std::string>();
  if (error.contains("errors") && error["errors"].is_array())
    for (const json& each : error["errors"])
      if (each.is_string()) said += (said.empty() ? "" : "; ") + each.get<std::string>();
  return shown_text(said, 300);
}

// What messages call a service, what it takes to be let in, and what says where it is.
struct Service {
  std::string_view name, secret, place;
};
constexpr Service kPagerDuty{"PagerDuty", "PAGERDUTY_TOKEN", "the incident's id and PAGERDUTY_URL"};
constexpr Service kSlack{"Slack", "SLACK_WEBHOOK_URL", "SLACK_WEBHOOK_URL"};

Result<HttpResponse> send(HttpClient& client, HttpRequest request, const Service& service,
                          const CancelToken& cancel) {
  TRY(cancel.check());
  request.headers.push_back({"User-Agent", "precedent"});
  request.max_response_bytes = kMaxReply;
  HttpResponse response =
      TRY(client.send(request, {cancel, std::chrono::steady_clock::now() + kPatience}));
  if (response.status >= 200 && response.status < 300) return response;
  const std::string said = said_in(response);
  const std::string detail = fmt::format("{} answered with HTTP {}{}", service.name,
                                         response.status, said.empty() ? "" : ": " + said);
  switch (response.status) {
    case 401:
    case 403:
      return fail(ErrorCode::kPermission,
                  fmt::format("{}; {} may have expired, or may not write", detail, service.secret));
    case 404:
    case 410: return fail(ErrorCode::kNotFound, fmt::format("{}; check {}", detail, service.place));
    case 429: return fail(ErrorCode::kUnavailable, detail + "; it was asked too often");
    default: break;
  }
  if (response.status >= 500) return fail(ErrorCode::kUnavailable, detail + "; try again later");
  return fail(ErrorCode::kInvalidArgument, detail);
}

}  // namespace

Result<NoteWriter> NoteWriter::open(NoteOptions options, HttpClient& client) {
  if (options.from.empty() && options.slack_url.empty())
    return fail(ErrorCode::kInvalidArgument,
                "there is no place for a note: put the e-mail address of a user of PagerDuty into "
                "the environment as PAGERDUTY_FROM, the address of an incoming webhook of Slack as "
                "SLACK_WEBHOOK_URL, or a bot's token and its channel as SLACK_BOT_TOKEN and "
                "SLACK_CHANNEL");
  if (!options.from.empty()) {
    const bool is_mail =
        options.from.size() <= kMaxAddress && options.from.find('@') != std::string::npos &&
        std::ranges::all_of(options.from, [](char c) { return c > ' ' && c < 127; });
    if (!is_mail)
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("PAGERDUTY_FROM is '{}'; it must be the e-mail address of a user of "
                              "PagerDuty",
                              shown_text(options.from, 80)));
    if (options.token.empty())
      return fail(ErrorCode::kInvalidArgument,
                  "a note on an incident of PagerDuty takes an API token that may write; put it "
                  "into the environment as PAGERDUTY_TOKEN");
    TRY(check_address("PAGERDUTY_URL", options.pagerduty_url));
  }
  if (!options.slack_url.empty()) TRY(check_address("SLACK_WEBHOOK_URL", options.slack_url));
  while (options.pagerduty_url.ends_with('/')) options.pagerduty_url.pop_back();
  return NoteWriter(std::move(options), client);
}

bool NoteWriter::takes(std::string_view incident) const {
  return is_pagerduty_id(incident) && !options_.from.empty();
}

Result<void> NoteWriter::check(std::string_view incident) const {
  if (takes(incident) || !options_.slack_url.empty()) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("there is no place for a note on {}, which is no incident of PagerDuty; "
                          "put the address of an incoming webhook of Slack into the environment as "
                          "SLACK_WEBHOOK_URL, or SLACK_BOT_TOKEN and SLACK_CHANNEL",
                          incident.empty() ? "this" : "'" + shown_text(incident, 80) + "'"));
}

std::vector<HttpHeader> NoteWriter::headers() const {
  return {{"Authorization", "Token token=" + options_.token},
          {"Accept", "application/vnd.pagerduty+json;version=2"},
          {"Content-Type", "application/json"}};
}

// Incidents are read by their number, too; notes are written by the id alone.
Result<std::string> NoteWriter::whole_id(const std::string& id, const CancelToken& cancel) const {
  if (!std::ranges::all_of(id, is_digit)) return id;
  const HttpResponse response = TRY(send(
      *client_,
      {.url = fmt::format("{}/incidents/{}", options_.pagerduty_url, id), .headers = headers()},
      kPagerDuty, cancel));
  const json reply = parse_json(response.body);
  const json incident = reply.is_object() ? reply.value("incident", json()) : json();
  const std::string own =
      incident.is_object() && incident.contains("id") && incident["id"].is_string()
          ? incident["id"].get<std::string>()
          : id;
  // It becomes a part of an address.
  return is_pagerduty_id("PD-" + own) ? own : id;
}

Result<void> NoteWriter::add_note(const std::string& id, const CaseNote& note,
                                  const CancelToken& cancel) const {
  HttpRequest request{.method = "POST",
                      .url = fmt::format("{}/incidents/{}/notes", options_.pagerduty_url,
                                         TRY(whole_id(id, cancel))),
                      .headers = headers(),
                      .body = dump_json({{"note", {{"content", note_text(note)}}}})};
  request.headers.push_back({"From", options_.from});
  TRY(send(*client_, std::move(request), kPagerDuty, cancel));
  return {};
}

Result<void> NoteWriter::say_in_slack(const CaseNote& note, const CancelToken& cancel) const {
  TRY(send(*client_,
           {.method = "POST",
            .url = options_.slack_url,
            .headers = {{"Content-Type", "application/json"}},
            .body = dump_json(slack_message(note))},
           kSlack, cancel));
  return {};
}

std::vector<NoteOutcome> NoteWriter::write(const CaseNote& note, std::string_view incident,
                                           const CancelToken& cancel) const {
  std::vector<NoteOutcome> out;
  if (takes(incident)) {
    const std::string id(pagerduty_id(incident));
    out.push_back({"a note on PagerDuty's incident " + id, add_note(id, note, cancel)});
  }
  if (!options_.slack_url.empty())
    out.push_back({"a message to Slack", say_in_slack(note, cancel)});
  return out;
}

}  // namespace precedent
