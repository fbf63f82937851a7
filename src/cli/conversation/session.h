// Session: everything that answering takes, opened once for one command: knowledge base, tools,
// guardrails, prompts, model, the store of threads, and the copilot over them.
//
// In the data directory, beside what knowledge_base.h names:
//   threads.db        conversations, unless they are in a PostgreSQL (thread_store.h)
//   guardrails.yaml   the operator's guardrails, instead of the built-in ones
//   prompts/*.md      the operator's prompts, instead of the built-in ones
// The configuration is --config, else PRECEDENT_CONFIG, else config/precedent.yaml below the
// working directory, else precedent.yaml in the data directory; there need be none.
//
// Each request is a line of requests.jsonl in the data directory, or of the file that is configured
// (observe/request_log_config.h).
//
// Thread safety: as Copilot. Ownership: owns all its parts.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/turn/copilot.h"
#include "cli/command/command.h"
#include "cli/config/config_file.h"
#include "cli/config/live_sources.h"
#include "cli/config/mcp_servers.h"
#include "cli/conversation/knowledge_views.h"
#include "cli/conversation/model_step.h"
#include "cli/conversation/served_seat.h"
#include "graph/sql_checkpointer.h"
#include "llm/model_factory.h"
#include "llm/watched_model.h"
#include "net/curl_http_client.h"
#include "observe/otlp_tracer.h"
#include "observe/request_log_config.h"
#include "server/knowledge/knowledge_desk.h"
#include "server/mcp/mcp.h"
#include "server/server.h"
#include "server/turns/answerer.h"

namespace precedent {

struct SessionOptions {
  std::filesystem::path data_dir;
  std::string config;  // "": looked for as above
  std::string model;   // instead of the configured one: "offline", "gpt-4o", "anthropic/…"
  std::string tools_config = {};  // "": looked for (live_sources.h)
  std::string mcp_config = {};    // "": looked for (mcp_servers.h)
  std::string durability = {};    // of threads; "": the configured one
  // Whether threads are opened: kept conversations need them, a batch does not.
  bool threads = true;
  // Whether a model's sentences are checked without the learned judge.
  bool fast = false;
  // Whether turns may be traced: where to is in the environment (observe/otlp_config.h).
  bool trace = false;
  // Whether nothing need be known yet.
  bool may_be_empty = false;
  // Whether answers leave this machine.
  KnowledgeViews::For whom = KnowledgeViews::For::kOwner;
  // What tools that are called by hand take the time from; null: the system's. Lifetime: outlives
  // the session.
  const Clock* clock = nullptr;
};

class Session final : public Answerer {
 public:
  // Errors: those of KnowledgeBase::open, and what is wrong with guardrails, prompts or
  // configuration, naming file and line. A store of threads that cannot be opened is a warning:
  // the question can be answered all the same.
  static Result<std::unique_ptr<Session>> open(const SessionOptions& options);

  // Copilot::ask and Copilot::resume, as durable as configured, with a line in the request log. A
  // log that cannot be written is one warning on stderr and costs nothing else.
  Reply ask(const Question& question, const AskOptions& options, const Clock& clock,
            EventSink& events, const CancelToken& cancel) override;
  Reply resume(const AskOptions& options, const Clock& clock, EventSink& events,
               const CancelToken& cancel) override;

