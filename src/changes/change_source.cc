#include "changes/change_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace precedent {

bool wants(const ChangeQuery& query, ChangeKind kind) {
  return query.kinds.empty() || std::ranges::find(query.kinds, kind) != query.kinds.end();
}

bool same_environment(std::string_view a, std::string_view b) {
  static constexpr std::array<std::string_view, 14> kShort = {
      "prod",    "production", "prd",     "production", "live",        "production", "stage",
      "staging", "stg",        "staging", "dev",        "development", "sbx",        "sandbox"};
  const auto key = [](std::string_view name) {
    std::string its = bare_name(name);
    for (size_t i = 0; i < kShort.size(); i += 2)
      if (its == kShort[i]) return std::string(kShort[i + 1]);
    return its;
  };
  return key(a) == key(b);
}

bool matches(const Change& change, const ChangeQuery& query) {
  if (!query.range.contains(change.at)) return false;
  if (!wants(query, change.kind)) return false;
  // What belongs to no environment, as a commit, belongs to all.
  if (!query.environment.empty() && !change.environment.empty() &&
      !same_environment(change.environment, query.environment)) {
    return false;
  }
  if (!change.commit.starts_with(query.commit)) return false;
  return query.service.empty() || std::ranges::any_of(change.services, [&](const auto& service) {
           return iequals(service, query.service);
         });
}

std::vector<std::string> unreadable_sources(const std::vector<AskedSource>& asked) {
  std::vector<std::string> out;
  for (const AskedSource& source : asked)
    if (source.failed)
      out.push_back(fmt::format("{} could not be read: {}", source.name, source.note));
  return out;
}

Result<void> check_readable(const std::vector<AskedSource>& asked) {
  const std::vector<std::string> unreadable = unreadable_sources(asked);
  if (unreadable.empty() || unreadable.size() < asked.size()) return {};
  return fail(ErrorCode::kUnavailable,
              fmt::format("the record of changes cannot be read. {}", join(unreadable, "; ")));
}

std::string unread_note(const ChangeSource& source) {
  const auto list = source.changes({.kinds = {ChangeKind::kDeploy}, .limit = 1});
  const std::string unread = list ? join(unreadable_sources(list->asked), "; ") : "";
  return unread.empty() ? "" : fmt::format(" ({})", unread);
}

ChangeList select(std::vector<Change> all, const ChangeQuery& query, std::string source,
                  std::string note) {
  std::erase_if(all, [&](const Change& change) { return !matches(change, query); });
  std::ranges::sort(all, newer);
  ChangeList list;
  list.asked.push_back({std::move(source), all.size(), std::move(note)});
  list.more = all.size() > query.limit;
  if (list.more) all.resize(query.limit);
  list.changes = std::move(all);
  return list;
}

}  // namespace precedent
