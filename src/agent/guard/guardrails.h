// Guardrails: may this question be answered, is it refused, or what has to be asked back? Decided
// before any tool is called.
//
//   size, encoding, control characters → deny list (words, phrases, meaning) → topics that are not
//   ours → vague → allow
//
// Data comes from the operator's guardrails.yaml or the built-in one (guardrail_rules.h); nothing
// here names a word of its own. An ordinary question about operations is never refused: names of
// the knowledge base and operations text outweigh all but deny rules and precise topics
// (docs/guardrails.md). Reading intents is intent.h's, reacting to a verdict the caller's.
//
// Thread safety: const members from any thread. Lifetime: the embedder outlives the object.
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
#include "search/self_query.h"

namespace precedent {

struct Verdict {
  enum class Action { kAllow, kRefuse, kAskBack };
  Action action = Action::kAllow;
  // "ok"; "too_long", "invalid_utf8", "binary", "empty"; "denied", "off_topic", "vague",
  // "unread_script"; "guardrail_error".
  std::string code = "ok";
  std::string reason;  // which rule matched: "topic creative: 'write me a poem'"
  std::string
      message;  // to the person, "" for kAllow: what is wrong, and what the tool can do instead
  std::vector<std::string> choices;  // of kAskBack: what the person may mean
  // The question to go on with: without control characters. "" unless kAllow.
  std::string question;
};
std::string_view name(Verdict::Action action);

struct GuardrailContext {
  // Whether there are metrics and alerts to ask: "is everything ok?" is not vague then.
  bool live = false;
  // Whether a model reads the question next: only what is sure is refused then.
  bool model = false;
  // Whether a conversation says what is meant: nothing is vague then.
  bool has_history = false;
  // Whether it is about something that the conversation named ("root cause?", "what is the second
  // one about"): its topic is that of the conversation. Deny rules and the precise topics hold all
  // the same.
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

// ", for example about A, B"; "" without choices.
std::string for_example(const std::vector<std::string>& choices);

class Guardrails {
 public:
  // <data_dir>/guardrails.yaml, else the built-in rules. `embedder` may be null: then nothing is
  // compared by meaning, and warnings() says so. Errors: those of parse_guardrail_rules; a file
  // that is there but cannot be read is never skipped.
  static Result<Guardrails> open(const std::filesystem::path& data_dir, const Embedder* embedder);
  // `cache`: a folder for what is computed from the rules alone; "" for none. With `all`, all that
  // is wrong within the file.
  static Result<Guardrails> parse(std::string_view yaml, std::string_view origin,
                                  const Embedder* embedder, const std::filesystem::path& cache = {},
                                  ConfigProblems* all = nullptr);

  Guardrails(Guardrails&&) noexcept;
  Guardrails& operator=(Guardrails&&) noexcept;
  ~Guardrails();

  // Never fails: on an error of its own it refuses and says so (code "guardrail_error").
  Verdict check(std::string_view question, const GuardrailContext& context) const;

  // What the tool can do, to a person. Lifetime: the object's.
  const std::string& offer() const;
  // What the operator should know, once: that meaning is not compared.
  const std::vector<std::string>& warnings() const;

 private:
  struct Impl;
  explicit Guardrails(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace precedent
