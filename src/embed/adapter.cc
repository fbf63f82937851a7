#include "embed/adapter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/foreign_json.h"
#include "embed/safetensors.h"
#include "files/files.h"

namespace precedent {
namespace {

constexpr std::string_view kFormat = "precedent-adapter/1", kBase = "all-MiniLM-L6-v2",
                           kRemedy = "restore adapters/ from the release, or train it again";
// Ours have half a megabyte; what is far larger is another kind of file.
constexpr size_t kMaxBytes = 4 * 1024 * 1024;
constexpr size_t kMaxHeads = 16, kMaxLabels = 64, kMaxLabelBytes = 64;
// Of the 256 word pieces that are read, the conversation may take half.
constexpr size_t kMaxContextPieces = kMaxTokens / 2;

class Reader {
 public:
  Reader(std::span<const std::byte> file, std::string_view origin, TensorTable tensors)
      : origin_(origin), tensors_(std::move(tensors)), metadata_(safetensors_metadata(file)) {}

  std::unexpected<Error> corrupt(std::string_view what) const {
    return fail(ErrorCode::kCorrupt, fmt::format("{}: {}; {}", origin_, what, kRemedy));
  }

  Result<std::string> text(std::string_view name) const {
    const auto found = metadata_.find(name);
    if (found == metadata_.end())
      return corrupt(fmt::format("the metadata lack '{}': not an adapter", name));
    return found->second;
  }

  Result<void> expect(std::string_view name, std::string_view value) const {
    const std::string found = TRY(text(name));
    if (found != value) {
      return corrupt(fmt::format("{} is '{}', and this program reads '{}'", name,
                                 found.substr(0, kMaxLabelBytes), value));
    }
    return {};
  }

  Result<size_t> count(std::string_view name, size_t most) const {
    const std::string found = TRY(text(name));
    size_t number = 0;
    const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), number);
    if (error != std::errc() || end != found.data() + found.size() || number > most)
      return corrupt(fmt::format("{} is no count up to {}", name, most));
    return number;
  }

  Result<std::vector<float>> halves(const std::string& name, std::span<const int64_t> shape) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) return corrupt(fmt::format("tensor '{}' is missing", name));
    const Tensor& tensor = found->second;
    if (tensor.dtype != "F16" || !std::ranges::equal(tensor.shape, shape)) {
      return corrupt(fmt::format("tensor '{}' is {} {}, expected F16 {}", name, tensor.dtype,
                                 fmt::join(tensor.shape, "×"), fmt::join(shape, "×")));
    }
    std::vector<float> numbers(tensor.bytes.size() / sizeof(uint16_t));
    for (size_t i = 0; i < numbers.size(); ++i) {
      uint16_t half = 0;
      std::memcpy(&half, tensor.bytes.data() + i * sizeof half, sizeof half);
      numbers[i] = half_to_float(half);
      if (!std::isfinite(numbers[i]))
        return corrupt(fmt::format("tensor '{}' holds a number that is not finite", name));
    }
    return numbers;
  }

  Result<LowRankUpdate> update(size_t layer, std::string_view product) const {
    constexpr int64_t kHiddenDim = kHidden, kRankDim = kRank;
    const std::string name = fmt::format("layers.{}.{}.", layer, product);
    LowRankUpdate update{.a = TRY(halves(name + "a", std::array{kRankDim, kHiddenDim})),
                         .b = std::vector<float>(kRank * kHidden)};
    const auto b = TRY(halves(name + "b", std::array{kHiddenDim, kRankDim}));
    for (size_t n = 0; n < kHidden; ++n) {
      for (size_t r = 0; r < kRank; ++r) update.b[r * kHidden + n] = b[n * kRank + r];
    }
    return update;
  }

  // A head from its entry in the metadata's list and its two tensors.
  Result<AdapterHead> head(const nlohmann::json& entry) const {
    const auto fields = {"name", "labels", "several", "temperature", "sure_from"};
    const bool whole = entry.is_object() && std::ranges::all_of(fields, [&](const char* field) {
                         return entry.contains(field);
                       });
    if (!whole || !entry["several"].is_boolean() || !entry["temperature"].is_number() ||
        !entry["sure_from"].is_number()) {
      return corrupt(fmt::format("a head lacks one of {}", fmt::join(fields, ", ")));
    }
    AdapterHead head;
    head.name = TRY(label(entry["name"]));
    if (!entry["labels"].is_array() || entry["labels"].empty() ||
        entry["labels"].size() > kMaxLabels) {
      return corrupt(fmt::format("head '{}' has no list of 1 to {} labels", head.name, kMaxLabels));
    }
    for (const auto& item : entry["labels"]) head.labels.push_back(TRY(label(item)));
    head.several = entry["several"].get<bool>();
    head.temperature = entry["temperature"].get<float>();
    head.sure_from = entry["sure_from"].get<float>();
    // Written so that a NaN fails.
    if (!(head.temperature >= 0.01f && head.temperature <= 100))
      return corrupt(fmt::format("head '{}': temperature is not within 0.01 and 100", head.name));
    if (!(head.sure_from >= 0 && head.sure_from <= 1))
      return corrupt(fmt::format("head '{}': sure_from is not within 0 and 1", head.name));
    const auto labels = static_cast<int64_t>(head.labels.size());
    const std::string tensor = fmt::format("heads.{}.", head.name);
    head.weight = TRY(halves(tensor + "weight", std::array{labels, int64_t{kHidden}}));
    head.bias = TRY(halves(tensor + "bias", std::array{labels}));
    return head;
  }

 private:
  Result<std::string> label(const nlohmann::json& value) const {
    if (!value.is_string() || value.get_ref<const std::string&>().empty() ||
        value.get_ref<const std::string&>().size() > kMaxLabelBytes) {
      return corrupt(fmt::format("a label is no text of 1 to {} bytes", kMaxLabelBytes));
    }
    return value.get<std::string>();
  }

  std::string_view origin_;
  TensorTable tensors_;
  std::map<std::string, std::string, std::less<>> metadata_;
};

}  // namespace

