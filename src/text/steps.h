// Steps: whether a text tells somebody what to do, by its structure alone.
//
// Thread safety: pure functions. Time is linear.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "text/markdown.h"

namespace precedent {

// The number that a text begins with, after a word at most: 2 of "2. Drain" and of "Step 2: Drain".
std::optional<int> step_number(std::string_view text);
// The same of an item of a numbered list; nothing of other blocks.
std::optional<int> item_number(const Block& block);

// How many lines of a paragraph count on from one another, each behind a word: "Step 1: …", "Step
// 2: …". Lines that begin with the number itself are items of a list.
size_t counted_lines(const Block& block, std::string_view source);

// The number that a paragraph has within its chapter: 2 of "4.2 Stop the pump".
std::optional<int> paragraph_number(const Block& block, std::string_view source);

// Two numbered items, lines or paragraphs, two items with a command in them, an item beside a block
// of commands, or headings that are counted over a command. Not a table of contents, whose items
// are links. REQUIRES: the blocks were found in `source`.
bool tells_steps(std::span<const Block> blocks, std::string_view source);
bool tells_steps(std::string_view markdown);

}  // namespace precedent
