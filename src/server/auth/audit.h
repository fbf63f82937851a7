// The audit log: who asked and changed what, a JSON object a line.
//
//   {"at","who","role","client","method","path","status","what"}
//
// `what` is the beginning of a JSON body, without secrets. Reading alone is not logged; what was
// refused is. Thread safety: all members; several processes may append at once.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/time.h"
#include "net/http_server.h"
#include "server/auth/caller.h"

namespace precedent {

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

 private:
  const std::filesystem::path file_;
};

}  // namespace precedent
