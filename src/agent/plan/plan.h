// Plan: which tools to call with which arguments, decided from the intent before any call. A pure
// function.
#pragma once

#include <string>
#include <vector>

#include "agent/plan/call_arguments.h"
#include "agent/understand/intent.h"

namespace precedent {

struct PlannedCall {
  CallArguments arguments;
  std::string purpose;             // for people and logs
  std::string rule = {};           // of the policy that asks for it; "": the question itself does
  std::vector<size_t> parts = {};  // CallReason::parts
  std::string tool() const { return tool_of(arguments); }
};

// The arguments as a tool call has them: JSON in one line.
std::string arguments_of(const PlannedCall& call);

std::vector<PlannedCall> plan(const Intent& intent);
// What is written about the question, besides incidents.
std::vector<PlannedCall> plan_documents(const Intent& intent);

}  // namespace precedent
