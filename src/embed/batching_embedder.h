// An Embedder that joins concurrent calls: while one call is being embedded, those that come wait,
// and then go to the embedder behind as one batch, which it does faster than one after another.
//
// Who is alone waits for nobody: there is no timer. A text that several calls of a batch ask for is
// embedded once. A batch that fails fails nobody: each of its calls is then made by itself, and its
// error is its own.
//
// Thread safety: all members; the embedder behind gets one batch at a time. Lifetime: the embedder
// behind outlives this object.
#pragma once

#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "embed/embedder.h"

namespace precedent {

class BatchingEmbedder final : public Embedder {
 public:
  // A call of more texts than `max_texts` is a batch already: it goes straight through. 64
  // questions take some 50 ms, the longest that a call waits for one that was before it.
  explicit BatchingEmbedder(const Embedder& behind, size_t max_texts = 64)
      : behind_(behind), max_texts_(max_texts) {}

  std::string_view model_id() const override { return behind_.model_id(); }
  size_t dimensions() const override { return behind_.dimensions(); }
  Result<Embeddings> embed(std::span<const std::string_view> texts) const override;
  // Calls that wait for the next batch.
  size_t waiting() const {
    const MutexLock lock(mutex_);
    return waiting_.size();
  }

 private:
  struct Call;
  // The oldest calls that fit one batch. REQUIRES: some wait.
  std::vector<Call*> take() const REQUIRES_LOCK(mutex_);
  // Gives each call of the batch its rows; none of them if it fails.
  void run(const std::vector<Call*>& batch) const;

  const Embedder& behind_;
  const size_t max_texts_;
  mutable Mutex mutex_;
  mutable ConditionVariable changed_;
  mutable std::deque<Call*> waiting_ GUARDED_BY(mutex_);
  mutable bool busy_ GUARDED_BY(mutex_) = false;
};

}  // namespace precedent
