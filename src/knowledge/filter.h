// Filter: which documents may be found. Empty means all.
//
// Within one field any value may match, across fields all must; `systems` is matched by a service
// or by the application. Text compares case-insensitively
// (Unicode case folding) and exactly otherwise: "payu" does not match "PayU Core".
// Thread safety: plain values.
#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "knowledge/kind.h"

namespace precedent {

struct Filter {
  std::vector<Kind> kinds;
  std::vector<std::string> services;
  std::vector<std::string> tags;
  std::vector<std::string> applications;
  std::vector<std::string> systems;  // a service or the application
  std::vector<std::string> ids;      // document ids
  std::vector<std::string> severities;
  std::vector<std::string> statuses;
  TimeRange
      opened;  // of Document::opened_at; a document without a date matches only an unbounded range

  bool empty() const { return *this == Filter{}; }
  bool operator==(const Filter&) const = default;
};

// "kind=runbook service=checkout-api opened=[2025-01-01,2025-02-01)" for explanations and messages.
std::string to_string(const Filter& filter);

}  // namespace precedent
