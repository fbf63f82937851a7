// The sentences that the program says of itself, not of the company, and in which they differ from
// one another. Who writes one says so (Writer::note): no reader recognises them by their words.
//
// Thread safety: constants and a pure function.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

// Nothing that was found answers the question.
inline constexpr std::string_view kUnansweredNote = "Nothing in the knowledge base answers this";
inline constexpr std::string_view kNobodyToCallNote =
    "Nothing in the knowledge base says whom to call about this.";
inline constexpr std::string_view kNoNumberNote = "No phone number under that name is recorded.";
// The program changes nothing.
inline constexpr std::string_view kOnlyReadsNote = "I only read: I cannot";
// A name or a word of the question that was not as the sources have it, and what it was taken for.
inline std::string taken_note(std::string_view said, std::string_view meant) {
  return std::string("Taking '").append(said).append("' to mean ").append(meant).append(".");
}
// Of a time that is asked about.
inline constexpr std::string_view kFutureNote = "' has not come yet; nothing was measured then.";
inline constexpr std::string_view kUnknownFutureNote =
    "' has not come yet; what will be then is not known.";

// How the text of a call begins that was refused: it is said to the model that made it.
inline constexpr std::string_view kNotCalled = "Not called: ";

}  // namespace precedent
