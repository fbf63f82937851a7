// What goes to standard error: diagnostics, progress, prompts. Nothing here throws or fails: a
// message that nobody can read (closed, full, a pipe without a reader) is lost, and the work goes
// on.
//
// Thread safety: may be called from any thread; a message is written in one piece.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace precedent {

void write_diagnostic(std::string_view text);

template <typename... Args>
void to_stderr(fmt::format_string<Args...> format, Args&&... args) {
  write_diagnostic(fmt::format(format, std::forward<Args>(args)...));
}

// Opens what of standard input, output and error was closed by the caller, such that nothing can be
// read or written: else the next file to be opened, a database perhaps, would take the messages.
void occupy_standard_streams();

}  // namespace precedent
