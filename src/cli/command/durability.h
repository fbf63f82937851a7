// What a crash may cost a conversation: `threads.durability` of config/precedent.yaml, or
// --durability, which wins. docs/format/checkpoints.md is its page.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/config_values.h"
#include "cli/command/command.h"
#include "graph/step_writer.h"

namespace precedent {

// "sync", "async", "exit".
std::optional<Durability> parse_durability(std::string_view text);

// `yaml` is the text of the file `path`; `option` the value of --durability, or "". Where neither
// says anything: sync. Errors: kInvalidArgument with path:line:key; with `all`, all of them.
Result<Durability> read_durability(std::string_view yaml, std::string_view path,
                                   const std::string& option, ConfigProblems* all = nullptr);

void add_durability(CLI::App& command, std::string& durability);

}  // namespace precedent
