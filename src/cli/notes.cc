#include "cli/notes.h"

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

Result<std::unique_ptr<Notes>> Notes::open() {
  NoteOptions options;
  options.token = system_environment("PAGERDUTY_TOKEN").value_or("");
  options.pagerduty_url = system_environment("PAGERDUTY_URL").value_or(options.pagerduty_url);
  options.from = system_environment("PAGERDUTY_FROM").value_or("");
  options.slack_url = system_environment("SLACK_WEBHOOK_URL").value_or("");
  std::unique_ptr<Notes> out(new Notes);
  out->public_url_ = TRY(public_url());
  out->writer_ =
      std::make_unique<NoteWriter>(TRY(NoteWriter::open(std::move(options), out->client_)));
  return out;
}

Result<void> Notes::write(const nlohmann::json& report, std::string_view incident,
                          std::string_view link, const std::function<void(std::string_view)>& say,
                          const CancelToken& cancel) const {
  Result<void> all;
  for (const NoteOutcome& each : writer_->write(note_of(report, link), incident, cancel)) {
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

std::string Notes::link_to(const std::string& id, const std::filesystem::path& file) const {
  return public_url_.empty() ? file.string()
                             : fmt::format("{}/#/investigations/{}", public_url_, id);
}

}  // namespace precedent
