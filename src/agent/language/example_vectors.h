// Sentences that a question may resemble, in groups, embedded when they are first needed and then
// kept in a file: embedding a few hundred of them takes longer than answering.
//
// Format of the file: the 64-bit hash of model and sentences, that of the values, the values
// (float32, little endian). One that does not fit is written anew; one that cannot be written is
// done without.
// Thread safety: nearest() from any thread. Lifetime: the embedder outlives the object.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/mutex.h"
#include "embed/embedder.h"

namespace precedent {

class ExampleVectors {
 public:
  // `file`: "" keeps nothing.
  ExampleVectors(const Embedder& embedder, std::filesystem::path file)
      : embedder_(embedder), file_(std::move(file)) {}

  // REQUIRES: before the first nearest().
  void add(size_t group, const std::vector<std::string>& sentences);

  struct Nearest {
    size_t group;
    std::string sentence;
    double cosine;
  };
  // The nearest sentence of each group that has any, best first. Errors: the embedder's; the next
  // call tries again.
  Result<std::vector<Nearest>> nearest(std::span<const float> question) const;

 private:
  struct Sentence {
    size_t group;
    std::string text;
  };

  Result<Embeddings> embed_all() const;
  uint64_t key() const;
  std::optional<Embeddings> kept() const;
  void keep(const Embeddings& vectors) const;

  const Embedder& embedder_;
  const std::filesystem::path file_;
  std::vector<Sentence> sentences_;
  mutable Mutex mutex_;
  mutable Embeddings vectors_ GUARDED_BY(mutex_);
};

}  // namespace precedent
