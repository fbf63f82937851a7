// Sentences that a question may resemble, in groups, embedded when they are first needed.
//
// Thread safety: nearest() from any thread. Lifetime: the embedder outlives the object.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/mutex.h"
#include "embed/embedder.h"

namespace precedent {

class ExampleVectors {
 public:
  explicit ExampleVectors(const Embedder& embedder) : embedder_(embedder) {}

  // REQUIRES: before the first nearest().
  void add(size_t group, const std::vector<std::string>& sentences);

  struct Nearest {
    size_t group;
    std::string sentence;
    double cosine;
  };
  // The nearest sentence of each group that has any, best first. Errors: the embedder's; the next call tries again.
  Result<std::vector<Nearest>> nearest(std::span<const float> question) const;

 private:
  struct Sentence {
    size_t group;
    std::string text;
  };

  const Embedder& embedder_;
  std::vector<Sentence> sentences_;
  mutable Mutex mutex_;
  mutable Embeddings vectors_ GUARDED_BY(mutex_);
};

}  // namespace precedent
