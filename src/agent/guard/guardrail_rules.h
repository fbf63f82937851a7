// The file that says what is answered, refused and asked back: guardrails.yaml, read and checked.
//
// Format: docs/guardrails.md; the built-in file is config/guardrails.yaml. Unknown keys and phrases
// without a word are errors, with line and remedy: a rule that silently does nothing is worse than
// none. Thread safety: plain values, pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_values.h"
#include "base/error.h"

namespace precedent {

struct DenyGroup {
  std::string name;
  std::string message;
  std::vector<std::string> words, phrases;
  std::vector<std::string> meaning;  // sentences
};

struct GuardrailRules {
  std::string offer;  // what the tool can do instead
  double deny_similarity = 0.7;
  std::vector<DenyGroup> deny;
  std::vector<std::string> allow;  // phrases
  // What people are told, by label of the adapter; "other" is for labels that are not named.
  std::map<std::string, std::string, std::less<>> refusals;
  std::string clarify;  // what is asked back

  const std::string& message_of(std::string_view label) const;
};

// Errors: kInvalidArgument naming `origin`, line, the offender and the remedy; kResourceExhausted
// for a file beyond bounds. With `all`, all that is wrong within the file.
Result<GuardrailRules> parse_guardrail_rules(std::string_view yaml, std::string_view origin,
                                             ConfigProblems* all = nullptr);

// The rules that are in force when the operator has none: config/guardrails.yaml, built into the
// binary.
std::string_view default_guardrails();

}  // namespace precedent
