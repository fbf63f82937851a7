// CaseDesk: what the phases of an investigation (case_graph.h) reach outside.
//
// Thread safety: the phases of one run call it one after the other. Ownership: whoever makes it
// keeps alive what it borrows.
#pragma once

#include <filesystem>
#include <functional>

#include "base/cancel.h"
#include "chat/event.h"
#include "investigate/phases/case_state.h"

namespace precedent {

struct CaseDesk {
  // For an order without a folder: where the evidence is, which is read before the next phase
  // begins. Empty: there is none. Errors: those of the sources.
  std::function<Result<std::filesystem::path>(const CaseOrder&, EventSink&, const CancelToken&)>
      evidence = {};
  // What documents say of alerts, asked where nothing else was read (known_faults.h); empty: there
  // are none. Errors: what could not be asked; it is `missing`.
  std::function<Result<KnownOfAlerts>(const IncidentBrief&, TimePoint now)> of_alerts = {};
  // Adds what the knowledge base has (knowledge.h); empty: there is none.
  std::function<void(TimePoint now, Investigation&)> known = {};
};

}  // namespace precedent
