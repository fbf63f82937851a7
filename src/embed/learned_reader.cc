#include "embed/learned_reader.h"

extern "C" {
extern const std::byte precedent_question_adapter[];
extern const std::byte precedent_question_adapter_end[];
}

namespace precedent {

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
  return read_with(adapter_, encoder_, question, past);
}

}  // namespace precedent
