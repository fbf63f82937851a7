#include "embed/minilm.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

#include "embed/calibration.h"
#include "embed/minilm_layers.h"
#include "embed/safetensors.h"
#include "files/files.h"

namespace precedent {
namespace {

constexpr std::string_view kInt8Id = "all-MiniLM-L6-v2/int8";

// From here on copying the weights (some 20 ms) costs less than going without (some 5 µs a token).
constexpr size_t kPackFromTokens = 4096;

// A block streams all weights (some 6 ms), which fewer tokens do not pay for.
constexpr size_t kWorthABlock = 64;

// Texts whose word pieces are held at once: bounds memory (1 KB each) when a caller passes a whole
// corpus.
constexpr size_t kWindowTexts = 8192;

// vocab.txt has 0.2 MB, config.json less than 1 KB.
constexpr size_t kMaxSmallFileBytes = 16 * 1024 * 1024;

struct Encoded {
  std::vector<int32_t> ids;
  float* vector;
};

// Runs work(0) … work(workers − 1) at once, the first on this thread. If the system refuses a
// thread, fewer run: `work` takes its items from a shared counter.
void in_parallel(size_t workers, const std::function<void(size_t)>& work) {
  std::vector<std::jthread> threads;
  try {
    for (size_t i = 1; i < workers; ++i) threads.emplace_back(work, i);
  } catch (const std::system_error&) {
    // Those that started, and this one, do it all.
  }
  work(0);
}

size_t tokens_in(const std::vector<Encoded>& texts) {
  return std::accumulate(texts.begin(), texts.end(), size_t{0},
                         [](size_t sum, const Encoded& text) { return sum + text.ids.size(); });
}

// Longest first, so that a block holds texts of about one length and the last blocks of a call are
// small. As many blocks for each worker, and about as full, so that none waits for another.
std::vector<std::vector<BlockText>> blocks_of(std::vector<Encoded>& texts, size_t workers) {
  const size_t tokens = tokens_in(texts);
  std::sort(texts.begin(), texts.end(), [](const Encoded& a, const Encoded& b) {
    return a.ids.size() != b.ids.size() ? a.ids.size() > b.ids.size() : a.vector < b.vector;
  });
  const size_t rounds = tokens / (workers * kBlockTokens) + 1;
  const size_t share = std::max(kWorthABlock, tokens / (workers * rounds) + 1);
  std::vector<std::vector<BlockText>> blocks;
  size_t room = 0, filled = 0;
  for (const Encoded& text : texts) {
    if (text.ids.size() > room || filled >= share) {
      blocks.emplace_back();
      room = kBlockTokens;
      filled = 0;
    }
    blocks.back().push_back({text.ids, text.vector});
    room -= text.ids.size();
    filled += text.ids.size();
  }
  return blocks;
}

}  // namespace

struct MiniLmEmbedder::Impl {
  Options options;
  SafeTensors file;
  WordPieceTokenizer tokenizer;
  MiniLmWeights weights;

  std::mutex mutex;                      // guards what follows
  std::unique_ptr<Layers> light, heavy;  // as stored; packed or int8
  std::vector<std::unique_ptr<Workspace>> idle;

  Result<const Layers*> layers_for(size_t tokens);
  Result<std::unique_ptr<Layers>> calibrated_int8() const;
  std::unique_ptr<Workspace> borrow();
  void give_back(std::vector<std::unique_ptr<Workspace>> workspaces);

