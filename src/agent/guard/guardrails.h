// Guardrails: may this question be answered, is it refused, or what has to be asked back? Decided
// before any tool is called.
//
//   size, encoding, control characters → denied (the operator's words, phrases, meaning) → another
//   script → as the adapter reads it: refused with a reason, asked back, ordinary
//
// What is denied, and what people are told, comes from the operator's guardrails.yaml or the
// built-in one (guardrail_rules.h); what else is refused or vague was learned
// (embed/learned_reader.h, adapters/question.md). No rule here names a word. An ordinary question
// about operations must not be refused: where a name of the knowledge base, a conversation or a
// near chunk speaks for the question, or a model reads it next, only what the adapter is sure of is
// refused (docs/guardrails.md). Reacting to a verdict is the caller's.
//
// Thread safety: const members from any thread. Lifetime: reader and embedder outlive the object.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_values.h"
#include "base/error.h"
#include "base/limits.h"
#include "embed/embedder.h"
#include "embed/learned_reader.h"
#include "search/self_query.h"

namespace precedent {

struct Verdict {
  enum class Action { kAllow, kRefuse, kAskBack };
  Action action = Action::kAllow;
  // "ok"; "too_long", "invalid_utf8", "binary", "empty"; "denied", or a label of the adapter:
  // "off_topic", "injection", "secrets", "harmful", "destructive"; "vague", "unread_script";
  // "guardrail_error".
  std::string code = "ok";
  std::string reason;  // "deny salaries: 'pay slip'", "read as off_topic (0.97)"
  std::string
      message;  // to the person, "" for kAllow: what is wrong, and what the tool can do instead
  std::vector<std::string> choices;  // of kAskBack: what the person may mean
  // The question to go on with: without control characters. "" unless kAllow.
  std::string question;
};

struct GuardrailContext {
  // Whether there are metrics and alerts to ask: "is everything ok?" is not vague then.
  bool live = false;
  // Whether a model reads the question next: only what is sure is refused then.
  bool model = false;
  // Whether a conversation may say what is meant.
  bool has_history = false;
  // Its last turns, oldest first.
  std::vector<PastTurn> past = {};
  // Whether it is about something that the conversation named ("root cause?", "what is the second
  // one about"): its topic is that of the conversation, unless the adapter is sure.
  bool leans_on_history = false;
  // What the question names: systems, incidents, files, identifiers. Empty: nothing is known.
  std::function<std::vector<std::string>(std::string_view question)> things_named = {};
  // A name of the knowledge base that the question mentions, else "". Empty: no names are known.
  // What it throws is an error of the guardrails: the question is refused.
  std::function<std::string(std::string_view question)> known_name = {};
  // The cosine of the chunk of the knowledge base that is nearest to this vector of the question;
  // nothing without vectors. Empty: not asked.
  std::function<std::optional<double>(std::span<const float> question)> nearest_known = {};
  std::vector<std::string> choices = {};  // see choices_of
  Limits limits = {};
};

// The checks that need no rules: size, encoding, control characters, emptiness. Escape sequences of
// pasted terminals are removed rather than refused; mostly control characters is a binary file.
// `examples`: names for the message about nothing, may be empty.
Verdict validate_question(std::string_view question, const Limits& limits,
                          const std::vector<std::string>& examples);

// What a clarifying question may offer: two applications, two services, two of `recent` (incidents,
// newest first).
std::vector<std::string> choices_of(const Catalogue& catalogue,
                                    const std::vector<std::string>& recent = {});

class Guardrails {
 public:
  // <data_dir>/guardrails.yaml, else the built-in rules. Both may be null, where there are no
  // weights: then only what is denied by words is refused. Errors: those of parse_guardrail_rules;
  // a file that is there but cannot be read is never skipped.
  static Result<Guardrails> open(const std::filesystem::path& data_dir, const LearnedReader* reader,
                                 const Embedder* embedder);
  // `cache`: a folder for what is computed from the rules alone; "" for none. With `all`, all that
  // is wrong within the file.
  static Result<Guardrails> parse(std::string_view yaml, std::string_view origin,
                                  const LearnedReader* reader, const Embedder* embedder,
                                  const std::filesystem::path& cache = {},
                                  ConfigProblems* all = nullptr);

  Guardrails(Guardrails&&) noexcept;
  Guardrails& operator=(Guardrails&&) noexcept;
  ~Guardrails();

  // Never fails: on an error of its own it refuses and says so (code "guardrail_error").
  Verdict check(std::string_view question, const GuardrailContext& context) const;

  // What the tool can do, to a person. Lifetime: the object's.
  const std::string& offer() const;

 private:
  struct Impl;
  explicit Guardrails(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace precedent
