#include "cli/knowledge/golden_desk.h"

#include <fmt/format.h>

#include "base/ids.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "cli/command/input.h"
#include "cli/config/store_config.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "cli/terminal/user_name.h"
#include "files/files.h"

namespace precedent {
namespace {

// Of a question in a list.
constexpr size_t kShownQuestion = 90;

}  // namespace

void add_answer(CLI::App& command, AnswerArgs& args, const std::string& what) {
  CLI::Option* text = command.add_option("--answer", args.text, what + " (Markdown)");
  command.add_option("--file", args.file, "A file that holds " + what + "; '-' is standard input")
      ->type_name("FILE")
      ->excludes(text);
}

Result<std::string> answer_of(const AnswerArgs& args) {
  if (args.file.empty()) return args.text;
  // More than is kept, so that what is too long is told as that.
  std::string text = TRY(read_input(args.file, kMaxGoldenAnswerBytes * 2));
  if (trim(text).empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("--file {}: is empty; write the answer into it", args.file));
  }
  return text;
}

Result<Review> reviewer_of(const std::string& by, TimePoint now) {
  std::string name(trim(by.empty() ? user_name() : by));
  if (name.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "a review needs the name of the reviewer; give it with --by NAME");
  }
  return Review{std::move(name), now};
}

Result<KnowledgeStore> open_store(const CommonOptions& options) {
  const auto data_dir = data_dir_of(options);
  const StoreAddress address = TRY(configured_store(data_dir));
  auto store = KnowledgeStore::open(address, KnowledgeStore::Access::kReadOnly);
  if (!store && store.error().code == ErrorCode::kNotFound) {
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no knowledge base in {}; make one with `precedent ingest "
                            "PATH…`, or name another with --data-dir",
                            address.is_file() ? data_dir.string() : address.place()));
  }
  return store;
}

Result<GoldenExample> find_example(const KnowledgeStore& store, std::string_view id) {
  std::optional<GoldenExample> found = TRY(store.golden(normalize_id(id)));
  if (found) return std::move(*found);
  return fail(ErrorCode::kNotFound,
              fmt::format("there is no golden example '{}'; `precedent golden list --all` shows "
                          "the ids",
                          id));
}

std::string_view name(MergeResult result) {
  switch (result) {
    case MergeResult::kAdded: return "added";
    case MergeResult::kChanged: return "changed";
    case MergeResult::kUnchanged: return "unchanged";
  }
  return "unchanged";
}

Result<MergedExample> merge(const KnowledgeStore& store, const GoldenDraft& draft, TimePoint now) {
  const std::string id = example_of(std::nullopt, draft, now).id;
  const std::optional<GoldenExample> stored = TRY(store.golden(id));
  MergedExample merged{example_of(stored, draft, now), MergeResult::kAdded};
  if (stored)
    merged.result = merged.example == *stored ? MergeResult::kUnchanged : MergeResult::kChanged;
  return merged;
}

Result<std::vector<std::string>> unknown_sources(const KnowledgeStore& store,
                                                 const GoldenExample& example) {
  std::vector<std::string> unknown;
  for (const std::string& source : example.sources) {
    const bool exists = TRY(store.find(normalize_id(source))).has_value();
    if (!exists && !TRY(store.find(source))) unknown.push_back(source);
  }
  return unknown;
}

namespace {

Result<Feedback> find_feedback(const KnowledgeStore& store, int64_t id) {
  std::optional<Feedback> found = TRY(store.feedback(id));
  if (found) return std::move(*found);
  return fail(ErrorCode::kNotFound,
              fmt::format("there is no feedback {}; `precedent feedback list --all` shows the ids",
                          feedback_name(id)));
}

}  // namespace

Result<ReviewedFeedback> make_golden(KnowledgeStore& store, int64_t id, const std::string& answer,
                                     const Review& review) {
  Feedback feedback = TRY(find_feedback(store, id));
  const auto stored = TRY(store.golden(golden_id(feedback.question)));
  ReviewedFeedback done = TRY(reviewed(std::move(feedback), answer, review, stored));
  TRY(store.close_feedback(done.feedback, done.example));
  return done;
}

Result<Feedback> dismiss(KnowledgeStore& store, int64_t id, const std::string& note,
                         const Review& closed) {
  Feedback feedback = TRY(find_feedback(store, id));
  Feedback done = TRY(dismissed(std::move(feedback), note, closed));
  TRY(store.close_feedback(done, std::nullopt));
  return done;
}

Result<IngestReport> publish_change(
    const WriterOptions& options, const std::function<Result<void>(KnowledgeStore& store)>& change,
    const CancelToken& cancel) {
  KnowledgeWriter writer = TRY(KnowledgeWriter::open(options));
  TRY(change(writer.store()));
  auto report = writer.publish_golden(nullptr, cancel);
  if (report) return report;
  return std::unexpected(Error(report.error())
                             .within("the change is stored, but the index is behind until the next "
                                     "`precedent ingest` or `precedent golden` command"));
}

int change_golden(const CommonOptions& options,
                  const std::function<Result<void>(KnowledgeStore& store)>& change) {
  const auto report = publish_change({.data_dir = data_dir_of(options)}, change, interrupted());
  if (!report) return fail_with(report.error());
  for (const BadRecord& bad : report->bad) to_stderr("bad: {}\n", printable(bad.text()));
  return report->cancelled ? interrupt_code() : kExitOk;
}

std::string one_line(const GoldenExample& example) {
  const bool cut = example.question.size() > kShownQuestion;
  return fmt::format("{}  {:<8}  {:<24}  {}{}", example.id, name(example.source), state_of(example),
                     utf8_prefix(example.question, kShownQuestion), cut ? "…" : "");
}

std::string next_step(const GoldenExample& example) {
  if (is_served(example)) return "";
  if (!example.active) return "it is not active: precedent golden activate " + example.id;
  if (example.review && !example.outdated.empty())
    return fmt::format("{} changed since it was reviewed: precedent golden review {} --by NAME",
                       join(example.outdated, ", "), example.id);
  return fmt::format("it is served once it is reviewed: precedent golden review {} --by NAME{}",
                     example.id, trim(example.answer).empty() ? " --answer TEXT" : "");
}

}  // namespace precedent
