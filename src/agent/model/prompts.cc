#include "agent/model/prompts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "agent/language/nearest_name.h"
#include "base/strings.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"

namespace precedent {
namespace {

const PromptVariable* find_variable(const PromptSpec& spec, std::string_view name) {
  const auto found = std::ranges::find(spec.variables, name, &PromptVariable::name);
  return found == spec.variables.end() ? nullptr : &*found;
}

// A comment that opens the file is for its editors.
size_t end_of_comment(std::string_view text) {
  constexpr std::string_view kOpen = "<!--", kClose = "-->";
  if (!text.starts_with(kOpen)) return 0;
  const size_t close = text.find(kClose);
  if (close == std::string_view::npos) return 0;
  const size_t end = close + kClose.size();
  return std::min(text.size(), text.find_first_not_of("\r\n", end));
}

}  // namespace

// Reads one text from left to right; a tag is {{name}}, {{#name}} or {{/name}}.
class PromptParser {
 public:
  PromptParser(std::string_view text, std::string_view origin, const PromptSpec& spec,
               std::vector<Error>* all)
      : text_(text), origin_(origin), spec_(spec), all_(all), prompt_(spec) {}

  Result<Prompt> parse() {
    if (const auto bad = invalid_utf8_at(text_))
      return error_at(*bad,
                      "the file is not valid UTF-8; convert it, for example with `iconv -t UTF-8`");
    for (at_ = end_of_comment(text_); at_ < text_.size();) {
      const size_t open = text_.find("{{", at_);
      if (open != std::string_view::npos && open > at_ && text_[open - 1] == '\\') {
        add_text(std::string(text_.substr(at_, open - 1 - at_)) + "{{");
        at_ = open + 2;
        continue;
      }
      add_text(std::string(text_.substr(at_, open - at_)));
      if (open == std::string_view::npos) break;
      at_ = open + 2;  // to go on with, if the tag is none
      TRY(settle(read_tag(open)));
    }
    if (section_ != nullptr) {
      TRY(settle(error_at(section_at_,
                          fmt::format("the section {{{{#{0}}}}} is not closed; write {{{{/{0}}}}}",
                                      section_->name))));
    }
    return check_required();
  }

 private:
  std::unexpected<Error> error_at(size_t at, std::string_view message) const {
    const auto line = 1 + std::ranges::count(text_.substr(0, at), '\n');
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}:{}: {}", origin_, line, message));
  }

  // An error among others, if all are wanted.
  Result<void> settle(Result<void> part) const {
    if (part || all_ == nullptr) return part;
    all_->push_back(std::move(part).error());
    return {};
  }

  void add_text(std::string text) {
    if (!text.empty()) prompt_.parts_.push_back({std::move(text), nullptr, section_});
  }

  Result<void> read_tag(size_t open) {
    const size_t close = text_.find("}}", open);
    const size_t line_end = text_.find('\n', open);
    if (close == std::string_view::npos || close > line_end)
      return error_at(open, "'{{' is not closed by '}}' on its line; write \\{{ for two braces");
    std::string_view tag = trim(text_.substr(open + 2, close - open - 2));
    const char kind = tag.empty() ? ' ' : tag.front();
    if (kind == '#' || kind == '/') tag = trim(tag.substr(1));
    const PromptVariable* variable = find_variable(spec_, tag);
    if (variable == nullptr) return unknown(open, tag);
    at_ = close + 2;
    if (kind == '#') return open_section(open, variable);
    if (kind == '/') return close_section(open, variable);
    used_.push_back(variable);
    prompt_.parts_.push_back({std::string(tag), variable, section_});
    return {};
  }

  std::unexpected<Error> unknown(size_t at, std::string_view tag) const {
    std::vector<std::string_view> known;
    for (const PromptVariable& variable : spec_.variables) known.push_back(variable.name);
    return error_at(at,
                    fmt::format("the prompt '{}' has no variable '{}'; did you mean {{{{{}}}}}?",
                                spec_.name, utf8_prefix(tag, 64), nearest_name(tag, known)));
  }

