// Investigation: evidence, hypotheses and verdict of one incident, and what runs it.
//
// Thread safety: investigate() reads files; the rest are plain values.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "investigate/ownership.h"
#include "investigate/verdict.h"
#include "tools/receipt.h"

namespace precedent {

// A document of the knowledge base that helps here.
struct KnownDocument {
  std::string id, title, kind, path, preview;
  double relevance = 0;
};

struct Investigation {
  CaseFile evidence;
  std::vector<Hypothesis> hypotheses;
  CaseVerdict verdict;
  std::vector<std::string> queries;  // that the knowledge base was asked
  std::vector<KnownDocument> known;  // best first
  // Of the service where the failure begins.
  std::vector<ServiceOwner> owners;
  std::vector<DownstreamService> downstream;
};

// From a frozen incident. Errors: kCancelled.
Result<Investigation> investigate(IncidentBrief brief, const std::filesystem::path& folder,
                                  const GatherOptions& options, const SourceContext& context);

// What the knowledge base is asked: service and title, service and its troubleshooting, symptoms
// and error texts. None twice.
std::vector<std::string> queries_of(const CaseFile& evidence);

}  // namespace precedent
