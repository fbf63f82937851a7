// Policy: which tools must be asked before an answer may leave, by the kind of question. Data, not
// code (config/policy.yaml); enforced by code (plan.h, support_bot.cc).
//
// Thread safety: plain values, pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "agent/understand/intent.h"
#include "base/config_values.h"
#include "base/error.h"
#include "tools/receipt.h"

namespace precedent {

struct PolicyRule {
  std::string name;
  std::string because;
  std::vector<QuestionType> types;  // one of them; empty: any
  std::vector<std::string>
      mentions;  // a signal or a kind of subject, one of them; empty: none needed
  std::vector<std::string> must_call;
  std::vector<std::string> prefer;
};

struct Policy {
  std::vector<PolicyRule> rules;
  size_t max_calls = 16;  // planned for one question
};

// The text of config/policy.yaml as it was built in.
std::string_view default_policy();

// Errors: kInvalidArgument with path:line, key and remedy: an unknown key, type, signal or tool,
// with the nearest known one. With `problems` all of them are collected there.
Result<Policy> read_policy(std::string_view yaml, std::string_view path,
                           ConfigProblems* problems = nullptr);

// That a rule asks for a tool.
struct Demand {
  std::string tool;
  std::string rule;
  std::string because;
  bool must = false;  // else: preferred
};

// Each tool once, in the order of the rules; what one rule demands and another prefers is demanded.
std::vector<Demand> demands_of(const Policy& policy, const Intent& intent);

// Into `demands`, by the same rule.
void add_demand(std::vector<Demand>& demands, const Demand& demand);

// The must-calls that no receipt answers, also none of a call that failed: it was tried.
std::vector<Demand> unmet(const std::vector<Demand>& demands, const std::vector<Receipt>& receipts);

}  // namespace precedent
