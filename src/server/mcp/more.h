// The `McpMore` seam: prompts and resources that a seat offers beside the program's own
// (prompts.h, resources.h), as a deployment has prompts of its own.
//
// Thread safety: all members. Ownership: outlives the Mcp that offers it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "server/mcp/protocol.h"

namespace precedent {

class McpMore {
 public:
  virtual ~McpMore() = default;
  // Lists of entries, as prompts/list, resources/list and resources/templates/list have them.
  virtual nlohmann::json prompts() const = 0;
  virtual nlohmann::json resources() const = 0;
  virtual nlohmann::json templates() const = 0;
  // The result of prompts/get; nothing for a name that is none of these.
  virtual std::optional<McpResult<nlohmann::json>> prompt(
      const std::string& name, const nlohmann::json& arguments) const = 0;
  // The `contents` of resources/read; nothing for an address that is none of these.
  virtual std::optional<nlohmann::json> contents(const std::string& uri) const = 0;
};

}  // namespace precedent
