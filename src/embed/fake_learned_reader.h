// The fake of the LearnedReader seam: it says of each text what a test has told it.
//
// Thread safety: const members from any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "embed/learned_reader.h"

namespace precedent {

// Without anything told: that a question is ordinary, and of the type "knowledge"; that a line may
// answer or not, that a claim may be supported or not, and that a condition is none.
class FakeLearnedReader final : public LearnedReader {
 public:
  // Of the head "guard": `label` with `probability`, the rest of it on "ordinary". `sure`: see
  // ReadHead.
  void say(std::string question, std::string label, float probability, bool sure);
  // Of the head "type", likewise.
  void say_type(std::string question, std::string label, float probability);
  // Of the head "answers".
  void say_answers(std::string line, float probability);
  // Of the head "verdict": `label` with `probability`, the rest of it on "supported".
  void say_verdict(std::string claim, std::string label, float probability);
  // Of any other heads: their labels, each for certain.
  void say_heads(std::string question, std::map<std::string, std::string> labels);
  // Every reading fails from now on.
  void fail_with(Error error) { error_ = std::move(error); }

  Result<AdaptedReading> read(std::string_view text, std::span<const PastTurn> past) const override;
  // What it was given last: the pairs of texts that stood before it, and itself.
  std::vector<std::pair<std::string, std::string>> last_before() const;
  std::string last_text() const;

 private:
  struct Said {
    std::string label;
    float probability;
    bool sure;
  };
  std::map<std::string, Said, std::less<>> guards_, types_, verdicts_;
  std::map<std::string, float, std::less<>> answers_;
  std::map<std::string, std::map<std::string, std::string>, std::less<>> heads_;
  std::optional<Error> error_;
  mutable Mutex mutex_;
  mutable std::vector<std::pair<std::string, std::string>> last_before_ GUARDED_BY(mutex_);
  mutable std::string last_text_ GUARDED_BY(mutex_);
};

}  // namespace precedent
