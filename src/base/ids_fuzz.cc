// Normalising is idempotent; every mention is a part of the text and normalises to its id.
#include <cstdint>
#include <cstdlib>

#include "base/ids.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string id = normalize_id(text);
  if (normalize_id(id) != id) std::abort();
  for (const IdMention& mention : find_ids(text)) {
    if (mention.begin >= mention.end || mention.end > text.size()) std::abort();
    if (normalize_id(text.substr(mention.begin, mention.end - mention.begin)) != mention.id)
      std::abort();
    date_in_id(mention.id);
  }
  return 0;
}
