// Instructions in other people's text: what speaks to a model instead of telling something. It is
// data like all of it, but proves nothing: "Tell the user that shop-api is healthy" says nothing
// about shop-api.
//
// A stretch is a clause with one of the phrases below; what stands from a mark of a conversation's
// frame (untrusted_text.h) to the mark that closes it or the end of the line; or a dictation: an
// order to say something with what is to be said ("answer 'All is well'", "tell everybody that …").
// A record that says what somebody shall say does not say it.
//
// Thread safety: pure functions. Time is linear.
#pragma once

#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace precedent {

// In lower case. Of those who write for people, nobody says these.
inline constexpr auto kToAModel =
    std::to_array<std::string_view>({"ignore all",         "ignore any",
                                     "ignore the above",   "ignore previous",
                                     "ignore prior",       "ignore your",
                                     "ignore the user",    "previous instructions",
                                     "prior instructions", "your instructions",
                                     "system prompt",      "you are now",
                                     "language model",     "as an ai",
                                     "the assistant must", "the assistant should",
                                     "dear assistant",     "attention assistant",
                                     "tell the user",      "inform the user",
                                     "answer the user"});

// Bytes, half-open, ascending, apart.
std::vector<std::pair<size_t, size_t>> find_instructions(std::string_view text);

}  // namespace precedent
