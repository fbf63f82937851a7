// The fake of the LearnedReader seam: it says of each question what a test has told it.
//
// Thread safety: const members from any thread.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "embed/learned_reader.h"

namespace precedent {

// Without anything told: that a question is ordinary, and of the type "knowledge".
class FakeLearnedReader final : public LearnedReader {
 public:
  // Of the head "guard": `label` with `probability`, the rest of it on "ordinary". `sure`: see
  // ReadHead.
  void say(std::string question, std::string label, float probability, bool sure);
  // Of the head "type", likewise.
  void say_type(std::string question, std::string label, float probability);
  // Every reading fails from now on.
  void fail_with(Error error) { error_ = std::move(error); }

  Result<AdaptedReading> read(std::string_view question,
                              std::span<const PastTurn> past) const override;

 private:
  struct Said {
    std::string label;
    float probability;
    bool sure;
  };
  std::map<std::string, Said, std::less<>> guards_, types_;
  std::optional<Error> error_;
};

}  // namespace precedent
