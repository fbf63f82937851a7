// Any bytes: chunks keep their size limits.
#include <cstdint>
#include <cstdlib>

#include "ingest/chunks/chunker.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  precedent::Document document;
  const std::string text(reinterpret_cast<const char*>(data), size);
  document.title = text.substr(0, text.find('\n'));
  document.body = text;
  const precedent::Limits limits;
  for (const precedent::Chunk& chunk :
       precedent::chunk(document, precedent::estimate_pieces, limits)) {
    const std::string embedded = precedent::embedding_text(document, chunk);
    if (precedent::estimate_pieces(embedded) + 2 > limits.max_chunk_pieces) std::abort();
    if (chunk.lines.begin > chunk.lines.end) std::abort();
  }
  return 0;
}
