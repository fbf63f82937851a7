// Fixed phrases: how an answer says what was not found, and what the program says of itself rather
// than of the company. Who writes a sentence of the latter kind says so (Writer::note): no reader
// recognises them by their words.
//
// Thread safety: constants and pure functions.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

// Nothing that was found answers the question.
inline constexpr std::string_view kUnansweredNote = "Nothing in the knowledge base answers this";
inline constexpr std::string_view kUnansweredQuestionNote =
    "Nothing in the knowledge base answers this question.";
inline constexpr std::string_view kNobodyToCallNote =
    "Nothing in the knowledge base says whom to call about this.";
inline constexpr std::string_view kNoNumberNote = "No phone number under that name is recorded.";
// A name that no document has.
inline std::string unmentioned_note(std::string_view name) {
  return std::string("Nothing in the knowledge base mentions '").append(name).append("'.");
}
// What was looked for in metrics, alerts, changes or code. `what` ends the sentence.
inline std::string not_found(std::string_view what) {
  return std::string("Not found: ").append(what);
}
// The program changes nothing.
inline constexpr std::string_view kOnlyReadsNote = "I am read-only: I cannot";
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
