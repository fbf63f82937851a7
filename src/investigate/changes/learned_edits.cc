#include "investigate/changes/learned_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/foreign_json.h"
#include "embed/adapter.h"
#include "embed/safetensors.h"
#include "investigate/changes/renames.h"

extern "C" {
extern const std::byte precedent_edits_adapter[], precedent_edits_adapter_end[];
}

namespace precedent {
namespace {

constexpr std::string_view kFormat = "precedent-edits/1";
constexpr size_t kBuckets = 4096;
// As train/fit_edits.py has them: what a word weighs that stands in a line; that is gone, new, or
// beside a number that is another; or that is of the path. The length of all weights of an edit.
constexpr float kStands = 1.0F, kTurns = 2.5F, kPath = 0.7F, kSize = 6.0F;
// What is likely is said in parts of ten thousand: no logarithm is infinite.
constexpr double kLeast = 1e-4;

// Runs of letters (a capital behind a small letter or a digit begins one), runs of digits, and
// every other character; in lower case.
void add_words(std::string_view text, std::set<std::string>& words) {
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.insert(std::exchange(word, {}));
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i], before = i == 0 ? ' ' : text[i - 1];
    const bool goes_on =
        (is_letter(c) && is_letter(before) && !(is_upper(c) && !is_upper(before))) ||
        (is_digit(c) && is_digit(before));
    if (!goes_on) end_word();
    if (is_space(c)) continue;
    word += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  end_word();
}

// A line without its numbers, and these: "pool: 1_000" is "pool: 0" and 1000.
struct Form {
  std::string text;
  std::vector<double> numbers;
};
Form form_of(std::string_view line) {
  Form out;
  const auto digit = [&](size_t i) { return i < line.size() && is_digit(line[i]); };
  for (size_t i = 0; i < line.size();) {
    if (is_space(line[i])) {
      if (!out.text.empty() && out.text.back() != ' ') out.text += ' ';
      ++i;
      continue;
    }
    if (!digit(i)) {
      out.text += line[i++];
      continue;
    }
    std::string number;
    while (digit(i)) {
      number += line[i++];
      if (i < line.size() && (line[i] == '_' || line[i] == ',') && digit(i + 1)) ++i;
    }
    if (i < line.size() && line[i] == '.' && digit(i + 1)) {
      number += line[i++];
      while (digit(i)) number += line[i++];
    }
    out.text += '0';
    double value = 0;
    std::from_chars(number.data(), number.data() + number.size(), value);
    out.numbers.push_back(value);
  }
  if (out.text.ends_with(' ')) out.text.pop_back();
  return out;
}

// The words of lines that differ in their numbers alone: of numbers that rise, and that fall; the
// empty word and "1", or "2" where one is kFar times the other, are among them.
struct Turned {
  std::set<std::string> up, down;
};
constexpr double kFar = 8;
// Of each side: every line is compared with every other.
constexpr size_t kMostCompared = 200;
Turned numbers_of(const Hunk& hunk) {
  Turned out;
  std::vector<Form> added;
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '+' && added.size() < kMostCompared) added.push_back(form_of(line.text));
  size_t compared = 0;
  for (const DiffLine& line : hunk.lines) {
    if (line.kind != '-' || compared >= kMostCompared) continue;
    ++compared;
    const Form form = form_of(line.text);
    const auto other = std::ranges::find_if(added, [&](const Form& each) {
      return each.text == form.text && each.numbers != form.numbers;
    });
    if (other == added.end()) continue;
    for (size_t i = 0; i < form.numbers.size(); ++i) {
      const double before = form.numbers[i], now = other->numbers[i];
      if (before == now) continue;
      std::set<std::string>& words = now > before ? out.up : out.down;
      std::set<std::string> own;
      add_words(line.text, own);
      std::erase_if(own, [](const std::string& word) { return !is_letter(word.front()); });
      words.merge(own);
      words.insert("");
      words.insert(std::max(before, now) >= kFar * std::min(before, now) ? "2" : "1");
    }
    added.erase(other);
  }
  return out;
}

// FNV-1a of 32 bits (Fowler, Noll, Vo).
size_t bucket_of(char mark, std::string_view word) {
  uint32_t hash = 2166136261U;
  const auto add = [&](char c) { hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U; };
  add(mark);
  for (const char c : word) add(c);
  return hash % kBuckets;
}

std::vector<std::pair<size_t, float>> features_of(const Hunk& hunk) {
  std::set<std::string> removed, added, kept, path;
  for (const DiffLine& line : hunk.lines)
    add_words(line.text, line.kind == '-' ? removed : line.kind == '+' ? added : kept);
  add_words(hunk.file, path);
  std::map<size_t, float> found;
  const auto add = [&](char mark, const std::set<std::string>& words, float weight,
                       const std::set<std::string>* without = nullptr) {
    for (const std::string& word : words)
      if (without == nullptr || !without->contains(word)) found[bucket_of(mark, word)] += weight;
  };
  add('-', removed, kStands);
  add('+', added, kStands);
  add(' ', kept, kStands);
  add('<', removed, kTurns, &added);
  add('>', added, kTurns, &removed);
  const Turned turned = numbers_of(hunk);
  add('U', turned.up, kTurns);
  add('D', turned.down, kTurns);
  add('/', path, kPath);
  float squares = 0;
  for (const auto& [bucket, weight] : found) squares += weight * weight;
  std::vector<std::pair<size_t, float>> out(found.begin(), found.end());
  for (auto& [bucket, weight] : out) weight *= kSize / std::sqrt(squares);
  return out;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double logit(double p) {
  p = std::clamp(p, kLeast, 1 - kLeast);
  return std::log(p / (1 - p));
}

bool is_read_by_processes(const Hunk& hunk) {
  return hunk.role != FileRole::kInert && hunk.role != FileRole::kPage &&
         std::ranges::any_of(hunk.lines, [](const DiffLine& line) { return line.kind != ' '; });
}

}  // namespace

