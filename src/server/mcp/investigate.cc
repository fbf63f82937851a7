#include "server/mcp/investigate.h"

#include <fmt/format.h>

#include "base/foreign_json.h"
#include "base/hash.h"
#include "server/investigations/investigations_api.h"
#include "server/mcp/output.h"

namespace precedent {
namespace {

using nlohmann::json;

json failed(const std::string& text) {
  return mcp_tool_result(text, {{"outcome", "error"}, {"summary", text}}, true);
}

json text_schema(const char* description) {
  return {{"type", "string"}, {"description", description}};
}

}  // namespace

json McpInvestigate::tool() const {
  return {
      {"name", name()},
      {"title", "Investigate an incident"},
      {"description",
       "Find what caused an incident: reads it, gathers metrics, alerts and changes of the live "
       "systems, and returns a verdict with the evidence of each claim, or the question that would "
       "decide. Takes a while."},
      {"inputSchema",
       {{"type", "object"},
        {"properties",
         {{"incident", text_schema("PD-ID of PagerDuty, or the name of an active alert")},
          {"alert",
           {{"type", "object"}, {"description", "An alert, as Alertmanager or a monitor has it"}}},
          {"service", text_schema("The service that fails, where the incident does not say it")},
          {"since", text_schema("Look at nothing before")},
          {"until", text_schema("Look at nothing after")},
          {"description", text_schema("What is wrong, in a sentence")}}},
        {"additionalProperties", false}}},
      {"outputSchema",
       {{"type", "object"},
        {"properties", {{"outcome", {{"type", "string"}}}, {"summary", {{"type", "string"}}}}},
        {"required", {"outcome", "summary"}}}},
      {"annotations",
       {{"readOnlyHint", true},
        {"destructiveHint", false},
        {"idempotentHint", false},
        {"openWorldHint", true}}}};
}

std::optional<json> McpInvestigate::refusal(const json& args) const {
  if (!args.is_object()) return failed("the arguments must be an object");
  const json known = tool()["inputSchema"]["properties"];
  for (const auto& [key, value] : args.items())
    if (!known.contains(key)) return failed(fmt::format("there is no argument '{}'", key));
  const auto order = read_order(args);
  if (!order) return failed(order.error().text());
  return std::nullopt;
}

McpResult<McpOutcome> McpInvestigate::run(const McpRound& round, EventSink& events,
                                          const CancelToken& cancel) const {
  // The text and the report share what a client takes.
  constexpr size_t kText = kMcpMaxBytes / 2, kReport = kMcpMaxBytes - kText - 1000;
  const auto say = [&](std::string_view text) { events.status(std::string(text)); };
  auto done = investigator_.investigate(read_order(round.args).value(), "", say, cancel);
  if (!done) return McpOutcome{.result = failed(done.error().text())};
  json report = std::move(done->report);
  const std::string left_out = shrink(report, kReport);
  if (!report.is_object()) report = json::object();
  if (!left_out.empty()) report["left_out"] = left_out;
  return McpOutcome{
      .result = mcp_tool_result(bounded_text(done->markdown, kText), std::move(report), false)};
}

std::string McpInvestigate::mark(const json& args) const {
  return fmt::format("{:08x}", hash64(dump_json(args)) & 0xffffffff);
}

}  // namespace precedent
