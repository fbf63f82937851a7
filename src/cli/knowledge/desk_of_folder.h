// DeskOfFolder: the KnowledgeDesk over a data directory, by what the commands `ingest`, `remove`,
// `golden` and `feedback` do.
//
// Each change opens the knowledge base for writing and closes it again, so that commands of other
// processes get their turn. Small changes of this process wait for each other; what finds an ingest
// under way, here or elsewhere, is refused as kConflict. Thread safety: all members. Ownership:
// borrows the clock.
#pragma once

#include <filesystem>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "cli/knowledge/writer.h"
#include "server/knowledge/knowledge_desk.h"

namespace precedent {

class DeskOfFolder final : public KnowledgeDesk {
 public:
  // `config`: as for Session; it names where the index is. `tools_config`: as for OpenedSources; it
  // names the logs of changes. `changed` is called, from any thread, when what is known has
  // changed, and `tell` with a sentence on each version that becomes active.
  DeskOfFolder(std::filesystem::path data_dir, std::string config, std::string tools_config,
               const Clock& clock, std::function<void()> changed,
               std::function<void(const std::string&)> tell)
      : data_dir_(std::move(data_dir)),
        config_(std::move(config)),
        tools_config_(std::move(tools_config)),
        clock_(clock),
        changed_(std::move(changed)),
        tell_(std::move(tell)) {}

  std::filesystem::path upload_folder() const override { return data_dir_ / "uploads"; }
  Result<UploadReport> check(const Upload& upload, const CancelToken& cancel) override;
  Result<UploadReport> ingest(const Upload& upload, const TellProgress& tell,
                              const CancelToken& cancel) override;
  Result<size_t> remove(const std::string& id, const CancelToken& cancel) override;

  Result<GoldenChange> put_golden(const GoldenDraft& draft) override;
  Result<GoldenChange> review_golden(const std::string& id, const std::string& answer,
                                     const std::string& by) override;
  Result<GoldenChange> activate_golden(const std::string& id, bool active) override;
  Result<GoldenChange> remove_golden(const std::string& id) override;

  Result<Feedback> add_feedback(Feedback feedback) override;
  Result<ReviewedFeedback> review_feedback(int64_t id, const std::string& answer,
                                           const std::string& by) override;
  Result<Feedback> dismiss_feedback(int64_t id, const std::string& note,
                                    const std::string& by) override;

  Result<DatasetVersion> create_version(const VersionDraft& draft, const Upload& upload,
                                        const CancelToken& cancel) override;
  Result<std::string> guess_mapping(const Upload& upload, const std::string& file) override;
  Result<ValidatedVersion> validate_version(uint64_t number, const CancelToken& cancel) override;
  Result<DatasetVersion> embed_version(uint64_t number, EmbedIn precision, const TellProgress& tell,
                                       const CancelToken& cancel) override;
  Result<MadeActive> activate_version(uint64_t number, const ActivationWish& wish,
                                      const CancelToken& cancel) override;
  Result<MadeActive> roll_back_version(uint64_t to, const ActivationWish& wish,
                                       const CancelToken& cancel) override;
  Result<DatasetVersion> discard_version(uint64_t number) override;

  Result<AppendedChanges> append_changes(const std::vector<std::string>& records) override;

 private:
  WriterOptions writing(bool dense) const;
  using Change = std::function<Result<void>(KnowledgeStore& store)>;
  Result<void> publish(const Change& change);
  Result<MadeActive> switch_version(
      const std::function<Result<MadeActive>(KnowledgeWriter& writer)>& act);
  using Transition = std::function<Result<GoldenExample>(GoldenExample example)>;
  Result<GoldenChange> change_one(const std::string& id, std::string_view what,
                                  const Transition& transition);

  const std::filesystem::path data_dir_;
  const std::string config_;
  const std::string tools_config_;
  const Clock& clock_;
  const std::function<void()> changed_;
  const std::function<void(const std::string&)> tell_;
  Mutex writing_;  // held by small changes
};

}  // namespace precedent
