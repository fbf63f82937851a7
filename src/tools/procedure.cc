#include "tools/procedure.h"

#include <algorithm>
#include <span>

#include "base/redact.h"
#include "base/strings.h"
#include "text/markdown.h"
#include "text/steps.h"

namespace precedent {
namespace {

// A longer section before the steps is no warning of them.
constexpr size_t kMaxWarningBytes = 600;
// Sections between conditions and the steps: precautions, tools.
constexpr size_t kMostBetween = 2;

// A document in its sections.
class Outline {
 public:
  explicit Outline(std::string_view body)
      : body_(body), blocks_(parse_blocks(body)), sections_(find_sections(body, blocks_)) {}

  // The sections that stand in these lines of the body, as an interval of indexes; empty if none
  // does.
  std::pair<size_t, size_t> at(uint32_t first, uint32_t last) const {
    size_t begin = sections_.size(), end = 0;
    for (size_t i = 0; i < sections_.size(); ++i) {
      const auto blocks = blocks_of(i);
      if (blocks.empty() || blocks.back().last_line < first || blocks.front().first_line > last)
        continue;
      begin = std::min(begin, i);
      end = i + 1;
    }
    return {begin, end};
  }

  bool has_steps(size_t begin, size_t end) const {
    return begin < end && tells_steps(blocks(begin, end), body_);
  }

  // Whether they are counted, which a list of conditions ("when to apply") is not.
  bool has_counted_steps(size_t begin, size_t end) const {
    const auto all = blocks(begin, end);
    return std::ranges::any_of(all, [&](const Block& block) {
      return (item_number(block) && block.depth == 1) || paragraph_number(block, body_) ||
             counted_lines(block, body_) > 1;
    });
  }

  // Whether something stands out in a section without steps, as warnings do: a quote, bold, an
  // exclamation.
  bool warns(size_t section) const {
    return std::ranges::any_of(blocks_of(section),
                               [&](const Block& block) { return warns(block); });
  }

  // A list that goes on from a section before or in one behind, and headings that are numbered.
  void complete(size_t& begin, size_t& end) const {
    while (begin > 0 && is_sibling(begin - 1, begin) && continues(begin - 1, begin)) --begin;
    while (end < sections_.size() && is_sibling(end - 1, end) && continues(end - 1, end)) ++end;
    if (const auto first = numbered_first(begin)) {
      begin = *first;
      size_t last = begin;
      for (size_t i = begin; i < sections_.size(); i = after(i)) {
        if (sections_[i].parent != sections_[begin].parent || !continues_heading(begin, i)) break;
        last = i;
      }
      end = std::max(end, after(last));
    }
    // A list with commands in it, and counted steps that follow: these are the procedure, and the
    // list its conditions.
    if (!numbered_first(begin) && has_steps(begin, end) && !has_counted_steps(begin, end)) {
      size_t next = end;
      while (next < sections_.size() && next < end + kMostBetween && is_sibling(next, begin) &&
             !has_counted_steps(next, next + 1))
        ++next;
      if (next < sections_.size() && is_sibling(next, begin) && has_counted_steps(next, next + 1))
        end = next + 1;
    }
    // What has only an introduction of its own is told by what stands under it; but for a title,
    // under which everything stands.
    if (!has_steps(begin, begin + 1) && after(begin) < sections_.size())
      end = std::max(end, after(begin));
    if (begin > 0 && is_sibling(begin - 1, begin) && !has_steps(begin - 1, begin) &&
        warns(begin - 1) && text(begin - 1, begin).size() <= kMaxWarningBytes)
      --begin;
  }

  // The text, with what warns of it further above behind its heading.
  std::string warned_text(size_t begin, size_t end) const {
    const std::string warnings = warnings_above(begin);
    std::string own = text(begin, end);
    if (warnings.empty()) return own;
    const Block& first = blocks(begin, end).front();
    size_t at = 0;
    if (first.kind == BlockKind::kHeading)
      at = std::min(own.size(), own.find_first_not_of('\n', first.bytes.end - first.bytes.begin));
    return own.insert(at, warnings);
  }

  std::vector<std::string> path(size_t section) const { return sections_[section].path; }
  // The path that all of them share; of one, its own.
  std::vector<std::string> common_path(size_t begin, size_t end) const {
    std::vector<std::string> common = path(begin);
    for (size_t i = begin + 1; i < end; ++i) {
      const std::vector<std::string> other = path(i);
      const auto [mine, theirs] = std::ranges::mismatch(common, other);
      common.erase(mine, common.end());
    }
    return common;
  }
  LineRange lines(size_t begin, size_t end) const {
    const auto all = blocks(begin, end);
    return {all.front().first_line, all.back().last_line};
  }
  std::string text(size_t begin, size_t end) const {
    const auto all = blocks(begin, end);
    return std::string(
        body_.substr(all.front().bytes.begin, all.back().bytes.end - all.front().bytes.begin));
  }

