// Investigation: evidence, hypotheses and verdict of one incident, and what helps. case_graph.h
// runs it. Thread safety: plain values, pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "investigate/evidence/ownership.h"
#include "investigate/verdict/branches.h"
#include "investigate/verdict/model_said.h"
#include "investigate/verdict/verdict.h"
#include "tools/receipt.h"

namespace precedent {

// A step of a runbook.
struct RunbookStep {
  std::string text;  // one line
  LineRange lines;   // of the file
};

// A document of the knowledge base that helps here.
struct KnownDocument {
  std::string id, title, kind, path, preview;
  double relevance = 0;
  // Of the runbook that fits best its procedure, in Markdown; of a past incident what fixed it.
  std::string helps;
  LineRange lines;  // of its file: where that stands; {0, 0}: not known
  // Of the runbook: the numbered steps of its procedure; empty where they are not numbered.
  std::vector<RunbookStep> steps = {};
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
  std::vector<ServiceDocument> documents;  // that owners and downstream are read from
  std::vector<CaseAnswer> answers;         // to deciding questions, in their order
  Branches branches;                       // of the hypotheses
  std::optional<ModelSaid> model = {};     // what a model added; nothing of it is in the verdict

  // Also a wider one; null for an id that none has.
  const Hypothesis* hypothesis(std::string_view id) const;
};

// What the knowledge base is asked: service and title, service and its troubleshooting, symptoms
// and error texts. None twice.
std::vector<std::string> queries_of(const CaseFile& evidence);

}  // namespace precedent
