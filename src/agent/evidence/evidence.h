// Evidence: what receipts say, cut into the pieces that an answer quotes, ranked against the
// question.
//
// A piece is a sentence, a list item, a table row, a command or a field of a record: always literal
// text of a receipt, so that every quotation can be checked. Thread safety: pure functions over
// values.
#pragma once

#include <string>
#include <vector>

#include "agent/understand/intent.h"
#include "base/error.h"
#include "search/searcher.h"
#include "tools/receipt.h"

namespace precedent {

enum class Form { kSentence, kItem, kRow, kCommand, kField };

struct Evidence {
  std::string quote;    // as shown, one line for prose
  std::string context;  // title, headings, column names: what the quote is about
  std::string label;    // field or heading it stands under: "Root cause"
  std::string heading;  // the nearest one before it within its text; "": none
  std::string head;     // what a row or an item is about: its first cell, what stands before a dash
  Form form = Form::kSentence;
  bool code = false;  // a command or a name stands in it as code
  Source source;
  size_t position = 0;   // in its receipts
  size_t paragraph = 0;  // in its receipts: sentences of one paragraph have the same
  size_t section = 0;    // in its receipts: what stands under one heading has the same
  Kind kind = Kind::kDoc;
  float relevance = 0;  // of its document
  float score = 0;      // against the question
  float coverage = 0;   // share of the question's words that it and its context hold
  float verbatim = 0;   // how much of the question stands in it word for word
  std::optional<float> cosine;
  std::optional<float> answers;  // how likely it answers the question (search/passages.h)
  // Of the document that is meant: the question says its title, or what a line of it says.
  bool meant = false;
  // Its head or its heading stands in the question word for word: the entry of what was pasted.
  bool entry = false;
  // It holds all of the question that is written anywhere (agent/sources/unknown_names.h); of the
  // best piece alone.
  bool whole = false;
};

// The heading under which ingest keeps a document's attributes (ingest/chunks/document_chunks.h).
inline constexpr std::string_view kAttributes = "Details";

// Whether a piece is one of them, rather than of a section that is called so: attributes stand in
// no line of the text.
bool is_attribute(const Evidence& evidence);

// All that a piece says and stands under.
std::string text_of(const Evidence& evidence);

// Every piece of every receipt, each text once.
std::vector<Evidence> collect_evidence(const std::vector<Receipt>& receipts);

// Scores and sorts them, best first (search/passages.h); the forms that the question asks for count
// more. Where a line says what the question says, it leads, and what else its document says
// follows.
Result<std::vector<Evidence>> rank_evidence(const Intent& intent, std::vector<Evidence> evidence,
                                            const Searcher& search);

// Whether a telephone number stands in it.
bool has_phone(std::string text);

// How well the form of a piece fits what is asked, 0–1.
float form_fit(const Asks& asks, const Evidence& evidence);

}  // namespace precedent
