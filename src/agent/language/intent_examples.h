// IntentExamples: what questions of each type look like: the second opinion where the rules that
// read a question's type are unsure.
//
// Thread safety: rank() from any thread. Lifetime: the embedder outlives the object.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agent/language/example_vectors.h"
#include "agent/language/question_type.h"
#include "base/config_values.h"
#include "base/error.h"
#include "base/mutex.h"

namespace precedent {

// The text of config/intents.yaml as it was built in.
std::string_view default_intents();

struct IntentSentences {
  QuestionType type;
  std::vector<std::string> sentences;
};
// Errors: kInvalidArgument with path:line and key, for what is no list of sentences under the name
// of a type; with `problems` all of them are collected there.
Result<std::vector<IntentSentences>> read_intents(std::string_view yaml, std::string_view path,
                                                  ConfigProblems* problems = nullptr);

class IntentExamples {
 public:
  // <data_dir>/intents.yaml, or the built-in sentences. Null without an embedder.
  static Result<std::unique_ptr<IntentExamples>> open(const std::filesystem::path& data_dir,
                                                      const Embedder* embedder);
  // `cache`: a folder for the vectors of the sentences; "" for none. Errors: those of read_intents.
  static Result<std::unique_ptr<IntentExamples>> parse(std::string_view yaml, std::string_view path,
                                                       const Embedder& embedder,
                                                       const std::filesystem::path& cache = {});

  struct Likeness {
    QuestionType type;
    double cosine;         // of the question and the nearest sentence of the type
    std::string sentence;  // which it is
  };
  // Best first; empty if the question cannot be embedded. The latest questions are remembered: a
  // turn reads its question several times.
  std::vector<Likeness> rank(const std::string& question) const;

 private:
  IntentExamples(const Embedder& embedder, const std::filesystem::path& cache)
      : embedder_(embedder),
        vectors_(embedder, cache.empty() ? cache : cache / "intents.vectors") {}

  const Embedder& embedder_;
  ExampleVectors vectors_;
  mutable Mutex mutex_;
  mutable std::vector<std::pair<std::string, std::vector<Likeness>>> latest_ GUARDED_BY(mutex_);
};

}  // namespace precedent
