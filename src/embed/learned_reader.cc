#include "embed/learned_reader.h"

#include <algorithm>

extern "C" {
extern const std::byte precedent_question_adapter[];
extern const std::byte precedent_question_adapter_end[];
}

namespace precedent {
namespace {

// Questions of as many conversations as are likely to be answered at once.
constexpr size_t kRemembered = 32;
constexpr size_t kMostRememberedBytes = 2000;

}  // namespace

std::span<const std::byte> built_in_question_adapter() {
  return {precedent_question_adapter, precedent_question_adapter_end};
}

Result<std::unique_ptr<AdapterReader>> AdapterReader::open(const MiniLmEmbedder& encoder) {
  Adapter adapter =
      TRY(Adapter::parse(built_in_question_adapter(), "adapters/question.safetensors"));
  return std::unique_ptr<AdapterReader>(new AdapterReader(std::move(adapter), encoder));
}

Result<AdaptedReading> AdapterReader::read(std::string_view question,
                                           std::span<const PastTurn> past) const {
  const bool remembered = past.empty() && question.size() <= kMostRememberedBytes;
  if (!remembered) return read_with(adapter_, encoder_, question, past);
  {
    const MutexLock lock(mutex_);
    const auto known = std::ranges::find(latest_, question, &decltype(latest_)::value_type::first);
    if (known != latest_.end()) return known->second;
  }
  AdaptedReading reading = TRY(read_with(adapter_, encoder_, question, past));
  const MutexLock lock(mutex_);
  if (latest_.size() >= kRemembered) latest_.erase(latest_.begin());
  latest_.emplace_back(question, reading);
  return reading;
}

}  // namespace precedent
