// What an edit can do to the process that runs it, as it was learned from edits with known outcomes
// (adapters/edits.md): beside the table of diff_effects.h, whose rows know kinds of edit.
//
// A logistic model a symptom, over the words that an edit removes, adds and keeps, hashed. It needs
// no encoder, so that a verdict is the same on every machine. Thread safety: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "investigate/changes/diff.h"
#include "investigate/symptoms/symptom.h"

namespace precedent {

// Probabilities.
struct EditOpinion {
  double acts = 0;                            // that somebody on call could see anything of it
  std::array<double, kSymptoms> causes = {};  // by symptom: that this is what they would see

  // How much likelier than of any edit it is to cause what is seen, 0 to 1; ½: as likely.
  double explains(const SymptomSet& seen) const;
  // What it is likelier to cause than other edits are, by most.
  Symptom likeliest() const;

 private:
  // How much likelier than of any edit, in logarithms of odds.
  double rise(size_t symptom) const;
};

// Of a commit: of each symptom the likeliest of its hunks, those apart that no process reads.
EditOpinion opinion_of(const std::vector<Hunk>& hunks);

class LearnedEdits {
 public:
  // adapters/edits.safetensors, which is part of the program.
  static const LearnedEdits& built_in();
  // Errors: kCorrupt, with the remedy.
  static Result<LearnedEdits> parse(std::span<const std::byte> file, std::string_view origin);

  EditOpinion read(const Hunk& hunk) const;
  // Of all edits that were learned from.
  double usual(Symptom symptom) const { return usual_[static_cast<size_t>(symptom)]; }

 private:
  static constexpr size_t kOutputs = 1 + kSymptoms;
  std::vector<float> weights_;  // bucket × output
  std::array<float, kOutputs> bias_ = {};
  std::array<double, kSymptoms> usual_ = {};
};

}  // namespace precedent
