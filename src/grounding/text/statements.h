// Statements: an answer in Markdown → the sentences that can be true or false, with what they cite
// and how they are worded.
//
// Handled: headings, list items, table rows, quotes, code blocks; citations at the end of a
// sentence or after it ([R1], [INC-…], [path:lines]); labels ("**Cause:** …"); the list of sources;
// frames such as "3 incidents from the last 7 days:", which know how many items follow.
//
// Nothing is left out for what it says: whoever wrote it, every sentence is a statement.
//
// Thread safety: pure function. Errors: none. Time is linear.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "grounding/text/tokens.h"
#include "text/markdown.h"

namespace precedent {

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
  std::vector<TextRange> cited;   // what stands between the brackets
  std::vector<TextRange> quoted;  // "…" of several words, and `code`
  size_t listed = 0;              // of a frame: the items that follow
  bool supposing = false;         // "may", "likely", "hypothesis:"
  bool advising = false;          // an imperative
  bool question = false;
  bool asserts = false;  // it has a predicate: a heading that has none names a topic
};

// Whether a verb says something of a subject before it. "What happened" and "Recommended steps"
// name a topic, and so do two words such as "Services affected". `answer`: the text of the tokens.
bool has_predicate(const LexedText& lexed, std::string_view answer);

// Its tokens, those of its quotations without any meaning: they are somebody else's words.
LexedText without_quoted(const Statement& statement);

std::vector<Statement> find_statements(std::string_view answer);

}  // namespace precedent
