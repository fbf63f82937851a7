// eval/intent.jsonl and eval/intent_blind.jsonl: which tools a labelled question must call, against
// what is planned for it without a model. Conversations are left out: their receipts are not among
// the labels.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "agent/plan/plan_live.h"
#include "base/strings.h"
#include "embed/minilm.h"
#include "files/files.h"
#include "search/search_lab.h"
#include "telemetry/snapshot/fake_metrics_source.h"
#include "tools/all_tools.h"

namespace precedent {
namespace {

using nlohmann::json;

class MustCallEval : public ::testing::Test {
 protected:
  MustCallEval() {
    lab_.add(lab_document(Kind::kCode, "shop:main.py", "main.py", "def main(): pass"));
    lab_.search();
  }

  std::set<std::string> planned(const json& labelled, const Sources& sources) const {
    const TimePoint now = *parse_time(labelled["now"].get<std::string>());
    const std::vector<Message> asked = {{Role::kUser, labelled["question"].get<std::string>()}};
    std::set<std::string> tools;
    for (const PlannedCall& call :
         whole_plan(read_conversation(asked, {}, sources, policy_, now), sources, policy_))
      tools.insert(call.tool());
    return tools;
  }

  SearchLab lab_{false};
  const FakeMetricsSource metrics_{MetricData{}};
  const MetricsConfig config_ =
      read_metrics_config(default_tools_config(), "built-in", [](const std::string&) {
        return std::optional<std::string>();
      }).value();
  const KnowledgeStore store_ =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  const Toolset tools_ = all_tools();
  const Policy policy_ = read_policy(default_policy(), "config/policy.yaml").value();
};

TEST_F(MustCallEval, NoLabelledQuestionLeavesOutWhatItMustCall) {
  auto encoder = MiniLmEmbedder::open(default_model_folder(), {.threads = 1});
  ASSERT_TRUE(encoder) << encoder.error().text();
  const auto reader = AdapterReader::open(AdapterKind::kQuestion, **encoder);
  ASSERT_TRUE(reader) << reader.error().text();
  const auto opinion =
      TypeOpinion::parse(default_intents(), "config/intents.yaml", **reader, **encoder);
  ASSERT_TRUE(opinion) << opinion.error().text();
  Sources sources{
      .search = lab_.search(), .store = store_, .tools = tools_, .intents = opinion->get()};
  sources.live.metrics = &metrics_;
  sources.live.metrics_config = &config_;
  size_t demanded = 0, uncalled_for = 0, code_left_out = 0;
  for (const char* file : {"eval/intent.jsonl", "eval/intent_blind.jsonl"}) {
    const std::string text = read_file(file, 1 << 20).value();
    for (const std::string_view line : split_lines(text)) {
      if (trim(line).empty()) continue;
      const json labelled = json::parse(line);
      if (labelled.contains("history")) continue;
      const std::set<std::string> tools = planned(labelled, sources);
      const auto must = labelled["must_call"].get<std::set<std::string>>();
      const std::string what = labelled["id"].get<std::string>() + " " +
                               labelled["question"].get<std::string>().substr(0, 120);
      for (const std::string& tool : must) {
        ++demanded;
        if (tools.contains(tool)) continue;
        std::printf("%s must call %s\n", what.c_str(), tool.c_str());
        if (tool == "repo_search")
          ++code_left_out;
        else
          ADD_FAILURE() << what << " must call " << tool;
      }
      if (must.contains("metrics_query") || !tools.contains("metrics_query")) continue;
      ++uncalled_for;
      std::printf("metrics, not demanded by the label: %s\n", what.c_str());
    }
  }
  std::printf("%zu calls demanded; metrics asked for %zu other questions\n", demanded,
              uncalled_for);
  EXPECT_GE(demanded, 100u);
  // What is reached: questions after code that neither rules nor examples take for such, and
  // metrics that no label asks for.
  EXPECT_LE(code_left_out, 6u);
  EXPECT_LE(uncalled_for, 6u);
}

}  // namespace
}  // namespace precedent
