// CaseFile: everything that was found about an incident, each finding with its receipt.
//
// Signs are the findings in one vocabulary (symptom, service, since when, how strong); hypotheses
// look at these. Whatever could not be read or told is in `missing`. Thread safety: gather() reads
// files and asks the sources; everything else is pure.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "investigate/alerts/brief.h"
#include "investigate/changes/change_candidates.h"
#include "investigate/evidence/known_faults.h"
#include "investigate/logs/log_templates.h"
#include "investigate/metrics/metric_findings.h"
#include "investigate/traces/service_graph.h"
#include "investigate/traces/traces.h"
#include "tools/receipt.h"

namespace precedent {

struct Sign {
  Symptom symptom;
  std::string service;
  std::optional<Instant> onset;  // nothing: of a summary that has no times
  double weight = 0;             // 0 to 1
  std::string what;              // a sentence
  std::string receipt;
};

// Services that fail, and no call to others that do was seen: a failure of its own, perhaps.
struct FailingPart {
  std::vector<std::string> services;  // at least one; first where it begins
  std::optional<Instant> onset;
};

struct CaseFile {
  IncidentBrief brief;
  Window window;
  MetricEvidence metrics;
  std::vector<LogTemplate> logs;
  Traces traces;
  CandidateList changes;
  ServiceGraph graph;
  std::vector<Sign> signs;  // in the order of their onset
  std::vector<Receipt> receipts;
  std::vector<std::string> missing;
  // How exactly an onset is known: one and a half steps of the metrics.
  std::chrono::milliseconds slack{60'000};
  // Where the failure begins, and since when; "" and nothing if nothing fails.
  std::string failing;
  std::optional<Instant> onset;
  std::vector<std::string> affected;  // others that fail, the first first
  std::vector<FailingPart> apart;     // of these, those that no call links with `failing`
  // Where metrics are missing right before the onset: the last sample before. The failure may have
  // begun at any moment since.
  std::optional<Instant> dark_since;
  KnownOfAlerts known;                 // empty where something was measured
  std::vector<RankedService> ranking;  // where it began, by metrics alone; the likeliest first

  const Receipt* receipt(std::string_view id) const;
  // The earliest sign of a symptom; of any service if `service` is empty. Null: there is none.
  const Sign* sign(Symptom symptom, std::string_view service = {}) const;
  SymptomSet symptoms_of(std::string_view service) const;
};

struct GatherOptions {
  BriefOptions brief;
  TimePoint now{};
};
// From a frozen incident; what is not there is missing, not an error. Errors: kCancelled.
Result<CaseFile> gather(IncidentBrief brief, const std::filesystem::path& folder,
                        const GatherOptions& options, const SourceContext& context);

// Takes secrets out of everything that stands in it as its source wrote it: before it is kept.
void redact_texts(CaseFile& evidence);

// Whether logs or metrics of the service itself are there. Else it is only seen from outside.
bool has_own_records(const CaseFile& evidence, std::string_view service);

// Its id; "" where there are as many as a report can hold.
std::string add_receipt(CaseFile& evidence, std::string_view tool, const nlohmann::json& args,
                        std::string text, std::optional<Instant> at);

// signs.cc: what the findings say, and where the failure begins.
void make_signs(CaseFile& evidence);
void find_failing(CaseFile& evidence);

}  // namespace precedent
