// Action states: what is open and what is done, by the field "Status" of an incident or by the line
// of an action: "Retry the renewal (M. Ito, open)".
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grounding/facts/receipt_index.h"

namespace precedent {

enum class ActionProgress : uint8_t { kOpen, kDone };

struct ActionState {
  uint32_t unit = 0;
  ActionProgress progress = ActionProgress::kOpen;
};
std::vector<ActionState> find_actions(const ReceiptIndex& index);

// "**Status**: Monitoring"; none if the record has no such field.
std::optional<ActionProgress> status_of(const ReceiptIndex& index, const EvidenceRecord& record);

// "Open", not "opened", which has the same stem.
bool is_open_word(const Token& token);
bool is_unfinished(const Token& token);
bool is_closed(const Token& token);
bool is_done(const Token& token);
// "Is still being worked on", "is under investigation"
bool is_work(const Token& token);

}  // namespace precedent
