// What to do, step by step: which section of which document tells it, and how it is shown.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "agent/compose/compose_parts.h"
#include "base/ascii.h"
#include "base/strings.h"
#include "text/analyzer.h"
#include "text/markdown.h"
#include "text/steps.h"

namespace precedent {
namespace {

// A longer procedure is cut here, and the answer says where the rest is.
constexpr size_t kMaxShownLines = 40;
constexpr size_t kMaxShownBytes = 2800;
// What it adds to a section's score that its form or heading tells what to do, or how to check if
// that is asked.
constexpr float kForm = 0.3f;
constexpr float kHeading = 0.8f;
// What it adds to a document's score that the question says its title, and how well its best
// section answers; its relevance is 0–1.
constexpr float kTitle = 0.5f;
constexpr float kAnswers = 0.5f;
// And that what the question names points to it.
constexpr float kPointed = 2;
// The share of a title's words that a question must say to mean it.
constexpr float kNamed = 0.99f;

// `heading` is in lower case.
bool is_acting(std::string_view heading) {
  static constexpr std::string_view kActing[] = {"mitigat", "resol",   "fix",         "step",
                                                 "remed",   "recover", "procedure",   "workaround",
                                                 "action",  "how to",  "instruction", "what to do"};
  return heading == "how" || std::ranges::any_of(kActing, [&](std::string_view word) {
           return heading.contains(word);
         });
}

bool is_looking(std::string_view heading) {
  static constexpr std::string_view kLooking[] = {"diagnos", "check", "verif",  "investigat",
                                                  "triage",  "find",  "confirm"};
  return std::ranges::any_of(kLooking,
                             [&](std::string_view word) { return heading.contains(word); });
}

// Documents about the past, decisions, architecture or ownership hold no steps to follow now.
bool may_tell_steps(const KnowledgeItem& section) {
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
    default: return tells_steps(section.text);
  }
}

// A document's attributes are a list, but no steps; a workaround among them is.
bool is_attributes(const KnowledgeItem& section) {
  return section.lines.begin == 0 && !section.heading.empty() &&
         section.heading.back() == kAttributes && !section.text.contains("Workaround");
}

// How well the pieces of a section answer, and how many of them are steps.
struct Support {
  float answers = 0;  // of its three best convincing pieces: a procedure answers in several steps
  size_t steps = 0;
};
Support support_of(const KnowledgeItem& section, const std::vector<Evidence>& evidence) {
  Support support;
  std::vector<float> scores;
  for (const Evidence& e : evidence) {
    if (e.source.id != section.id || e.source.lines != section.lines) continue;
    if (e.form == Form::kItem || e.form == Form::kCommand) ++support.steps;
    if (is_convincing(e)) scores.push_back(e.score);
  }
  std::ranges::sort(scores, std::greater());
  static constexpr float kShares[] = {0.5f, 0.3f, 0.2f};
  for (size_t i = 0; i < std::min(scores.size(), std::size(kShares)); ++i)
    support.answers += kShares[i] * scores[i];
  return support;
}

// How well a title matches the question: the share of the title's words in the question, and of the
// question's words in the title. Of two titles that match, the longer is meant.
struct TitleMatch {
  float said = 0, covers = 0;
};
TitleMatch title_match(const KnowledgeItem& section, const std::set<std::string>& question,
                       const Analyzer& analyzer) {
  const std::vector<std::string> title = analyzer.terms(section.title);
  const std::set<std::string> words(title.begin(), title.end());
  if (words.empty() || question.empty()) return {};
  const auto held = static_cast<float>(std::ranges::count_if(
      words, [&](const std::string& word) { return question.contains(word); }));
  return {held / static_cast<float>(words.size()), held / static_cast<float>(question.size())};
}

// Where to cut `text`: before the first top-level line that does not fit. Its end, if it is short
// enough.
size_t shown_end(std::string_view text) {
  const std::vector<Block> blocks = parse_blocks(text);
  size_t end = 0, lines = 0;
  for (const Block& block : blocks) {
    lines += block.last_line - block.first_line + 1;
    const bool top = block.depth <= (block.kind == BlockKind::kListItem ? 1 : 0);
    if (top && end > 0 && (lines > kMaxShownLines || block.bytes.end > kMaxShownBytes))
      return block.bytes.begin;
    if (top || end > 0) end = block.bytes.end;
  }
  return text.size();
}

// "Steps 1–6 of 11" of a procedure that is cut; "" if they are not numbered.
std::string shown_steps(std::string_view text, size_t end) {
  size_t all = 0, shown = 0;
  for (const Block& block : parse_blocks(text)) {
    const bool counts = (item_number(block) && block.depth == 1) || paragraph_number(block, text);
    const size_t steps = counts ? 1 : counted_lines(block, text);
    all += steps;
    if (block.bytes.begin < end) shown += steps;
  }
  return all == 0 ? "" : fmt::format("Steps 1–{} of {}", shown, all);
}

Source source_of(const KnowledgeItem& section, const Receipt& receipt) {
  return {section.id,   section.title, std::string(name(section.kind)),
          section.path, section.lines, receipt.id};
}

std::string named(const KnowledgeItem& section) {
  return fmt::format("{} \"{}\"{}", name(section.kind), section.title,
                     section.heading.empty() ? "" : fmt::format(", {}", section.heading.back()));
}

}  // namespace

