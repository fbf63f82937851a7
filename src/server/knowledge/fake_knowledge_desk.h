// For tests: a KnowledgeDesk over a store in memory. Uploads are "read" as a test says, and an
// ingest goes on for as long as it is held.
//
// Thread safety: all members; set the public ones before the calls that use them.
#pragma once

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "base/strings.h"
#include "server/knowledge/knowledge_desk.h"
#include "store/dataset_versions.h"

namespace precedent {

class FakeKnowledgeDesk final : public KnowledgeDesk {
 public:
  FakeKnowledgeDesk(KnowledgeStore& store, std::filesystem::path folder, TimePoint now)
      : store_(store), folder_(std::move(folder)), now_(now) {}

  // What uploads are said to be; `files` are filled with names and numbers of lines.
  UploadReport report = {.ready = true};
  std::optional<Error> check_error;
  std::optional<Error> open_error;  // of an ingest, before it begins
  std::optional<Error> ingest_error;
  std::optional<Error> changes_error;
  std::atomic<bool> held{false};
  std::atomic<EmbedIn> embedded_in{EmbedIn::kPrecisionOfIndex};  // what was asked for last
  std::atomic<size_t> kept{0};  // superseded versions, as the last switch wished

  // The last upload that was checked or ingested, and what its files held.
  Upload upload() const {
    const MutexLock lock(mutex_);
    return upload_;
  }
  std::vector<std::string> contents() const {
    const MutexLock lock(mutex_);
    return contents_;
  }
  size_t ingests() const { return ingests_; }

