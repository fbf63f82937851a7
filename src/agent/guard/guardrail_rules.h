// The file that says what is answered, refused and asked back: guardrails.yaml, read and checked.
//
// Format: docs/guardrails.md; the built-in file is config/guardrails.yaml. Unknown keys and phrases
// without a word are errors, with line and remedy: a rule that silently does nothing is worse than
// none. Expressions are compiled by guardrails.h. Thread safety: plain values, pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/config_values.h"
#include "base/error.h"

namespace precedent {

// An RE2 expression, and where it stands.
struct PhraseForm {
  std::string pattern;
  int line = 0;  // 1-based
};

struct DenyGroup {
  std::string name;
  std::string message;
  std::vector<std::string> words, phrases;
  std::vector<std::string> meaning;  // sentences
};

struct TopicRules {
  std::string name;
  std::string message;
  bool precise = false;                   // refused also beside evidence of operations
  std::vector<PhraseForm> forms, unless;  // over plain words
  std::vector<std::string> words;
  std::vector<std::string> examples;  // sentences
};

struct GuardrailRules {
  std::string offer;  // what the tool can do instead
  double deny_similarity = 0.7;
  std::vector<DenyGroup> deny;
  std::vector<std::string> allow;  // phrases
  struct Operations {
    std::vector<std::string> words, hints;
    std::vector<PhraseForm> forms;      // over the text as written
    std::vector<std::string> examples;  // sentences
  } operations;
  std::vector<PhraseForm> requests;  // over plain words
  std::vector<TopicRules> topics;
  struct Clarify {
    std::string message;
    std::vector<std::string> words;
    std::vector<PhraseForm> forms;  // over plain words
    std::vector<PhraseForm> tool;   // likewise: questions about the tool itself
  } clarify;
};

// Errors: kInvalidArgument naming `origin`, line, the offender and the remedy; kResourceExhausted
// for a file beyond bounds. With `all`, all that is wrong within the file.
Result<GuardrailRules> parse_guardrail_rules(std::string_view yaml, std::string_view origin,
                                             ConfigProblems* all = nullptr);

// The rules that are in force when the operator has none: config/guardrails.yaml, built into the
// binary.
std::string_view default_guardrails();

}  // namespace precedent
