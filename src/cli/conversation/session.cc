#include "cli/conversation/session.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <random>

#include "agent/language/operator_file.h"
#include "agent/turn/request_records.h"
#include "cli/command/durability.h"
#include "cli/config/qdrant_place.h"
#include "cli/config/store_config.h"
#include "cli/config/thread_store.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "observe/request_log.h"
#include "tools/all_tools.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

// The answer is out by then; nobody waits longer for its trace.
constexpr std::chrono::milliseconds kFlushTime{2000};

// 48 random bits.
std::string random_name() {
  std::random_device random;
  return fmt::format("{:08x}{:04x}", random(), random() & 0xffff);
}

}  // namespace

Result<ConfigFile> find_config(const std::string& named, const fs::path& data_dir) {
  return find_config_file("precedent.yaml", "PRECEDENT_CONFIG", named, data_dir);
}

Result<ModelConfig> configured_model(const ConfigFile& file, const std::string& model) {
  return read_model_config(file.text, file.path, [&](const std::string& name) {
    if (name == "PRECEDENT_MODEL" && !model.empty()) return std::optional(model);
    return system_environment(name);
  });
}

Result<fs::path> configured_request_log(const ConfigFile& file, const fs::path& data_dir,
                                        ConfigProblems* all) {
  return read_request_log(file.text, file.path, system_environment("PRECEDENT_REQUEST_LOG"),
                          data_dir / "requests.jsonl", all);
}

std::string new_thread_id() { return "t-" + random_name(); }

Result<std::string> thread_to_use(const Session& session, const std::string& resume) {
  if (resume.empty()) return session.threads() == nullptr ? "" : new_thread_id();
  if (session.threads() == nullptr) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("--resume {}: the conversations cannot be opened", resume));
  }
  if (!TRY(session.threads()->head(resume))) {
    return fail(ErrorCode::kNotFound, fmt::format("there is no conversation '{}'; `precedent "
                                                  "threads list` shows those there are",
                                                  resume));
  }
  return resume;
}

bool was_cut_off(const Session& session, const std::string& thread) {
  if (session.threads() == nullptr) return false;
  const auto head = session.threads()->head(thread);
  if (!head || !*head) return false;
  const auto last = session.threads()->checkpoint(thread, (*head)->checkpoint);
  return last && !last->step.next.empty();
}

std::string cut_off_note(const std::string& thread) {
  return fmt::format("its last turn was cut off; `precedent threads resume {}` finishes it",
                     thread);
}

int warn_if_unkept(const Reply& reply, int code) {
  if (reply.not_kept.empty()) return code;
  to_stderr("precedent: this answer is not kept in {}: {}\n",
            reply.thread_id.empty() ? "a conversation" : "conversation " + reply.thread_id,
            reply.not_kept);
  return code == kExitOk ? kExitFailed : code;
}

Result<void> Session::open_model(const SessionOptions& options, const ConfigFile& file) {
  model_config_ = TRY(configured_model(file, options.model));
  // The offline reasoner answers within the graph, wherever a model fails; here it is no model.
  std::erase_if(model_config_.fallback,
                [](const ModelConfig& config) { return config.provider == Provider::kOffline; });
  if (model_config_.provider == Provider::kOffline) return {};
  http_ = std::make_unique<CurlHttpClient>();
  models_ =
      std::make_unique<ModelFactory>(*http_, clock_, []() -> Result<std::shared_ptr<ChatModel>> {
        return fail(ErrorCode::kInternal, "the offline reasoner was asked for as a model");
      });
  model_ = std::make_shared<WatchedModel>(TRY(models_->get(model_config_)));
  return {};
}

void Session::open_tracing() {
  auto config = read_otlp_config(system_environment);
  if (!config || !*config) {
    warnings_.push_back(fmt::format(
        "--trace: nothing is traced: {}",
        config ? "no collector is configured; set LANGFUSE_HOST, LANGFUSE_PUBLIC_KEY and "
                 "LANGFUSE_SECRET_KEY, or OTEL_EXPORTER_OTLP_ENDPOINT"
               : config.error().text()));
    return;
  }
  trace_config_ = std::move(**config);
  trace_http_ = std::make_unique<CurlHttpClient>();
  auto tracer = OtlpTracer::start(*trace_http_, trace_config_);
  if (tracer) {
    tracer_ = std::move(*tracer);
  } else {
    warnings_.push_back(tracer.error().text());
  }
}