 private:
  // The warnings in the introductions of the sections that `section` stands in, the outermost
  // first; each as a paragraph.
  std::string warnings_above(size_t section) const {
    std::string warnings;
    for (uint32_t above = sections_[section].parent; above != Section::kNoParent;
         above = sections_[above].parent) {
      std::string own;
      for (const Block& block : blocks_of(above)) {
        if (!warns(block) || states_fields(block.content.in(body_))) continue;
        own.append(trim(body_.substr(block.bytes.begin, block.bytes.end - block.bytes.begin)));
        own += "\n\n";
      }
      if (own.size() <= kMaxWarningBytes) warnings.insert(0, own);
    }
    return warnings;
  }

  bool warns(const Block& block) const {
    const std::string_view content = block.content.in(body_);
    return block.kind == BlockKind::kQuote ||
           (block.kind != BlockKind::kHeading && block.kind != BlockKind::kCode &&
            (content.contains("**") || content.contains('!') || content.contains("⚠")));
  }
  // "**Owner:** Pipes · **Reviewed:** 2026-03": short lines that name a field each.
  static bool states_fields(std::string_view content) {
    constexpr size_t kMostBytes = 80;
    while (!content.empty()) {
      const std::string_view line = content.substr(0, content.find('\n'));
      content.remove_prefix(std::min(content.size(), line.size() + 1));
      const bool field = line.contains(":**") || line.contains("**:");
      if (!field || line.size() > kMostBytes) return false;
    }
    return true;
  }
  std::span<const Block> blocks_of(size_t section) const { return blocks(section, section + 1); }
  std::span<const Block> blocks(size_t begin, size_t end) const {
    const uint32_t from = sections_[begin].first_block, to = sections_[end - 1].end_block;
    return std::span(blocks_).subspan(from, to - from);
  }
  bool is_sibling(size_t a, size_t b) const {
    return sections_[a].parent == sections_[b].parent && sections_[a].level == sections_[b].level;
  }
  // The first section behind this one and all that stand under it.
  size_t after(size_t section) const {
    size_t next = section + 1;
    while (next < sections_.size() && sections_[next].level > sections_[section].level) ++next;
    return next;
  }
  // Whether the list of section `b` goes on counting where that of `a` ended.
  bool continues(size_t a, size_t b) const {
    std::optional<int> last, first;
    for (const Block& block : blocks_of(a))
      if (const auto number = item_number(block); number && block.depth == 1) last = number;
    for (const Block& block : blocks_of(b))
      if (const auto number = item_number(block); number && block.depth == 1 && !first)
        first = number;
    return last && first && *first > 1 && *first == *last + 1;
  }
  std::optional<int> heading_number(size_t section) const {
    if (sections_[section].path.empty()) return std::nullopt;
    return step_number(sections_[section].path.back());
  }
  // Whether the heading of `section` counts on from that of `first`, which is number 1.
  bool continues_heading(size_t first, size_t section) const {
    int expected = 1;
    for (size_t i = first; i < section; i = after(i)) ++expected;
    return heading_number(section) == expected;
  }
  // Of the sections that are counted as `section` is, the one that is number 1; nothing if it is
  // not counted, or alone.
  std::optional<size_t> numbered_first(size_t section) const {
    const auto number = heading_number(section);
    if (!number || *number < 1) return std::nullopt;
    size_t first = section;
    const auto is_first = [&](size_t i) {
      return is_sibling(i, section) && heading_number(i) == 1;
    };
    while (!is_first(first) && first > 0 && sections_[first - 1].level >= sections_[section].level)
      --first;
    if (!is_first(first) || !continues_heading(first, section)) return std::nullopt;
    // Chapters are counted, too; the steps are then those of the list in one of them.
    for (size_t i = first; i < sections_.size() && sections_[i].level >= sections_[first].level;
         ++i)
      if (std::ranges::count_if(blocks_of(i), [&](const Block& block) {
            return (item_number(block) && block.depth == 1) || paragraph_number(block, body_);
          }) > 1)
        return std::nullopt;
    const size_t next = after(first);
    const bool alone =
        next >= sections_.size() || !is_sibling(first, next) || !continues_heading(first, next);
    return alone ? std::nullopt : std::optional(first);
  }

  std::string_view body_;
  std::vector<Block> blocks_;
  std::vector<Section> sections_;
};

}  // namespace

std::optional<Procedure> procedure_around(const Document& document, LineRange lines) {
  if (document.body_line == 0 || lines.begin < document.body_line) return std::nullopt;
  const std::string body = redact_lines(document.body);
  const Outline outline(body);
  const uint32_t offset = document.body_line - 1;
  auto [begin, end] = outline.at(lines.begin - offset, lines.end - offset);
  if (begin >= end) return std::nullopt;
  // A chunk of several small sections: from the first that has steps, or warns of them.
  while (begin + 1 < end && !outline.has_steps(begin, begin + 1) &&
         outline.has_steps(begin + 1, end) && !outline.warns(begin))
    ++begin;
  outline.complete(begin, end);
  if (!outline.has_steps(begin, end)) return std::nullopt;
  Procedure procedure{outline.common_path(begin, end), outline.warned_text(begin, end),
                      outline.lines(begin, end)};
  if (procedure.text.size() > kMaxProcedureBytes) return std::nullopt;
  std::vector<std::string>& heading = procedure.heading;
  if (!heading.empty() && iequals(heading.front(), squeeze(document.title)))
    heading.erase(heading.begin());
  procedure.lines.begin += offset;
  procedure.lines.end += offset;
  return procedure;
}

}  // namespace precedent
