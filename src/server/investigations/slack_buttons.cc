#include "server/investigations/slack_buttons.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/foreign_json.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/json_access.h"
#include "base/strings.h"
#include "server/auth/digest.h"
#include "server/http/problem.h"

namespace precedent {
namespace {

using nlohmann::json;
using std::chrono::seconds;

// As Slack advises; it also bounds how long a signature has to be remembered.
constexpr seconds kOff{300};
constexpr KeptIds::Limits kSignatures{.age = std::chrono::hours(1), .number = 20'000};
constexpr size_t kMaxId = 200;
constexpr size_t kMaxWhispers = 64;

std::optional<TimePoint> time_of(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  constexpr int64_t kMost = 1LL << 40;  // no overflow beside any present
  return TimePoint(seconds(std::min(value, kMost)));
}

// The value of a field of a form; nothing where it is not there, or ill-formed.
std::optional<std::string> form_field(std::string_view form, std::string_view name) {
  for (const std::string_view pair : split(form, '&')) {
    const size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name)
      return percent_decoded(pair.substr(equals + 1), true);
  }
  return std::nullopt;
}

}  // namespace

SlackButtons::SlackButtons(SlackButtonOptions options, Parts parts)
    : options_(std::move(options)),
      parts_(std::move(parts)),
      binding_{options_.users, parts_.tokens, parts_.identity_provider},
      seen_(parts_.ids, parts_.clock, kSignatures, parts_.warn),
      speaker_([this](const std::stop_token& stop) { say_all(stop); }) {}

SlackButtons::~SlackButtons() {
  speaker_.request_stop();
  cancel_.cancel();
  {
    const MutexLock lock(whispers_mutex_);
    some_.notify_all();
  }
  speaker_.join();
}

bool SlackButtons::is_signed(const ServedRequest& request) const {
  const std::string base =
      fmt::format("v0:{}:{}", request.header("X-Slack-Request-Timestamp"), request.body);
  bool good = false;
  for (const std::string& secret : options_.secrets)
    good |=
        same_secret(request.header("X-Slack-Signature"), "v0=" + to_hex(hmac_sha256(secret, base)));
  return good;
}

ServedResponse SlackButtons::press(const ServedRequest& request) {
  if (options_.secrets.empty())
    return problem(403,
                   "no signing secret of Slack is configured; put it into the environment as "
                   "SLACK_SIGNING_SECRET");
  if (!is_signed(request)) return problem(401, "the signature is not that of this message");
  const auto sent = time_of(request.header("X-Slack-Request-Timestamp"));
  const TimePoint now = parts_.clock.now();
  if (!sent || *sent < now - kOff || *sent > now + kOff)
    return problem(401, "the message is more than five minutes off; compare the clocks");
  {
    const MutexLock lock(mutex_);
    const std::string signature(request.header("X-Slack-Signature"));
    if (seen_.find(signature)) return problem(409, "the message came before");
    seen_.add(signature, "");
  }
  const auto payload = form_field(request.body, "payload");
  const json message = payload ? parse_json(*payload) : json();
  // Slack shows whoever pressed a sign of danger for anything but 200.
  const ServedResponse taken{.status = 200};
  const json& actions = foreign::member(message, "actions");
  if (foreign::string_at(message, "type") != "block_actions" || !actions.is_array()) return taken;
  Press press{.member = foreign::string_at(foreign::member(message, "user"), "id"),
              .channel = foreign::string_at(foreign::member(message, "container"), "channel_id")};
  if (press.channel.empty())
    press.channel = foreign::string_at(foreign::member(message, "channel"), "id");
  for (const json& action : actions) {
    if (!foreign::string_at(action, "action_id").starts_with("precedent_")) continue;
    const std::string value = foreign::string_at(action, "value");
    const auto parts = split(value, ' ');
    if (parts.size() != 3 || value.size() > kMaxId) continue;
    press.id = parts[0], press.mark = parts[1], press.answer = parts[2];
    take(press, request.client);
    break;
  }
  return taken;
}

void SlackButtons::take(const Press& press, const std::string& client) {
  const auto caller = slack_caller(binding_, press.member, parts_.clock.now());
  const auto done = caller ? answer(press) : std::unexpected(caller.error());
  const int status = done ? 202 : !caller ? 403 : problem(done.error()).status;
  parts_.audit({.client = client,
                .method = "POST",
                .path = fmt::format("/investigations/{}/answer", press.id),
                .what = dump_json({{"answer", press.answer}, {"slack_user", press.member}}),
                .changes = true},
               caller.value_or(Caller{.name = "?"}), status);
  if (done) return;
  if (!caller)
    whisper(press, fmt::format("Nothing was answered: {}. {}", caller.error().message, who_may()));
  else
    whisper(press, fmt::format("Nothing was answered: {}.", done.error().message));
}

// What its button is about must be what it asks now: another question may have taken its place.
Result<void> SlackButtons::answer(const Press& press) const {
  const ShownInvestigation shown = TRY(parts_.investigations.find(press.id));
  if (shown.state != "asking")
    return fail(ErrorCode::kConflict, "the question has been answered already");
  const InvestigationReport report = TRY(parts_.investigations.report(press.id));
  const std::string question =
      foreign::string_at(foreign::member(report.report, "deciding_question"), "question");
  if (content_hash(question) != press.mark)
    return fail(ErrorCode::kConflict,
                "this question has been answered already; the card has the next one");
  TRY(parts_.investigations.answer(press.id, press.answer));
  return {};
}

std::string SlackButtons::who_may() const {
  std::vector<std::string> names;
  for (const auto& [member, user] : options_.users)
    if (std::ranges::find(names, user) == names.end()) names.push_back(user);
  if (names.empty()) return "Nobody may answer here (server.slack_users of precedent.yaml).";
  return fmt::format("Who may answer here: {} (server.slack_users of precedent.yaml).",
                     join(names, ", "));
}

void SlackButtons::whisper(const Press& press, std::string text) {
  if (!options_.whisper || press.channel.empty() || press.member.empty()) return;
  const MutexLock lock(whispers_mutex_);
  if (whispers_.size() >= kMaxWhispers) return;
  whispers_.push_back({press.channel, press.member, std::move(text)});
  some_.notify_all();
}

void SlackButtons::say_all(const std::stop_token& stop) {
  for (;;) {
    Whisper next;
    {
      const MutexLock lock(whispers_mutex_);
      while (whispers_.empty() && !stop.stop_requested()) some_.wait(whispers_mutex_);
      if (stop.stop_requested()) return;
      next = std::move(whispers_.front());
      whispers_.pop_front();
    }
    const auto said = options_.whisper(next.channel, next.member, next.text, cancel_);
    if (!said) parts_.warn("a user of Slack could not be told: " + said.error().text());
  }
}

}  // namespace precedent
