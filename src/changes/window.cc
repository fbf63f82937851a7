#include "changes/window.h"

#include <fmt/format.h>

#include <charconv>

#include "base/strings.h"

namespace precedent {
namespace {

constexpr std::chrono::seconds kLongest = std::chrono::hours(24 * 3660);

std::unexpected<Error> unreadable(std::string_view text, std::string_view why) {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("'{}' is no window ({}); write 24h, 7d, since=2026-11-17T15:40:00Z, "
                          "since=last-deploy or 2026-11-17/2026-11-18",
                          text, why));
}

Result<ChangeWindow> since_last_deploy(TimePoint now, std::string_view service,
                                       const ChangeSource* source, std::string_view environment) {
  std::optional<LastDeploy> deploy;
  if (source != nullptr)
    deploy = TRY(last_deploy(*source, service, now, {.environment = environment}));
  if (!deploy) {
    return fail(ErrorCode::kNotFound,
                fmt::format("no deploy {}{}is known to any change source{}; give the window as a "
                            "time, or configure a deploy log",
                            service.empty() ? "" : fmt::format("of {} ", service),
                            environment.empty() ? "" : fmt::format("in {} ", environment),
                            source == nullptr ? "" : unread_note(*source)));
  }
  ChangeWindow window{{deploy->change.at, now + std::chrono::seconds(1)}, std::nullopt};
  window.deploy = std::move(deploy);
  return window;
}

}  // namespace

std::optional<std::chrono::seconds> read_duration(std::string_view text) {
  text = trim(text);
  if (text.size() < 2) return std::nullopt;
  int64_t unit = 0;
  switch (text.back()) {
    case 's': unit = 1; break;
    case 'm': unit = 60; break;
    case 'h': unit = 3600; break;
    case 'd': unit = 86400; break;
    case 'w': unit = 7 * 86400; break;
    default: return std::nullopt;
  }
  int64_t count = 0;
  const std::string_view digits = text.substr(0, text.size() - 1);
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc() || stop != digits.end() || count <= 0 || count > kLongest.count() / unit)
    return std::nullopt;
  return std::chrono::seconds(count * unit);
}

Result<ChangeWindow> read_window(std::string_view text, TimePoint now, std::string_view service,
                                 const ChangeSource* source, std::string_view environment) {
  const TimePoint end = now + std::chrono::seconds(1);
  std::string_view rest = trim(text);
  if (const auto duration = read_duration(rest))
    return ChangeWindow{{now - *duration, end}, std::nullopt};
  for (const std::string_view word : {"since=", "since "}) {
    if (iequals(rest.substr(0, word.size()), word)) rest = trim(rest.substr(word.size()));
  }
  if (iequals(rest, "last-deploy") || iequals(rest, "last deploy"))
    return since_last_deploy(now, service, source, environment);
  if (const size_t slash = rest.find('/'); slash != std::string_view::npos && rest.size() > 12) {
    const auto from = parse_time(trim(rest.substr(0, slash)));
    const auto to = parse_time(trim(rest.substr(slash + 1)));
    if (from && to && *from < *to) return ChangeWindow{{*from, *to}, std::nullopt};
    return unreadable(text, from && to ? "it ends before it begins" : "one of its ends is no time");
  }
  const auto since = parse_time(rest);
  if (!since) return unreadable(text, "it is neither a duration nor a time");
  if (*since > now) return unreadable(text, "it begins in the future");
  return ChangeWindow{{*since, end}, std::nullopt};
}

}  // namespace precedent
