// What the commands `golden` and `feedback` share: opening for a change, publishing it, and how an
// example is shown.
//
// Thread safety: one thread.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "cli/command.h"
#include "cli/writer.h"
#include "knowledge/golden.h"

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

// Opens for writing, runs `change`, makes what is served searchable, and prints what went wrong.
// Returns the exit code.
int change_golden(const CommonOptions& options,
                  const std::function<Result<void>(KnowledgeStore& store)>& change);

// "served", "not reviewed", "not active, not reviewed" …
std::string state_of(const GoldenExample& example);
// The line of a list.
std::string one_line(const GoldenExample& example);
// The remedy where an example that was just put is not served; "" if it is.
std::string next_step(const GoldenExample& example);

}  // namespace precedent
