#include "embed/learned_reader.h"

#include <fmt/format.h>

#include <algorithm>

extern "C" {
extern const std::byte precedent_question_adapter[], precedent_question_adapter_end[];
extern const std::byte precedent_select_adapter[], precedent_select_adapter_end[];
extern const std::byte precedent_judge_adapter[], precedent_judge_adapter_end[];
extern const std::byte precedent_tally_adapter[], precedent_tally_adapter_end[];
extern const std::byte precedent_conditions_adapter[], precedent_conditions_adapter_end[];
}

namespace precedent {
namespace {

// Questions and sentences of as many turns as are likely to run at once.
constexpr size_t kRemembered = 128;
constexpr size_t kMostRememberedBytes = 2000;

std::string key_of(std::string_view text, std::span<const PastTurn> past) {
  std::string key(text);
  for (const PastTurn& turn : past)
    key.append(1, '\0').append(turn.question).append(1, '\0').append(turn.answer);
  return key;
}

}  // namespace

std::string_view name(AdapterKind kind) {
  switch (kind) {
    case AdapterKind::kQuestion: return "question";
    case AdapterKind::kSelect: return "select";
    case AdapterKind::kJudge: return "judge";
    case AdapterKind::kTally: return "tally";
    case AdapterKind::kConditions: return "conditions";
  }
  return "";
}

std::span<const std::byte> built_in_adapter(AdapterKind kind) {
  switch (kind) {
    case AdapterKind::kQuestion:
      return {precedent_question_adapter, precedent_question_adapter_end};
    case AdapterKind::kSelect: return {precedent_select_adapter, precedent_select_adapter_end};
    case AdapterKind::kJudge: return {precedent_judge_adapter, precedent_judge_adapter_end};
    case AdapterKind::kTally: return {precedent_tally_adapter, precedent_tally_adapter_end};
    case AdapterKind::kConditions:
      return {precedent_conditions_adapter, precedent_conditions_adapter_end};
  }
  return {};
}

Result<std::unique_ptr<AdapterReader>> AdapterReader::open(AdapterKind kind,
                                                           const MiniLmEmbedder& encoder) {
  const std::string file = fmt::format("adapters/{}.safetensors", name(kind));
  Adapter adapter = TRY(Adapter::parse(built_in_adapter(kind), file));
  if (adapter.kind() != name(kind))
    return fail(
        ErrorCode::kCorrupt,
        fmt::format("{} is an adapter for \"{}\"; `make train` makes it", file, adapter.kind()));
  return std::unique_ptr<AdapterReader>(new AdapterReader(std::move(adapter), encoder));
}

Result<AdaptedReading> AdapterReader::read(std::string_view text,
                                           std::span<const PastTurn> past) const {
  const std::string key = key_of(text, past);
  if (key.size() > kMostRememberedBytes) return read_with(adapter_, encoder_, text, past);
  {
    const MutexLock lock(mutex_);
    const auto known = std::ranges::find(latest_, key, &decltype(latest_)::value_type::first);
    if (known != latest_.end()) return known->second;
  }
  AdaptedReading reading = TRY(read_with(adapter_, encoder_, text, past));
  const MutexLock lock(mutex_);
  if (latest_.size() >= kRemembered) latest_.erase(latest_.begin());
  latest_.emplace_back(key, reading);
  return reading;
}

}  // namespace precedent
