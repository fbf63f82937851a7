#include "embed/batching_embedder.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace precedent {

// Of a thread that waits in embed(). Whoever runs its batch writes `rows`; `done` is behind the
// lock.
struct BatchingEmbedder::Call {
  std::span<const std::string_view> texts;
  std::optional<Embeddings> rows = std::nullopt;
  bool done = false;
};

std::vector<BatchingEmbedder::Call*> BatchingEmbedder::take() const {
  std::vector<Call*> batch;
  size_t texts = 0;
  while (!waiting_.empty() &&
         (batch.empty() || texts + waiting_.front()->texts.size() <= max_texts_)) {
    texts += waiting_.front()->texts.size();
    batch.push_back(waiting_.front());
    waiting_.pop_front();
  }
  return batch;
}

void BatchingEmbedder::run(const std::vector<Call*>& batch) const {
  std::vector<std::string_view> texts;
  std::unordered_map<std::string_view, size_t> place;
  for (const Call* call : batch)
    for (const std::string_view text : call->texts)
      if (place.emplace(text, texts.size()).second) texts.push_back(text);
  const auto embedded = behind_.embed(texts);
  if (!embedded) return;
  for (Call* call : batch) {
    Embeddings& rows = call->rows.emplace();
    rows.dimensions = embedded->dimensions;
    rows.values.reserve(call->texts.size() * rows.dimensions);
    for (const std::string_view text : call->texts) {
      const auto row = embedded->row(place.at(text));
      rows.values.insert(rows.values.end(), row.begin(), row.end());
    }
  }
}

Result<Embeddings> BatchingEmbedder::embed(std::span<const std::string_view> texts) const {
  if (texts.empty() || texts.size() > max_texts_) return behind_.embed(texts);
  Call own{texts};
  {
    const MutexLock lock(mutex_);
    waiting_.push_back(&own);
  }
  for (;;) {
    std::vector<Call*> batch;
    {
      const MutexLock lock(mutex_);
      while (busy_ && !own.done) changed_.wait(mutex_);
      if (own.done) break;
      // Nobody embeds: this thread does, for all that wait.
      busy_ = true;
      batch = take();
    }
    try {
      run(batch);
    } catch (...) {  // each of them tries by itself, and throws to its own caller if it must
      for (Call* call : batch) call->rows.reset();
    }
    {
      const MutexLock lock(mutex_);
      for (Call* call : batch) call->done = true;
      busy_ = false;
    }
    changed_.notify_all();
  }
  if (own.rows) return std::move(*own.rows);
  return behind_.embed(texts);
}

}  // namespace precedent