  void tokenize(std::span<const std::string_view> texts, std::span<Encoded> encoded) const;
  Result<void> encode(std::vector<Encoded>& texts);
};

Result<const Layers*> MiniLmEmbedder::Impl::layers_for(size_t tokens) {
  const std::lock_guard lock(mutex);
  if (options.precision == Precision::kInt8) {
    if (!heavy) heavy = TRY(calibrated_int8());
    return heavy.get();
  }
  if (!heavy && tokens >= kPackFromTokens) heavy = TRY(make_packed_layers(weights));
  if (heavy) return heavy.get();
  if (!light) light = TRY(make_stored_layers(weights));
  return light.get();
}

Result<std::unique_ptr<Layers>> MiniLmEmbedder::Impl::calibrated_int8() const {
  std::vector<float> ignored(kHidden);
  std::vector<Encoded> texts;
  for (const std::string_view text : calibration_texts()) {
    tokenizer.encode(text, kMaxTokens,
                     texts.emplace_back(std::vector<int32_t>(), ignored.data()).ids);
  }
  return make_int8_layers(weights, TRY(measure_peaks(weights, blocks_of(texts, 1))));
}

std::unique_ptr<Workspace> MiniLmEmbedder::Impl::borrow() {
  {
    const std::lock_guard lock(mutex);
    if (!idle.empty()) {
      auto workspace = std::move(idle.back());
      idle.pop_back();
      return workspace;
    }
  }
  return std::make_unique<Workspace>();
}

void MiniLmEmbedder::Impl::give_back(std::vector<std::unique_ptr<Workspace>> workspaces) {
  const std::lock_guard lock(mutex);
  // Calls at the same time may have made more than one call ever needs.
  for (auto& workspace : workspaces) {
    if (idle.size() < options.threads) idle.push_back(std::move(workspace));
  }
}

void MiniLmEmbedder::Impl::tokenize(std::span<const std::string_view> texts,
                                    std::span<Encoded> encoded) const {
  // A thread costs about what tokenizing a hundred short texts does.
  constexpr size_t kTextsPerThread = 128;
  std::atomic<size_t> next = 0;
  const size_t workers = std::clamp<size_t>(texts.size() / kTextsPerThread, 1, options.threads);
  in_parallel(workers, [&](size_t) {
    constexpr size_t kStep = 32;
    for (size_t first; (first = next.fetch_add(kStep)) < texts.size();) {
      for (size_t i = first; i < std::min(first + kStep, texts.size()); ++i) {
        tokenizer.encode(texts[i], kMaxTokens, encoded[i].ids);
      }
    }
  });
}

Result<void> MiniLmEmbedder::Impl::encode(std::vector<Encoded>& texts) {
  const auto blocks = blocks_of(texts, options.threads);
  const Layers* layers = nullptr;
  {
    const OneThread one_thread;
    layers = TRY(layers_for(tokens_in(texts)));
  }
  const size_t workers = std::clamp<size_t>(blocks.size(), 1, options.threads);
  std::vector<std::unique_ptr<Workspace>> workspaces;
  for (size_t i = 0; i < workers; ++i) workspaces.push_back(borrow());

  std::atomic<size_t> next = 0;
  std::vector<Result<void>> outcomes(workers);
  in_parallel(workers, [&](size_t worker) {
    const OneThread one_thread;
    for (size_t i; outcomes[worker] && (i = next.fetch_add(1)) < blocks.size();) {
      outcomes[worker] = layers->encode(blocks[i], *workspaces[worker], nullptr);
    }
  });
  give_back(std::move(workspaces));
  for (auto& outcome : outcomes) TRY(std::move(outcome));
  return {};
}

Result<std::unique_ptr<MiniLmEmbedder>> MiniLmEmbedder::open(const std::filesystem::path& folder,
                                                             Options options) {
  if (options.precision == Precision::kInt8 && !int8_available()) {
    return fail(ErrorCode::kUnavailable,
                "int8 embedding needs a processor with AVX-512 VNNI; use float32");
  }
  for (const char* name : {"config.json", "vocab.txt", "model.safetensors"}) {
    std::error_code ignored;
    if (!std::filesystem::exists(folder / name, ignored)) {
      return fail(ErrorCode::kNotFound,
                  fmt::format("{}: no embedding model there; run scripts/fetch-model",
                              (folder / name).string()));
    }
  }
  const std::string config = TRY(read_file(folder / "config.json", kMaxSmallFileBytes));
  TRY(check_config(config));
  const std::string vocabulary = TRY(read_file(folder / "vocab.txt", kMaxSmallFileBytes));
  auto tokenizer = TRY(WordPieceTokenizer::from_vocabulary(vocabulary));
  auto file = TRY(SafeTensors::open(folder / "model.safetensors"));
  const MiniLmWeights weights = TRY(read_weights(file, tokenizer.vocabulary_size()));
  if (options.threads == 0) options.threads = std::max(1u, std::thread::hardware_concurrency());
  return std::unique_ptr<MiniLmEmbedder>(
      new MiniLmEmbedder(std::unique_ptr<Impl>(new Impl{.options = options,
                                                        .file = std::move(file),
                                                        .tokenizer = std::move(tokenizer),
                                                        .weights = weights,
                                                        .mutex = {},
                                                        .light = {},
                                                        .heavy = {},
                                                        .idle = {}})));
}

MiniLmEmbedder::MiniLmEmbedder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
MiniLmEmbedder::~MiniLmEmbedder() = default;

bool MiniLmEmbedder::int8_available() { return int8_supported(); }

std::string_view MiniLmEmbedder::model_id() const {
  return impl_->options.precision == Precision::kInt8 ? kInt8Id : "all-MiniLM-L6-v2/fp32";
}

Precision precision_of(std::string_view model_id) {
  return model_id == kInt8Id && MiniLmEmbedder::int8_available() ? Precision::kInt8
                                                                 : Precision::kFloat32;
}

size_t MiniLmEmbedder::dimensions() const { return kHidden; }

const WordPieceTokenizer& MiniLmEmbedder::tokenizer() const { return impl_->tokenizer; }

Result<Embeddings> MiniLmEmbedder::embed(std::span<const std::string_view> texts) const {
  Embeddings result{.dimensions = kHidden, .values = std::vector<float>(texts.size() * kHidden)};
  for (size_t first = 0; first < texts.size(); first += kWindowTexts) {
    const auto window = texts.subspan(first, std::min(kWindowTexts, texts.size() - first));
    std::vector<Encoded> encoded(window.size());
    for (size_t i = 0; i < window.size(); ++i)
      encoded[i].vector = result.values.data() + (first + i) * kHidden;
    impl_->tokenize(window, encoded);
    TRY(impl_->encode(encoded));
  }
  return result;
}

Result<std::vector<float>> MiniLmEmbedder::rows_of(std::span<const int32_t> ids,
                                                   const LowRank& updates) const {
  std::vector<float> rows(ids.size() * kHidden), vector(kHidden);
  const BlockText block[] = {{.ids = ids, .vector = vector.data(), .rows = rows.data()}};
  const OneThread one_thread;
  const Layers* layers = TRY(impl_->layers_for(ids.size()));
  std::vector<std::unique_ptr<Workspace>> workspace;
  workspace.push_back(impl_->borrow());
  const auto outcome = layers->encode(block, *workspace.front(), &updates);
  impl_->give_back(std::move(workspace));
  if (!outcome) return std::unexpected(outcome.error());
  return rows;
}

std::filesystem::path default_model_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value == nullptr ? "" : value);
  };
  std::filesystem::path base = variable("PRECEDENT_MODEL_DIR");
  if (base.empty()) {
    const auto cache = variable("XDG_CACHE_HOME");
    base = (cache.empty() ? variable("HOME") / ".cache" : cache) / "precedent" / "models";
  }
  return base / "all-MiniLM-L6-v2";
}

}  // namespace precedent
