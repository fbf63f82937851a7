#include "agent/turn/draft_check.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agent/model/proof.h"
#include "base/foreign_json.h"

namespace precedent {

void DraftCheck::emit(const Event& event) {
  out_.emit(event);
  if (event.type == Event::Type::kReset) {
    draft_.clear();
    told_ = 0;
  }
  if (event.type != Event::Type::kToken || !event.draft) return;
  draft_ += event.text;
  tell_new_claims(event.node);
}

void DraftCheck::tell_new_claims(const std::string& node) {
  Verification checked = verify_answer(draft_, state_, ProofReach::kThread);
  std::erase_if(checked.claims, [&](const Claim& claim) { return claim.bytes.begin < told_; });
  if (checked.claims.empty()) return;
  for (const Claim& claim : checked.claims) told_ = std::max(told_, claim.bytes.end);
  const nlohmann::json claims = to_json(checked, draft_)["claims"];
  out_.emit({.type = Event::Type::kGrounding,
             .node = node,
             .data = dump_json({{"draft", true}, {"claims", claims}})});
}

}  // namespace precedent
