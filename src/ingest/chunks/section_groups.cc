#include "ingest/chunks/section_groups.h"

namespace precedent {
namespace {

// A section below this says too little to be found on its own: two or three short sentences.
constexpr size_t kTinyPieces = 40;

class Grouping {
 public:
  Grouping(const std::vector<Block>& blocks, const std::vector<size_t>& block_pieces,
           const std::vector<Section>& sections, size_t max_pieces)
      : blocks_(blocks),
        block_pieces_(block_pieces),
        sections_(sections),
        max_pieces_(max_pieces) {}

  std::vector<SectionGroup> run() const {
    std::vector<SectionGroup> groups;
    for (uint32_t i = 0; i < sections_.size();) {
      SectionGroup group = of_section(i);
      while (group.last + 1 < sections_.size() && takes_next(group)) {
        group = joined(group, of_section(group.last + 1));
      }
      i = group.last + 1;
      // A tiny last section has no next sibling; it goes to the one before.
      const bool sibling = !groups.empty() && same_parent(groups.back().first, group.first);
      if (sibling && group.pieces < kTinyPieces &&
          groups.back().pieces + group.pieces <= joint_limit()) {
        groups.back() = joined(groups.back(), group);
      } else {
        groups.push_back(group);
      }
    }
    return groups;
  }

 private:
  SectionGroup of_section(uint32_t index) const {
    SectionGroup group{.first = index, .last = index};
    for (uint32_t b = sections_[index].first_block; b < sections_[index].end_block; ++b)
      group.pieces += block_pieces_[b];
    group.content = has_content(sections_[index], blocks_);
    return group;
  }

  static SectionGroup joined(const SectionGroup& a, const SectionGroup& b) {
    return {a.first, b.last, a.pieces + b.pieces, a.content || b.content};
  }

  // Joint sections leave room for their context, so that joining never causes a cut.
  size_t joint_limit() const { return max_pieces_ * 3 / 4; }

  bool same_parent(uint32_t a, uint32_t b) const {
    return sections_[a].parent == sections_[b].parent;
  }

  bool takes_next(const SectionGroup& group) const {
    if (group.pieces >= kTinyPieces) return false;
    const uint32_t next = group.last + 1;
    const uint32_t parent = sections_[next].parent;
    const bool inside = parent != Section::kNoParent && parent >= group.first;
    if (!inside && !same_parent(group.first, next)) return false;
    return !group.content || group.pieces + of_section(next).pieces <= joint_limit();
  }

  const std::vector<Block>& blocks_;
  const std::vector<size_t>& block_pieces_;
  const std::vector<Section>& sections_;
  size_t max_pieces_;
};

}  // namespace

bool has_content(const Section& section, const std::vector<Block>& blocks) {
  const bool heading = blocks[section.first_block].kind == BlockKind::kHeading && section.level > 0;
  return section.end_block - section.first_block > (heading ? 1u : 0u);
}

std::vector<SectionGroup> group_sections(const std::vector<Block>& blocks,
                                         const std::vector<size_t>& block_pieces,
                                         const std::vector<Section>& sections, size_t max_pieces) {
  return Grouping(blocks, block_pieces, sections, max_pieces).run();
}

}  // namespace precedent
