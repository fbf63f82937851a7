#include "agent/model/tool_descriptions.h"

namespace precedent {
namespace {

ToolParameter describe(const Param& param) {
  ToolParameter out;
  out.name = param.name;
  out.description = param.description;
  out.required = param.required;
  out.allowed = param.allowed;
  switch (param.type) {
    case Param::Type::kString: out.type = ToolParameter::Type::kString; break;
    case Param::Type::kStringList: out.type = ToolParameter::Type::kStringList; break;
    case Param::Type::kNumber: out.type = ToolParameter::Type::kNumber; break;
    case Param::Type::kBoolean: out.type = ToolParameter::Type::kBoolean; break;
    case Param::Type::kJson:
      // No vendor's strict mode takes a value of any form.
      out.type = ToolParameter::Type::kString;
      out.description += out.description.empty() ? "As a JSON text" : " (as a JSON text)";
      break;
    case Param::Type::kInteger:
      out.type = ToolParameter::Type::kInteger;
      if (param.bounded()) {
        out.minimum = static_cast<double>(param.minimum);
        out.maximum = static_cast<double>(param.maximum);
      }
      if (param.default_value) out.default_value = *param.default_value;
      break;
  }
  return out;
}

}  // namespace

ToolDescription describe(const ToolSpec& spec) {
  ToolDescription out{spec.name, spec.description, {}};
  for (const Param& param : spec.params) out.parameters.push_back(describe(param));
  return out;
}

std::vector<ToolDescription> describe(const Toolset& tools) {
  std::vector<ToolDescription> all;
  for (const auto& tool : tools.all()) all.push_back(describe(tool->spec()));
  return all;
}

}  // namespace precedent
