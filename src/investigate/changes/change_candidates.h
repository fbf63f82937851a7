// Changes as candidates: what each edited, which services it touches, and when it went live there.
//
// A commit goes live with the deploy that names it, else with the first deploy of a service that it
// touches after it was made. Files in folders that no service is called by are shared: they go live
// with any service. Diffs come from context/commits.json of a frozen incident.
// Thread safety: pure but for the files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "changes/change.h"
#include "investigate/changes/diff_effects.h"
#include "investigate/traces/service_graph.h"
#include "telemetry/metrics/series.h"

namespace precedent {

struct WentLive {
  std::string service;
  Instant at{};
  bool exact = false;  // the deploy names the commit
  std::string deploy;  // its version, or its id
};

struct ChangeCandidate {
  Change change;
  std::vector<Hunk> hunks;
  bool has_diff = false;
  std::vector<Effect> effects;
  std::vector<std::string> owners;  // services whose folders it edits
  bool shared = false;              // it edits files that belong to no service
  std::vector<WentLive> live;       // in the order of time
  bool deploys_known = true;        // false: no deploy of what it touches is recorded at all
};

struct CandidateList {
  std::vector<ChangeCandidate> candidates;  // newest first
  size_t changes = 0;
  std::vector<std::string> missing;
};
// Of a frozen incident; no records are no error, and said in `missing`.
CandidateList read_candidates(const std::filesystem::path& folder, ServiceGraph& graph);

}  // namespace precedent
