// Which words are never taken for misspelt ones.
#include "agent/sources/dictionary.h"

#include <gtest/gtest.h>

#include "search/search_lab.h"
#include "telemetry/snapshot/fake_metrics_source.h"
#include "tools/all_tools.h"

namespace precedent {
namespace {

TEST(Dictionary, HoldsWhatIsWrittenMeasuredOrInTheVocabulary) {
  SearchLab lab(false);
  lab.add(lab_document(Kind::kRunbook, "scan", "Scanner spikky", "the parcel-trader waits"));
  const FakeMetricsSource metrics{MetricData{}};
  MetricsConfig config;
  config.names.push_back({.name = "errorr_budget"});
  const auto vocabulary =
      WordPieceTokenizer::from_vocabulary("[UNK]\n[CLS]\n[SEP]\nthroughout\nla\n##tancy\n");
  ASSERT_TRUE(vocabulary);
  const KnowledgeStore store =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  const Toolset tools = all_tools();
  Sources sources{.search = lab.search(), .store = store, .tools = tools, .words = &*vocabulary};
  sources.live.metrics = &metrics;
  sources.live.metrics_config = &config;
  const IsWord is_word = dictionary_of(sources, TimePoint{});
  for (const char* word : {"spikky", "parcel-trader", "errorr", "throughout"})
    EXPECT_TRUE(is_word(word)) << word;
  for (const char* word : {"latancy", "parcel-tarder", "timeuots", "la-tancy"})
    EXPECT_FALSE(is_word(word)) << word;
}

}  // namespace
}  // namespace precedent
