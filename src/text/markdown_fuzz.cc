// Any bytes: every line that is not blank is in exactly one block, and units point into the source.
#include <cstdint>
#include <cstdlib>

#include "base/strings.h"
#include "text/markdown.h"
#include "text/sentences.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  const std::vector<precedent::Block> blocks = precedent::parse_blocks(source);
  uint32_t at = 0;
  for (const precedent::Block& block : blocks) {
    if (block.bytes.begin < at ||
        !precedent::trim(source.substr(at, block.bytes.begin - at)).empty())
      std::abort();
    if (block.content.begin < block.bytes.begin || block.content.end > block.bytes.end)
      std::abort();
    at = block.bytes.end;
    if (block.kind == precedent::BlockKind::kTable) precedent::read_table(source, block);
  }
  if (!precedent::trim(source.substr(at)).empty()) std::abort();
  precedent::find_sections(source, blocks);
  for (const precedent::Unit& unit : precedent::find_units(source, blocks)) {
    if (unit.bytes.begin >= unit.bytes.end || unit.bytes.end > size) std::abort();
  }
  precedent::plain_text(source);
  return 0;
}
