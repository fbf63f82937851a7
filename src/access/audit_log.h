// AuditLog: who asked for what and changed what, a line for each request.
//
// Format: JSON lines (docs/server.md): at, principal {id, name, role}, client, method, path,
// status, chat_id. Neither questions nor tokens: what was asked is in the conversation, whose id
// the line has. The file is readable by its owner alone, and opened anew for each line, so that it
// may be rotated. Thread safety: all members.
#pragma once

#include <filesystem>
#include <string>

#include "access/principal.h"
#include "base/error.h"
#include "base/time.h"

namespace precedent {

struct AuditEntry {
  TimePoint at;
  Principal principal;
  std::string client;  // its address
  std::string method;
  std::string path;
  int status = 0;
};

std::string audit_line(const AuditEntry& entry);

class AuditLog {
 public:
  explicit AuditLog(std::filesystem::path file) : file_(std::move(file)) {}
  Result<void> add(const AuditEntry& entry) const;

 private:
  std::filesystem::path file_;
};

}  // namespace precedent
