#include "agent/plan/call_ids.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

namespace precedent {
namespace {

// The ids of the calls of a round begin so.
std::string call_prefix(const Reading& reading, bool again) {
  return fmt::format("call_{}_{}", reading.place, again ? "again_" : "");
}

}  // namespace

std::string call_id(const Reading& reading, bool again, size_t number, bool by_model) {
  return fmt::format("{}{}{}", call_prefix(reading, again), by_model ? "model_" : "", number);
}

bool is_programs_call(std::string_view id) {
  static const RE2 kForm("call_\\d+_(?:again_)?\\d+");
  return RE2::FullMatch(re2::StringPiece(id.data(), id.size()), kForm);
}

bool was_called(const Reading& reading, bool again) {
  return std::ranges::any_of(reading.receipts,
                             [prefix = call_prefix(reading, again)](const Receipt& receipt) {
                               return receipt.call.starts_with(prefix);
                             });
}

}  // namespace precedent
