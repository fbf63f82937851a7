// The audit log: who asked and changed what, a JSON object a line.
//
//   {"at","who","role","client","method","path","status","what"}
//
// `what` is the beginning of a JSON body, without secrets. Reading alone is not logged; what was
// refused is. A command that changes who may sign in writes to the same file, with the method
// "COMMAND" and the command as its path. Thread safety: all members; several processes may append
// at once.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/time.h"
#include "net/http_server.h"
#include "server/auth/caller.h"

namespace precedent {

std::filesystem::path audit_file(const std::filesystem::path& data_dir);

class Audit {
 public:
  // "": nothing is logged.
  explicit Audit(std::filesystem::path file) : file_(std::move(file)) {}
  // What of a request is logged once it is answered; made before the request is moved from.
  struct Entry {
    std::string client, method, path, what;
    bool changes = false;  // more than reading
  };
  static Entry entry_of(const ServedRequest& request);
  // Errors: those of append_line(). A log that cannot be written need cost no answer.
  Result<void> add(const Entry& entry, const Caller& caller, int status, TimePoint at) const;
  // What a command on this machine has changed: `user` of the system ran "tokens create". Errors:
  // those of append_line().
  Result<void> add_command(std::string_view command, const std::string& user,
                           const nlohmann::json& what, TimePoint at) const;

 private:
  Result<void> write(const Entry& entry, const Caller& caller, int status, TimePoint at) const;

  const std::filesystem::path file_;
};

}  // namespace precedent
