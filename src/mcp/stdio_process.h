// A server that was started as a child process and speaks JSON-RPC on its standard streams, a line
// a message. One thread reads and writes, so that neither side waits for the other for ever.
//
// The child gets the environment that it is given and nothing of ours, no file that is open here,
// and a process group of its own. What it writes to stderr is read, and its end kept for messages.
// Lines that are no JSON are skipped, up to a limit; requests of its own are refused, since nothing
// was offered to it. Once dead, always dead. Thread safety: all members. Ownership: the destructor
// ends the child: end of input, then SIGTERM, then SIGKILL, each after a short wait.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "mcp/mcp_transport.h"

namespace precedent {

struct StdioCommand {
  std::string command;  // looked for in PATH
  std::vector<std::string> args = {};
  std::map<std::string, std::string> env = {};  // all that it gets
  std::string cwd = {};                         // "": ours
  // Of a line that it says; longer ones end it. A result may hold a log of some megabytes.
  size_t max_line_bytes = 8 * 1024 * 1024;
};

class StdioProcess {
 public:
  // Errors: kUnavailable, naming the command.
  static Result<std::unique_ptr<StdioProcess>> start(const StdioCommand& command);
  ~StdioProcess();
  StdioProcess(const StdioProcess&) = delete;
  StdioProcess& operator=(const StdioProcess&) = delete;

  // `line`: without its end. Errors: those of McpTransport.
  Result<nlohmann::json> exchange(std::string line, int64_t id, const McpWait& wait);
  Result<void> send(std::string line);

  bool alive() const;
  // Why it is dead, with its last words on stderr; REQUIRES: it is.
  std::string obituary() const;

 private:
  StdioProcess(pid_t pid, int socket, int errors, int wake, size_t max_line_bytes);
  void run();
  bool write_out() REQUIRES_LOCK(mutex_);
  void take(std::string_view bytes) REQUIRES_LOCK(mutex_);
  void take_line(std::string_view line) REQUIRES_LOCK(mutex_);
  void read_errors();
  void die(std::string why) REQUIRES_LOCK(mutex_);
  std::string exit_text() const;
  Result<void> enqueue(std::string line) REQUIRES_LOCK(mutex_);

  const pid_t pid_;
  const int socket_, errors_, wake_;
  const size_t max_line_bytes_;
  mutable Mutex mutex_;
  ConditionVariable changed_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::string death_ GUARDED_BY(mutex_);  // "": alive
  std::string outgoing_ GUARDED_BY(mutex_);
  std::string line_ GUARDED_BY(mutex_);  // what came of the next line
  std::string last_words_ GUARDED_BY(mutex_);
  std::string garbage_ GUARDED_BY(mutex_);  // the last line that was no message
  size_t garbage_lines_ GUARDED_BY(mutex_) = 0;
  // Of requests that wait: null until the response is there.
  std::map<int64_t, std::optional<nlohmann::json>> pending_ GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace precedent
