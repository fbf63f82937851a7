// precedent config check: is everything that people edit right, and if not, where not?
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "cli/command/command.h"
#include "cli/config_check.h"
#include "cli/terminal/render.h"

namespace precedent {
namespace {

using nlohmann::json;

struct ConfigOptions : CommonOptions {
  std::vector<std::string> files;
  std::string as, config, tools_config, mcp_config;
};

void print_checked(const std::vector<CheckedConfig>& all) {
  for (const CheckedConfig& one : all) {
    fmt::print("{}  {:<32} {}\n", one.problems.empty() ? "ok  " : "FAIL", one.file, one.checked);
    for (const Error& problem : one.problems) fmt::print("      {}\n", problem.text());
  }
}

void print_json(const std::vector<CheckedConfig>& all) {
  json list = json::array();
  for (const CheckedConfig& one : all) {
    json problems = json::array();
    for (const Error& problem : one.problems) problems.push_back(problem.text());
    list.push_back(
        {{"file", one.file}, {"checked", one.checked}, {"problems", std::move(problems)}});
  }
  fmt::print("{}\n", dump(list, 2));
}

int check(const ConfigOptions& options) {
  const auto all = options.files.empty()
                       ? Result<std::vector<CheckedConfig>>(
                             check_config(data_dir_of(options), {{"precedent", options.config},
                                                                 {"tools", options.tools_config},
                                                                 {"mcp", options.mcp_config}}))
                       : check_config_files(options.files, options.as);
  if (!all) return fail_with(all.error());
  if (options.json) {
    print_json(*all);
  } else {
    print_checked(*all);
  }
  const bool good =
      std::ranges::all_of(*all, [](const CheckedConfig& one) { return one.problems.empty(); });
  return good ? kExitOk : kExitUsage;
}

}  // namespace

void add_config_check(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ConfigOptions>();
  CLI::App* config = app.add_subcommand("config", "Check the files that people edit");
  config->require_subcommand(1);
  CLI::App* command = config->add_subcommand(
      "check", "Check the configuration, the guardrails, the synonyms and the prompts");
  command
      ->add_option("file", options->files,
                   "These files (default: all that the program would read, where it finds them)")
      ->type_name("FILE");
  std::vector<std::string> kinds = {"prompt"};
  for (const ConfigKind& kind : config_kinds()) kinds.emplace_back(kind.name);
  command
      ->add_option("--as", options->as,
                   "What the files are, if their names do not say it: " + join(kinds, ", "))
      ->type_name("KIND")
      ->needs("file")
      ->check(CLI::IsMember(kinds));
  command->add_flag("--json", options->json, "As JSON");
  add_config(*command, options->config);
  add_tools_config(*command, options->tools_config);
  add_mcp_config(*command, options->mcp_config);
  add_data_dir(*command, *options);
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace precedent
