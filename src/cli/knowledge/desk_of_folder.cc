#include "cli/knowledge/desk_of_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "changes/change_appender.h"
#include "cli/config/live_sources.h"
#include "cli/knowledge/dataset_desk.h"
#include "cli/knowledge/dataset_guess.h"
#include "cli/knowledge/golden_desk.h"
#include "cli/knowledge/upload_reading.h"
#include "cli/knowledge/writer.h"
#include "ingest/intake/version_note.h"
#include "ingest/version_reading.h"
#include "server/knowledge/dataset_shape.h"

namespace precedent {
namespace {

class Teller final : public ProgressSink {
 public:
  explicit Teller(const KnowledgeDesk::TellProgress& tell) : tell_(tell) {}
  void progress(const Progress& progress) override {
    tell_(name(progress.stage), progress.done, progress.total);
  }

 private:
  const KnowledgeDesk::TellProgress& tell_;
};

Result<void> take_over(const IngestReport& from, const KnowledgeStore& store,
                       UploadReport& report) {
  report.added = from.added;
  report.changed = from.changed;
  report.unchanged = from.unchanged;
  if (from.of_version > 0)
    report.warnings.push_back(over_version(from.of_version, TRY(store.active_dataset_version())));
  return {};
}

// Who changes something where nobody signs in and no name is given.
constexpr std::string_view kOperator = "operator";

ActivationWish signed_by_somebody(ActivationWish wish) {
  if (wish.by.empty()) wish.by = kOperator;
  return wish;
}

Result<void> check_problem(const std::optional<GoldenProblem>& problem) {
  if (!problem) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("'{}' {}", problem->field, problem->message));
}

}  // namespace

WriterOptions DeskOfFolder::writing(bool dense) const {
  return {.data_dir = data_dir_, .precision = std::nullopt, .dense = dense, .config = config_};
}

Result<UploadReport> DeskOfFolder::check(const Upload& upload, const CancelToken& cancel) {
  UploadReport report;
  // Vectors do not change what a file holds.
  WriterOptions looking = writing(false);
  looking.dry_run = true;
  KnowledgeWriter writer = TRY(KnowledgeWriter::open(looking));
  IngestOptions options = ingest_options(upload);
  options.dry_run = true;
  const IngestReport read =
      TRY(writer.ingest(options, reporting_reader(upload, report), nullptr, cancel));
  if (read.cancelled) TRY(cancel.check());
  TRY(take_over(read, writer.store(), report));
  return report;
}

Result<UploadReport> DeskOfFolder::ingest(const Upload& upload, const TellProgress& tell,
                                          const CancelToken& cancel) {
  UploadReport report;
  KnowledgeWriter writer = TRY(KnowledgeWriter::open(writing(true)));
  tell("starting", 0, 0);
  Teller teller(tell);
  const IngestReport done =
      TRY(writer.ingest(ingest_options(upload), reporting_reader(upload, report), &teller, cancel));
  if (done.cancelled)
    return fail(
        ErrorCode::kCancelled,
        "the server is stopping: what was loaded is searchable; send it again for the rest");
  TRY(writer.publish_golden(nullptr, cancel));
  changed_();
  TRY(take_over(done, writer.store(), report));
  return report;
}

Result<size_t> DeskOfFolder::remove(const std::string& id, const CancelToken& cancel) {
  const MutexLock lock(writing_);
  KnowledgeWriter writer = TRY(KnowledgeWriter::open(writing(true)));
  const IngestReport done = TRY(writer.remove({id}, false, cancel));
  changed_();
  return done.removed;
}

Result<void> DeskOfFolder::publish(const Change& change) {
  const MutexLock lock(writing_);
  const CancelToken never;
  TRY(publish_change(writing(true), change, never));
  changed_();
  return {};
}

Result<GoldenChange> DeskOfFolder::put_golden(const GoldenDraft& draft) {
  GoldenChange done;
  const auto change = [&](KnowledgeStore& store) -> Result<void> {
    MergedExample merged = TRY(merge(store, draft, clock_.now()));
    TRY(check_problem(problem_of(merged.example)));
    done = {std::move(merged.example), std::string(name(merged.result)), {}};
    done.unknown_sources = TRY(unknown_sources(store, done.example));
    return store.put_golden({&done.example, 1});
  };
  TRY(publish(change));
  return done;
}

Result<GoldenChange> DeskOfFolder::change_one(const std::string& id, std::string_view what,
                                              const Transition& transition) {
  GoldenChange done{{}, std::string(what), {}};
  const auto change = [&](KnowledgeStore& store) -> Result<void> {
    GoldenExample example = TRY(find_example(store, id));
    done.example = TRY(transition(std::move(example)));
    return store.put_golden({&done.example, 1});
  };
  TRY(publish(change));
  return done;
}

Result<GoldenChange> DeskOfFolder::review_golden(const std::string& id, const std::string& answer,
                                                 const std::string& by) {
  const Review review = TRY(reviewer_of(by, clock_.now()));
  return change_one(id, "reviewed", [&](GoldenExample example) {
    return reviewed(std::move(example), answer, review);
  });
}

Result<GoldenChange> DeskOfFolder::activate_golden(const std::string& id, bool active) {
  return change_one(id, active ? "activated" : "deactivated", [&](GoldenExample example) {
    return active ? activated(std::move(example), clock_.now())
                  : deactivated(std::move(example), clock_.now());
  });
}

Result<GoldenChange> DeskOfFolder::remove_golden(const std::string& id) {
  GoldenChange done{{}, "deleted", {}};
  const auto change = [&](KnowledgeStore& store) -> Result<void> {
    done.example = TRY(find_example(store, id));
    return store.remove_golden(done.example.id);
  };
  TRY(publish(change));
  return done;
}