void Session::finish_tracing() {
  if (tracer_ == nullptr) return;
  std::fflush(stdout);  // whoever reads the answer has it before we wait
  tracer_->flush(kFlushTime);
  const std::string warning = warning_of(tracer_->report(), trace_config_);
  if (!warning.empty()) to_stderr("precedent: {}\n", printable(warning));
}

Reply Session::logged(const std::function<Reply()>& run,
                      const std::function<std::string()>& question_of) {
  if (request_log_.empty()) return run();
  const auto at = std::chrono::system_clock::now();
  const auto started = std::chrono::steady_clock::now();
  Reply reply = run();
  const auto took = std::chrono::steady_clock::now() - started;
  RequestRecord record = record_of(reply, question_of());
  record.request_id = "q-" + random_name();
  record.at = std::chrono::floor<std::chrono::milliseconds>(at);
  record.took = std::chrono::duration_cast<RequestDuration>(took);
  const auto written = append_request(request_log_, record);
  if (!written && !log_failed_.exchange(true)) {
    to_stderr(
        "precedent: requests are not logged: {}; name another file in log.requests of "
        "precedent.yaml, or off\n",
        written.error().text());
  }
  return reply;
}

Result<std::unique_ptr<Seat>> Session::seat(const Caller& caller) {
  return TRY(ServedSeat::open(seat_parts(), caller));
}

McpServices Session::mcp_services(const Clock& clock, std::string version) {
  return {.answerer = *this,
          .tools = tools(),
          .call_tool =
              [this](const Tool& tool, const nlohmann::json& args, const CancelToken& cancel) {
                return seat_->call_tool(tool, args, cancel);
              },
          .clock = clock,
          .version = std::move(version),
          .jobs = seat_->jobs(),
          .knowledge = [this] { return seat_->knowledge(); }};
}

ModelStep Session::report_step() const {
  return model_step(model_, model_config_.limits, *prompts_);
}

std::string Session::model_name() const { return model_ == nullptr ? "offline" : model_->name(); }

std::vector<ReadinessPart> Session::readiness() const {
  std::vector<ReadinessPart> parts;
  const auto knowledge = views_->of({});
  if (!knowledge) {
    parts.push_back({"store", false, knowledge.error().text()});
    return parts;
  }
  const auto counts = (*knowledge)->store().counts();
  parts.push_back(counts
                      ? ReadinessPart{"store", true, fmt::format("{} documents", counts->documents)}
                      : ReadinessPart{"store", false, counts.error().text()});
  const auto found = (*knowledge)->indexed_documents();
  parts.push_back(found ? ReadinessPart{"index", true, fmt::format("{} documents", *found)}
                        : ReadinessPart{"index", false, found.error().text()});
  // Without weights or threads it answers all the same, and says so.
  const bool meaning = (*knowledge)->embedder() != nullptr;
  parts.push_back(
      {"encoder", true, meaning ? "searches by words and meaning" : "searches by words alone"});
  if (threads_ == nullptr) {
    parts.push_back({"threads", true, "no conversation is kept: " + not_kept_});
  } else {
    const auto listed = threads_->threads(1, 0, {});
    parts.push_back(listed ? ReadinessPart{"threads", true, "conversations are kept"}
                           : ReadinessPart{"threads", false, listed.error().text()});
  }
  // Where the model fails, the offline reasoner answers.
  const std::string failure = model_ == nullptr ? "" : model_->last_failure();
  parts.push_back({"model", true,
                   failure.empty() ? model_name()
                                   : fmt::format("{} gave no answer last time, and the offline "
                                                 "reasoner answers instead: {}",
                                                 model_name(), printable(failure))});
  return parts;
}

