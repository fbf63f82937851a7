// An adapter: what was learned on top of the encoder for one kind of reading, as low-rank updates
// of attention and linear heads. Half a megabyte beside the base's 87.
//
// Made by train/ from examples, committed under adapters/ with a model card. Format: a .safetensors
// file, docs/format/adapter.md. Its metadata names the base, the heads and their labels: no label
// is known to this code. Applied by adapted_reading.h. Every name, shape and number is checked when
// the file is opened.
//
// Thread safety: immutable, may be shared.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "embed/low_rank.h"

namespace precedent {

struct AdapterHead {
  std::string name;
  std::vector<std::string> labels;
  bool several = false;       // each label by itself, rather than one of them
  float temperature = 1;      // what logits are divided by before they become probabilities
  float sure_from = 0;        // the least probability that counts as sure
  std::vector<float> weight;  // labels × kHidden
  std::vector<float> bias;    // labels
};

class Adapter {
 public:
  // Errors: kNotFound, kPermission … as read_file; kCorrupt, naming `origin`, what is wrong and the
  // remedy, also for the adapter of another base or of a later format.
  static Result<Adapter> open(const std::filesystem::path& path);
  static Result<Adapter> parse(std::span<const std::byte> file, std::string_view origin);

  std::string_view kind() const { return kind_; }  // "question", "select", "judge"
  const LowRank& updates() const { return updates_; }
  // Over the whole question, in the order of the file.
  std::span<const AdapterHead> heads() const { return heads_; }
  // Over each word piece: "O", "B-system", "I-system" …; none if its labels are empty.
  const AdapterHead& tags() const { return tags_; }
  // How many pairs of texts are read before a text, and how many word pieces of each.
  size_t context_turns() const { return context_turns_; }
  size_t context_pieces() const { return context_pieces_; }

 private:
  Adapter() = default;
  std::string kind_;
  LowRank updates_;
  std::vector<AdapterHead> heads_;
  AdapterHead tags_;
  size_t context_turns_ = 0, context_pieces_ = 0;
};

// An IEEE half as it lies in a file, as a float.
float half_to_float(uint16_t half);

}  // namespace precedent
