// Literal texts: all texts of the receipts as literal look-ups see them (text/fold_literal.h).
//
// Thread safety: const methods may run in several threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/markdown.h"

namespace precedent {

class LiteralTexts {
 public:
  void reserve(size_t bytes) { folded_.reserve(bytes); }
  // The next receipt: its text, and what its typed result and its arguments hold beyond that.
  void add(std::string_view text, std::string_view beyond);

  // Whether some text holds it, whatever the case, white space and marks.
  bool hold(std::string_view quoted) const;
  // The same of one of them.
  bool hold(std::string_view quoted, uint32_t receipt) const;
  // And it stands there from the beginning of a sentence to its end: nothing before it denies it.
  bool hold_sentence(std::string_view quoted) const;

 private:
  std::string folded_;
  std::vector<TextRange> receipts_;
};

}  // namespace precedent
