// What records are found by: the fields of receipts, apart from the free text that they hold.
//
// Thread safety: pure functions.
#pragma once

#include <set>
#include <string>

#include "tools/receipt.h"

namespace precedent {

struct RecordFields {
  // Ids, names, services, labels, paths, symbols, commits, versions; in lower case.
  std::set<std::string, std::less<>> names;
  // Of incidents, documents and examples.
  std::set<std::string, std::less<>> titles;
};

// Adds those of a receipt. Descriptions, bodies, excerpts, titles of changes, annotations and notes
// are none.
void add_fields(RecordFields& fields, const Receipt& receipt);

}  // namespace precedent
