// Filters as Qdrant evaluates them, for its fake. Only the conditions that precedent and the
// recorded calls use.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"

namespace precedent::fake_qdrant {

// An answer that refuses: which status a code stands for.
//   kInvalidArgument 400 · kNotFound 404 · kConflict 409 · kCorrupt 422 · kResourceExhausted 429
using Refusal = Error;

// Errors: 422 as the server words it, with the path of the condition.
Result<void> check_filter(const nlohmann::json& filter, const std::string& path);
// REQUIRES: check_filter accepted it.
bool matches(const nlohmann::json& filter, const nlohmann::json& id, const nlohmann::json& payload);
// The keys that a filter names, for strict mode.
std::vector<std::string> keys_of(const nlohmann::json& filter);

}  // namespace precedent::fake_qdrant
