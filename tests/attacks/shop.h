// Shop: a small company whose records hold one attack, and a copilot over all of them.
//
// Incidents, documents and a golden example in memory; code and commits in a git repository on
// disk; a deploy log; metrics and alerts as a frozen snapshot has them. One thread.
#pragma once

#include <memory>
#include <string>

#include "agent/turn/copilot.h"
#include "attack.h"
#include "changes/change_sources.h"
#include "embed/fake_learned_reader.h"
#include "git/repo_lab.h"
#include "graph/memory_checkpointer.h"
#include "observe/recording_tracer.h"
#include "search/search_lab.h"
#include "telemetry/alerts/fake_alert_source.h"
#include "telemetry/query/metrics_config.h"
#include "telemetry/snapshot/embedded_metrics.h"
#include "tools/all_tools.h"

namespace precedent::attacks {

class Shop {
 public:
  // `planted` stands where the attack says; `model` null: the offline reasoner answers.
  Shop(const Attack& attack, const std::string& planted, ChatModel* model);

  Reply ask();

  // The call that retrieves the record which holds the attack.
  ToolCall retrieving() const { return retrieving_; }
  const std::string& question() const { return question_; }
  CopilotState state() const { return copilot_->graph().state("t").value(); }
  CopilotServices services();
  const Clock& clock() const { return clock_; }
  std::string checkpoints() const;  // all of them, as JSON and as they are stored
  std::vector<Span> spans() const { return tracer_.spans(); }

  RecordingSink events;

 private:
  void put(const Document& document);
  void put_documents();
  void put_code();
  void put_changes();
  void put_metrics();
  // What stands in this place: `usual`, and the attack if it is its place.
  std::string at(std::string_view place, const std::string& usual) const;
  bool is_at(std::string_view place) const { return attack_.where == place; }

  const Attack& attack_;
  const std::string planted_;
  std::string question_;
  ToolCall retrieving_;
  git::RepoLab repo_;
  SearchLab search_{false};
  KnowledgeStore store_ =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  ChangeSources changes_;
  std::unique_ptr<EmbeddedMetrics> metrics_;
  std::unique_ptr<FakeAlertSource> alerts_;
  MetricsConfig config_;
  mutable MemoryCheckpointer threads_;
  RecordingTracer tracer_;
  const Toolset tools_ = all_tools();
  const FakeLearnedReader reader_;
  const Guardrails guardrails_ = Guardrails::open("/nonexistent", &reader_, nullptr).value();
  const std::unique_ptr<PromptLibrary> prompts_ = PromptLibrary::open("/nonexistent").value();
  const Policy policy_ = read_policy(default_policy(), "config/policy.yaml").value();
  const FixedClock clock_{parse_time("2026-11-20T12:00:00Z").value()};
  CancelToken cancel_;
  std::unique_ptr<Copilot> copilot_;
};

}  // namespace precedent::attacks
