// Symbols from universal-ctags, an optional program of its own: one process a thread, spoken to in
// its interactive JSON mode (docs.ctags.io, "ctags-json-output" and "Interactive mode"), in its
// sandbox where it has one, so that a file that breaks a parser there reaches nothing.
//
// A file that makes it die, hang or talk nonsense has no symbols; the next file gets a new process.
// After kMaxFailures such files nothing is asked any more. No configuration of the user's is read,
// so that the same files give the same symbols. Thread safety: all members. Ownership: owns its
// processes and ends them.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "ingest/chunks/symbols.h"

namespace precedent {

class Ctags {
 public:
  // `program` is looked for in PATH, and tried, when it is first needed. Where it cannot serve,
  // available() is false and symbols() gives nothing.
  explicit Ctags(std::string program = "ctags");
  ~Ctags();
  Ctags(const Ctags&) = delete;
  Ctags& operator=(const Ctags&) = delete;

  bool available() const { return missing().empty(); }
  // Why it is not, with the remedy; "" if it is.
  const std::string& missing() const;

  std::vector<Symbol> symbols(std::string_view path, std::string_view text) const;

  class Process;

 private:
  void try_it() const;
  std::unique_ptr<Process> take() const;
  void give_back(std::unique_ptr<Process> process) const;

  std::string program_;
  mutable std::once_flag tried_;
  mutable std::string missing_;
  mutable Mutex mutex_;
  mutable std::vector<std::unique_ptr<Process>> idle_ GUARDED_BY(mutex_);
  mutable size_t failures_ GUARDED_BY(mutex_) = 0;
};

// One line of ctags' JSON output. Exposed for its tests: these are bytes from outside.
struct CtagsLine {
  enum class Kind { kSymbol, kOther, kCompleted, kError };
  Kind kind = Kind::kOther;
  Symbol symbol;
};
CtagsLine read_ctags_line(std::string_view line);

}  // namespace precedent
