// NamedDesk: a KnowledgeDesk on which somebody who signed in signs with their own name and no
// other.
//
// Thread safety: as the desk behind. Lifetime: that one outlives it.
#pragma once

#include <string>
#include <utility>

#include "server/knowledge/knowledge_desk.h"

namespace precedent {

class NamedDesk final : public KnowledgeDesk {
 public:
  // `name` "": whoever a request says.
  NamedDesk(KnowledgeDesk& behind, std::string name) : behind_(behind), name_(std::move(name)) {}

  std::filesystem::path upload_folder() const override { return behind_.upload_folder(); }
  Result<UploadReport> check(const Upload& upload, const CancelToken& cancel) override {
    return behind_.check(upload, cancel);
  }
  Result<UploadReport> ingest(const Upload& upload, const TellProgress& tell,
                              const CancelToken& cancel) override {
    return behind_.ingest(upload, tell, cancel);
  }
  Result<size_t> remove(const std::string& id, const CancelToken& cancel) override {
    return behind_.remove(id, cancel);
  }
  Result<GoldenChange> put_golden(const GoldenDraft& draft) override {
    GoldenDraft signed_draft = draft;
    signed_draft.review.by = own(draft.review.by);
    return behind_.put_golden(signed_draft);
  }
  Result<GoldenChange> review_golden(const std::string& id, const std::string& answer,
                                     const std::string& by) override {
    return behind_.review_golden(id, answer, own(by));
  }
  Result<GoldenChange> activate_golden(const std::string& id, bool active) override {
    return behind_.activate_golden(id, active);
  }
  Result<GoldenChange> remove_golden(const std::string& id) override {
    return behind_.remove_golden(id);
  }
  Result<Feedback> add_feedback(Feedback feedback) override {
    return behind_.add_feedback(std::move(feedback));
  }
  Result<ReviewedFeedback> review_feedback(int64_t id, const std::string& answer,
                                           const std::string& by) override {
    return behind_.review_feedback(id, answer, own(by));
  }
  Result<Feedback> dismiss_feedback(int64_t id, const std::string& note,
                                    const std::string& by) override {
    return behind_.dismiss_feedback(id, note, own(by));
  }
  Result<DatasetVersion> create_version(const VersionDraft& draft, const Upload& upload,
                                        const CancelToken& cancel) override {
    VersionDraft signed_draft = draft;
    signed_draft.created_by = own(draft.created_by);
    return behind_.create_version(signed_draft, upload, cancel);
  }
  Result<std::string> guess_mapping(const Upload& upload, const std::string& file) override {
    return behind_.guess_mapping(upload, file);
  }
  Result<ValidatedVersion> validate_version(uint64_t number, const CancelToken& cancel) override {
    return behind_.validate_version(number, cancel);
  }
  Result<DatasetVersion> embed_version(uint64_t number, EmbedIn precision, const TellProgress& tell,
                                       const CancelToken& cancel) override {
    return behind_.embed_version(number, precision, tell, cancel);
  }
  Result<MadeActive> activate_version(uint64_t number, const ActivationWish& wish,
                                      const CancelToken& cancel) override {
    return behind_.activate_version(number, own(wish), cancel);
  }
  Result<MadeActive> roll_back_version(uint64_t to, const ActivationWish& wish,
                                       const CancelToken& cancel) override {
    return behind_.roll_back_version(to, own(wish), cancel);
  }
  Result<DatasetVersion> discard_version(uint64_t number) override {
    return behind_.discard_version(number);
  }
  Result<AppendedChanges> append_changes(const std::vector<std::string>& records) override {
    return behind_.append_changes(records);
  }

 private:
  ActivationWish own(ActivationWish wish) const {
    wish.by = own(wish.by);
    return wish;
  }
  const std::string& own(const std::string& by) const { return name_.empty() ? by : name_; }

  KnowledgeDesk& behind_;
  const std::string name_;
};

}  // namespace precedent
