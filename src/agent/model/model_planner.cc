#include "agent/model/model_planner.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/model/tool_descriptions.h"
#include "base/foreign_json.h"
#include "base/redact.h"
#include "llm/tool_arguments.h"

namespace precedent {
namespace {

using nlohmann::json;

// A plan is not worth a longer wait: the rules have one already.
constexpr std::chrono::seconds kPlanTime{10};
constexpr size_t kMaxSteps = 4;

const ToolDescription& type_form() {
  static const ToolDescription kForm{
      "intent",
      "What the question is after",
      {{"question_type", ToolParameter::Type::kString, "One of the types", true}}};
  return kForm;
}

const ToolDescription& steps_form() {
  static const ToolDescription kForm{
      "plan",
      "Further steps",
      {{"steps", ToolParameter::Type::kStringList, "Each a JSON text: tool, args, purpose", true}}};
  return kForm;
}

std::string tools_text(const Toolset& tools) {
  std::string text;
  for (const auto& tool : tools.all()) {
    text += fmt::format("- {}: {}\n", tool->spec().name, tool->spec().description);
    for (const Param& param : tool->spec().params)
      text += fmt::format("  - {}{}: {}\n", param.name, param.required ? " (required)" : "",
                          param.description);
  }
  return text;
}

}  // namespace

std::string plan_text(const std::vector<PlannedCall>& planned) {
  std::string text;
  for (size_t i = 0; i < planned.size(); ++i) {
    text += fmt::format("{}. {} {}: {}{}\n", i + 1, planned[i].tool(), arguments_of(planned[i]),
                        planned[i].purpose,
                        planned[i].rule.empty() ? "" : fmt::format(" (rule {})", planned[i].rule));
  }
  return text;
}

Result<std::string> ModelPlanner::ask(const std::string& prompt,
                                      const ToolDescription& form) const {
  ModelRequest request;
  request.messages = {{Role::kUser, prompt}};
  request.response = form;
  NullSink silent;
  ModelContext context{silent, cancel_, std::chrono::steady_clock::now() + kPlanTime};
  const ModelReply reply = TRY(model_.complete(request, context));
  return TRY(check_arguments(form, reply.message.content)).json;
}

Result<QuestionType> ModelPlanner::classify(const std::string& question) const {
  const std::string prompt =
      TRY(prompts_.render("intent_classifier", {{"question", redact(question)}}));
  const std::string said = TRY(ask(prompt, type_form()));
  const json object = parse_json(said);
  const auto type = parse_question_type(object.value("question_type", ""));
  if (!type)
    return fail(ErrorCode::kInvalidArgument, "the model named no type of questions: " + said);
  return *type;
}

Result<std::vector<PlannedCall>> ModelPlanner::further_steps(
    const Reading& reading, const std::vector<PlannedCall>& planned, const Toolset& tools) const {
  const std::string prompt =
      TRY(prompts_.render("planner", {{"question", redact(reading.intent.asked.text.to_show())},
                                      {"plan", plan_text(planned)},
                                      {"tools", tools_text(tools)},
                                      {"now", format_time(reading.intent.now)}}));
  const json object = parse_json(TRY(ask(prompt, steps_form())));
  std::vector<PlannedCall> steps;
  for (const json& text : object.value("steps", json::array())) {
    if (steps.size() >= kMaxSteps || !text.is_string()) continue;
    const json step = parse_json(text.get<std::string>());
    const auto word = [&](const char* name) {
      const bool has = step.contains(name) && step[name].is_string();
      return has ? step[name].get<std::string>() : std::string();
    };
    if (!step.is_object() || !step.contains("args")) continue;
    const auto tool = tools.find(word("tool"));
    if (!tool) continue;
    const auto args = check_arguments(describe((*tool)->spec()), dump_json(step["args"]));
    if (!args) continue;
    ModelsCall call{(*tool)->spec().name, parse_json(args->json)};
    const bool known = std::ranges::any_of(planned, [&](const PlannedCall& p) {
      return p.tool() == call.tool && to_json(p.arguments) == call.args;
    });
    if (!known) steps.push_back({std::move(call), word("purpose"), "planner"});
  }
  return steps;
}

}  // namespace precedent
