// Statements: an answer in Markdown → the sentences that can be true or false, with what they cite
// and how they are worded.
//
// Handled: headings, list items, table rows, quotes, code blocks; citations at the end of a
// sentence or after it ([R1], [INC-…], [path:lines]); labels ("**Cause:** …"); the list of sources;
// frames such as "3 incidents from the last 7 days:", which know how many items follow.
//
// Thread safety: pure function. Errors: none. Time is linear.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "grounding/lexer.h"
#include "text/markdown.h"

namespace precedent {

// The list behind an answer of what in it is not proved begins so, and so does each of its sentences
// that is not.
inline constexpr std::string_view kUnprovedTitle = "**Not proved by anything that was found**";
inline constexpr std::string_view kUnverifiedMark = "*(unverified)*";
// What an answer says of itself where nothing that was found answers the question.
inline constexpr std::string_view kUnansweredNote = "Nothing in the knowledge base answers this";
inline constexpr std::string_view kNobodyToCallNote =
    "Nothing in the knowledge base says whom to call about this.";
inline constexpr std::string_view kNoNumberNote = "No phone number under that name is recorded.";
// And what it says of the program: that it does nothing, and whom it takes to be meant.
inline constexpr std::string_view kOnlyReadsNote = "I only read: I cannot";
inline constexpr std::string_view kReadAsNote = "' is read as ";
// And of a time that is asked about: nothing can be known of it.
inline constexpr std::string_view kFutureNote = "' has not come yet; nothing was measured then.";
inline constexpr std::string_view kUnknownFutureNote =
    "' has not come yet; what will be then is not known.";

enum class StatementForm : uint8_t {
  kSentence,
  kHeading,
  kCode,    // a line of a code block
  kSource,  // an entry of the list of sources: names things, claims nothing about them
  kFrame,   // ends with a colon and announces a list
};

struct Statement {
  StatementForm form = StatementForm::kSentence;
  TextRange bytes;                // of the answer, with its citations
  TextRange body;                 // without label and citations
  LexedText lexed;                // of the body
  LexedText citations;            // of the brackets
  std::vector<TextRange> quoted;  // "…" of several words, and `code`
  size_t listed = 0;              // of a frame: the items that follow
  bool supposing = false;         // "may", "likely", "hypothesis:"
  bool advising = false;          // an imperative
  bool question = false;
};

std::vector<Statement> find_statements(std::string_view answer);

}  // namespace precedent
