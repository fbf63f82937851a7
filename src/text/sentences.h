// Prose → sentences, and Markdown → the units that an answer may quote: a sentence, a table row, a
// command.
//
// Rules, no model: a sentence ends at . ! ? … or 。！？ before white space, except after
// abbreviations, initials and list markers; full stops inside versions, addresses, file names and
// `code` are never followed by white space or do not count.
//
// Thread safety: pure functions. Time is linear.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/markdown.h"

namespace precedent {

// The sentences of one paragraph (soft line breaks are white space), in order, trimmed, none empty.
// Together they hold every character that is not white space.
std::vector<TextRange> split_sentences(std::string_view prose);

enum class UnitKind : uint8_t { kSentence, kHeading, kTableRow, kCodeLine };

struct Unit {
  UnitKind kind;
  TextRange bytes;  // of the Markdown source; a list item's first sentence begins after the marker
  uint32_t line;    // 1-based, where it begins
  uint32_t block;   // index into parse_blocks(source)
  bool operator==(const Unit&) const = default;
};

// REQUIRES: `blocks` is parse_blocks(source). A table's header and delimiter rows, fences, rules,
// HTML and blank lines are no units.
std::vector<Unit> find_units(std::string_view source, const std::vector<Block>& blocks);

}  // namespace precedent
