// Options may stand before the command that they belong to: `precedent --data-dir X ask …`.
//
// CLI11 wants a command's options behind it. Each option that stands before goes there, whichever
// command it belongs to; one that the command does not have is then refused as ever.
// Thread safety: pure.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace precedent {

// `args`: without the program's name. As they are if the first word that is no option is no command
// of `app`.
std::vector<std::string> verb_first(const CLI::App& app, std::vector<std::string> args);

}  // namespace precedent
