// CheckedText: what of an answer has been sent, token by token, where nothing can be taken back:
// drafts, which nobody has checked yet, are left out.
//
// Thread safety: one thread at a time.
#pragma once

#include <string>

#include "chat/event.h"

namespace precedent {

class CheckedText {
 public:
  // The text of this event that is to be sent; "" if there is none.
  std::string piece_of(const Event& event);
  // What is left to send once the whole text is there; "" if something else was sent.
  std::string rest_of(const std::string& text) const;
  bool begun() const { return !sent_.empty(); }

 private:
  std::string sent_;
};

}  // namespace precedent
