#include "access/audit_log.h"

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "files/files.h"

namespace precedent {

std::string audit_line(const AuditEntry& entry) {
  const nlohmann::json principal = {{"id", entry.principal.id},
                                    {"name", entry.principal.name},
                                    {"role", name(entry.principal.role)}};
  return dump_json({{"at", format_time(entry.at)},
                    {"principal", principal},
                    {"client", entry.client},
                    {"method", entry.method},
                    {"path", entry.path},
                    {"status", entry.status}});
}

Result<void> AuditLog::add(const AuditEntry& entry) const {
  return append_line(file_, audit_line(entry));
}

}  // namespace precedent
