// Any bytes as golden examples: the reader ends, what it hands on can be stored and is served only
// with a review and an answer, and what it does not hand on is explained.
#include <cstdint>
#include <cstdlib>

#include "ingest/records/golden_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ByteSource in = ByteSource::of(text);
  const Review reviewer{"somebody", TimePoint{}};
  Limits limits;
  limits.max_record_bytes = 4096;
  const auto done = read_golden(
      in, {"f", reviewer, limits},
      [&](GoldenDraft&& draft, size_t) -> Result<void> {
        const GoldenExample example = example_of(std::nullopt, draft, TimePoint{});
        if (problem_of(example)) std::abort();
        if (is_served(example) && (!draft.reviewed.value_or(false) || example.answer.empty()))
          std::abort();
        if (example_of(example, draft, TimePoint{} + std::chrono::hours(1)) != example)
          std::abort();
        return {};
      },
      [](BadRecord&& bad) {
        if (bad.message.empty()) std::abort();
      });
  if (!done) std::abort();
  return 0;
}
