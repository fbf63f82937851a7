// The document that a question is for as a whole, as it calls it by its name.
//
// Thread safety: pure function.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/understand/intent.h"

namespace precedent {

// Its id, of those among the receipts (find_named_document); "" if there is none. A name that is a
// system's (`is_system`) means the system, unless the question says that it is for a document. Who
// asks for live figures, records, contacts or a number is for none.
std::string named_document(const Intent& intent, const std::vector<Receipt>& receipts,
                           const std::function<bool(std::string_view)>& is_system);

// The document on architecture that tells of the whole, where that is asked for
// (asks_for_overview): of those among the receipts the one that calls itself so, else the one on
// most services; "" if there is none.
std::string overview_document(const Intent& intent, const std::vector<Receipt>& receipts);

}  // namespace precedent
