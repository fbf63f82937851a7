// Verbatim: how much of a question stands word for word in a text. Who pastes a line of a log wants
// the place that holds its message, whatever else is alike.
//
// Words compare without case and punctuation; every number is as good as any other ("after 3000 ms"
// finds "after 5000 ms"), and so are ids with digits in them; but for an error's code ("TS-503")
// and a name that its form marks ("HpaReflected", "DISK-ALMOST-FULL"), which say more than several
// words. A run of words counts by its words: one that says nothing by itself ("the", a number)
// counts little. Runs that follow each other in both count together, less what the gap costs.
//
// Thread safety: immutable. shared() takes time proportional to the product of both lengths, of
// which the first kMaxWords words each are looked at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/analyzer.h"

namespace precedent {

class Verbatim {
 public:
  static constexpr size_t kMaxWords = 160;

  Verbatim(std::string_view question, const Analyzer& analyzer);

  // 0: nothing that is worth telling is shared. 1: a whole message is.
  float shared(std::string_view text) const;

  // Whether the question holds all of `head`, the head of an entry in a catalogue of alerts or
  // messages, one word after the other, and it says enough not to be chance: a code, a marked name
  // or two words.
  bool holds(std::string_view head) const;
  // Whether a code or a marked name of the question stands in `text`.
  bool names(std::string_view text) const;

 private:
  struct Word {
    std::string text;
    float weight;
    bool is_name() const;
  };
  std::vector<Word> words_of(std::string_view text) const;

  const Analyzer* analyzer_;
  std::vector<Word> words_;
};

}  // namespace precedent
