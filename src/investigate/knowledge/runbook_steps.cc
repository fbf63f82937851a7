#include "investigate/knowledge/runbook_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/redact.h"
#include "base/strings.h"
#include "search/passages.h"
#include "text/markdown.h"
#include "text/steps.h"

namespace precedent {
namespace {

// What somebody reads on a phone; the file has the rest.
constexpr size_t kMaxStepBytes = 600;

// Of two alternatives that are this near to each other, both are shown.
constexpr float kClear = 0.05f;

// A list, a table or something to type: not talk alone.
bool shows_something(std::span<const Block> blocks) {
  const auto is = [&](BlockKind kind) { return std::ranges::count(blocks, kind, &Block::kind); };
  return is(BlockKind::kCode) > 0 || is(BlockKind::kTable) > 0 || is(BlockKind::kListItem) > 1;
}

// The numbered items of a section, each with what stands below it up to the next one.
std::vector<RunbookStep> steps_of(std::string_view body, std::span<const Block> blocks,
                                  uint32_t offset) {
  std::vector<RunbookStep> out;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (!item_number(blocks[i]) || blocks[i].depth != 1) continue;
    size_t last = i;
    while (last + 1 < blocks.size() && blocks[last + 1].depth > 0 &&
           !(blocks[last + 1].kind == BlockKind::kListItem && blocks[last + 1].depth == 1))
      ++last;
    const std::string_view text =
        body.substr(blocks[i].content.begin, blocks[last].bytes.end - blocks[i].content.begin);
    out.push_back({shown_line(squeeze(text), kMaxStepBytes),
                   {blocks[i].first_line + offset, blocks[last].last_line + offset}});
  }
  return out;
}

// Sections below one heading are alternatives ("Fix A", "Fix B"), none later than another.
std::string group_of(const StepSection& section) {
  std::vector<std::string> path = section.heading;
  if (path.size() > 1) path.pop_back();
  return join(path, "\n");
}

// All numbered sections of a group as one.
StepSection whole_group(const std::vector<StepSection>& sections, const std::string& group) {
  StepSection out;
  for (const StepSection& section : sections) {
    if (section.steps.empty() || group_of(section) != group) continue;
    if (out.steps.empty())
      out = {{section.heading.begin(), section.heading.end() - (section.heading.size() > 1)},
             section.lines,
             section.text,
             section.steps};
    else
      out.steps.insert(out.steps.end(), section.steps.begin(), section.steps.end());
    if (out.lines.end != section.lines.end) out.text += "\n" + section.text;
    out.lines.end = section.lines.end;
  }
  return out;
}

}  // namespace

std::vector<StepSection> step_sections(const Document& document) {
  std::vector<StepSection> out;
  if (document.body_line == 0) return out;
  const std::string body = redact_lines(document.body);
  const std::vector<Block> blocks = parse_blocks(body);
  const uint32_t offset = document.body_line - 1;
  for (const Section& section : find_sections(body, blocks)) {
    const std::span<const Block> own =
        std::span(blocks).subspan(section.first_block, section.end_block - section.first_block);
    if (!shows_something(own)) continue;
    std::vector<RunbookStep> steps = steps_of(body, own, offset);
    if (steps.size() < 2) steps.clear();
    out.push_back(
        {section.path,
         {own.front().first_line + offset, own.back().last_line + offset},
         body.substr(own.front().bytes.begin, own.back().bytes.end - own.front().bytes.begin),
         std::move(steps)});
  }
  return out;
}

std::optional<StepSection> section_to_follow(const Searcher& search, const Document& document,
                                             std::string_view incident) {
  std::vector<StepSection> sections = step_sections(document);
  std::vector<Passage> passages;
  std::vector<std::string> groups;  // in their order
  for (const StepSection& section : sections) {
    passages.push_back(
        {.text = section.text, .context = join(section.heading, ", "), .title = document.title});
    if (groups.empty() || groups.back() != group_of(section)) groups.push_back(group_of(section));
  }
  for (size_t i = 0; i < sections.size(); ++i) {
    const auto place = std::ranges::find(groups, group_of(sections[i])) - groups.begin() + 1;
    passages[i].bonus = static_cast<float>(place) / static_cast<float>(groups.size());
  }
  const auto ranked =
      rank_passages(fmt::format("How to mitigate and resolve it: {}", incident), passages, search);
  if (!ranked || ranked->empty()) return std::nullopt;
  StepSection& best = sections[ranked->front().passage];
  if (best.steps.empty()) return std::nullopt;
  const bool clear = std::ranges::none_of(*ranked, [&](const PassageScore& other) {
    return &sections[other.passage] != &best && !sections[other.passage].steps.empty() &&
           group_of(sections[other.passage]) == group_of(best) &&
           other.score > ranked->front().score - kClear;
  });
  return clear ? std::move(best) : whole_group(sections, group_of(best));
}

}  // namespace precedent