  const Copilot& copilot() const { return seat_->copilot(); }
  const Toolset& tools() const { return seat_->tools(); }
  // With those of other MCP servers, which a configured model may call.
  const Toolset& model_tools() const { return model_tools_; }
  // Null if no thread can be kept.
  Checkpointer* threads() const { return threads_.get(); }
  // Why none can; "": they can, or none was asked for.
  const std::string& not_kept() const { return not_kept_; }
  // What the operator should know, a sentence each.
  const std::vector<std::string>& warnings() const { return warnings_; }
  // Takes over prompts that were edited meanwhile; returns what is wrong with them.
  std::vector<std::string> refresh() { return prompts_->refresh(); }
  // What a caller of the server may use; borrows the session. `clock` is that of their tools.
  // Errors: those of KnowledgeBase::open.
  Result<std::unique_ptr<Seat>> seat(const Caller& caller);
  // What a client of MCP may call. Borrows the session and the clock.
  McpServices mcp_services(const Clock& clock, std::string version);
  // What answers: "offline", or provider and model.
  std::string model_name() const;
  // What it adds to the report of an investigation; empty: "offline". Borrows the session.
  ModelStep report_step() const;
  // Each thing that answering takes, looked at now. Thread safety: any thread.
  std::vector<ReadinessPart> readiness() const;
  // What is known, by scope.
  KnowledgeViews& views() { return *views_; }
  // At the end of a command: lets spans leave, for a short while, and says on stderr what did not.
  void finish_tracing();

 private:
  Session() = default;
  Result<void> open_model(const SessionOptions& options, const ConfigFile& file);
  SeatParts seat_parts();
  CopilotServices copilot_services(const KnowledgeBase& base, const Toolset& tools,
                                   const LiveSources& live) const;
  // With a line in the request log.
  Reply logged(const std::function<Reply()>& run, const std::function<std::string()>& question_of);
  // Whatever is wrong is a warning: the answer does not depend on its trace.
  void open_tracing();

  std::vector<std::string> warnings_;
  std::string not_kept_;
  std::unique_ptr<KnowledgeViews> views_;
  Policy policy_;
  std::unique_ptr<TypeOpinion> intents_;  // null: no model of meaning
  std::unique_ptr<OpenedSources> sources_;
  std::unique_ptr<McpServers> mcp_servers_;
  Toolset model_tools_;
  std::unique_ptr<Guardrails> guardrails_;
  std::unique_ptr<PromptLibrary> prompts_;
  SystemClock clock_;
  const Clock* tool_clock_ = &clock_;
  std::unique_ptr<CurlHttpClient> http_;
  std::unique_ptr<ModelFactory> models_;
  ModelConfig model_config_;
  bool judges_ = true;                   // whether the learned judge is asked
  std::shared_ptr<WatchedModel> model_;  // null: offline
  std::unique_ptr<SqlCheckpointer> threads_;
  Durability durability_ = Durability::kSync;
  std::unique_ptr<CurlHttpClient> trace_http_;
  OtlpConfig trace_config_;
  std::unique_ptr<OtlpTracer> tracer_;  // null: nothing is traced
  std::unique_ptr<ServedSeat> seat_;    // of whoever runs the command
  std::filesystem::path request_log_;   // "": none
  std::atomic<bool> log_failed_ = false;
};

// Of models; config_file.h.
Result<ConfigFile> find_config(const std::string& named, const std::filesystem::path& data_dir);
// With --model in the place of the environment's.
Result<ModelConfig> configured_model(const ConfigFile& file, const std::string& model);

// Where requests are logged; "" for nowhere. Errors: those of read_request_log.
Result<std::filesystem::path> configured_request_log(const ConfigFile& file,
                                                     const std::filesystem::path& data_dir,
                                                     ConfigProblems* all = nullptr);

// A name for a new conversation that no other has.
std::string new_thread_id();
// Whether the last turn of a conversation did not come to its end: a process was killed, a store
// was gone. False where that cannot be read.
bool was_cut_off(const Session& session, const std::string& thread);
// What to do about it, for people.
std::string cut_off_note(const std::string& thread);
// On stderr, what whoever asked must know of an answer that its conversation lost; nothing if it is
// kept. The exit code that goes with it: `code`, unless that would say that all is well.
int warn_if_unkept(const Reply& reply, int code);
// The thread of --resume, or a new one; "" where nothing is kept. Errors: kNotFound.
Result<std::string> thread_to_use(const Session& session, const std::string& resume);

}  // namespace precedent
