#include "cli/command/verb_first.h"

#include <algorithm>

namespace precedent {
namespace {

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

// The option of this name that `app` or any command below it has; null if none has.
const CLI::Option* find_option(const CLI::App& app, const std::string& name) {
  if (const CLI::Option* option = app.get_option_no_throw(name)) return option;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (const CLI::Option* option = find_option(*command, name)) return option;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> verb_first(const CLI::App& app, std::vector<std::string> args) {
  auto verb = args.begin();
  while (verb != args.end() && verb->starts_with('-')) {
    const size_t equals = verb->find('=');
    const std::string name = verb->substr(0, equals);
    const CLI::Option* option = find_option(app, name);
    // Unknown, or one of the program's own, such as --version.
    if (option == nullptr || app.get_option_no_throw(name) != nullptr) return args;
    const bool takes_value = option->get_items_expected_max() > 0 && equals == std::string::npos;
    ++verb;
    if (takes_value && verb != args.end()) ++verb;
  }
  auto rest = verb;
  for (const CLI::App* at = &app; rest != args.end(); ++rest) {
    at = find_command(*at, *rest);
    if (at == nullptr) break;
  }
  if (rest != verb) std::rotate(args.begin(), verb, rest);
  return args;
}

}  // namespace precedent
