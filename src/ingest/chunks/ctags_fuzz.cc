// Any bytes as a line of ctags' output: a symbol has a name, and ends where it begins or later.
#include <cstdint>
#include <cstdlib>

#include "ingest/chunks/ctags.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using precedent::CtagsLine;
  const CtagsLine line = precedent::read_ctags_line({reinterpret_cast<const char*>(data), size});
  if (line.kind != CtagsLine::Kind::kSymbol) return 0;
  const bool good =
      !line.symbol.name.empty() && line.symbol.line > 0 && line.symbol.end >= line.symbol.line;
  if (!good) std::abort();
  return 0;
}
