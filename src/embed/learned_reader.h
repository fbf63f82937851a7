// LearnedReader: what a learned adapter makes of a text: of a question, of a line that may answer
// one, of a claim. A seam, so that what decides by it is tested without weights
// (fake_learned_reader.h), and so that one adapter serves all of a process.
//
// Thread safety: const members from any thread.
#pragma once

#include <array>
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
  // `past`: what stands before the text, oldest first. The labels of what is returned live as long
  // as the reader.
  virtual Result<AdaptedReading> read(std::string_view text,
                                      std::span<const PastTurn> past) const = 0;
};

// adapters/KIND.safetensors. What stands before a text: the conversation before a question; the
// question and the title of what a line is from before the line (kSelect); lines of receipts before
// a claim, as a turn's question (kJudge); nothing before what may ask for figures (kTally); the
// question before a condition that it may state (kConditions).
enum class AdapterKind : uint8_t { kQuestion, kSelect, kJudge, kTally, kConditions };
inline constexpr std::array kAdapterKinds = {AdapterKind::kQuestion, AdapterKind::kSelect,
                                             AdapterKind::kJudge, AdapterKind::kTally,
                                             AdapterKind::kConditions};
std::string_view name(AdapterKind kind);

// Remembers the latest texts, with what stood before them: guard and type read the same question in
// a turn, and a sentence is judged while it is said and again in the whole answer.
class AdapterReader final : public LearnedReader {
 public:
  // With the adapter that is part of the program. Lifetime: `encoder` outlives the reader.
  static Result<std::unique_ptr<AdapterReader>> open(AdapterKind kind,
                                                     const MiniLmEmbedder& encoder);

  Result<AdaptedReading> read(std::string_view text, std::span<const PastTurn> past) const override;

 private:
  AdapterReader(Adapter adapter, const MiniLmEmbedder& encoder)
      : adapter_(std::move(adapter)), encoder_(encoder) {}
  const Adapter adapter_;
  const MiniLmEmbedder& encoder_;
  mutable Mutex mutex_;
  mutable std::vector<std::pair<std::string, AdaptedReading>> latest_ GUARDED_BY(mutex_);
};

// The adapters' files, built into the program.
std::span<const std::byte> built_in_adapter(AdapterKind kind);

}  // namespace precedent
