// KnowledgeViews: the knowledge base of a data directory, opened once for each scope that is asked
// for, and again when its store has changed.
//
// Whoever holds an older one may go on with it. Thread safety: all members.
#pragma once

#include <chrono>
#include <filesystem>
#include <list>
#include <memory>
#include <optional>

#include "agent/sources/knowledge_base.h"
#include "base/mutex.h"
#include "knowledge/scope.h"

namespace precedent {

class KnowledgeViews {
 public:
  // Who they are for: whoever sits at this machine, or others, who see no path of it.
  enum class For : uint8_t { kOwner, kOthers };
  // `may_be_empty`: where nothing was ingested yet, there is a knowledge base that knows nothing,
  // until something was.
  // `server`: where the index is; null: in the data directory.
  KnowledgeViews(StoreAddress store, std::filesystem::path data_dir,
                 std::shared_ptr<QdrantApi> server, std::shared_ptr<const QuestionEncoder> encoder,
                 bool may_be_empty, For whom = For::kOwner)
      : store_(std::move(store)),
        data_dir_(std::move(data_dir)),
        server_(std::move(server)),
        encoder_(std::move(encoder)),
        may_be_empty_(may_be_empty),
        for_(whom) {}

  // As it is now, or was a second ago; one that cannot be opened again is given as it was. Errors:
  // those of KnowledgeBase::open, where there is none from before.
  Result<std::shared_ptr<const KnowledgeBase>> of(const Scope& scope);
  // Something has changed: the next question looks at once.
  void expire();

 private:
  struct View {
    Scope scope;
    std::shared_ptr<const KnowledgeBase> base;
    uint64_t version = 0;  // of the store, just before it was opened
    bool behind = false;   // its index did not reflect that yet, or there was none
    std::chrono::steady_clock::time_point looked;
  };
  bool is_current(View& view) REQUIRES_LOCK(mutex_);
  Result<View> open(const Scope& scope) REQUIRES_LOCK(mutex_);

  const StoreAddress store_;
  const std::filesystem::path data_dir_;
  const std::shared_ptr<QdrantApi> server_;
  const std::shared_ptr<const QuestionEncoder> encoder_;
  const bool may_be_empty_;
  const For for_;
  Mutex mutex_;
  // Tells the version of the store before anything is opened over it.
  std::optional<KnowledgeStore> watch_ GUARDED_BY(mutex_);
  std::list<View> views_ GUARDED_BY(mutex_);  // the last used first
};

}  // namespace precedent