Result<Feedback> DeskOfFolder::add_feedback(Feedback feedback) {
  TRY(check_problem(problem_of(feedback)));
  const MutexLock lock(writing_);
  // No example changes by it: neither encoder nor index is needed.
  KnowledgeWriter writer = TRY(KnowledgeWriter::open(writing(false)));
  feedback.id = TRY(writer.store().add_feedback(feedback));
  return feedback;
}

Result<ReviewedFeedback> DeskOfFolder::review_feedback(int64_t id, const std::string& answer,
                                                       const std::string& by) {
  const Review review = TRY(reviewer_of(by, clock_.now()));
  ReviewedFeedback done;
  const auto change = [&](KnowledgeStore& store) -> Result<void> {
    done = TRY(make_golden(store, id, answer, review));
    return {};
  };
  TRY(publish(change));
  return done;
}

Result<Feedback> DeskOfFolder::dismiss_feedback(int64_t id, const std::string& note,
                                                const std::string& by) {
  const Review closed = TRY(reviewer_of(by, clock_.now()));
  const MutexLock lock(writing_);
  KnowledgeWriter writer = TRY(KnowledgeWriter::open(writing(false)));
  return dismiss(writer.store(), id, note, closed);
}

Result<DatasetVersion> DeskOfFolder::create_version(const VersionDraft& draft, const Upload& upload,
                                                    const CancelToken& cancel) {
  VersionDraft made = draft;
  std::vector<std::string> paths;
  for (const UploadedFile& file : upload.files) paths.push_back(file.stored.string());
  made.sources = TRY(version_sources(paths));
  for (size_t i = 0; i < made.sources.size(); ++i) made.sources[i].name = upload.files[i].name;
  if (made.name.empty() && !upload.files.empty()) made.name = upload.files.front().name;
  if (made.created_by.empty()) made.created_by = kOperator;
  TRY(check_draft(made));
  const MutexLock lock(writing_);
  KnowledgeWriter writer = TRY(KnowledgeWriter::open(writing(false)));
  const DatasetVersion version = TRY(DatasetVersions(writer.store()).create(made, clock_.now()));
  return TRY(precedent::validate_version(writer, version.number, clock_, cancel)).version;
}

Result<std::string> DeskOfFolder::guess_mapping(const Upload& upload, const std::string& file) {
  const auto named = [&](const UploadedFile& one) { return file.empty() || one.name == file; };
  const auto found = std::ranges::find_if(upload.files, named);
  if (found != upload.files.end()) return first_mapping(found->stored.string(), found->name);
  std::vector<std::string> names;
  for (const UploadedFile& one : upload.files) names.push_back(one.name);
  return fail(ErrorCode::kNotFound, fmt::format("the upload has no file '{}'; its files are {}",
                                                file, join(names, ", ")));
}

Result<ValidatedVersion> DeskOfFolder::validate_version(uint64_t number,
                                                        const CancelToken& cancel) {
  const MutexLock lock(writing_);
  KnowledgeWriter writer = TRY(KnowledgeWriter::open(writing(false)));
  return precedent::validate_version(writer, number, clock_, cancel);
}

Result<DatasetVersion> DeskOfFolder::embed_version(uint64_t number, EmbedIn precision,
                                                   const TellProgress& tell,
                                                   const CancelToken& cancel) {
  WriterOptions options = writing(true);
  if (precision == EmbedIn::kInt8) options.precision = Precision::kInt8;
  KnowledgeWriter writer = TRY(KnowledgeWriter::open(options));
  Teller teller(tell);
  return precedent::embed_version(writer, number, clock_, &teller, cancel);
}

Result<MadeActive> DeskOfFolder::activate_version(uint64_t number, const ActivationWish& wish,
                                                  const CancelToken& cancel) {
  return switch_version([&](KnowledgeWriter& writer) {
    return precedent::activate_version(writer, number, signed_by_somebody(wish), clock_, cancel);
  });
}

Result<MadeActive> DeskOfFolder::roll_back_version(uint64_t to, const ActivationWish& wish,
                                                   const CancelToken& cancel) {
  return switch_version([&](KnowledgeWriter& writer) {
    return precedent::roll_back_version(writer, to, signed_by_somebody(wish), clock_, cancel);
  });
}

Result<MadeActive> DeskOfFolder::switch_version(
    const std::function<Result<MadeActive>(KnowledgeWriter&)>& act) {
  const MutexLock lock(writing_);
  KnowledgeWriter writer = TRY(KnowledgeWriter::open(writing(true)));
  MadeActive made = TRY(act(writer));
  changed_();
  if (!made.before && !made.version.activations.empty())
    tell_(fmt::format("version {} of the incident data was {}", made.version.number,
                      told(made.version.activations.back())));
  return made;
}

Result<DatasetVersion> DeskOfFolder::discard_version(uint64_t number) {
  const MutexLock lock(writing_);
  KnowledgeWriter writer = TRY(KnowledgeWriter::open(writing(false)));
  return precedent::discard_version(writer, number, clock_);
}

Result<AppendedChanges> DeskOfFolder::append_changes(const std::vector<std::string>& records) {
  const MutexLock lock(writing_);
  const ChangesConfig config =
      TRY(configured_changes({.data_dir = data_dir_, .file = tools_config_}));
  AppendedRecords done = TRY(precedent::append_changes(config, records));
  return AppendedChanges{std::move(done.lines), done.known};
}

}  // namespace precedent
