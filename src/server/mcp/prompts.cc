#include "server/mcp/prompts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "base/json_access.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

using nlohmann::json;

// An argument is a name or an alert as it was sent; a log belongs into a question.
constexpr size_t kMaxArgument = 10'000;

struct Argument {
  const char* name;
  const char* description;
  bool required = false;
};
using Values = std::map<std::string, std::string, std::less<>>;

struct Prompt {
  const char* name;
  const char* title;
  const char* description;
  std::span<const Argument> arguments;
  std::string (*text)(const Values& values);
};

std::string value(const Values& values, std::string_view name) {
  const auto found = values.find(name);
  return found == values.end() ? std::string() : found->second;
}

std::string if_given(const Values& values, std::string_view name, std::string_view before) {
  const std::string given = value(values, name);
  return given.empty() ? given : fmt::format("{}{}", before, given);
}

constexpr std::string_view kKeepTo =
    "Say only what the tools found, with the source of each claim. Name what you could not find.";

constexpr std::array<Argument, 3> kAlertArguments = {
    Argument{"alert", "The alert's name, or its text as it was sent", true},
    Argument{"service", "The service it is about"}, Argument{"since", "When it began"}};

std::string investigate(const Values& values) {
  return fmt::format(
      "Investigate this alert: {}{}{}\n\n"
      "1. Call `ask` with the alert and what you know of it: \"Why did this alert fire?\"\n"
      "2. Look up what changed shortly before it began, and past incidents like it.\n"
      "3. Find the runbook, and quote its steps.\n\n"
      "End with: what is known, the most likely cause and what speaks for it, what to do next. {}",
      value(values, "alert"), if_given(values, "service", "\nService: "),
      if_given(values, "since", "\nSince: "), kKeepTo);
}

constexpr std::array<Argument, 1> kIncidentArguments = {
    Argument{"incident", "Its id, such as INC-2025-08-24-001", true}};

std::string explain(const Values& values) {
  return fmt::format(
      "Explain the incident {} to an engineer who was not there.\n\n"
      "Call `ask` for it: what happened, who noticed, the cause, what ended it, what was decided. "
      "Then look for incidents like it, and say whether it has come back.\n\n{}",
      value(values, "incident"), kKeepTo);
}

constexpr std::array<Argument, 2> kHandOverArguments = {
    Argument{"service", "One service or team; all of them if it is left out"},
    Argument{"since", "Since when, such as \"8 hours ago\"; 24 hours ago if it is left out"}};

std::string hand_over(const Values& values) {
  const std::string since = value(values, "since");
  return fmt::format(
      "Write the summary that I hand over to the next engineer on call{}, since {}.\n\n"
      "Use `ask` and the other tools for: incidents that were opened or closed, alerts that are "
      "active now, deploys and changes, and what is still to be watched. One short list each; "
      "leave out a list that is empty and say so in a line.\n\n{}",
      if_given(values, "service", " for "), since.empty() ? "24 hours ago" : since, kKeepTo);
}

constexpr std::array<Prompt, 3> kPrompts = {
    Prompt{"investigate_alert", "Investigate an alert",
           "Find out why an alert fired and what to do about it", kAlertArguments, investigate},
    Prompt{"explain_incident", "Explain an incident",
           "What happened in an incident, why, and whether it has come back", kIncidentArguments,
           explain},
    Prompt{"hand_over", "Hand over", "The summary for the next engineer on call",
           kHandOverArguments, hand_over}};

McpResult<Values> read_values(const Prompt& prompt, const json& given) {
  Values values;
  if (!given.is_null() && !given.is_object())
    return mcp_fail(kMcpInvalidParams, "'arguments' must be an object");
  for (const auto& [name, one] : given.items()) {
    const bool known = std::ranges::any_of(
        prompt.arguments, [&](const Argument& argument) { return argument.name == name; });
    if (!known)
      return mcp_fail(kMcpInvalidParams, fmt::format("'{}' has no argument '{}'", prompt.name,
                                                     utf8_prefix(name, 100)));
    if (!one.is_string())
      return mcp_fail(kMcpInvalidParams, fmt::format("'{}' must be a text", name));
    values[name] = std::string(trim(one.get_ref<const std::string&>()));
    if (values[name].size() > kMaxArgument)
      return mcp_fail(kMcpInvalidParams, fmt::format("'{}' has {} bytes; at most {} are taken",
                                                     name, values[name].size(), kMaxArgument));
  }
  for (const Argument& argument : prompt.arguments)
    if (argument.required && value(values, argument.name).empty())
      return mcp_fail(kMcpInvalidParams,
                      fmt::format("'{}' needs the argument '{}': {}", prompt.name, argument.name,
                                  argument.description));
  return values;
}

}  // namespace

json list_prompts(const McpMore* more) {
  json prompts = json::array();
  for (const Prompt& prompt : kPrompts) {
    json arguments = json::array();
    for (const Argument& argument : prompt.arguments)
      arguments.push_back({{"name", argument.name},
                           {"description", argument.description},
                           {"required", argument.required}});
    prompts.push_back({{"name", prompt.name},
                       {"title", prompt.title},
                       {"description", prompt.description},
                       {"arguments", std::move(arguments)}});
  }
  if (more != nullptr)
    for (json& prompt : more->prompts()) prompts.push_back(std::move(prompt));
  return {{"prompts", std::move(prompts)}};
}

McpResult<json> get_prompt(const json& params, const McpMore* more) {
  const std::string name = foreign::string_at(params, "name");
  const auto* const prompt =
      std::ranges::find_if(kPrompts, [&](const Prompt& one) { return one.name == name; });
  if (prompt == kPrompts.end() && more != nullptr)
    if (auto got = more->prompt(name, foreign::member(params, "arguments"))) return std::move(*got);
  if (prompt == kPrompts.end())
    return mcp_fail(kMcpInvalidParams,
                    fmt::format("there is no prompt '{}'; prompts/list names those there are",
                                utf8_prefix(name, 100)));
  const auto values = read_values(*prompt, foreign::member(params, "arguments"));
  if (!values) return std::unexpected(values.error());
  const json content = {{"type", "text"}, {"text", prompt->text(*values)}};
  return json{{"description", prompt->description},
              {"messages", json::array({{{"role", "user"}, {"content", content}}})}};
}

}  // namespace precedent
