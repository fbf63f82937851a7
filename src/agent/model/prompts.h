// Prompts: the texts a model is given, as files with named variables, checked when they are read.
//
// Format: Markdown. {{name}} is a variable; {{#name}} … {{/name}} stays only if the variable has a
// value; \{{ is two braces. A comment
// <!-- … --> that opens the file is not sent. See docs/prompts.md. The built-in texts are
// prompts/*.md, compiled in; a file of the same name in the operator's folder replaces one. Values
// are put in as they are and never read for variables again. Untrusted ones are delimited
// (base/untrusted_text.h).
//
// Thread safety: a Prompt is immutable; PromptLibrary may be used from any thread. Ownership: a
// snapshot keeps its prompts alive while newer ones are in force.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/mutex.h"

namespace precedent {

struct PromptVariable {
  std::string_view name;
  bool required = true;    // the text must use it, and a caller must give it
  bool untrusted = false;  // people or tools wrote it
};

// What a prompt of this name may and must use.
struct PromptSpec {
  std::string_view name;
  std::vector<PromptVariable> variables;
};
// system, title, compact, self_query, intent_classifier, planner, executor, investigation.
const std::vector<PromptSpec>& prompt_specs();

// The text that is in force when the operator has none: prompts/<name>.md, built in. "" for an
// unknown name.
std::string_view default_prompt(std::string_view name);

using PromptValues = std::map<std::string, std::string, std::less<>>;

class Prompt {
 public:
  // Errors: kInvalidArgument with `origin`, line and remedy: an unknown variable (with the nearest
  // known one), a required one that is not used, braces or a section that do not close; with `all`,
  // all of them. `spec` outlives the prompt.
  static Result<Prompt> parse(std::string_view text, std::string_view origin,
                              const PromptSpec& spec, std::vector<Error>* all = nullptr);

  // Errors: kInvalidArgument, naming the required variable that `values` lacks, or the value that
  // no variable takes.
  Result<std::string> render(const PromptValues& values) const;

 private:
  struct Part {
    std::string text;  // literal text, or the variable's name
    const PromptVariable* variable = nullptr;
    const PromptVariable* only_with = nullptr;  // the section's variable
  };
  friend class PromptParser;
  explicit Prompt(const PromptSpec& spec) : spec_(&spec) {}

  const PromptSpec* spec_;
  std::vector<Part> parts_;
};

// The *.md files of a folder that replace no prompt, an error each: they would be ignored in
// silence. None if the folder is missing; one if it cannot be read.
std::vector<Error> check_prompt_names(const std::filesystem::path& folder);

class PromptLibrary {
 public:
  using Set = std::map<std::string, Prompt, std::less<>>;

  // `folder` may be missing: the built-in prompts. Errors: those of Prompt::parse, of reading, and
  // kInvalidArgument for a *.md file that is no prompt's.
  static Result<std::unique_ptr<PromptLibrary>> open(const std::filesystem::path& folder);

  // Looks whether files have changed (time or size), came or went, and takes over what is good.
  // Returns what is not, a sentence each, once a change: the text before stays in force. Cheap:
  // call it before each turn.
  std::vector<std::string> refresh();

  // The prompts in force now; a turn takes one and keeps it.
  std::shared_ptr<const Set> snapshot() const;
  // Renders from the current snapshot. Errors: kNotFound for an unknown name, those of
  // Prompt::render.
  Result<std::string> render(std::string_view name, const PromptValues& values) const;

 private:
  // What a file looked like when it was last read.
  struct Stamp {
    bool exists = false;
    std::filesystem::file_time_type time = {};
    uintmax_t size = 0;
    bool operator==(const Stamp&) const = default;
  };
  explicit PromptLibrary(std::filesystem::path folder) : folder_(std::move(folder)) {}
  Stamp stamp_of(const PromptSpec& spec) const;
  Result<Prompt> read(const PromptSpec& spec, const Stamp& stamp) const;

  const std::filesystem::path folder_;
  mutable Mutex mutex_;
  std::map<std::string_view, Stamp> stamps_ GUARDED_BY(mutex_);
  std::shared_ptr<const Set> set_ GUARDED_BY(mutex_);
};

}  // namespace precedent
