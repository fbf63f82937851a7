// Archives (graph/archive.h) of types that several codecs of state/ share.
//
// Internal to state/. Thread safety: plain values.
#pragma once

#include "changes/last_deploy.h"
#include "graph/archive.h"
#include "knowledge/kind.h"
#include "telemetry/metrics/series.h"
#include "tools/source.h"

namespace precedent {

constexpr uint64_t last_of(Kind) { return kAllKinds.size() - 1; }
constexpr uint64_t last_of(ChangeKind) { return std::size(kAllChangeKinds) - 1; }
constexpr uint64_t last_of(DeployEvidence) {
  return static_cast<uint64_t>(DeployEvidence::kVersionSeen);
}

namespace archive {

template <typename A, Is<TimeRange> T>
void walk(A& a, T& v) {
  a(v.from), a(v.to);
}
template <typename A, Is<Change> T>
void walk(A& a, T& v) {
  a(v.id), a(v.at), a(v.kind), a(v.services), a(v.version), a(v.environment), a(v.commit);
  a(v.author), a(v.title), a(v.from), a(v.to), a(v.files), a(v.files_total), a(v.source);
  a(v.path), a(v.line);
}
template <typename A, Is<LastDeploy> T>
void walk(A& a, T& v) {
  a(v.change), a(v.evidence);
}

template <typename A, Is<LineRange> T>
void walk(A& a, T& v) {
  a(v.begin), a(v.end);
}
template <typename A, Is<Source> T>
void walk(A& a, T& v) {
  a(v.id), a(v.title), a(v.kind), a(v.path), a(v.lines), a(v.receipt);
}

}  // namespace archive
}  // namespace precedent
