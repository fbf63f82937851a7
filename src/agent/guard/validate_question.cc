// The part of guardrails.h that needs no rules.
#include <fmt/format.h>

#include <algorithm>

#include "agent/guard/guardrails.h"
#include "base/strings.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// More control characters than text is a binary file; terminals paste a few around each word.
constexpr size_t kMaxControlShare = 2;

Verdict invalid(Verdict::Action action, std::string code, std::string message) {
  return {.action = action, .code = code, .reason = code, .message = std::move(message)};
}

// ", for example about A, B"; "" without choices.
std::string for_example(const std::vector<std::string>& choices) {
  return choices.empty() ? "" : ", for example about " + join(choices, ", ");
}

}  // namespace

Verdict validate_question(std::string_view question, const Limits& limits,
                          const std::vector<std::string>& examples) {
  using enum Verdict::Action;
  if (question.size() > limits.max_question_bytes) {
    return invalid(
        kRefuse, "too_long",
        fmt::format("The question has {} bytes with its files, and at most {} are read. Ask "
                    "in a few sentences, and give the part of a log that matters.",
                    question.size(), limits.max_question_bytes));
  }
  if (const auto at = invalid_utf8_at(question)) {
    return invalid(
        kRefuse, "invalid_utf8",
        fmt::format("The question is not valid UTF-8 (byte {} is wrong). Convert it, for example "
                    "with `iconv -t UTF-8`, and ask again.",
                    *at + 1));
  }
  const std::string printable = strip_terminal_escapes(question);
  std::string clean = visible_text(printable, HiddenText::kDropped);
  const size_t controls = static_cast<size_t>(std::ranges::count_if(printable, [](unsigned char c) {
    return (c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7f;
  }));
  if (controls > 0 && clean.size() < controls * kMaxControlShare && !trim(clean).empty()) {
    return invalid(
        kRefuse, "binary",
        fmt::format("The question looks like a binary file: {} of its {} bytes are control "
                    "characters. Ask in words, and give files with --file.",
                    controls, question.size()));
  }
  if (trim(clean).empty()) {
    return invalid(
        kAskBack, "empty",
        fmt::format("The question is empty. Ask about an incident, a symptom or a service{}.",
                    for_example(examples)));
  }
  return {.question = std::move(clean)};
}

std::vector<std::string> choices_of(const Catalogue& catalogue,
                                    const std::vector<std::string>& recent) {
  // Two of each: what fits on a line, and shows what sort of thing may be asked.
  constexpr size_t kOfEach = 2;
  std::vector<std::string> choices;
  for (const auto* list : {&catalogue.applications, &catalogue.services, &recent}) {
    for (size_t i = 0; i < std::min(kOfEach, list->size()); ++i) choices.push_back((*list)[i]);
  }
  return choices;
}

}  // namespace precedent
