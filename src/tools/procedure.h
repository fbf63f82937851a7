// Procedure: the steps of a document, from the first to the last.
//
// A search finds a chunk, and a chunk may begin with step 4. Whoever follows steps needs all of
// them, with the warnings between them, so they are taken from the document's structure: the
// sections that the chunk stands in, whole; all of a numbered list that goes on under further
// headings; all of the headings that are themselves numbered ("1. Drain", "Step 2: Restart"). The
// warnings that the sections around them begin with come first, wherever they stand.
//
// Thread safety: pure functions. Time is linear in the document.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "knowledge/document.h"

namespace precedent {

struct Procedure {
  std::vector<std::string> heading;  // the path of headings above it, without the document's title
  std::string text;                  // Markdown, without secrets
  LineRange lines;                   // of the document's file
};

// What stands around `lines`, a chunk's. Nothing if there are no steps (text/steps.h), if the
// document has no lines, or if it would be too long to be handed on (kMaxProcedureBytes).
inline constexpr size_t kMaxProcedureBytes = 12'000;
std::optional<Procedure> procedure_around(const Document& document, LineRange lines);

}  // namespace precedent
