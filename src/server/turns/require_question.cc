#include "server/turns/require_question.h"

#include <fmt/format.h>

#include "agent/guard/guardrails.h"
#include "base/strings.h"

namespace precedent {

Result<void> require_question(std::string_view text, std::string_view what) {
  if (trim(text).empty())
    return fail(ErrorCode::kInvalidArgument, fmt::format("{} is blank; ask something", what));
  const Verdict valid = validate_question(text, {}, {});
  if (valid.action == Verdict::Action::kAllow) return {};
  return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", what, valid.message));
}

}  // namespace precedent
