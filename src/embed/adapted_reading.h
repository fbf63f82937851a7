// One pass of the encoder with an adapter over a text and what stands before it, as a question
// behind the end of its conversation: for each head the labels with calibrated probabilities, and
// the spans of the text that its tags mark.
//
//   [CLS] question [SEP] answer [SEP] … text [SEP]
//
// Only the beginning of what stands before is read, and a text as far as kMaxTokens reach. Spans
// point into the text: nothing that is not there can be named. What labels mean is the caller's.
//
// Thread safety: pure functions over values; from any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "embed/adapter.h"
#include "embed/minilm.h"

namespace precedent {

// Two texts before the one that is read; of other adapters than that of questions:
// learned_reader.h.
struct PastTurn {
  std::string_view question, answer;
};

struct ReadLabel {
  std::string_view label;  // lives as long as the adapter
  float probability = 0;
};

struct ReadHead {
  std::string_view name;
  std::vector<ReadLabel> labels;  // likeliest first
  // Whether the likeliest is at least as likely as the head asks for; where several labels may
  // hold, whether any is.
  bool sure = false;
};

struct ReadSpan {
  std::string_view kind;        // "system"; lives as long as the adapter
  uint32_t begin = 0, end = 0;  // bytes of the question, half-open
};

struct AdaptedReading {
  std::vector<ReadHead> heads;  // in the adapter's order
  std::vector<ReadSpan> spans;  // in the question's order, never overlapping

  // REQUIRES: the adapter has a head of this name.
  const ReadHead& head(std::string_view name) const;
};

// `past`: oldest first; the last few count.
Result<AdaptedReading> read_with(const Adapter& adapter, const MiniLmEmbedder& encoder,
                                 std::string_view question, std::span<const PastTurn> past);

// The word pieces that are read, and where the question's own begin. Exposed for the tests, which
// compare them with the training code's.
struct AdapterInput {
  std::vector<int32_t> ids;
  std::vector<WordPiece> own;  // of the question; ids[start + i] is own[i].id
  size_t start = 0;
};
AdapterInput adapter_input(const Adapter& adapter, const WordPieceTokenizer& tokenizer,
                           std::string_view question, std::span<const PastTurn> past);

}  // namespace precedent