  Result<void> open_section(size_t at, const PromptVariable* variable) {
    if (section_ != nullptr)
      return error_at(at, fmt::format("a section inside the section '{}'; close that one first",
                                      section_->name));
    section_ = variable;
    section_at_ = at;
    skip_line_end(at);
    return {};
  }

  Result<void> close_section(size_t at, const PromptVariable* variable) {
    if (section_ != variable)
      return error_at(
          at, fmt::format("{{{{/{}}}}} closes no open section of that name", variable->name));
    section_ = nullptr;
    skip_line_end(at);
    return {};
  }

  // A tag of a section that is alone on its line takes the line with it.
  void skip_line_end(size_t tag_begin) {
    const bool starts_line = tag_begin == 0 || text_[tag_begin - 1] == '\n';
    if (starts_line && text_.substr(at_).starts_with("\n")) ++at_;
  }

  Result<Prompt> check_required() const {
    for (const PromptVariable& variable : spec_.variables) {
      if (variable.required && std::ranges::find(used_, &variable) == used_.end())
        TRY(settle(error_at(
            0, fmt::format("the prompt '{}' must use {{{{{}}}}}; write it where the value belongs",
                           spec_.name, variable.name))));
    }
    return prompt_;
  }

  const std::string_view text_, origin_;
  const PromptSpec& spec_;
  std::vector<Error>* const all_;  // null: the first error ends it
  Prompt prompt_;
  size_t at_ = 0;
  const PromptVariable* section_ = nullptr;  // the open one
  size_t section_at_ = 0;
  std::vector<const PromptVariable*> used_;
};

const std::vector<PromptSpec>& prompt_specs() {
  static const std::vector<PromptSpec> kSpecs = {
      {"system", {{"now"}, {"verified_knowledge", false, true}}},
      {"title", {{"transcript", true, true}}},
      {"compact", {{"transcript", true, true}, {"summary", false, true}}},
      {"self_query", {{"question", true, true}, {"catalogue", true, true}, {"now"}}},
      {"intent_classifier", {{"question", true, true}}},
      {"planner", {{"question", true, true}, {"plan", true, true}, {"tools"}, {"now"}}},
      {"executor", {{"plan", true, true}, {"notes", true, true}, {"gaps", false}}},
      {"investigation", {{"report", true, true}}},
  };
  return kSpecs;
}

Result<Prompt> Prompt::parse(std::string_view text, std::string_view origin, const PromptSpec& spec,
                             std::vector<Error>* all) {
  return PromptParser(text, origin, spec, all).parse();
}

Result<std::string> Prompt::render(const PromptValues& values) const {
  for (const auto& [name, value] : values) {
    if (find_variable(*spec_, name) == nullptr)
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("the prompt '{}' has no variable '{}'", spec_->name, name));
  }
  const auto value_of = [&](const PromptVariable& variable) -> const std::string* {
    const auto found = values.find(variable.name);
    return found == values.end() ? nullptr : &found->second;
  };
  for (const PromptVariable& variable : spec_->variables) {
    if (variable.required && value_of(variable) == nullptr)
      return fail(ErrorCode::kInvalidArgument, fmt::format("the prompt '{}' needs a value for '{}'",
                                                           spec_->name, variable.name));
  }
  std::string out;
  for (const Part& part : parts_) {
    if (part.only_with != nullptr) {
      const std::string* value = value_of(*part.only_with);
      if (value == nullptr || value->empty()) continue;
    }
    if (part.variable == nullptr) {
      out += part.text;
    } else if (const std::string* value = value_of(*part.variable)) {
      out += part.variable->untrusted ? delimit(*value) : strip_controls(*value);
    }
  }
  return std::string(trim(out));
}

}  // namespace precedent
