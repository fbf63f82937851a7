#include "agent/turn/draft_check.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agent/model/proof.h"
#include "base/foreign_json.h"

namespace precedent {
namespace {

// "It", "the second of them", "20 minutes later": what a sentence speaks of stands right before it.
constexpr size_t kContextClaims = 4;
// A paragraph is read from its beginning, unless it is longer than any that people write.
constexpr uint32_t kLongestParagraph = 4096;

}  // namespace

void DraftCheck::emit(const Event& event) {
  out_.emit(event);
  if (event.type == Event::Type::kReset) {
    draft_.clear();
    begins_.clear();
    told_ = 0;
  }
  if (event.type != Event::Type::kToken || !event.draft) return;
  draft_ += event.text;
  tell_new_claims(event.node);
}

uint32_t DraftCheck::context_begin() const {
  if (begins_.size() < kContextClaims) return 0;
  const std::string_view draft = draft_;
  if (draft.contains("```") || draft.contains("~~~") || draft.contains('|')) return 0;
  const uint32_t claim = begins_[begins_.size() - kContextClaims];
  const size_t line = claim == 0 ? draft.npos : draft.rfind('\n', claim - 1);
  const auto begin = static_cast<uint32_t>(line == draft.npos ? 0 : line + 1);
  return claim - begin > kLongestParagraph ? claim : begin;
}

void DraftCheck::tell_new_claims(const std::string& node) {
  if (!facts_) facts_.emplace(facts_behind(state_, ProofReach::kThread));
  const uint32_t from = context_begin();
  Verification checked = verify(std::string_view(draft_).substr(from), *facts_, judge_);
  for (Claim& claim : checked.claims) claim.bytes.begin += from, claim.bytes.end += from;
  std::erase_if(checked.claims, [&](const Claim& claim) { return claim.bytes.begin < told_; });
  if (checked.claims.empty()) return;
  for (const Claim& claim : checked.claims) {
    begins_.push_back(claim.bytes.begin);
    told_ = std::max(told_, claim.bytes.end);
  }
  const nlohmann::json claims = to_json(checked, draft_)["claims"];
  out_.emit({.type = Event::Type::kGrounding,
             .node = node,
             .data = dump_json({{"draft", true}, {"claims", claims}})});
}

}  // namespace precedent
