// Questions in letters other than Latin: the rules and the encoder read English, a model may read
// any.
//
// Letters are told apart by their Unicode script; nothing here knows a word of a language.
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "search/self_query.h"

namespace precedent {

// Whether at least half of the words (split at white space) that have letters have some of another
// script than Latin. A name in Latin letters does not make the sentence around it English.
bool is_unread_script(std::string_view question);

// The incidents, systems, files and identifiers that the question names, each once.
std::vector<std::string> things_named(std::string_view question, const Catalogue& catalogue,
                                      TimePoint now);

// What people are told where no model reads such a question.
std::string unread_script_note(const std::vector<std::string>& names);

}  // namespace precedent
