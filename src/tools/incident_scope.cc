#include "tools/incident_scope.h"

#include <fmt/format.h>

#include "base/strings.h"

namespace precedent {
namespace {

Result<std::optional<TimePoint>> time_of(const Args& args, std::string_view param) {
  const std::string_view text = trim(args.text(param));
  if (text.empty()) return std::optional<TimePoint>();
  const auto time = parse_time(text);
  if (!time)
    return fail(ErrorCode::kInvalidArgument, fmt::format("'{}': {}", param, time.error().message));
  return std::optional<TimePoint>(*time);
}

}  // namespace

std::vector<Param> with_incident_scope(std::vector<Param> params) {
  params.push_back(
      {.name = "since",
       .description = "Only incidents opened at this date or time (ISO 8601) or later"});
  params.push_back({.name = "until",
                    .description = "Only incidents opened before this date or time (ISO 8601)"});
  params.push_back({.name = "severity",
                    .type = Param::Type::kStringList,
                    .description = "Only incidents of one of these severities, for example SEV1"});
  params.push_back(
      {.name = "status",
       .type = Param::Type::kStringList,
       .description = "Only incidents of one of these statuses, for example Resolved"});
  return params;
}

Result<Filter> incident_scope(const Args& args) {
  Filter filter;
  filter.kinds = {Kind::kIncident};
  filter.severities = args.list("severity");
  filter.statuses = args.list("status");
  filter.opened = {TRY(time_of(args, "since")), TRY(time_of(args, "until"))};
  const auto& [from, to] = filter.opened;
  if (from && to && *to <= *from) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'until' ({}) is not after 'since' ({}); swap them, or leave one out",
                            format_time(*to), format_time(*from)));
  }
  return filter;
}

std::string describe_scope(const Filter& filter) {
  std::vector<std::string> parts;
  if (!filter.severities.empty()) parts.push_back("severity " + join(filter.severities, " or "));
  if (!filter.statuses.empty()) parts.push_back("status " + join(filter.statuses, " or "));
  if (filter.opened.from)
    parts.push_back("opened " + format_time(*filter.opened.from) + " or later");
  if (filter.opened.to) parts.push_back("opened before " + format_time(*filter.opened.to));
  return join(parts, ", ");
}

}  // namespace precedent
