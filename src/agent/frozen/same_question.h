// Whether two questions ask the same thing, word for word. However near two questions are to an
// embedding model, "roll back" is not "roll out", pool a is not pool b, and "who fixes it" is not
// "how is it fixed" (cosines of 0.86 to 0.96 were measured).
//
// The same are two questions whose content words follow each other in the same order, as the
// analyser spells them, or as synonyms of one another; which have the same question words, or else
// begin alike ("can", "should"); which are of the same time ("is", "was"); and which go the same
// way
// ("from", "to"). Articles, pronouns and the other auxiliaries and prepositions may differ. A
// paraphrase in other words is not recognised: its cost is one direct answer, and the cost of a
// wrong one is trust.
//
// Thread safety: pure function. Tests: same_question_test.cc, over pairs that were written for it.
#pragma once

#include <string>
#include <string_view>

#include "search/synonyms.h"
#include "text/analyzer.h"

namespace precedent {

// What tells them apart first, as a person reads it: "'back' and 'out'"; "" if nothing does.
std::string difference_of(std::string_view a, std::string_view b, const Analyzer& analyzer,
                          const Synonyms& synonyms);

}  // namespace precedent