SeatParts Session::seat_parts() {
  return {
      .views = *views_,
      .live = sources_->live(),
      .threads = threads_.get(),
      .clock = *tool_clock_,
      .model_tools = model_tools_,
      .durability = durability_,
      .services = [this](const KnowledgeBase& base, const Toolset& tools,
                         const LiveSources& live) { return copilot_services(base, tools, live); },
      .logged =
          [this](const std::function<Reply()>& run,
                 const std::function<std::string()>& question_of) {
            return logged(run, question_of);
          }};
}

Reply Session::ask(const Question& question, const AskOptions& options, const Clock& clock,
                   EventSink& events, const CancelToken& cancel) {
  return seat_->ask(question, options, clock, events, cancel);
}

Reply Session::resume(const AskOptions& options, const Clock& clock, EventSink& events,
                      const CancelToken& cancel) {
  return seat_->resume(options, clock, events, cancel);
}

CopilotServices Session::copilot_services(const KnowledgeBase& base, const Toolset& tools,
                                          const LiveSources& live) const {
  return {.search = base.search(),
          .store = base.store(),
          .tools = tools,
          .guardrails = *guardrails_,
          .prompts = *prompts_,
          .policy = policy_,
          .intents = intents_.get(),
          .judge = judges_ ? base.reader(AdapterKind::kJudge) : nullptr,
          .conditions = base.reader(AdapterKind::kConditions),
          .words = base.words(),
          .live = live,
          .model = model_.get(),
          .run_limits = model_config_.limits,
          .context_tokens = model_config_.context_tokens,
          .tracer = tracer_.get()};
}

Result<std::unique_ptr<Session>> Session::open(const SessionOptions& options) {
  std::unique_ptr<Session> session(new Session());
  if (options.clock != nullptr) session->tool_clock_ = options.clock;
  session->judges_ = !options.fast;
  const auto encoder = TRY(QuestionEncoder::open());
  session->views_ = std::make_unique<KnowledgeViews>(
      TRY(configured_store(options.data_dir, options.config)), options.data_dir,
      TRY(qdrant_for_answers(options.data_dir, options.config)), encoder, options.may_be_empty,
      options.whom);
  session->warnings_ = TRY(session->views_->of({}))->warnings();
  session->guardrails_ = std::make_unique<Guardrails>(TRY(Guardrails::open(
      options.data_dir, encoder->reader(AdapterKind::kQuestion), encoder->embedder())));
  session->prompts_ = TRY(PromptLibrary::open(options.data_dir / "prompts"));
  const OperatorFile policy =
      TRY(read_operator_file(options.data_dir, "policy.yaml", default_policy()));
  session->policy_ = TRY(read_policy(policy.text, policy.origin));
  session->intents_ = TRY(TypeOpinion::open(
      options.data_dir, encoder->reader(AdapterKind::kQuestion), encoder->embedder()));
  if (session->intents_ != nullptr)
    session->intents_->read_tallies_by(encoder->reader(AdapterKind::kTally));
  session->sources_ =
      TRY(OpenedSources::open({.data_dir = options.data_dir,
                               .file = options.tools_config,
                               .for_others = options.whom == KnowledgeViews::For::kOthers}));
  const ConfigFile file = TRY(find_config(options.config, options.data_dir));
  TRY(session->open_model(options, file));
  session->durability_ = TRY(read_durability(file.text, file.path, options.durability));
  session->request_log_ = TRY(configured_request_log(file, options.data_dir));
  if (options.trace) session->open_tracing();
  if (options.threads) {
    auto threads = open_threads(options.data_dir, options.config);
    if (threads) {
      session->threads_ = std::move(*threads);
    } else {
      session->not_kept_ = threads.error().text();
      session->warnings_.push_back("this conversation is not kept: " + session->not_kept_);
    }
  }
  session->model_tools_ = tools_for(session->sources_->live());
  session->mcp_servers_ = TRY(McpServers::open(options.mcp_config, options.data_dir, file));
  // The offline reasoner plans our own tools alone.
  if (session->model_ != nullptr)
    for (std::string& warning :
         warnings_of(session->mcp_servers_->add_tools(session->model_tools_, interrupted())))
      session->warnings_.push_back(std::move(warning));
  session->seat_ = TRY(ServedSeat::open(session->seat_parts(), {}));
  return session;
}

}  // namespace precedent
