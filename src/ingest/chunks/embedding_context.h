// The head of every embedding text: title and heading path. Shared by the chunker, which leaves
// room for it, and embedding_text(), which writes it. Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace precedent {

// A quarter of a chunk at most goes into its context, by estimate; real titles have about a dozen
// pieces.
inline constexpr size_t kMaxTitlePieces = 32;
inline constexpr size_t kMaxPathPieces = 32;

std::string embedding_context(std::string_view title, const std::vector<std::string>& heading);

// Whether a heading at the beginning of a chunk's text is said by the context already.
bool in_context(std::string_view heading, std::string_view title,
                const std::vector<std::string>& path);

}  // namespace precedent
