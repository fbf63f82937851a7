#include "investigate/phases/case_state.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"

namespace precedent {
namespace {

Receipt receipt_of(const CaseAnswer& answer, TimePoint at) {
  Receipt receipt;
  receipt.id = answer.receipt;
  receipt.tool = "answer";
  receipt.args = dump_json({{"question", answer.question}});
  receipt.at = at;
  receipt.text = answer.question + (answer.yes ? " Yes." : " No.");
  return receipt;
}

}  // namespace

const CaseFields& case_fields() {
  static const CaseFields fields;
  return fields;
}

Investigation investigation_of(const CaseState& state) {
  Investigation out;
  if (state.evidence == nullptr) {
    out.evidence.brief = state.order.brief;
    out.verdict = conclude(out.evidence, {});
    return out;
  }
  out.evidence = *state.evidence;
  out.hypotheses = state.hypotheses;
  out.branches = branches_of(out.evidence, out.hypotheses);
  // A run that waits for an answer has none yet.
  out.verdict =
      state.verdict.summary.empty() ? conclude(out.evidence, out.hypotheses) : state.verdict;
  out.answers = state.answers;
  for (const CaseAnswer& answer : out.answers)
    out.evidence.receipts.push_back(receipt_of(answer, state.order.options.now));
  out.queries = queries_of(out.evidence);
  out.downstream = downstream_of(out.evidence.graph, out.verdict.first_failing_service,
                                 out.verdict.blast_radius);
  const CaseHelp& help = state.help;
  out.known = help.known;
  out.owners = help.owners;
  if (!help.downstream.empty()) out.downstream = help.downstream;
  out.documents = help.documents;
  out.evidence.receipts.insert(out.evidence.receipts.end(), help.receipts.begin(),
                               help.receipts.end());
  for (const std::string& missing : help.missing)
    if (std::ranges::find(out.evidence.missing, missing) == out.evidence.missing.end())
      out.evidence.missing.push_back(missing);
  return out;
}

}  // namespace precedent
