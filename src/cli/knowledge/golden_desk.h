// What the commands `golden` and `feedback` share: opening for a change, publishing it, and how an
// example is shown.
//
// Thread safety: one thread.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command/command.h"
#include "cli/knowledge/writer.h"
#include "knowledge/golden.h"
#include "knowledge/golden_state.h"

namespace precedent {

// --answer TEXT or --file FILE ('-' is standard input), not both; "" if neither.
struct AnswerArgs {
  std::string text;
  std::string file;
};
void add_answer(CLI::App& command, AnswerArgs& args, const std::string& what);
Result<std::string> answer_of(const AnswerArgs& args);

// --by, else the name of the user who runs this. Errors: kInvalidArgument if there is neither.
Result<Review> reviewer_of(const std::string& by, TimePoint now);

// Without the right to write, for lists. Errors: kNotFound with the remedy if there is no store.
Result<KnowledgeStore> open_store(const CommonOptions& options);

// Errors: kNotFound, naming the id and where ids are listed.
Result<GoldenExample> find_example(const KnowledgeStore& store, std::string_view id);

// The example that a draft becomes over what is stored, not stored yet.
enum class MergeResult : uint8_t { kAdded, kChanged, kUnchanged };
std::string_view name(MergeResult result);
struct MergedExample {
  GoldenExample example;
  MergeResult result = MergeResult::kAdded;
};
Result<MergedExample> merge(const KnowledgeStore& store, const GoldenDraft& draft, TimePoint now);
// Those that an example cites and no document has.
Result<std::vector<std::string>> unknown_sources(const KnowledgeStore& store,
                                                 const GoldenExample& example);

// What becomes of feedback. Errors: kNotFound; those of reviewed() and dismissed().
Result<ReviewedFeedback> make_golden(KnowledgeStore& store, int64_t id, const std::string& answer,
                                     const Review& review);
Result<Feedback> dismiss(KnowledgeStore& store, int64_t id, const std::string& note,
                         const Review& closed);

// Opens for writing, runs `change`, and makes what is served searchable.
Result<IngestReport> publish_change(
    const WriterOptions& options, const std::function<Result<void>(KnowledgeStore& store)>& change,
    const CancelToken& cancel);
// The same for a command: it prints what went wrong, and returns the exit code.
int change_golden(const CommonOptions& options,
                  const std::function<Result<void>(KnowledgeStore& store)>& change);

// The line of a list.
std::string one_line(const GoldenExample& example);
// The remedy where an example that was just put is not served; "" if it is.
std::string next_step(const GoldenExample& example);

}  // namespace precedent
