// Which sections are cut as one: a tiny section joins its next sibling or its first child, a tiny
// last one the sibling before, and headings without text join whatever comes next. Thread safety:
// pure functions. Linear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/markdown.h"

namespace precedent {

// Sections `first` to `last`, inclusive.
struct SectionGroup {
  uint32_t first = 0, last = 0;
  size_t pieces = 0;
  bool content = false;  // more than headings
};

// Whether the section has a block besides its heading.
bool has_content(const Section& section, const std::vector<Block>& blocks);

// In order; together they are all sections. `block_pieces` are the word pieces of each block.
std::vector<SectionGroup> group_sections(const std::vector<Block>& blocks,
                                         const std::vector<size_t>& block_pieces,
                                         const std::vector<Section>& sections, size_t max_pieces);

}  // namespace precedent
