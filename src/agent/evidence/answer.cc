#include "agent/evidence/answer.h"

namespace precedent {

std::string_view name(AnswerStatus status) {
  switch (status) {
    case AnswerStatus::kOk: return "ok";
    case AnswerStatus::kPartial: return "partial";
    case AnswerStatus::kNeedsInput: return "needs_input";
    case AnswerStatus::kRefused: return "refused";
    case AnswerStatus::kError: return "error";
  }
  return "error";
}

}  // namespace precedent
