#include "server/auth/caller.h"

#include <array>
#include <utility>

namespace precedent {
namespace {

constexpr std::array<std::pair<Role, std::string_view>, 4> kRoles = {{{Role::kReader, "reader"},
                                                                      {Role::kUser, "user"},
                                                                      {Role::kEditor, "editor"},
                                                                      {Role::kAdmin, "admin"}}};

}  // namespace

std::string_view name(Role role) {
  for (const auto& [known, text] : kRoles)
    if (known == role) return text;
  return "reader";
}

std::optional<Role> parse_role(std::string_view text) {
  for (const auto& [role, known] : kRoles)
    if (known == text) return role;
  return std::nullopt;
}

}  // namespace precedent