const LearnedEdits& LearnedEdits::built_in() {
  // A part of the program, read by its tests: whatever is wrong with it shows there.
  static const LearnedEdits model =
      parse({precedent_edits_adapter, precedent_edits_adapter_end}, "adapters/edits.safetensors")
          .value();
  return model;
}

Result<LearnedEdits> LearnedEdits::parse(std::span<const std::byte> file, std::string_view origin) {
  constexpr std::string_view kRemedy = "train/fit_edits.py makes it";
  const auto corrupt = [&](std::string_view why) {
    return fail(ErrorCode::kCorrupt, fmt::format("{}: {}; {}", origin, why, kRemedy));
  };
  const TensorTable tensors = TRY(parse_safetensors(file, origin, kRemedy));
  const auto said = safetensors_metadata(file);
  const auto format = said.find("format"), list = said.find("symptoms");
  if (format == said.end() || format->second != kFormat)
    return corrupt(fmt::format("its format is not {}", kFormat));
  const nlohmann::json names = list == said.end() ? nlohmann::json() : parse_json(list->second);
  if (!names.is_array() || names.size() != kSymptoms) return corrupt("it names other symptoms");
  for (size_t s = 0; s < kSymptoms; ++s)
    if (names[s] != name(static_cast<Symptom>(s))) return corrupt("it names other symptoms");
  const auto bytes_of = [&](std::string_view tensor, std::string_view type,
                            const std::vector<int64_t>& shape) {
    const auto found = tensors.find(tensor);
    const bool fits =
        found != tensors.end() && found->second.dtype == type && found->second.shape == shape;
    return fits ? found->second.bytes : std::span<const std::byte>();
  };
  const auto weight = bytes_of("weight", "F16", {kBuckets, kOutputs});
  const auto bias = bytes_of("bias", "F32", {kOutputs});
  const auto rate = bytes_of("rate", "F32", {kOutputs});
  if (weight.empty() || bias.empty() || rate.empty())
    return corrupt("its weights have another shape");
  LearnedEdits model;
  model.weights_.resize(kBuckets * kOutputs);
  for (size_t i = 0; i < model.weights_.size(); ++i) {
    uint16_t half = 0;
    std::memcpy(&half, weight.data() + i * sizeof half, sizeof half);
    model.weights_[i] = half_to_float(half);
  }
  std::memcpy(model.bias_.data(), bias.data(), bias.size());
  std::array<float, kOutputs> rates{};
  std::memcpy(rates.data(), rate.data(), rate.size());
  std::copy(rates.begin() + 1, rates.end(), model.usual_.begin());
  const auto finite = [](float x) { return std::isfinite(x); };
  if (!std::ranges::all_of(model.weights_, finite) || !std::ranges::all_of(model.bias_, finite) ||
      !std::ranges::all_of(rates, finite))
    return corrupt("a weight is not finite");
  return model;
}

EditOpinion LearnedEdits::read(const Hunk& hunk) const {
  std::array<double, kOutputs> sums{};
  std::ranges::copy(bias_, sums.begin());
  for (const auto& [bucket, weight] : features_of(hunk))
    for (size_t o = 0; o < kOutputs; ++o)
      sums[o] += double{weight} * weights_[bucket * kOutputs + o];
  EditOpinion out;
  out.acts = sigmoid(sums[0]);
  for (size_t s = 0; s < kSymptoms; ++s) out.causes[s] = sigmoid(sums[s + 1]);
  return out;
}

double EditOpinion::explains(const SymptomSet& seen) const {
  double sum = 0, all = 0;
  for (const Symptom symptom : seen.list()) {
    all += weight(symptom);
    sum += weight(symptom) * rise(static_cast<size_t>(symptom));
  }
  return all > 0 ? sigmoid(sum / all) : 0.5;
}

Symptom EditOpinion::likeliest() const {
  size_t best = 0;
  for (size_t s = 1; s < kSymptoms; ++s)
    if (rise(s) > rise(best)) best = s;
  return static_cast<Symptom>(best);
}

double EditOpinion::rise(size_t symptom) const {
  return logit(causes[symptom]) -
         logit(LearnedEdits::built_in().usual(static_cast<Symptom>(symptom)));
}

EditOpinion opinion_of(const std::vector<Hunk>& hunks) {
  EditOpinion out;
  for (const Hunk& hunk : without_renames(hunks)) {
    if (!is_read_by_processes(hunk)) continue;
    const EditOpinion one = LearnedEdits::built_in().read(hunk);
    out.acts = std::max(out.acts, one.acts);
    for (size_t s = 0; s < kSymptoms; ++s) out.causes[s] = std::max(out.causes[s], one.causes[s]);
  }
  return out;
}

}  // namespace precedent