  std::filesystem::path upload_folder() const override { return folder_; }
  Result<UploadReport> check(const Upload& upload, const CancelToken&) override {
    if (check_error) return std::unexpected(*check_error);
    return looked_at(upload);
  }
  Result<UploadReport> ingest(const Upload& upload, const TellProgress& tell,
                              const CancelToken& cancel) override {
    if (open_error) return std::unexpected(*open_error);
    ++ingests_;
    tell("starting", 0, 0);
    while (held && !cancel.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    TRY(cancel.check());
    if (ingest_error) return std::unexpected(*ingest_error);
    UploadReport done = looked_at(upload);
    done.added = 2;
    return done;
  }
  Result<size_t> remove(const std::string& id, const CancelToken&) override {
    StoreUpdate update;
    update.remove = {id};
    TRY(store_.apply(update));
    return 1;
  }

  Result<GoldenChange> put_golden(const GoldenDraft& draft) override {
    const std::string id = example_of(std::nullopt, draft, now_).id;
    const auto stored = TRY(store_.golden(id));
    GoldenChange change{example_of(stored, draft, now_), stored ? "changed" : "added", {}};
    if (const auto problem = problem_of(change.example))
      return fail(ErrorCode::kInvalidArgument, problem->field + ": " + problem->message);
    TRY(store_.put_golden({&change.example, 1}));
    return change;
  }
  Result<GoldenChange> review_golden(const std::string& id, const std::string& answer,
                                     const std::string& by) override {
    return change(id, "reviewed", [&](GoldenExample example) {
      return reviewed(std::move(example), answer, {by.empty() ? "operator" : by, now_});
    });
  }
  Result<GoldenChange> activate_golden(const std::string& id, bool active) override {
    return change(id, active ? "activated" : "deactivated", [&](GoldenExample example) {
      return active ? activated(std::move(example), now_) : deactivated(std::move(example), now_);
    });
  }
  Result<GoldenChange> remove_golden(const std::string& id) override {
    GoldenChange gone{TRY(find(id)), "deleted", {}};
    TRY(store_.remove_golden(id));
    return gone;
  }

  Result<Feedback> add_feedback(Feedback feedback) override {
    feedback.id = TRY(store_.add_feedback(feedback));
    return feedback;
  }
  Result<ReviewedFeedback> review_feedback(int64_t id, const std::string& answer,
                                           const std::string& by) override {
    Feedback feedback = TRY(find_feedback(id));
    ReviewedFeedback done = TRY(
        reviewed(std::move(feedback), answer, {by.empty() ? "operator" : by, now_}, std::nullopt));
    TRY(store_.close_feedback(done.feedback, done.example));
    return done;
  }
  Result<Feedback> dismiss_feedback(int64_t id, const std::string& note,
                                    const std::string& by) override {
    Feedback feedback = TRY(find_feedback(id));
    Feedback done = TRY(dismissed(std::move(feedback), note, {by.empty() ? "operator" : by, now_}));
    TRY(store_.close_feedback(done, std::nullopt));
    return done;
  }

  // A version holds one incident, which is called as the version is.
  Result<DatasetVersion> create_version(const VersionDraft& draft, const Upload& upload,
                                        const CancelToken&) override {
    VersionDraft made = draft;
    for (const UploadedFile& file : upload.files)
      made.sources.push_back({file.stored.string(), 0, "", file.name});
    DatasetVersions versions(store_);
    const DatasetVersion version = TRY(versions.create(made, now_));
    Document incident;
    incident.id = draft.name;
    incident.kind = Kind::kIncident;
    return versions.validated(version.number, {incident}, {1, 0, 1}, R"({"bad":0})", now_);
  }
  Result<std::string> guess_mapping(const Upload& upload, const std::string& file) override {
    return "# of " + (file.empty() ? upload.files.front().name : file) + "\n";
  }
  Result<ValidatedVersion> validate_version(uint64_t number, const CancelToken&) override {
    DatasetVersions versions(store_);
    const DatasetVersion before = TRY(versions.find(number));
    Document incident;
    incident.id = before.name;
    incident.kind = Kind::kIncident;
    ValidatedVersion done{.limit = "too few", .markdown = "# Version of " + before.name + "\n"};
    done.version = TRY(versions.validated(number, {incident}, {1, 0, 1}, R"({"bad":0})", now_));
    done.difference = TRY(versions.against_active(number));
    return done;
  }
  Result<DatasetVersion> embed_version(uint64_t number, EmbedIn precision, const TellProgress& tell,
                                       const CancelToken& cancel) override {
    embedded_in = precision;
    DatasetVersions versions(store_);
    DatasetVersion before = TRY(versions.find(number));
    if (before.state == VersionState::kReady) return before;
    TRY(versions.move(number, VersionState::kIngesting, now_));
    tell("ingesting", 1, 2);
    while (held && !cancel.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    TRY(cancel.check());
    return versions.move(number, VersionState::kReady, now_);
  }
  Result<MadeActive> activate_version(uint64_t number, const ActivationWish& wish,
                                      const CancelToken&) override {
    return switch_to(number, wish, false);
  }
  Result<MadeActive> roll_back_version(uint64_t to, const ActivationWish& wish,
                                       const CancelToken&) override {
    if (to != 0) return switch_to(to, wish, true);
    const auto found = TRY(DatasetVersions(store_).to_go_back_to());
    if (!found) return fail(ErrorCode::kNotFound, "there is no earlier version");
    return switch_to(found->number, wish, true);
  }
  Result<DatasetVersion> discard_version(uint64_t number) override {
    return DatasetVersions(store_).move(number, VersionState::kDiscarded, now_);
  }

  Result<AppendedChanges> append_changes(const std::vector<std::string>& records) override {
    if (changes_error) return std::unexpected(*changes_error);
    const MutexLock lock(mutex_);
    AppendedChanges done;
    for (const std::string& record : records) {
      if (std::ranges::find(log_, record) == log_.end()) {
        log_.push_back(record);
        done.appended.push_back(record);
      } else {
        ++done.known;
      }
    }
    return done;
  }

 private:
  Result<MadeActive> switch_to(uint64_t number, const ActivationWish& wish, bool back) {
    DatasetVersions versions(store_);
    MadeActive made{.difference = TRY(versions.against_active(number))};
    made.before = TRY(versions.find(number)).state == VersionState::kActive;
    StoreUpdate update;
    update.activation = {number, now_, wish.by, back, wish.force, wish.why};
    kept = wish.keep;
    TRY(store_.apply(update));
    made.version = TRY(versions.find(number));
    return made;
  }
  Result<GoldenExample> find(const std::string& id) const {
    if (auto example = TRY(store_.golden(id))) return std::move(*example);
    return fail(ErrorCode::kNotFound, "there is no golden example '" + id + "'");
  }
  Result<Feedback> find_feedback(int64_t id) const {
    if (auto feedback = TRY(store_.feedback(id))) return std::move(*feedback);
    return fail(ErrorCode::kNotFound, "there is no feedback " + feedback_name(id));
  }
  template <typename Transition>
  Result<GoldenChange> change(const std::string& id, std::string what, Transition transition) {
    GoldenExample example = TRY(find(id));
    GoldenChange done{TRY(transition(std::move(example))), std::move(what), {}};
    TRY(store_.put_golden({&done.example, 1}));
    return done;
  }
  UploadReport looked_at(const Upload& upload) {
    UploadReport told = report;
    const MutexLock lock(mutex_);
    upload_ = upload;
    contents_.clear();
    for (const UploadedFile& file : upload.files) {
      std::ifstream in(file.stored, std::ios::binary);
      contents_.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
      UploadFileReport shown;
      shown.name = file.name;
      shown.records = split_lines(contents_.back()).size();
      told.files.push_back(std::move(shown));
    }
    return told;
  }

  KnowledgeStore& store_;
  const std::filesystem::path folder_;
  const TimePoint now_;
  std::atomic<size_t> ingests_{0};
  mutable Mutex mutex_;
  Upload upload_ GUARDED_BY(mutex_);
  std::vector<std::string> contents_ GUARDED_BY(mutex_);
  std::vector<std::string> log_ GUARDED_BY(mutex_);
};

}  // namespace precedent
