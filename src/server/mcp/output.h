// Results of tools, kept to what clients take: 25,000 tokens, text and structure together. What is
// left out is said.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace precedent {

// 25,000 tokens of four bytes: what clients take at most.
inline constexpr size_t kMcpMaxBytes = 100'000;

// A result of tools/call. `structured` is printed as it is: bound it first.
nlohmann::json mcp_tool_result(std::string text, nlohmann::json structured, bool failed);

// At most about `max_bytes`, with a last line that says how much is left out.
std::string bounded_text(const std::string& text, size_t max_bytes);
// Makes `value` at most `max_bytes` long as JSON: long texts are cut, then the ends of the largest
// lists dropped. Says what went, for people; "" if nothing did.
std::string shrink(nlohmann::json& value, size_t max_bytes);

}  // namespace precedent
