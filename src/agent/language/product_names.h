// Products that operations people call by a name in lower case: "zookeeper quorum lost". Whether a
// company has one is for its knowledge base to say; a question about one that it never mentions
// must not be answered with another.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string_view>

namespace precedent {

// All spellings of the product that `word` (lower case) names; empty: it names none. Only names
// that are no ordinary words of operations ("chef", "lambda") are listed. Lifetime: static.
std::span<const std::string_view> product_spellings(std::string_view word);

}  // namespace precedent
