// What the knowledge base says where only alerts speak: kinds of fault that read like them, names
// of services, and who depends on whom.
//
// A kind of fault is a runbook, a playbook or a known issue; how well it fits is the relevance to
// the alert that fits it best. Past incidents and post-mortems that read like all alerts together
// vote for the page whose title or id they name, else each is a kind of its own.
// Thread safety: as Searcher.
#pragma once

#include <string>
#include <vector>

#include "investigate/alerts/brief.h"
#include "investigate/traces/service_graph.h"

namespace precedent {

class Searcher;

struct KnownFault {
  std::string id, title, kind, path;
  std::string says;               // the first sentence of it, or the root cause of a past incident
  std::string alert;              // the text that it fits best
  double fits = 0;                // 0 to 1
  double share = 0;               // of the votes of past incidents
  std::vector<std::string> past;  // ids of those that voted for it
  std::string receipt;            // set once evidence is numbered
};

// Where to look for a document: its path, or the id of an incident that has none.
inline const std::string& place_of(const auto& document) {
  return document.path.empty() ? document.id : document.path;
}

struct KnownOfAlerts {
  std::vector<std::string> services;  // that documents know
  std::vector<CallEdge> calls;        // that documents list as dependencies, among the alerts
  std::vector<KnownFault> faults;     // best first
  size_t past = 0;                    // past incidents that were asked; 0: there are none
};
// Errors: those of the index.
Result<KnownOfAlerts> known_of_alerts(const Searcher& search, const IncidentBrief& brief,
                                      TimePoint now);

}  // namespace precedent
