// Tool: one question precedent can ask of what it knows. Toolset: all of them by name.
//
// A call never fails: whatever goes wrong becomes a receipt of status kError whose text says, in a
// sentence the reader can act on, what failed. Tools are idempotent and read-only.
//
// Thread safety: call() may run in several threads at once. Ownership: a Toolset owns its tools; a
// ToolContext owns nothing and outlives the calls.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/limits.h"
#include "changes/change_source.h"
#include "chat/event.h"
#include "search/searcher.h"
#include "store/knowledge_store.h"
#include "telemetry/alerts/alert_source.h"
#include "telemetry/metrics/metrics_source.h"
#include "telemetry/query/metrics_config.h"
#include "tools/params.h"
#include "tools/receipt.h"

namespace precedent {

// What the tools reach beside the knowledge base. Null: not configured, and the receipt says so.
struct LiveSources {
  const MetricsSource* metrics = nullptr;
  const AlertSource* alerts = nullptr;
  const MetricsConfig* metrics_config = nullptr;
  const ChangeSource* changes = nullptr;
};

class LearnedReader;

struct ToolContext {
  const Searcher& search;
  const KnowledgeStore& store;
  const Clock& clock;
  EventSink& events;
  Limits limits = {};
  const QuestionReader* reader = nullptr;  // of questions, instead of the rules
  // Of what a question restricts records to (record_conditions.h); null: words alone do.
  const LearnedReader* conditions = nullptr;
  LiveSources live = {};
  const CancelToken* cancel = nullptr;  // null: nobody stops the call
};

struct ToolSpec {
  std::string name;
  std::string description;  // when to use it, for a model and for `tools list`
  std::vector<Param> params;
};

class Tool {
 public:
  explicit Tool(ToolSpec spec) : spec_(std::move(spec)) {}
  virtual ~Tool() = default;
  const ToolSpec& spec() const { return spec_; }

  // Reads the arguments, runs, and wraps whatever happens. `id` becomes the receipt's. The receipt
  // is clean (clean_receipt.h).
  Receipt call(const nlohmann::json& args, ToolContext& context, std::string id) const;

 protected:
  struct Outcome {
    ToolResult result;
    std::string text;
    bool empty = false;
    std::vector<std::string> explain;
  };
  // The tool itself, on arguments that fit its spec.
  virtual Result<Outcome> run(const Args& args, ToolContext& context) const = 0;

 private:
  void run_into(Receipt& receipt, const nlohmann::json& args, ToolContext& context) const;

  ToolSpec spec_;
};

class Toolset {
 public:
  void add(std::unique_ptr<Tool> tool) { tools_.push_back(std::move(tool)); }
  const std::vector<std::unique_ptr<Tool>>& all() const { return tools_; }
  // Errors: kNotFound naming the nearest tool.
  Result<const Tool*> find(std::string_view name) const;

 private:
  std::vector<std::unique_ptr<Tool>> tools_;
};

}  // namespace precedent
