#include "server/knowledge/dataset_shape.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"

namespace precedent {

using nlohmann::json;

json to_json(const DatasetVersion& version) {
  json sources = json::array();
  for (const VersionSource& source : version.sources)
    sources.push_back({{"path", source.name.empty() ? source.path : source.name},
                       {"bytes", source.bytes},
                       {"hash", source.hash}});
  json out = {{"version", version.number},
              {"name", version.name},
              {"state", name(version.state)},
              {"collection", version.collection},
              {"records", version.counts.records},
              {"bad", version.counts.bad},
              {"bare", version.counts.bare},
              {"sources", std::move(sources)},
              {"mapping", version.mapping_path},
              {"created_by", version.created_by},
              {"created_at", format_time(version.created_at)},
              {"changed_at", format_time(version.changed_at)},
              {"notes", version.notes},
              {"activations", json::array()}};
  for (const VersionActivation& activation : version.activations)
    out["activations"].push_back({{"at", format_time(activation.at)},
                                  {"by", activation.by},
                                  {"back", activation.back},
                                  {"forced", activation.forced},
                                  {"why", activation.why}});
  if (const VersionActivation* forced = version.forced(); forced != nullptr)
    out["forced"] = {{"by", forced->by}, {"why", forced->why}};
  if (!version.report.empty()) out["report"] = parse_json(version.report);
  return out;
}

json to_json(const VersionDifference& difference) {
  return {{"from", difference.from},         {"to", difference.to},
          {"added", difference.added},       {"changed", difference.changed},
          {"vanished", difference.vanished}, {"replaced", difference.replaced}};
}

json to_json(const MadeActive& made) {
  json out = to_json(made.version);
  out["difference"] = to_json(made.difference);
  out["active_before"] = made.before;
  out["seconds"] = made.seconds;
  out["discarded"] = made.discarded;
  out["golden_to_review"] = made.golden_to_review;
  return out;
}

json to_json(const ValidatedVersion& validated) {
  json out = to_json(validated.version);
  out["difference"] = to_json(validated.difference);
  out["refused_by_limit"] = validated.limit;
  return out;
}

std::string told(const VersionActivation& activation) {
  return fmt::format("{} by {}{}{}{}", activation.back ? "brought back" : "activated",
                     activation.by, activation.forced ? " although a limit forbade it" : "",
                     activation.why.empty() ? "" : ": ", activation.why);
}

}  // namespace precedent
