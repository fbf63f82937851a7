// Text that other people and machines wrote, made harmless for who reads it next.
//
//   visible_text   for a screen, a log, a receipt: what is shown is all there is. Terminal escapes
//                  and control characters go, and so do characters that nobody sees: zero width,
//                  direction overrides, tag characters (U+E0000–E007F), variation selectors that
//                  vary nothing. Four or more of them in a row leave "[7 hidden characters]".
//   defuse         for a model: visible_text, and what a model could take for the frame of its
//                  conversation is written so that it no longer is: "<|im_start|>" →
//                  "‹|im_start|>",
//                  "[INST]" → "⁅INST]", "Human: …" at the begin of a line → "› Human: …".
//   delimit        defuse between tags <data-1f3a90c2 …> whose name does not occur inside.
//
// Each is idempotent but delimit, linear in its argument, and gives valid UTF-8. Line counts stay,
// but for a lone carriage return, which ends a line. What an answer quotes comes from typed results
// (tools/receipt.h), which only visible_text touches. The rules and their reasons:
// docs/untrusted-text.md. Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

// Escape sequences as in ECMA-48: CSI, OSC and the other strings, two-byte escapes. All else stays.
std::string strip_terminal_escapes(std::string_view text);

enum class HiddenText { kTold, kDropped };  // dropped: from what people type themselves
std::string visible_text(std::string_view text, HiddenText hidden_text);
std::string visible_text(std::string_view text);  // kTold

std::string defuse(std::string_view text);
// Whether a text begins with a mark of the frame of a conversation, in '<' or '['.
bool opens_frame(std::string_view text);

// Where data comes from, as its tag says it. Characters but letters, digits and "_.-" are left out.
struct DataOrigin {
  std::string_view receipt = {};  // "R1"
  std::string_view source = {};   // the tool
};
// "<data-1f3a90c2 receipt="R1" source="doc_search">\n…\n</data-1f3a90c2>". The same text gives the
// same tag, so that a vendor's cache of prompts holds.
std::string delimit(std::string_view text, const DataOrigin& origin = {});

}  // namespace precedent
