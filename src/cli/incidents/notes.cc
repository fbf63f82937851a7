#include "cli/incidents/notes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "llm/model_config.h"
#include "net/url.h"

namespace precedent {
namespace {

// "https://precedent.example.com" of the environment; "": it says nothing.
Result<std::string> public_url() {
  constexpr const char* kVariable = "PRECEDENT_PUBLIC_URL";
  std::string url = system_environment(kVariable).value_or("");
  if (url.empty()) return url;
  const auto parsed = parse_url(url);
  if (!parsed)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {}", kVariable, parsed.error().message));
  if (parsed->has_user || url.find_first_of("?#") != std::string::npos)
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{} must be an address without a user, a query and a fragment", kVariable));
  while (url.ends_with('/')) url.pop_back();
  return url;
}

}  // namespace

Result<std::unique_ptr<Notes>> Notes::open(const std::filesystem::path& data_dir, bool buttons) {
  NoteOptions options;
  options.token = system_environment("PAGERDUTY_TOKEN").value_or("");
  options.pagerduty_url = system_environment("PAGERDUTY_URL").value_or(options.pagerduty_url);
  options.from = system_environment("PAGERDUTY_FROM").value_or("");
  options.slack_url = system_environment("SLACK_WEBHOOK_URL").value_or("");
  SlackBotOptions bot;
  bot.url = system_environment("SLACK_API_URL").value_or(bot.url);
  bot.token = system_environment("SLACK_BOT_TOKEN").value_or("");
  bot.channel = system_environment("SLACK_CHANNEL").value_or("");
  std::unique_ptr<Notes> out(new Notes);
  out->public_url_ = TRY(public_url());
  const bool has_bot = !bot.token.empty() || !bot.channel.empty();
  if (has_bot)
    out->cards_ = std::make_unique<SlackCards>(TRY(SlackBot::open(std::move(bot), out->client_)),
                                               data_dir / "investigations" / "cards", buttons);
  if (!has_bot || !options.from.empty() || !options.slack_url.empty())
    out->writer_ =
        std::make_unique<NoteWriter>(TRY(NoteWriter::open(std::move(options), out->client_)));
  return out;
}

Result<void> Notes::check(std::string_view incident) const {
  return cards_ != nullptr ? Result<void>() : writer_->check(incident);
}

Result<void> Notes::write(const State& state, const std::function<void(std::string_view)>& say,
                          const CancelToken& cancel) const {
  std::vector<NoteOutcome> places;
  if (writer_ != nullptr && writer_->check(state.incident))
    places = writer_->write(note_of(state.report, state.link), state.incident, cancel);
  if (cards_ != nullptr)
    places.push_back({"a card in Slack",
                      cards_->tell({state.report, state.id, state.link, state.asks}, cancel)});
  Result<void> all;
  for (const NoteOutcome& each : places) {
    if (each.done) {
      say(fmt::format("wrote {}", each.place));
      continue;
    }
    const std::string text =
        fmt::format("{} could not be written: {}", each.place, each.done.error().message);
    all = all ? fail(each.done.error().code, text)
              : fail(all.error().code, all.error().message + "; " + text);
  }
  return all;
}

Result<void> Notes::resolved(std::string_view id, const CancelToken& cancel) const {
  return cards_ == nullptr ? Result<void>() : cards_->resolved(id, cancel);
}

Result<void> Notes::whisper(const std::string& channel, const std::string& user,
                            const std::string& text, const CancelToken& cancel) const {
  if (cards_ == nullptr)
    return fail(ErrorCode::kUnavailable, "no bot of Slack is configured (SLACK_BOT_TOKEN)");
  return cards_->bot().whisper(channel, user, text, cancel);
}

std::string Notes::link_to(const std::string& id, const std::filesystem::path& file) const {
  return public_url_.empty() ? file.string()
                             : fmt::format("{}/#/investigations/{}", public_url_, id);
}

}  // namespace precedent
