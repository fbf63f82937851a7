// precedent tools: list the tools, or call one by hand.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agent/sources/knowledge_base.h"
#include "base/foreign_json.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "cli/command/command.h"
#include "cli/config/live_sources.h"
#include "cli/config/mcp_servers.h"
#include "cli/config/qdrant_place.h"
#include "cli/config/store_config.h"
#include "cli/conversation/session.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "tools/all_tools.h"
#include "tools/clean_receipt.h"

namespace precedent {
namespace {

using nlohmann::json;

// Of arguments that cannot be read, in a message.
constexpr size_t kShownArgs = 200;

struct ToolsOptions : CommonOptions {
  std::string name;
  std::string args = "{}";
  std::string config;
  std::string mcp_config;
  std::string snapshot;
  std::string environment;
  bool explain = false;
};

// Ours, and those of other MCP servers that could be `only_for`; "": all of these.
struct AllTools {
  std::unique_ptr<McpServers> servers;
  Toolset tools = all_tools();
};
Result<AllTools> open_tools(const ToolsOptions& options, std::string_view only_for) {
  AllTools all;
  const std::filesystem::path data_dir = data_dir_of(options);
  const ConfigFile file = TRY(find_config("", data_dir));
  all.servers = TRY(McpServers::open(options.mcp_config, data_dir, file, only_for));
  for (const std::string& warning : warnings_of(all.servers->add_tools(all.tools, interrupted())))
    to_stderr("precedent: {}\n", printable(warning));
  return all;
}

int list_tools(const ToolsOptions& options) {
  const auto opened = open_tools(options, "");
  if (!opened) return fail_with(opened.error());
  const Toolset& tools = opened->tools;
  if (options.json) {
    json list = json::array();
    for (const auto& tool : tools.all()) {
      list.push_back({{"name", tool->spec().name},
                      {"description", tool->spec().description},
                      {"parameters", json_schema(tool->spec().params)}});
    }
    fmt::print("{}\n", dump(list, 2));
    return kExitOk;
  }
  for (const auto& tool : tools.all()) {
    fmt::print("{}\n  {}\n", tool->spec().name, tool->spec().description);
    for (const Param& param : tool->spec().params) {
      fmt::print("    {:<14} {}{}\n", param.name, param.description,
                 param.required        ? " (required)"
                 : param.default_value ? fmt::format(" (default {})", *param.default_value)
                                       : "");
    }
  }
  return kExitOk;
}

// A call that did not come about has a receipt, too.
int fail_as_asked(const ToolsOptions& options, const Error& error) {
  if (options.json) {
    Receipt receipt;
    receipt.id = "R1";
    receipt.tool = repair_utf8(options.name);
    receipt.args = dump_json(json_or_text(options.args));
    receipt.at = SystemClock().now();
    receipt.status = ReceiptStatus::kError;
    receipt.failure = CallFailure::kCall;
    receipt.text = error.text();
    clean(receipt);
    fmt::print("{}\n", dump(to_json(receipt, options.explain)));
  }
  return fail_with(error);
}

int call_tool(const ToolsOptions& options) {
  Result<AllTools> opened;
  // Nobody else is asked for a tool of ours.
  if (!opened->tools.find(options.name)) opened = open_tools(options, options.name);
  if (!opened) return fail_as_asked(options, opened.error());
  const Result<const Tool*> tool = opened->tools.find(options.name);
  if (!tool) {
    fail_as_asked(options, tool.error());
    return kExitUsage;
  }
  const json args = parse_json(options.args);
  if (args.is_discarded()) {
    return fail_as_asked(
        options,
        {ErrorCode::kInvalidArgument,
         fmt::format("the arguments are not valid JSON: {}; write them as '{{\"query\":\"...\"}}'",
                     utf8_prefix(repair_utf8(options.args), kShownArgs))});
  }
  if (const auto read = read_args((*tool)->spec().params, args, options.name); !read)
    return fail_as_asked(options, read.error());
  const auto clock = clock_of(options.now);
  if (!clock) return fail_as_asked(options, clock.error());
  const auto server = qdrant_for_answers(data_dir_of(options));
  if (!server) return fail_as_asked(options, server.error());
  const auto base = open_knowledge(data_dir_of(options), *server);
  if (!base) return fail_as_asked(options, base.error());
  const auto sources = OpenedSources::open(
      {data_dir_of(options), options.config, options.snapshot, options.environment});
  if (!sources) return fail_as_asked(options, sources.error());
  NullSink events;
  ToolContext context{(*base)->search(), (*base)->store(), **clock, events};
  context.conditions = (*base)->reader(AdapterKind::kConditions);
  context.live = (*sources)->live();
  context.cancel = &interrupted();
  const Receipt receipt = (*tool)->call(args, context, "R1");
  if (options.json) {
    fmt::print("{}\n", dump(to_json(receipt, options.explain)));
  } else {
    fmt::print("{}\n", trim(printable(receipt.text)));
    if (options.explain) {
      for (const std::string& line : receipt.explain) fmt::print("{}\n", printable(line));
    }
  }
  return receipt.status == ReceiptStatus::kError ? kExitFailed : kExitOk;
}

}  // namespace

void add_tools(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ToolsOptions>();
  CLI::App* command = app.add_subcommand("tools", "List the tools, or call one by hand");
  command->require_subcommand(1);
  CLI::App* list =
      command->add_subcommand("list", "List every tool with its purpose and parameters");
  list->add_flag("--json", options->json, "As JSON, with a JSON schema each");
  add_mcp_config(*list, options->mcp_config);
  add_data_dir(*list, *options);
  list->callback([options, &exit_code] { exit_code = list_tools(*options); });
  CLI::App* call = command->add_subcommand("call", "Call a tool and print its receipt");
  call->add_option("name", options->name, "The tool")->required();
  call->add_option("args", options->args, "Its arguments as a JSON object");
  call->add_flag("--json", options->json, "Print the receipt as JSON");
  call->add_option("--snapshot", options->snapshot,
                   "Metrics and alerts from this folder, instead of what is configured")
      ->type_name("DIR");
  call->add_option("--environment", options->environment,
                   "The environment of config/tools.yaml to use (default: $PRECEDENT_ENVIRONMENT)")
      ->type_name("NAME");
  call->add_flag("--explain", options->explain,
                 "Explain how it was found, with every part of the score");
  add_tools_config(*call, options->config);
  add_mcp_config(*call, options->mcp_config);
  add_now(*call, *options);
  add_data_dir(*call, *options);
  call->callback([options, &exit_code] { exit_code = call_tool(*options); });
}

}  // namespace precedent
