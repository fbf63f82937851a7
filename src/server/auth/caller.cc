#include "server/auth/caller.h"

#include <array>
#include <utility>

namespace precedent {
namespace {

constexpr std::array<std::pair<AccessRole, std::string_view>, 4> kRoles = {
    {{AccessRole::kReader, "reader"},
     {AccessRole::kUser, "user"},
     {AccessRole::kEditor, "editor"},
     {AccessRole::kAdmin, "admin"}}};

}  // namespace

std::string_view name(AccessRole role) {
  for (const auto& [known, text] : kRoles)
    if (known == role) return text;
  return "reader";
}

std::optional<AccessRole> parse_role(std::string_view text) {
  for (const auto& [role, known] : kRoles)
    if (known == text) return role;
  return std::nullopt;
}

}  // namespace precedent
