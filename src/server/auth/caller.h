// Caller: who asks, and what they may do.
//
// Thread safety: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "knowledge/scope.h"

namespace precedent {

// Each may do what those before it may.
enum class AccessRole : uint8_t {
  kReader,  // reads and searches what is known
  kUser,    // asks, and keeps conversations of their own
  kEditor,  // changes what is known: documents, golden examples, the log of changes
  kAdmin,   // reads how the server does
};
std::string_view name(AccessRole role);
std::optional<AccessRole> parse_role(std::string_view text);

struct Caller {
  // Whose conversations these are; "" where nobody signs in.
  std::string name;
  AccessRole role = AccessRole::kReader;
  Scope scope = {};
  std::string signed_in_by = "none";  // "none", "token", "oidc"

  // Whoever sits at this machine, where nobody signs in.
  static Caller local() { return {.name = "", .role = AccessRole::kAdmin}; }
  bool operator==(const Caller&) const = default;
  auto operator<=>(const Caller&) const = default;
};

}  // namespace precedent
