// AnswerSection: a part of an answer. An answer is composed by going through an ordered table of
// them: each says when it belongs into the answer, and writes itself. To add one, add a row
// (docs/how-to/add-a-section.md).
//
// `C` is what the sections of one table know. Its member `answer` is what they write to; `explain`
// there tells of every section why it is in the answer, or why not. Thread safety: pure but for the
// answer.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string_view>

#include "agent/evidence/answer.h"

namespace precedent {

enum class Then {
  kGoOn,          // with the next row
  kEnd,           // the table ends with it
  kEndIfWritten,  // unless it had nothing to say
};

template <typename C>
struct AnswerSection {
  std::string_view name;  // stable: people and programs know it by this
  std::string_view when;  // it is there, for a person
  bool (*applies)(const C&);
  void (*write)(C&);
  Then then = Then::kGoOn;
};

template <typename C>
void write_sections(std::span<const AnswerSection<C>> table, C& context) {
  Answer& answer = context.answer;
  for (const AnswerSection<C>& section : table) {
    const bool applies = section.applies(context);
    const size_t before = answer.text.size();
    if (applies) section.write(context);
    const bool written = answer.text.size() > before;
    answer.explain.push_back(
        fmt::format("section {}: {}", section.name,
                    !applies  ? fmt::format("left out (only if {})", section.when)
                    : written ? std::string(section.when)
                              : fmt::format("nothing to say ({})", section.when)));
    if (!applies) continue;
    // A row that goes through a table of its own leaves it to that one's rows.
    const bool named = !answer.sections.empty() && answer.sections.back().bytes.end > before;
    if (written && !named)
      answer.sections.push_back(
          {std::string(section.name),
           {static_cast<uint32_t>(before), static_cast<uint32_t>(answer.text.size())}});
    if (section.then == Then::kEnd || (section.then == Then::kEndIfWritten && written)) return;
  }
}

}  // namespace precedent
