// Held terms: the words that a record or a document has, to tell whether a question can be about
// it.
//
// Thread safety: pure functions over values.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/document.h"
#include "knowledge/incident.h"

namespace precedent {

// Everything that it says about itself, names of further fields included, as terms of the analyser.
std::set<std::string> terms_of(const Incident& incident);
std::set<std::string> terms_of(const Document& document);

// The question's own words (agent/language/field_words.h) that are not held, as written, where they
// are at least half of them: then it asks for something else. Empty otherwise.
std::vector<std::string> words_not_held(std::string_view question,
                                        const std::set<std::string>& held);

}  // namespace precedent
