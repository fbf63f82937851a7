#include "ingest/fields/learned_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/foreign_json.h"
#include "embed/safetensors.h"
#include "ingest/records/field_map.h"

extern "C" {
extern const std::byte precedent_columns_adapter[], precedent_columns_adapter_end[];
}

namespace precedent {
namespace {

constexpr std::string_view kFormat = "precedent-columns/1";
constexpr size_t kWidth = 384;  // of the encoder
constexpr size_t kShape = 6;
constexpr size_t kInputs = 2 * kWidth + kShape + 1;
// Surer than this, a column is taken for a field.
constexpr double kSure = 0.6;
// What a column of times holds.
constexpr double kMostTimes = 0.6;

// What no likelihood outweighs: times are times, and no id comes twice.
bool may_be(const ColumnProfile& column, std::string_view field) {
  const bool time = field == "opened_at" || field == "resolved_at" || field == "updated_at";
  if (time != (column.times() >= kMostTimes)) return false;
  return field != "incident_id" || column.different() > 0.999;
}

// The vectors of a column's name and values, as the model takes them.
std::vector<float> inputs_of(std::span<const float> name, const std::vector<float>& values,
                             const ColumnProfile& profile, size_t records) {
  std::vector<float> in(name.begin(), name.end());
  in.insert(in.end(), values.begin(), values.end());
  const auto filled = static_cast<double>(profile.filled());
  for (const double shape : {std::log1p(profile.mean_bytes()) / 5, profile.single_words(),
                             profile.with_digit(), profile.different(), profile.mean_words() / 10,
                             records == 0 ? 0 : filled / static_cast<double>(records)})
    in.push_back(static_cast<float>(shape));
  in.push_back(1);
  return in;
}

// Of one column: how likely it is each field. Sums to 1.
std::vector<double> softmax(std::span<const double> logits) {
  const double most = std::ranges::max(logits);
  std::vector<double> p;
  double sum = 0;
  for (const double logit : logits) sum += p.emplace_back(std::exp(logit - most));
  for (double& one : p) one /= sum;
  return p;
}

}  // namespace

Result<LearnedColumns> LearnedColumns::open() {
  return parse({precedent_columns_adapter, precedent_columns_adapter_end},
               "adapters/columns.safetensors");
}

Result<LearnedColumns> LearnedColumns::parse(std::span<const std::byte> file,
                                             std::string_view origin) {
  constexpr std::string_view kRemedy = "train/fit_columns.py makes it";
  const auto corrupt = [&](std::string_view why) {
    return fail(ErrorCode::kCorrupt, fmt::format("{}: {}; {}", origin, why, kRemedy));
  };
  const TensorTable tensors = TRY(parse_safetensors(file, origin, kRemedy));
  const auto said = safetensors_metadata(file);
  const auto format = said.find("format");
  if (format == said.end() || format->second != kFormat)
    return corrupt(fmt::format("its format is not {}", kFormat));
  const auto list = said.find("fields");
  const nlohmann::json names = list == said.end() ? nlohmann::json() : parse_json(list->second);
  if (!names.is_array() || names.empty()) return corrupt("it names no fields");
  LearnedColumns model;
  const std::vector<std::string_view> canonical = canonical_fields();
  for (const nlohmann::json& name : names) {
    if (!name.is_string()) return corrupt("a field is no text");
    const auto known = std::ranges::find(canonical, name.get_ref<const std::string&>());
    if (known == canonical.end() && name != "other")
      return corrupt(fmt::format("there is no field '{}'", name.get_ref<const std::string&>()));
    model.fields_.push_back(known == canonical.end() ? std::string_view() : *known);
  }
  const auto weight = tensors.find("weight");
  const std::vector<int64_t> shape = {static_cast<int64_t>(model.fields_.size()), kInputs};
  if (weight == tensors.end() || weight->second.dtype != "F32" || weight->second.shape != shape)
    return corrupt("its weights have another shape");
  model.weights_.resize(model.fields_.size() * kInputs);
  std::memcpy(model.weights_.data(), weight->second.bytes.data(), model.weights_.size() * 4);
  if (!std::ranges::all_of(model.weights_, [](float w) { return std::isfinite(w); }))
    return corrupt("a weight is not finite");
  return model;
}

Result<std::vector<std::pair<std::string_view, std::string>>> LearnedColumns::guess(
    const std::vector<std::string>& columns, const ColumnProfiles& profiles, size_t records,
    const std::vector<std::string_view>& known, const std::vector<std::string>& taken,
    const Embedder& embedder) const {
  std::vector<std::pair<std::string_view, std::string>> guesses;
  if (embedder.dimensions() != kWidth) return guesses;
  struct Open {
    const std::string* name;
    const ColumnProfile* profile;
    std::vector<double> likely = {};  // by field
  };
  std::vector<Open> open;
  std::vector<std::string_view> texts;
  for (const std::string& column : columns) {
    const auto profile = profiles.find(column);
    if (profile == profiles.end() || profile->second.filled() == 0) continue;
    if (std::ranges::find(taken, column) != taken.end()) continue;
    open.push_back({&column, &profile->second});
    texts.emplace_back(column);
    for (const std::string& value : profile->second.examples()) texts.emplace_back(value);
  }
  if (open.empty()) return guesses;
  const Embeddings vectors = TRY(embedder.embed(texts));
  size_t row = 0;
  for (Open& column : open) {
    const std::span<const float> name = vectors.row(row++);
    const size_t values = column.profile->examples().size();
    std::vector<float> mean(kWidth, 0);
    for (size_t i = 0; i < values; ++i)
      for (size_t d = 0; d < kWidth; ++d)
        mean[d] += vectors.row(row + i)[d] / static_cast<float>(values);
    row += values;
    const std::vector<float> in = inputs_of(name, mean, *column.profile, records);
    std::vector<double> logits;
    for (size_t f = 0; f < fields_.size(); ++f) {
      double logit = 0;
      for (size_t i = 0; i < kInputs; ++i) logit += double{weights_[f * kInputs + i]} * in[i];
      logits.push_back(logit);
    }
    column.likely = softmax(logits);
  }
  // A field that a column has already is out of the question for all others.
  std::vector<bool> given(fields_.size(), false);
  for (size_t f = 0; f < fields_.size(); ++f)
    given[f] = std::ranges::find(known, fields_[f]) != known.end();
  while (!open.empty()) {
    double best = 0;
    std::optional<std::pair<size_t, size_t>> chosen;  // column, field
    for (size_t c = 0; c < open.size(); ++c) {
      double left = 0;
      for (size_t f = 0; f < fields_.size(); ++f)
        if (!given[f]) left += open[c].likely[f];
      for (size_t f = 0; f < fields_.size(); ++f) {
        if (given[f] || fields_[f].empty()) continue;
        if (!may_be(*open[c].profile, fields_[f])) continue;
        const double p = open[c].likely[f] / left;
        if (p > best) best = p, chosen = {c, f};
      }
    }
    if (!chosen || best < kSure) break;
    guesses.emplace_back(fields_[chosen->second], *open[chosen->first].name);
    given[chosen->second] = true;
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(chosen->first));
  }
  return guesses;
}

}  // namespace precedent
