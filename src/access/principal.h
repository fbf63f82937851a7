// Principal: who asks, and what they may do.
//
// Roles, each with what the one before it may do:
//   reader   asks and reads; owns what they asked
//   user     says whether answers were right
//   editor   changes what is known: documents, verified answers, deploys and flags
//   admin    sees everybody's conversations, and who did what
//
// Thread safety: plain values, pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace precedent {

enum class Role : uint8_t { kReader, kUser, kEditor, kAdmin };

constexpr std::string_view name(Role role) {
  switch (role) {
    case Role::kReader: return "reader";
    case Role::kUser: return "user";
    case Role::kEditor: return "editor";
    case Role::kAdmin: return "admin";
  }
  return "reader";
}

constexpr std::optional<Role> role_of(std::string_view text) {
  for (const Role role : {Role::kReader, Role::kUser, Role::kEditor, Role::kAdmin})
    if (name(role) == text) return role;
  return std::nullopt;
}

struct Principal {
  std::string id;    // stable: of a token, its id; "" for whoever sits at this machine
  std::string name;  // for people
  Role role = Role::kReader;

  bool may(Role least) const { return role >= least; }
};

// Where nobody has to sign in, whoever reaches the server may do everything.
inline Principal local_principal() { return {"", "local", Role::kAdmin}; }

}  // namespace precedent
