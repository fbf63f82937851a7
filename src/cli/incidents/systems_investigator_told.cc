// Of SystemsInvestigator: what is told where people talk about an incident, and how it ended.
#include <nlohmann/json.hpp>

#include "cli/incidents/systems_investigator.h"
#include "investigate/verdict/outcome.h"

namespace precedent {

Result<void> SystemsInvestigator::tell(const InvestigationOrder& order, const std::string& id,
                                       const InvestigationReport& report,
                                       const CancelToken& cancel) {
  if (systems_.notes == nullptr || !systems_.notes->check(order.incident)) return {};
  const std::filesystem::path file = systems_.data_dir / "investigations" / (id + ".json");
  const std::string link = systems_.notes->link_to(id, file);
  return systems_.notes->write(
      {report.report, order.incident, id, link, report.asks}, [](std::string_view) {}, cancel);
}

Result<nlohmann::json> SystemsInvestigator::score(const nlohmann::json& report, TimePoint since,
                                                  TimePoint until) {
  // What was changed before it began tells what was taken back.
  constexpr std::chrono::hours kBefore{24};
  constexpr size_t kMostChanges = 5'000;
  const LiveIncident live =
      TRY(LiveIncident::open({.data_dir = systems_.data_dir, .file = systems_.tools}));
  if (live.changes() == nullptr) return nlohmann::json();
  TimePoint begin = since;
  if (const auto onset = parse_time(report.value("onset", ""))) begin = std::min(begin, *onset);
  ChangeQuery query;
  query.range = {begin - kBefore, until + std::chrono::seconds(1)};
  query.limit = kMostChanges;
  ChangeList list = TRY(live.changes()->changes(query));
  return to_json(outcome_score(report, std::move(list.changes), since));
}

Result<void> SystemsInvestigator::tell_resolved(const std::string& id, const CancelToken& cancel) {
  return systems_.notes == nullptr ? Result<void>() : systems_.notes->resolved(id, cancel);
}

}  // namespace precedent
