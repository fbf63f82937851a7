// LineEditor: what a person types at a terminal, a question at a time, with editing keys and the
// earlier ones at the arrow keys.
//
// A paste is one question, however many lines it has: the terminal is asked to mark it (bracketed
// paste, https://invisible-island.net/xterm/ctlseqs/ctlseqs.html), and Return ends the question.
// A terminal that cannot mark it sends every line as if it were typed.
//
// Thread safety: one thread; one editor in a process, which sets its character type locale to
// UTF-8.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/cancel.h"

namespace precedent {

class LineEditor {
 public:
  // Standard input is the terminal; `out` (stdout or stderr) is where prompt and echo go.
  // `cancelled` is what a signal sets; it outlives the editor.
  LineEditor(std::string prompt, std::FILE* out, const CancelToken& cancelled);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // What was typed, without the line break that ended it. Nothing at the end of the input (Ctrl-D),
  // and when a signal came (Ctrl-C): then what was typed is forgotten.
  std::optional<std::string> read();

  // For handlers of signals, which have cancelled before: read() ends within a second, also where
  // the signal came when it was about to wait, which libedit misses. Async-signal-safe.
  static void wake();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace precedent
