#include "tools/tool.h"

#include <fmt/format.h>

#include <exception>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "tools/clean_receipt.h"

namespace precedent {

using nlohmann::json;

Receipt Tool::call(const json& args, ToolContext& context, std::string id) const {
  Receipt receipt;
  receipt.id = std::move(id);
  receipt.tool = spec_.name;
  receipt.args = dump_json(args);
  receipt.at = context.clock.now();
  run_into(receipt, args, context);
  clean(receipt);
  return receipt;
}

void Tool::run_into(Receipt& receipt, const json& args, ToolContext& context) const {
  const auto failed = [&](std::string_view why) {
    receipt.status = ReceiptStatus::kError;
    receipt.failure = CallFailure::kTool;
    receipt.text = failure_text(spec_.name, why);
    clean(receipt);
    context.events.status(receipt.text);
  };
  // The containment line: a tool call that goes wrong is an answer, never the end of the process.
  try {
    const Result<Args> read = read_args(spec_.params, args, spec_.name);
    if (!read) {
      receipt.status = ReceiptStatus::kError;
      receipt.failure = CallFailure::kCall;
      receipt.text = read.error().text();
      return;
    }
    Result<Outcome> outcome = run(*read, context);
    if (!outcome) {
      failed(outcome.error().text());
      return;
    }
    receipt.status = outcome->empty ? ReceiptStatus::kEmpty : ReceiptStatus::kOk;
    receipt.result = std::move(outcome->result);
    receipt.text = std::move(outcome->text);
    receipt.explain = std::move(outcome->explain);
  } catch (const std::exception& error) {
    failed(fmt::format("{}; this is a fault of precedent, please report it with the question",
                       error.what()));
  }
}

Result<const Tool*> Toolset::find(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& tool : tools_) {
    if (tool->spec().name == name) return tool.get();
    names.push_back(tool->spec().name);
  }
  const auto close = nearest(name, names);
  return fail(ErrorCode::kNotFound,
              fmt::format("there is no tool '{}'; {}", name,
                          close ? fmt::format("did you mean '{}'?", *close)
                                : fmt::format("the tools are {}", join(names, ", "))));
}

}  // namespace precedent