float half_to_float(uint16_t half) {
  const uint32_t sign = uint32_t{half & 0x8000u} << 16, exponent = (half >> 10) & 0x1Fu,
                 fraction = half & 0x3FFu;
  if (exponent == 0) {  // zero, or too small for a normal number: a multiple of 2^-24
    const float value = std::ldexp(static_cast<float>(fraction), -24);
    return sign == 0 ? value : -value;
  }
  const uint32_t wide = exponent == 0x1F ? 0xFF : exponent + (127 - 15);
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

Result<Adapter> Adapter::open(const std::filesystem::path& path) {
  const std::string file = TRY(read_file(path, kMaxBytes));
  return parse(std::as_bytes(std::span(file)), path.string());
}

Result<Adapter> Adapter::parse(std::span<const std::byte> file, std::string_view origin) {
  const Reader reader(file, origin, TRY(parse_safetensors(file, origin, kRemedy)));
  TRY(reader.expect("format", kFormat));
  TRY(reader.expect("base", kBase));
  TRY(reader.expect("rank", std::to_string(kRank)));
  Adapter adapter;
  adapter.kind_ = TRY(reader.text("kind"));
  adapter.context_turns_ = TRY(reader.count("context_turns", 4));
  adapter.context_pieces_ = TRY(reader.count("context_pieces", kMaxContextPieces));
  // [CLS], then pieces and [SEP] of each question and answer.
  if (1 + 2 * adapter.context_turns_ * (adapter.context_pieces_ + 1) > kMaxTokens * 3 / 4)
    return reader.corrupt("context_turns of context_pieces leave no room for the question");
  const auto heads = parse_json(TRY(reader.text("heads")));
  if (!heads.is_array() || heads.empty() || heads.size() > kMaxHeads)
    return reader.corrupt(fmt::format("heads is no list of 1 to {}", kMaxHeads));
  for (const auto& entry : heads) {
    AdapterHead head = TRY(reader.head(entry));
    if (head.name == "tags")
      adapter.tags_ = std::move(head);
    else
      adapter.heads_.push_back(std::move(head));
  }
  adapter.updates_.first = TRY(reader.count("first_layer", kLayers));
  for (size_t i = adapter.updates_.first; i < kLayers; ++i) {
    adapter.updates_.layers[i] = {.query = TRY(reader.update(i, "query")),
                                  .key = TRY(reader.update(i, "key")),
                                  .value = TRY(reader.update(i, "value")),
                                  .output = TRY(reader.update(i, "output"))};
  }
  return adapter;
}

}  // namespace precedent
