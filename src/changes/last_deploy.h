// "The last deploy of X" → a moment, and from what it is known.
//
// Asked in this order, the first that knows wins: recorded deploys and rollbacks; tags of releases;
// versions that running services reported. Thread safety: pure but for the source.
#pragma once

#include <optional>

#include "changes/change_source.h"

namespace precedent {

enum class DeployEvidence { kRecorded, kTag, kVersionSeen };
// "a recorded deploy", "a git tag", "a change of the version that the service reports".
std::string_view name(DeployEvidence evidence);

struct LastDeploy {
  Change change;
  DeployEvidence evidence = DeployEvidence::kRecorded;
  // "search-service 2.31.0, 2026-11-17T15:40:00Z (a recorded deploy: deploys.jsonl:61)".
  std::string text() const;
};

// Which deploy is meant, beyond the latest one.
struct DeployWanted {
  TimeRange range = {};  // within it
  std::string_view version =
      {};  // of this version, a leading "v" apart: "v84" is 84, 84.0 and 84.0.1
  std::string_view environment = {};  // in this one; "": the source's usual one
  bool rollbacks = true;              // a rollback counts as one
};

// The latest deploy of `service` ("": of any) at or before `now` that is as wanted. Nothing if no
// source knows one; of a version, among the 500 latest of each kind. Errors: those of the source;
// kUnavailable if none of several sources can be read.
Result<std::optional<LastDeploy>> last_deploy(const ChangeSource& source, std::string_view service,
                                              TimePoint now, const DeployWanted& wanted = {});

}  // namespace precedent
