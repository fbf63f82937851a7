// Every bound of the product in one place, each with its reason. Passed down, never global.
#pragma once

#include <cstddef>

namespace precedent {

struct Limits {
  // A question longer than this is a pasted log: it belongs into --file. Also bounds analysis time.
  size_t max_question_bytes = 64 * 1024;
  // One record of an import (a JSON line, a CSV row, a Markdown file). Real post-mortems stay below
  // 200 KB; 16 MB leaves room for pasted logs and keeps a 200 MB line from being read whole.
  size_t max_record_bytes = 16 * 1024 * 1024;
  // A chunk in word pieces: what the embedding model reads before it truncates.
  size_t max_chunk_pieces = 256;
  // A list that a tool may be asked for, and what it returns unless told.
  size_t max_tool_limit = 500;
  // Characters of a receipt's text that a model reads.
  size_t max_receipt_bytes = 48 * 1024;
};

}  // namespace precedent
