#include "agent/plan/call_reasons.h"

#include <algorithm>

#include "base/foreign_json.h"

namespace precedent {

std::vector<KeptCall> reasons_of(const std::vector<PlannedCall>& planned,
                                 const std::vector<ToolCall>& made,
                                 const std::vector<Receipt>& receipts) {
  std::vector<KeptCall> reasons;
  for (const PlannedCall& call : planned) {
    const std::string tool = call.tool(), args = arguments_of(call);
    const CallReason reason{call.purpose, call.rule, call.parts};
    for (const ToolCall& one : made)
      if (one.name == tool && one.args == args) reasons.push_back({one.id, reason});
    for (const Receipt& receipt : receipts)
      if (receipt.tool == tool && receipt.args == args) reasons.push_back({receipt.call, reason});
  }
  return reasons;
}

Reading part_of(const Reading& reading, size_t part) {
  Reading own = reading.parts[part];
  std::ranges::copy_if(reading.receipts, std::back_inserter(own.receipts),
                       [&](const Receipt& receipt) {
                         const std::vector<size_t>& parts = receipt.reason.parts;
                         return parts.empty() || std::ranges::find(parts, part) != parts.end();
                       });
  return own;
}

std::vector<PlannedCall> planned_calls(const std::vector<Receipt>& receipts) {
  std::vector<PlannedCall> planned;
  for (const Receipt& receipt : receipts)
    planned.push_back({ModelsCall{receipt.tool, parse_json_leniently(receipt.args)},
                       receipt.reason.purpose, receipt.reason.rule, receipt.reason.parts});
  return planned;
}

}  // namespace precedent
