#include "server/auth/access.h"

namespace precedent {
namespace {

struct Row {
  std::string_view method;  // "": any
  std::string_view path;    // ending in '/': all below it, too
  std::optional<Role> role;
};

// The first row that fits counts.
constexpr Row kRows[] = {
    // Whether it runs; and the page, which signs in by itself and holds nothing.
    {"GET", "/", std::nullopt},
    {"GET", "/index.html", std::nullopt},
    {"GET", "/icon.svg", std::nullopt},
    {"GET", "/assets/", std::nullopt},
    {"GET", "/healthz", std::nullopt},
    {"GET", "/readyz", std::nullopt},
    {"GET", "/openapi.json", std::nullopt},
    {"GET", "/.well-known/", std::nullopt},

    {"GET", "/whoami", Role::kReader},
    {"GET", "/version", Role::kReader},
    {"GET", "/suggestions", Role::kReader},
    {"GET", "/documents", Role::kReader},
    {"GET", "/document", Role::kReader},
    {"GET", "/search", Role::kReader},

    {"", "/chat/", Role::kUser},
    {"", "/v1/", Role::kUser},
    {"", "/mcp", Role::kUser},
    {"", "/assistants/", Role::kUser},
    {"", "/threads", Role::kUser},
    {"", "/threads/", Role::kUser},
    {"", "/runs/", Role::kUser},
    {"GET", "/ok", Role::kUser},
    {"GET", "/info", Role::kUser},
    {"POST", "/feedback", Role::kUser},

    {"DELETE", "/document", Role::kEditor},
    {"", "/uploads", Role::kEditor},
    {"", "/uploads/", Role::kEditor},
    {"", "/golden", Role::kEditor},
    {"", "/golden/", Role::kEditor},
    {"", "/feedback", Role::kEditor},
    {"", "/feedback/", Role::kEditor},
    {"POST", "/changes", Role::kEditor},

    {"GET", "/metrics", Role::kAdmin},
};

bool fits(const Row& row, std::string_view method, std::string_view path) {
  if (!row.method.empty() && row.method != method) return false;
  if (row.path == path) return true;
  return row.path.size() > 1 && row.path.ends_with('/') && path.starts_with(row.path);
}

}  // namespace

std::optional<Role> role_needed(std::string_view method, std::string_view path) {
  if (method == "HEAD") method = "GET";
  for (const Row& row : kRows)
    if (fits(row, method, path)) return row.role;
  return Role::kAdmin;
}

}  // namespace precedent
