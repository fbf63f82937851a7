// Sub-questions: one message may hold several.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace precedent {

// "Who owns card-vault, and whom do I call after 15 minutes?" → two. What is told before a question
// is asked belongs to the question after it. At least one, in order; of one question the text as it
// is.
std::vector<std::string> split_questions(std::string_view text);

}  // namespace precedent
