// ChangesResult: what recent_changes found, as JSON, as sources and as text.
//
// Thread safety: plain values, pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "changes/change_source.h"
#include "changes/last_deploy.h"
#include "tools/source.h"

namespace precedent {

struct ChangesResult {
  std::string service;  // "": any
  TimeRange range;
  std::vector<Change> changes;  // newest first
  bool more = false;            // older ones match, beyond the limit
  std::vector<AskedSource> asked;
  // The latest deploy of the service up to the range's end; it may lie before the range.
  std::optional<LastDeploy> last_deploy;
  std::string note;  // "no change source knows the service 'x'; …"; "" if nothing needs saying
};

nlohmann::json to_json(const Change& change);
nlohmann::json to_json(const ChangesResult& result);
std::string present(const ChangesResult& result);

// What an answer cites: a commit by its hash, an entry of a log by file and line.
std::vector<Source> sources_of(const ChangesResult& result, const std::string& receipt);

}  // namespace precedent
