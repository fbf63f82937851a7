// LearnedReader: what a learned adapter makes of a question. A seam, so that what decides by it is
// tested without weights (fake_learned_reader.h), and so that one adapter serves all of a process.
//
// Thread safety: const members from any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/mutex.h"
#include "embed/adapted_reading.h"
#include "embed/adapter.h"
#include "embed/minilm.h"

namespace precedent {

class LearnedReader {
 public:
  virtual ~LearnedReader() = default;
  // `past`: oldest first. The labels of what is returned live as long as the reader.
  virtual Result<AdaptedReading> read(std::string_view question,
                                      std::span<const PastTurn> past) const = 0;
};

// Remembers the latest questions that follow nothing: guard and type read the same one in a turn.
class AdapterReader final : public LearnedReader {
 public:
  // With the adapter that is part of the program. Lifetime: `encoder` outlives the reader.
  static Result<std::unique_ptr<AdapterReader>> open(const MiniLmEmbedder& encoder);

  Result<AdaptedReading> read(std::string_view question,
                              std::span<const PastTurn> past) const override;

 private:
  AdapterReader(Adapter adapter, const MiniLmEmbedder& encoder)
      : adapter_(std::move(adapter)), encoder_(encoder) {}
  const Adapter adapter_;
  const MiniLmEmbedder& encoder_;
  mutable Mutex mutex_;
  mutable std::vector<std::pair<std::string, AdaptedReading>> latest_ GUARDED_BY(mutex_);
};

// adapters/question.safetensors, built into the program.
std::span<const std::byte> built_in_question_adapter();

}  // namespace precedent
