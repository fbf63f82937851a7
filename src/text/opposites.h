// Opposites: words of operations text of which one says the contrary of the other, and words for
// the two ends or roles of one thing. One list for all who compare two texts.
//
// Thread safety: constant data.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace precedent {

enum class Opposition : uint8_t {
  kContrary,  // of one thing at one time, at most one of the two is true: enabled, disabled
  kRole,      // what one does the other undoes, or meets from the other side: send, receive;
              // both may well be true
};

struct Opposites {
  // In lower case, base forms, separated by spaces; each word of one side opposes each of the
  // other.
  std::string_view left, right;
  Opposition kind;
};

std::span<const Opposites> opposites();

}  // namespace precedent