void show_section(Writer& out, const KnowledgeItem& section, const Receipt& receipt,
                  std::string_view label) {
  const Source source = source_of(section, receipt);
  out.gap();
  out.line(fmt::format("**{}** from {} {}:", label, named(section), out.cite(source)));
  if (section.expired_at) {
    out.note(expired_text(section.title, *section.expired_at));
    out.line("");
  }
  std::string_view text = trim(section.text);
  // The line above says it already.
  if (const std::vector<Block> blocks = parse_blocks(text);
      !section.heading.empty() && !blocks.empty() && blocks.front().kind == BlockKind::kHeading &&
      heading_text(text, blocks.front()) == section.heading.back())
    text = trim(text.substr(blocks.front().bytes.end));
  const size_t end = shown_end(text);
  const std::string_view shown = trim(text.substr(0, end));
  out.quotation("", shown, "", source);
  if (end >= text.size()) return;
  const std::string steps = shown_steps(text, end);
  out.gap();
  out.line(fmt::format("{}; the rest stands in {}.",
                       steps.empty() ? "This is its beginning" : steps, out.cite(source)));
}

std::optional<FoundProcedure> find_procedure(const Answer& answer,
                                             const std::vector<Evidence>& evidence,
                                             std::string_view cause) {
  const Receipt* receipt = receipt_of(answer, "doc_search");
  const SectionsResult* result =
      receipt == nullptr ? nullptr : std::get_if<SectionsResult>(&receipt->result);
  if (result == nullptr || result->sections.empty()) return std::nullopt;
  const Analyzer analyzer;
  const std::vector<std::string> cause_terms = analyzer.terms(cause);
  const std::set<std::string> wanted(cause_terms.begin(), cause_terms.end());
  // What to do comes before how to look, unless that is asked.
  const bool looks = answer.intent.qualifiers.to_look;
  // Steps were not asked for: only those that are surely about the subject are shown.
  const Asks& a = answer.intent.asks;
  const bool trouble = answer.intent.type == QuestionType::kDebugIncident;
  const bool asked = a.steps || a.remedy || a.command || answer.intent.parts_only;
  const bool pasted = answer.intent.signals.log_line;
  const auto is_near = [&](const std::string& document) {
    return std::ranges::any_of(
        evidence, [&](const Evidence& e) { return e.source.id == document && is_convincing(e); });
  };
  struct Rated {
    const KnowledgeItem* section;
    float score;
  };
  const std::vector<std::string> question = answer.intent.asked.text.terms();
  const std::set<std::string> said(question.begin(), question.end());
  std::vector<Rated> candidates;
  std::map<std::string, float> documents;  // how well each fits
  for (const KnowledgeItem& section : result->sections) {
    if (!may_tell_steps(section) || is_attributes(section)) continue;
    const bool pointed = section.pointed_to && (asked || pasted);
    const bool meant = pointed || evidence.empty() || !evidence.front().meant ||
                       section.id == evidence.front().source.id;
    // People would follow steps even if they were for something else than what the question names.
    // Of measured trouble, steps for its kind are right.
    if (!trouble && !pointed && !answer.named.missing_in(section.id).empty()) continue;
    // Near by what a search says of the document, or as where the best line stands.
    const bool near = pointed || (!evidence.empty() && section.id == evidence.front().source.id) ||
                      section.relevance >= kRelatedShare * result->sections.front().relevance;
    if (!meant || !near) continue;
    const Support support = support_of(section, evidence);
    const std::string heading = section.heading.empty() ? "" : ascii_lower(section.heading.back());
    const bool fits = looks ? is_looking(heading) : is_acting(heading);
    const bool steps = tells_steps(section.text);
    const bool told = support.steps > 0 || steps || fits;
    if (!told || (!asked && !pointed && !is_near(section.id))) continue;
    // Of several procedures, the one against the cause; a remark that names it is none.
    const float answers = support.answers + (steps ? overlap(wanted, section.text, analyzer) : 0);
    candidates.push_back({&section, answers + (fits ? kHeading : 0) + (steps ? kForm : 0)});
    const TitleMatch title = title_match(section, said, analyzer);
    float& document = documents[section.id];
    document = std::max(document, section.relevance + kTitle * (title.said + title.covers) / 2 +
                                      kAnswers * answers + (pointed ? kPointed : 0));
  }
  if (candidates.empty()) return std::nullopt;
  // The best document, and of its sections the one that tells what to do.
  const auto best = std::ranges::max_element(
      candidates, {}, [&](const Rated& c) { return std::pair(documents[c.section->id], c.score); });
  const KnowledgeItem& section = *best->section;
  float support = 0;
  for (const Evidence& e : evidence)
    if (section.pointed_to || (e.source.id == section.id && is_convincing(e)))
      support = std::max(support, e.score);
  const bool named = analyzer.terms(section.title).size() > 1 &&
                     title_match(section, said, analyzer).said > kNamed;
  return FoundProcedure{&section, receipt, support, named};
}

void compose_steps(Answer& answer, Writer& out, const std::vector<Evidence>& evidence,
                   std::string_view cause) {
  if (const auto found = find_procedure(answer, evidence, cause))
    show_section(out, *found->section, *found->receipt, "Steps");
}

void point_to_steps(Writer& out, const FoundProcedure& found) {
  out.gap();
  out.line(fmt::format("Steps: {} {}", named(*found.section),
                       out.cite(source_of(*found.section, *found.receipt))));
}

}  // namespace precedent
