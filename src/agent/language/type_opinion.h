// TypeOpinion: what the learned adapter takes the type of a question for: the second opinion where
// the rules are unsure. An operator's own sentences correct it.
//
// Thread safety: rank() from any thread. Lifetime: reader and embedder outlive the object.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agent/language/example_vectors.h"
#include "agent/language/question_type.h"
#include "agent/language/tally.h"
#include "base/config_values.h"
#include "base/error.h"
#include "embed/learned_reader.h"

namespace precedent {

// The text of config/intents.yaml as it was built in: no sentence.
std::string_view default_intents();

struct IntentSentences {
  QuestionType type;
  std::vector<std::string> sentences;
};
// Errors: kInvalidArgument with path:line and key, for what is no list of sentences under the name
// of a type; with `problems` all of them are collected there.
Result<std::vector<IntentSentences>> read_intents(std::string_view yaml, std::string_view path,
                                                  ConfigProblems* problems = nullptr);

class TypeOpinion {
 public:
  // With the sentences of <data_dir>/intents.yaml, if there is one. Null where either of reader and
  // embedder is.
  static Result<std::unique_ptr<TypeOpinion>> open(const std::filesystem::path& data_dir,
                                                   const LearnedReader* reader,
                                                   const Embedder* embedder);
  // `cache`: a folder for the vectors of the sentences; "" for none. Errors: those of read_intents.
  static Result<std::unique_ptr<TypeOpinion>> parse(std::string_view yaml, std::string_view path,
                                                    const LearnedReader& reader,
                                                    const Embedder& embedder,
                                                    const std::filesystem::path& cache = {});

  struct Candidate {
    QuestionType type;
    double probability;
    std::string because;  // "like 'what broke lately' (0.97)"; "" of the adapter
  };
  // Likeliest first, of the types that are answered; their probabilities are shares of 1. Where the
  // question is nearly a sentence of the operator, that one's type alone. Empty if it cannot be
  // read.
  std::vector<Candidate> rank(const std::string& question) const;

  // What is to be computed over past incidents; nothing without a reader of tallies.
  std::optional<Tally> tally(const std::string& question) const {
    return tallies_ == nullptr ? std::nullopt : read_tally(question, *tallies_);
  }
  // Lifetime: outlives this.
  void read_tallies_by(const LearnedReader* tallies) { tallies_ = tallies; }

  // What is asked for, each label with its probability, likeliest first: "steps", "cause", "owner".
  // Several may hold. Empty if it cannot be read.
  std::vector<ReadLabel> asked(const std::string& question) const;

 private:
  TypeOpinion(const LearnedReader& reader, const Embedder& embedder,
              const std::filesystem::path& cache)
      : reader_(reader),
        embedder_(embedder),
        vectors_(embedder, cache.empty() ? cache : cache / "intents.vectors") {}

  const LearnedReader& reader_;
  const Embedder& embedder_;
  const LearnedReader* tallies_ = nullptr;
  ExampleVectors vectors_;
  bool has_sentences_ = false;
};

}  // namespace precedent
