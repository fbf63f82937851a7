// Fuzzes the reader of adapters: whatever the bytes, a message or an adapter whose every part has
// the size that the encoder expects.
#include <cstdlib>

#include "embed/adapter.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;
  const auto adapter = Adapter::parse({reinterpret_cast<const std::byte*>(data), size}, "fuzz");
  if (!adapter) return adapter.error().message.empty() ? std::abort(), 0 : 0;
  for (size_t i = 0; i < kLayers; ++i) {
    const LayerUpdates* layer = adapter->updates().of(i);
    if (layer == nullptr) continue;
    for (const LowRankUpdate* update :
         {&layer->query, &layer->key, &layer->value, &layer->output}) {
      if (update->a.size() != kRank * kHidden || update->b.size() != kRank * kHidden) std::abort();
    }
  }
  for (const AdapterHead& head : adapter->heads()) {
    if (head.weight.size() != head.labels.size() * kHidden ||
        head.bias.size() != head.labels.size())
      std::abort();
  }
  return 0;
}
