#include "agent/evidence/procedures.h"

#include <algorithm>
#include <cmath>

#include "agent/evidence/evidence.h"
#include "base/strings.h"
#include "text/markdown.h"
#include "text/steps.h"

namespace precedent {
namespace {

// As train/precedent_train/procedures.py.
constexpr size_t kWords = 48;

// Odds beyond these say nothing more.
constexpr float kLeast = 1e-4f;

// A document's attributes are a list, but no steps; a workaround among them is.
bool is_list_of_attributes(const KnowledgeItem& section) {
  return section.lines.begin == 0 && !section.heading.empty() &&
         section.heading.back() == kAttributes && !section.text.contains("Workaround");
}

}  // namespace

bool wants_to_act(const Intent& intent) {
  const Asks& a = intent.asks;
  return a.steps || a.remedy || a.command || intent.parts_only ||
         intent.after == QuestionType::kDebugIncident;
}

bool may_tell_what_to_do(const KnowledgeItem& section, bool acts) {
  if (is_list_of_attributes(section)) return false;
  switch (section.kind) {
    case Kind::kPostmortem:
    case Kind::kIncident:
    case Kind::kAdr:
    case Kind::kArchitecture:
    case Kind::kOwnership:
    case Kind::kGolden:
    case Kind::kCode: return false;
    case Kind::kRunbook:
    case Kind::kPlaybook:
    case Kind::kKnownIssue: return true;
    default: return tells_steps(section.text) || (acts && section.text.size() <= kMaxProse);
  }
}

std::string beginning_of(const KnowledgeItem& section) {
  std::string_view text = trim(section.text);
  while (!text.empty()) {
    const std::vector<Block> blocks = parse_blocks(text);
    if (blocks.empty() || blocks.front().kind != BlockKind::kHeading) break;
    text = trim(text.substr(blocks.front().bytes.end));
  }
  std::string beginning = section.heading.empty() ? "" : section.heading.back() + ":";
  constexpr std::string_view kSpace = " \t\r\n";
  for (size_t words = 0; words < kWords;) {
    text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
    if (text.empty()) break;
    const std::string_view word = text.substr(0, text.find_first_of(kSpace));
    text.remove_prefix(word.size());
    if (word.find_first_not_of('`') == std::string_view::npos) continue;  // a fence
    if (!beginning.empty()) beginning += ' ';
    beginning += word;
    ++words;
  }
  return beginning;
}

std::vector<ProcedureRating> rate_procedures(const FrozenText& question,
                                             const std::vector<KnowledgeItem>& sections,
                                             const LearnedReader& reader) {
  std::vector<ProcedureRating> ratings;
  float all = 1;  // the odds of none
  for (const KnowledgeItem& section : sections) {
    if (ratings.size() == kMaxProceduresRead) break;
    if (!may_tell_what_to_do(section, true)) continue;
    const PastTurn before[] = {{question.to_search(), section.title}};
    const auto reading = reader.read(beginning_of(section), before);
    if (!reading) return {};
    const float answers =
        std::clamp(reading->head("answers").labels.front().probability, kLeast, 1 - kLeast);
    ratings.push_back({section.id, section.lines, answers / (1 - answers)});
    all += ratings.back().probability;
  }
  for (ProcedureRating& rating : ratings) rating.probability /= all;
  return ratings;
}

}  // namespace precedent
