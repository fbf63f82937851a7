// What is measured: the encoder's texts, tokens and GFLOP a second, in fp32 and int8, for short
// (some 16 tokens), mixed and long (256 tokens) texts; and the ceiling: one oneDNN product of 4096
// × 384 by 384 × 1536, on all processors. Corpus: sentences drawn from a fixed vocabulary of
// operations words, seed 1; `--dump FOLDER` writes them, which is how bench/encoder/compare.py
// gives ONNX Runtime the same texts. Single questions from 1, 4 and 16 threads at once, each by
// itself and batched; one with an adapter and without. Notes: GFLOP counts the matrix products with
// weights only (21.2 MFLOP a token), so that the share of the ceiling leaves attention out on our
// side too. The first call is checked and not timed: it packs the weights and compiles the
// products.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <oneapi/dnnl/dnnl.hpp>
#include <random>
#include <string>
#include <vector>

#include "embed/adapted_reading.h"
#include "embed/batching_embedder.h"
#include "embed/minilm.h"
#include "embed/minilm_layers.h"

namespace precedent {
namespace {

// 6 layers of 384 × (1152 + 384 + 1536 + 1536), a multiplication and an addition each.
constexpr double kFlopsPerToken = 2.0 * kLayers * kHidden * (4 * kHidden + 2 * kUpWidth);

struct Corpus {
  std::string_view name;
  size_t texts, least_words, most_words;
};
constexpr Corpus kCorpora[] = {
    {"short", 2048, 8, 14}, {"mixed", 768, 6, 190}, {"long", 192, 240, 260}};

std::vector<std::string> make_texts(const Corpus& corpus) {
  constexpr std::string_view kWords[] = {
      "checkout", "gateway",   "timeout",  "the",         "after",      "deploy",
      "pods",     "restarted", "latency",  "of",          "connection", "pool",
      "a",        "queue",     "lag",      "certificate", "expired",    "disk",
      "full",     "retry",     "HTTP_503", "p99",         "rollback",   "replica",
      "primary",  "and",       "alert",    "payments",    "ledger",     "from"};
  std::mt19937 random(1);
  std::vector<std::string> texts;
  for (size_t i = 0; i < corpus.texts; ++i) {
    std::string text;
    for (size_t n = corpus.least_words + random() % (corpus.most_words - corpus.least_words + 1);
         n > 0; --n) {
      text += kWords[random() % std::size(kWords)];
      text += n == 1 ? '.' : ' ';
    }
    texts.push_back(text);
  }
  return texts;
}

const MiniLmEmbedder& embedder(Precision precision) {
  static std::map<Precision, std::unique_ptr<MiniLmEmbedder>> opened;
  auto& slot = opened[precision];
  if (!slot) {
    auto result = MiniLmEmbedder::open(default_model_folder(), {.precision = precision});
    if (!result) {
      fmt::print(stderr, "{}\n", result.error().text());
      std::exit(1);
    }
    slot = *std::move(result);
  }
  return *slot;
}

std::vector<float> embed(Precision precision, const std::vector<std::string>& texts) {
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  return embedder(precision).embed(views)->values;
}

size_t count_tokens(const std::vector<std::string>& texts) {
  size_t tokens = 0;
  for (const auto& text : texts) {
    tokens += std::min(kMaxTokens, embedder(Precision::kFloat32).tokenizer().count(text) + 2);
  }
  return tokens;
}

void encode(benchmark::State& state, const Corpus& corpus, Precision precision) {
  if (precision == Precision::kInt8 && !MiniLmEmbedder::int8_available())
    return state.SkipWithError("no VNNI");
  const auto texts = make_texts(corpus);
  const std::vector<float> found = embed(precision, texts),
                           exact = embed(Precision::kFloat32, texts);
  double cosines = 0;
  for (size_t i = 0; i < found.size(); ++i) cosines += double{found[i]} * exact[i];
  if (cosines / static_cast<double>(texts.size()) < 0.99)
    return state.SkipWithError("wrong vectors");

  for (auto _ : state) benchmark::DoNotOptimize(embed(precision, texts));
  const auto rounds = static_cast<double>(state.iterations());
  const double tokens = static_cast<double>(count_tokens(texts)) * rounds;
  state.counters["texts/s"] = {static_cast<double>(texts.size()) * rounds,
                               benchmark::Counter::kIsRate};
  state.counters["tokens/s"] = {tokens, benchmark::Counter::kIsRate};
  state.counters["GFLOP/s"] = {tokens * kFlopsPerToken / 1e9, benchmark::Counter::kIsRate};
}

// One question in a process that is warm: what a server's search waits for.
void question(benchmark::State& state) {
  const std::vector<std::string> texts = {"How do I fix HTTP 403 errors in the payment gateway?"};
  embed(Precision::kFloat32, texts);
  for (auto _ : state) benchmark::DoNotOptimize(embed(Precision::kFloat32, texts));
}

// The same question's word pieces through the base with an adapter's updates, beside those through
// the base alone ("rows"): what the updates cost. REQUIRES: the root of the repository.
void question_rows(benchmark::State& state, Precision precision, bool updated) {
  const auto adapter = Adapter::open("adapters/question.safetensors");
  if (!adapter) return state.SkipWithError(adapter.error().text().c_str());
  LowRank nothing;
  nothing.first = kLayers;
  const LowRank& updates = updated ? adapter->updates() : nothing;
  const std::vector<int32_t> ids =
      adapter_input(*adapter, embedder(precision).tokenizer(),
                    "How do I fix HTTP 403 errors in the payment gateway?", {})
          .ids;
  if (!embedder(precision).rows_of(ids, updates)) return state.SkipWithError("no rows");
  for (auto _ : state) benchmark::DoNotOptimize(embedder(precision).rows_of(ids, updates));
}

// Questions that come at once, no two of them alike: each thread asks again as soon as it is
// answered.
void questions(benchmark::State& state, bool batched) {
  static const BatchingEmbedder batching(embedder(Precision::kFloat32));
  const Embedder& asked =
      batched ? static_cast<const Embedder&>(batching) : embedder(Precision::kFloat32);
  size_t number = 0;
  for (auto _ : state) {
    const std::string text = fmt::format("How do I fix HTTP {} errors in payment gateway {}?",
                                         400 + number++ % 200, state.thread_index());
    const std::string_view texts[] = {text};
    benchmark::DoNotOptimize(asked.embed(texts));
  }
  state.counters["questions/s"] = {static_cast<double>(state.iterations()),
                                   benchmark::Counter::kIsRate};
}

// Opening and the first question, as `ask` does. The processes' own first time (libraries, page
// tables) is in compare.py.
void open_and_question(benchmark::State& state) {
  const std::string_view texts[] = {"How do I fix HTTP 403 errors in the payment gateway?"};
  for (auto _ : state) {
    const auto opened = MiniLmEmbedder::open(default_model_folder(), {});
    benchmark::DoNotOptimize((*opened)->embed(texts));
  }
}

void ceiling(benchmark::State& state, bool int8) {
  using dnnl::memory;
  using Type = memory::data_type;
  constexpr memory::dim kRows = 4096, kIn = kHidden, kOut = kUpWidth;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::desc x({kRows, kIn}, int8 ? Type::u8 : Type::f32, memory::format_tag::ab);
  const memory::desc w({kIn, kOut}, int8 ? Type::s8 : Type::f32, memory::format_tag::any);
  const memory::desc y({kRows, kOut}, int8 ? Type::s32 : Type::f32, memory::format_tag::ab);
  const dnnl::matmul::primitive_desc description({x, w, y}, engine);
  const dnnl::matmul product(description);
  const auto filled = [&](const memory::desc& desc) {
    memory m(desc, engine);
    std::memset(m.get_data_handle(), 1, desc.get_size());
    return m;
  };
  const std::unordered_map<int, memory> arguments{
      {DNNL_ARG_SRC, filled(x)},
      {DNNL_ARG_WEIGHTS, filled(description.weights_desc())},
      {DNNL_ARG_DST, filled(y)}};
  for (auto _ : state) {
    product.execute(stream, arguments);
    stream.wait();
  }
  state.counters["GFLOP/s"] = {2e-9 * kRows * kIn * kOut * static_cast<double>(state.iterations()),
                               benchmark::Counter::kIsRate};
}

void dump(const std::filesystem::path& folder) {
  for (const Corpus& corpus : kCorpora) {
    const auto texts = make_texts(corpus);
    std::ofstream(folder / fmt::format("{}.json", corpus.name))
        << nlohmann::json{{"texts", texts}, {"tokens", count_tokens(texts)}};
  }
}

void register_all() {
  const auto add = [](const std::string& name, auto function) {
    benchmark::RegisterBenchmark(name.c_str(), function)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->MeasureProcessCPUTime();
  };
  add("ceiling/fp32", [](benchmark::State& state) { ceiling(state, false); });
  add("ceiling/int8", [](benchmark::State& state) { ceiling(state, true); });
  for (const Corpus& corpus : kCorpora) {
    add(fmt::format("fp32/{}", corpus.name),
        [=](benchmark::State& s) { encode(s, corpus, Precision::kFloat32); });
    add(fmt::format("int8/{}", corpus.name),
        [=](benchmark::State& s) { encode(s, corpus, Precision::kInt8); });
  }
  add("question", question);
  for (const bool updated : {false, true}) {
    const std::string what = updated ? "/adapted" : "/rows";
    add("question/fp32" + what,
        [=](benchmark::State& s) { question_rows(s, Precision::kFloat32, updated); });
    add("question/int8" + what,
        [=](benchmark::State& s) { question_rows(s, Precision::kInt8, updated); });
  }
  for (const bool batched : {false, true}) {
    for (const int threads : {1, 4, 16}) {
      benchmark::RegisterBenchmark(batched ? "questions/batched" : "questions/each",
                                   [=](benchmark::State& state) { questions(state, batched); })
          ->Unit(benchmark::kMillisecond)
          ->Threads(threads)
          ->UseRealTime();
    }
  }
  add("open_and_question", open_and_question);
}

}  // namespace
}  // namespace precedent

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--dump") {
    precedent::dump(argv[2]);
    return 0;
  }
  if (argc == 2 && std::string_view(argv[1]) == "--question") {
    precedent::embed(precedent::Precision::kFloat32,
                     {"How do I fix HTTP 403 errors in the payment gateway?"});
    return 0;
  }
  precedent::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
