// A window of time as tools are asked for it → a TimeRange.
//
// Thread safety: pure but for the source.
#pragma once

#include <optional>

#include "changes/change_source.h"
#include "changes/last_deploy.h"

namespace precedent {

struct ChangeWindow {
  TimeRange range;
  std::optional<LastDeploy> deploy;  // that the range begins with
};

// "90s", "30m", "24h", "7d", "2w" (before `now`); "since=TIME" or "since TIME"; "FROM/TO";
// "since=last-deploy" and "last-deploy", from the last deploy of `service` in
// `environment` ("": the source's usual one). Whatever has no end of
// its own ends with `now`, which is part of it. `source` may be nullptr, then there is no last
// deploy. Errors: kInvalidArgument naming the forms; kNotFound if no deploy of the service is
// known.
Result<ChangeWindow> read_window(std::string_view text, TimePoint now, std::string_view service,
                                 const ChangeSource* source, std::string_view environment = {});

// "24h" → 24 hours. Nothing if it is no whole number above 0 with one of the units s, m, h, d, w,
// or longer than ten years.
std::optional<std::chrono::seconds> read_duration(std::string_view text);

}  // namespace precedent
