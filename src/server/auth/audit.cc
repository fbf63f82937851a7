#include "server/auth/audit.h"

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/redact.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "files/files.h"

namespace precedent {

std::filesystem::path audit_file(const std::filesystem::path& data_dir) {
  return data_dir / "audit.jsonl";
}

Audit::Entry Audit::entry_of(const ServedRequest& request) {
  constexpr size_t kRead = 64 * 1024, kShown = 500;
  Entry entry{.client = request.client, .method = request.method, .path = redact(request.path)};
  entry.changes = request.method != "GET" && request.method != "HEAD";
  // As the routes read it: a body without a type counts as JSON.
  const std::string type = ascii_lower(request.header("Content-Type"));
  if (entry.changes && (type.empty() || type.starts_with("application/json"))) {
    // Redacted before it is cut: half a secret is not recognised.
    const std::string clean = redact(repair_utf8(request.body.substr(0, kRead)));
    entry.what = utf8_prefix(clean, kShown);
  }
  return entry;
}

Result<void> Audit::add(const Entry& entry, const Caller& caller, int status, TimePoint at) const {
  if (file_.empty() || (!entry.changes && status < 400)) return {};
  return write(entry, caller, status, at);
}

Result<void> Audit::add_command(std::string_view command, const std::string& user,
                                const nlohmann::json& what, TimePoint at) const {
  Caller owner = Caller::local();
  owner.name = user;
  return write({.client = "local",
                .method = "COMMAND",
                .path = std::string(command),
                .what = redact(dump_json(what))},
               owner, 200, at);
}

Result<void> Audit::write(const Entry& entry, const Caller& caller, int status,
                          TimePoint at) const {
  return append_line(file_, dump_json({{"at", format_time(at)},
                                       {"who", caller.name},
                                       {"role", name(caller.role)},
                                       {"client", entry.client},
                                       {"method", entry.method},
                                       {"path", entry.path},
                                       {"status", status},
                                       {"what", entry.what}}));
}

}  // namespace precedent
