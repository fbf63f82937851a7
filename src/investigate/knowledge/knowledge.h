// What the knowledge base has on an incident: runbooks, post-mortems, known issues, past incidents.
//
// The queries are made from the incident (queries_of); hits of several queries are joined, each
// document once, the most relevant first. With them comes whose the failing service is and which
// services depend on it (ownership.h). A search that fails is `missing`. Thread safety: as
// Searcher.
#pragma once

#include <functional>
#include <optional>

#include "investigate/verdict/investigation.h"
#include "knowledge/document.h"
#include "search/searcher.h"

namespace precedent {

inline constexpr size_t kMaxKnown = 6;

// The whole document of an id; nothing where it is gone.
using DocumentOf = std::function<std::optional<Document>(const std::string& id)>;

// `document_of` may be empty: then nothing is quoted.
void search_known(const Searcher& search, TimePoint now, Investigation& investigation,
                  const DocumentOf& document_of = {});
// Owners and downstream, from the documents that the investigation has.
void add_ownership(TimePoint now, Investigation& investigation);

}  // namespace precedent
