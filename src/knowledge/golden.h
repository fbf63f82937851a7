// Golden example: a question with an answer that a person has verified. Feedback: what a reader
// thought of an answer, from which examples are made.
//
// Made by the `golden` and `feedback` commands, kept by store/, found by its question through the
// index (as a Document of kind `golden`, to_document()) and served by agent/evidence/golden.h. This
// file holds the rules: what may be served, and which change of state is allowed. No I/O.
//
// Errors: kInvalidArgument and kConflict, naming the id and the remedy. Thread safety: plain values
// and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "knowledge/document.h"

namespace precedent {

// A question longer than this is a pasted log: nobody will ask it again in like words.
inline constexpr size_t kMaxGoldenQuestionBytes = 2000;
// An answer goes whole into a prompt and onto a terminal: several pages at most.
inline constexpr size_t kMaxGoldenAnswerBytes = 32 * 1024;
// Document::source of every golden document: the scope in which they are replaced and removed.
inline constexpr std::string_view kGoldenSource = "golden:";

enum class GoldenSource : uint8_t {
  kPositive,  // an answer that a reader approved
  kNegative,  // an answer that a reader rejected; what is served is its correction
  kManual,    // written by hand
};
std::string_view name(GoldenSource source);
std::optional<GoldenSource> parse_golden_source(std::string_view text);

struct Review {
  std::string by;
  TimePoint at{};
  bool operator==(const Review&) const = default;
};

struct GoldenExample {
  std::string id;  // golden_id(question) unless one was given
  std::string question;
  std::string answer;           // Markdown; "" while a negative example awaits its correction
  std::string rejected_answer;  // of a negative example; never served
  GoldenSource source = GoldenSource::kManual;
  std::optional<Review> review;
  bool active = true;
  std::vector<std::string> sources;  // ids of the documents that the answer rests on
  std::vector<std::string> tags;
  TimePoint created_at{};
  TimePoint updated_at{};
  std::optional<int64_t> feedback;  // that it was made from
  // Kept by the store. Which version of the incident data was active at its review; 0: none. And
  // those of its sources that have changed or vanished since.
  uint64_t dataset_version = 0;
  std::vector<std::string> outdated;
  bool operator==(const GoldenExample&) const = default;
};

// "G-" and ten hexadecimal digits of the question's hash; case, white space and the final
// punctuation do not count.
std::string golden_id(std::string_view question);

// Reviewed, active, with an answer, and its sources are as they were at the review. Nothing else
// ever reaches an answer or a prompt.
bool is_served(const GoldenExample& example);

// What the index finds it by: the question alone, so that questions are compared with questions.
// The answer is read from the store.
Document to_document(const GoldenExample& example);

// What is wrong with it, by field; nothing if it can be stored.
struct GoldenProblem {
  std::string field;
  std::string message;
};
std::optional<GoldenProblem> problem_of(const GoldenExample& example);

// What somebody wants an example to be. example_of() makes it one, over the stored one of its id if
// there is any: a review outlives only what it was given for, so that another question or answer
// must be reviewed again unless the draft itself says that it was.
struct GoldenDraft {
  std::string id;  // "": golden_id(question)
  std::string question;
  std::string answer;
  std::string rejected_answer;
  GoldenSource source = GoldenSource::kManual;
  std::optional<bool> reviewed;  // absent: as it was, else false
  Review review;                 // recorded where `reviewed` is true and there is none yet
  std::optional<bool> active;    // absent: as it was, else true
  std::vector<std::string> sources;
  std::vector<std::string> tags;
};
// `updated_at` is `now` only if anything changed: an equal draft gives the stored example back.
GoldenExample example_of(const std::optional<GoldenExample>& stored, GoldenDraft draft,
                         TimePoint now);

// `answer` replaces the one it has; "" keeps it.
Result<GoldenExample> reviewed(GoldenExample example, std::string answer, Review review);
Result<GoldenExample> activated(GoldenExample example, TimePoint now);
Result<GoldenExample> deactivated(GoldenExample example, TimePoint now);

enum class Thumb : uint8_t { kUp, kDown };
std::string_view name(Thumb thumb);
enum class FeedbackState : uint8_t { kPending, kReviewed, kDismissed };
std::string_view name(FeedbackState state);

struct Feedback {
  int64_t id = 0;  // given by the store, shown as "F-12"
  std::string question;
  std::string answer;  // that was judged
  Thumb thumb = Thumb::kUp;
  std::string reason;
  FeedbackState state = FeedbackState::kPending;
  std::optional<Review> closed;  // who reviewed or dismissed it
  std::string note;              // why it was dismissed
  std::string golden;            // id of the example that was made from it
  TimePoint created_at{};
  bool operator==(const Feedback&) const = default;
};

std::string feedback_name(int64_t id);
// "F-12", "f-12" or "12".
std::optional<int64_t> parse_feedback_id(std::string_view text);

std::optional<GoldenProblem> problem_of(const Feedback& feedback);

// A thumb up gives a positive example (its own answer unless another is given), a thumb down a
// negative one with the corrected answer. `stored`: the example of that question, if there is one.
struct ReviewedFeedback {
  Feedback feedback;
  GoldenExample example;
};
Result<ReviewedFeedback> reviewed(Feedback feedback, std::string answer, Review review,
                                  const std::optional<GoldenExample>& stored);
Result<Feedback> dismissed(Feedback feedback, std::string note, Review closed);

}  // namespace precedent
