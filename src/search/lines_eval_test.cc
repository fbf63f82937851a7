// Which line of a document answers a question, of companies that nobody here knows
// (eval/lines_blind_*.jsonl, written last, by authors who saw neither data nor code), and whether
// any does. Prints the table of eval/README.md. Needs the weights (fixture "model").
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "embed/caching_embedder.h"
#include "embed/learned_reader.h"
#include "index/memory_index.h"
#include "search/passages.h"

namespace precedent {
namespace {

using nlohmann::json;

// How well a figure tells questions with an answer from others: the share of all pairs that it puts
// the right way round.
struct Told {
  std::vector<float> here, nowhere;
  void add(bool answered, float figure) { (answered ? here : nowhere).push_back(figure); }
  double share() const {
    double right = 0;
    for (const float one : here)
      for (const float other : nowhere) right += one > other ? 1 : one == other ? 0.5 : 0;
    return right / static_cast<double>(here.size() * nowhere.size());
  }
};

struct Score {
  size_t answered = 0, right_first = 0;
  Told by_words, learned;
};

class LinesEval : public testing::Test {
 protected:
  void SetUp() override {
    encoder_ = MiniLmEmbedder::open(default_model_folder(), {.threads = 1}).value();
    reader_ = AdapterReader::open(AdapterKind::kSelect, *encoder_).value();
  }

  Score score(const char* file) const {
    MemoryVectorCache vectors;
    const CachingEmbedder embedder(*encoder_, vectors);
    const Searcher search =
        Searcher::open(index_, &embedder, analyzer_, synonyms_, reader_.get()).value();
    Score score;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
      const json document = json::parse(line);
      const std::string title = document["title"];
      std::vector<Passage> passages;
      for (const auto& own : document["lines"]) passages.push_back({own, title, 0, 0, title});
      for (const auto& question : document["questions"]) {
        const auto ranked =
            rank_passages(question["q"].get<std::string>(), passages, search).value();
        const std::set<size_t> answers = question["answers"];
        const PassageScore& best = ranked.front();
        float likeliest = 0;
        for (const PassageScore& one : ranked)
          likeliest = std::max(likeliest, one.answers.value_or(0));
        score.by_words.add(!answers.empty(), (best.coverage + best.cosine.value_or(0)) / 2);
        score.learned.add(!answers.empty(), likeliest);
        if (answers.empty()) continue;
        ++score.answered;
        score.right_first += answers.contains(best.passage) ? 1 : 0;
      }
    }
    return score;
  }

  const MemoryIndex index_{};
  const Analyzer analyzer_{};
  const Synonyms synonyms_ = Synonyms::parse("", "none", analyzer_).value();
  std::unique_ptr<MiniLmEmbedder> encoder_;
  std::unique_ptr<AdapterReader> reader_;
};

TEST_F(LinesEval, WhatWasLearnedTellsQuestionsThatSomethingAnswersFromOthers) {
  for (const char* file : {"eval/lines_blind_1.jsonl", "eval/lines_blind_2.jsonl"}) {
    const Score reached = score(file);
    std::printf(
        "| %s | right line first %zu of %zu | told apart by words and meaning %.2f | "
        "learned %.2f |\n",
        file, reached.right_first, reached.answered, reached.by_words.share(),
        reached.learned.share());
    // A little below what adapters/select.md tells.
    EXPECT_GE(reached.learned.share(), 0.6) << file;
    EXPECT_GT(reached.learned.share(), reached.by_words.share()) << file;
  }
}

}  // namespace
}  // namespace precedent
