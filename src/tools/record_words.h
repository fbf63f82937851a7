// Which records of a list say certain words, and which are not over yet: by the records themselves,
// whatever their columns and statuses are called.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "tools/params.h"
#include "tools/receipt.h"

namespace precedent {

// Keeps the records that say each of the words in a short field (title, system, a column); where no
// such field has any of them, or the word has a digit, those that say them anywhere. A word that no
// record says so, or that would leave none, restricts nothing and is returned: "every" in a story
// tells nothing of it.
std::vector<std::string> keep_those_saying(std::vector<IncidentItem>& records,
                                           const std::vector<std::string>& words);

// Keeps the records without an end, but for those of a status that says so by its name, or of which
// nearly all have one.
void keep_open(std::vector<IncidentItem>& records);

// `params`, followed by `saying`, `restriction` and `open`, which the tools that list incidents
// take.
std::vector<Param> with_record_words(std::vector<Param> params);
// Whether the arguments restrict a list by them; what they leave of it, with a note on the words.
bool restricts_records(const Args& args);
void restrict_records(IncidentsResult& result, const Args& args);
// By the words alone. `restricted`: other conditions already do, so that only short fields count.
void restrict_by_words(IncidentsResult& result, const std::vector<std::string>& words,
                       bool restricted);

}  // namespace precedent
