// How many word pieces a text has: what the embedding model counts in.
//
// The model's own tokenizer answers where its vocabulary is present; without it the estimate does,
// which errs by up to a tenth over a document of English operations text (calibrated on public
// runbooks and incident reports). Thread safety: estimate_pieces is a pure function; a counter must
// be as safe as its caller needs.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace precedent {

// The pieces of a text without the model's own marks ([CLS], [SEP]). Must be additive over texts
// joined by white space.
using PieceCounter = std::function<size_t(std::string_view)>;

// Rounded up. Time is linear.
size_t estimate_pieces(std::string_view text);

}  // namespace precedent
