#include "server/auth/access.h"

namespace precedent {
namespace {

struct Row {
  std::string_view method;  // "": any
  std::string_view path;    // ending in '/': all below it, too
  std::optional<AccessRole> role;
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
    // Its messages are signed.
    {"POST", "/webhook/pagerduty", std::nullopt},
    {"POST", "/webhook/slack", std::nullopt},

    {"GET", "/whoami", AccessRole::kReader},
    {"GET", "/version", AccessRole::kReader},
    {"GET", "/suggestions", AccessRole::kReader},
    {"GET", "/documents", AccessRole::kReader},
    {"GET", "/document", AccessRole::kReader},
    {"GET", "/search", AccessRole::kReader},
    {"GET", "/sources", AccessRole::kReader},

    {"", "/chat/", AccessRole::kUser},
    {"", "/v1/", AccessRole::kUser},
    {"", "/mcp", AccessRole::kUser},
    {"", "/assistants/", AccessRole::kUser},
    {"", "/threads", AccessRole::kUser},
    {"", "/threads/", AccessRole::kUser},
    {"", "/runs/", AccessRole::kUser},
    {"GET", "/ok", AccessRole::kUser},
    {"GET", "/info", AccessRole::kUser},
    {"POST", "/feedback", AccessRole::kUser},
    {"", "/investigations", AccessRole::kUser},
    {"", "/investigations/", AccessRole::kUser},
    {"POST", "/webhook/alertmanager", AccessRole::kUser},

    {"DELETE", "/document", AccessRole::kEditor},
    {"", "/uploads", AccessRole::kEditor},
    {"", "/uploads/", AccessRole::kEditor},
    {"", "/datasets", AccessRole::kEditor},
    {"", "/datasets/", AccessRole::kEditor},
    {"", "/golden", AccessRole::kEditor},
    {"", "/golden/", AccessRole::kEditor},
    {"", "/feedback", AccessRole::kEditor},
    {"", "/feedback/", AccessRole::kEditor},
    {"POST", "/changes", AccessRole::kEditor},
    {"POST", "/sources/", AccessRole::kEditor},

    {"GET", "/metrics", AccessRole::kAdmin},
};

bool fits(const Row& row, std::string_view method, std::string_view path) {
  if (!row.method.empty() && row.method != method) return false;
  if (row.path == path) return true;
  return row.path.size() > 1 && row.path.ends_with('/') && path.starts_with(row.path);
}

}  // namespace

std::optional<AccessRole> role_needed(std::string_view method, std::string_view path) {
  if (method == "HEAD") method = "GET";
  for (const Row& row : kRows)
    if (fits(row, method, path)) return row.role;
  return AccessRole::kAdmin;
}

}  // namespace precedent
