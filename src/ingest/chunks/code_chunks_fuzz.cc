// Any bytes, cut along symbols anywhere: chunks keep their size limits and follow one another.
#include <cstdint>
#include <cstdlib>

#include "ingest/chunks/chunker.h"
#include "ingest/chunks/code_chunks.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  precedent::Document document;
  document.kind = precedent::Kind::kCode;
  document.title = "src/a.cc";
  document.body.assign(reinterpret_cast<const char*>(data), size);
  // The first bytes say how far apart the symbols are, and how long.
  std::vector<precedent::Symbol> symbols;
  for (size_t i = 0, line = 0; i + 1 < size && i < 64; i += 2) {
    line += data[i] % 16;
    symbols.push_back(
        {"f", static_cast<uint32_t>(line), static_cast<uint32_t>(line + data[i + 1])});
  }
  const precedent::Limits limits;
  uint32_t before = 0;
  for (const precedent::Chunk& chunk :
       precedent::code_chunks(document, symbols, precedent::estimate_pieces, limits)) {
    const std::string embedded = precedent::embedding_text(document, chunk);
    if (precedent::estimate_pieces(embedded) + 2 > limits.max_chunk_pieces) std::abort();
    if (chunk.lines.begin > chunk.lines.end || chunk.lines.begin < before) std::abort();
    before = chunk.lines.end;
  }
  return 0;
}
