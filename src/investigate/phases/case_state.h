// CaseState: what an investigation has found so far, and how each part of it is kept.
//
// Format: docs/format/investigations.md; the tags below are stored. Evidence is shared: a copy of a
// state costs nothing. Thread safety: plain values.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/state_schema.h"
#include "investigate/verdict/investigation.h"

namespace precedent {

// What is to be investigated, and how.
struct CaseOrder {
  IncidentBrief brief;
  std::string folder;  // with the evidence; "": the desk finds it (case_graph.h)
  GatherOptions options;
  // Stop at the deciding question, until somebody answers it.
  bool asks = false;
  // Answers that were given beforehand, to the first question and those after it.
  std::vector<std::string> told;
};

// What the knowledge base adds to a verdict.
struct CaseHelp {
  std::vector<KnownDocument> known;
  std::vector<ServiceOwner> owners;
  std::vector<DownstreamService> downstream;
  std::vector<ServiceDocument> documents;
  std::vector<Receipt> receipts;
  std::vector<std::string> missing;
};

using SharedCase = std::shared_ptr<const CaseFile>;
using TestedRows = std::map<std::string, std::vector<Hypothesis>>;  // by the row of the table

struct CaseState {
  CaseOrder order;
  SharedCase evidence;                 // null before triage
  TestedRows tested;                   // what each row came to
  std::vector<Hypothesis> hypotheses;  // of all rows, the likeliest first
  std::vector<CaseAnswer> answers;     // in the order in which they were given
  uint64_t weighed = 0;                // so many of the answers are part of what was tested
  CaseVerdict verdict;
  CaseHelp help;
};

template <>
struct FieldCodec<CaseOrder> {
  static void encode(const CaseOrder& order, ByteWriter& out);
  static CaseOrder decode(ByteReader& in);
  static nlohmann::json json(const CaseOrder& order);
};
template <>
struct FieldCodec<SharedCase> {
  static void encode(const SharedCase& evidence, ByteWriter& out);
  static SharedCase decode(ByteReader& in);
  static nlohmann::json json(const SharedCase& evidence);
};
template <>
struct FieldCodec<Hypothesis> {
  static void encode(const Hypothesis& hypothesis, ByteWriter& out);
  static Hypothesis decode(ByteReader& in);
  static nlohmann::json json(const Hypothesis& hypothesis);
};
template <>
struct FieldCodec<CaseAnswer> {
  static void encode(const CaseAnswer& answer, ByteWriter& out);
  static CaseAnswer decode(ByteReader& in);
  static nlohmann::json json(const CaseAnswer& answer);
};
template <>
struct FieldCodec<CaseVerdict> {
  static void encode(const CaseVerdict& verdict, ByteWriter& out);
  static CaseVerdict decode(ByteReader& in);
  static nlohmann::json json(const CaseVerdict& verdict);
};
template <>
struct FieldCodec<CaseHelp> {
  static void encode(const CaseHelp& help, ByteWriter& out);
  static CaseHelp decode(ByteReader& in);
  static nlohmann::json json(const CaseHelp& help);
};

// The schema and its handles.
struct CaseFields {
  StateSchema<CaseState> schema;
  FieldOf<CaseOrder> order = schema.overwrite(1, "order", &CaseState::order);
  FieldOf<SharedCase> evidence = schema.overwrite(2, "evidence", &CaseState::evidence);
  FieldOf<TestedRows> tested =
      schema.merge(3, "tested", &CaseState::tested, [](TestedRows& all, TestedRows&& more) {
        for (auto& [row, made] : more) all[row] = std::move(made);
      });
  FieldOf<std::vector<Hypothesis>> hypotheses =
      schema.overwrite(4, "hypotheses", &CaseState::hypotheses);
  FieldOf<std::vector<CaseAnswer>> answers = schema.overwrite(5, "answers", &CaseState::answers);
  FieldOf<uint64_t> weighed = schema.overwrite(6, "weighed", &CaseState::weighed);
  FieldOf<CaseVerdict> verdict = schema.overwrite(7, "verdict", &CaseState::verdict);
  FieldOf<CaseHelp> help = schema.overwrite(8, "help", &CaseState::help);
};
// Made once.
const CaseFields& case_fields();

// What a state comes to: the whole investigation, or as much of it as there is.
Investigation investigation_of(const CaseState& state);

}  // namespace precedent
