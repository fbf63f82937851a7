// The encoder: sentence-transformers' all-MiniLM-L6-v2 (Apache-2.0) in C++, from the files that
// scripts/fetch-model gets.
//
// Text → word pieces (text/wordpiece.h, at most 256 with [CLS] and [SEP]) → six layers
// (minilm_layers.h) → 384 floats of unit length. Texts of a call are sorted by length and packed
// into blocks without padding; each block runs on one thread. Numbers agree with
// sentence-transformers: tests/golden/embeddings (cosine >= 0.9999 in fp32).
//
// Cost: opening maps the weights and reads the vocabulary (some milliseconds). A short call
// multiplies with the weights where they lie in the file; the first call of kPackFromTokens or more
// copies them into oneDNN's layout (42 MB). The first call in int8 codes the weights, for which it
// encodes the calibration texts (calibration.h) in fp32.
//
// Thread safety: embed() may be called from any number of threads; each call starts up to
// Options::threads of its own if it has that many blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "embed/embedder.h"
#include "embed/low_rank.h"
#include "text/wordpiece.h"

namespace precedent {

enum class Precision : uint8_t {
  kFloat32,
  kInt8,  // several times the speed, cosine to fp32 above 0.997; needs VNNI instructions
};

class MiniLmEmbedder final : public Embedder {
 public:
  struct Options {
    Precision precision = Precision::kFloat32;
    size_t threads = 0;  // 0: one for each processor
  };

  // Errors: kNotFound if `folder` lacks a file (the message names scripts/fetch-model), kCorrupt if
  // one is damaged or of another model, kUnavailable if this processor cannot do the precision
  // asked for.
  static Result<std::unique_ptr<MiniLmEmbedder>> open(const std::filesystem::path& folder,
                                                      Options options);

  // Whether Precision::kInt8 can be had on this processor.
  static bool int8_available();

  ~MiniLmEmbedder() override;

  std::string_view model_id() const override;
  size_t dimensions() const override;
  Result<Embeddings> embed(std::span<const std::string_view> texts) const override;

  // The last layer's rows of one text, kHidden floats an id, with an adapter's updates beside the
  // base's products. REQUIRES: 1 to kMaxTokens ids of the tokenizer, [CLS] and [SEP] among them.
  Result<std::vector<float>> rows_of(std::span<const int32_t> ids, const LowRank& updates) const;

  // The tokenizer of this model: what chunking counts with.
  const WordPieceTokenizer& tokenizer() const;

 private:
  struct Impl;
  explicit MiniLmEmbedder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// In which vectors of this model_id() are made; float32 for what is none of this model, and where
// int8 cannot be had.
Precision precision_of(std::string_view model_id);

// Where scripts/fetch-model puts the model unless told otherwise:
// ${PRECEDENT_MODEL_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/precedent/models}/all-MiniLM-L6-v2
std::filesystem::path default_model_folder();

}  // namespace precedent
