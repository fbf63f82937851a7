// Pieces of Markdown out of text that is none: fences, paragraphs, list items, emphasis.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

// A block of code, with a fence that is longer than any in the text. Of `language`: what a name of
// one may hold.
std::string fenced(std::string_view text, std::string_view language);

// Each line trimmed; none begins as a heading, a quotation, a fence or a rule does.
std::string as_paragraph(std::string_view text);

// Every line but the first moved in: the further lines of a list item.
std::string indented(std::string_view text, size_t spaces);

// `prefix` before every line.
std::string prefixed(std::string_view text, std::string_view prefix);

// A blank line between it and what is there; nothing for a blank block.
void add_block(std::string& out, std::string_view block);

// "x" → "**x**". Marks go to the word, since Markdown knows none beside a space.
std::string emphasised(const std::string& text, std::string_view mark);

// Runs of white space become one space; not trimmed, as text goes on before and after.
std::string collapsed(std::string_view text);

}  // namespace precedent
