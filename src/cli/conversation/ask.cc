// precedent ask: one question, or a batch of them.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "cli/command/command.h"
#include "cli/command/durability.h"
#include "cli/command/input.h"
#include "cli/conversation/session.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "cli/terminal/waiting_sink.h"

namespace precedent {
namespace {

using nlohmann::json;

struct AskArguments : CommonOptions {
  std::vector<std::string> words;
  std::string batch;
  std::vector<std::string> files;
  std::string resume;
  std::string config, model, tools_config, mcp_config, user, durability;
  bool plan = false;
  bool explain = false;
  bool stream = false;
  bool no_interactive = false;
  bool trace = false;
  bool fast = false;
};

// A line of a batch: a question, its context and the turns before it.
constexpr size_t kMaxBatchLine = 4 << 20;

int exit_code_of(AnswerStatus status) {
  switch (status) {
    case AnswerStatus::kOk:
    case AnswerStatus::kPartial: return kExitOk;
    case AnswerStatus::kNeedsInput: return kExitNeedsInput;
    case AnswerStatus::kRefused: return kExitDenied;
    case AnswerStatus::kError: return kExitFailed;
  }
  return kExitFailed;
}

// One line of a batch. Errors name the field; `id` is read also where the rest is wrong.
struct BatchLine {
  Question question;
  std::string now;
};

Result<BatchLine> read_batch_line(std::string_view line, json& id) {
  const json object = parse_json(line);
  if (object.is_discarded()) return fail(ErrorCode::kInvalidArgument, "is not valid JSON");
  if (!object.is_object()) return fail(ErrorCode::kInvalidArgument, "is not a JSON object");
  BatchLine out;
  id = object.value("id", json());
  const auto text = [&](const json& from, const char* key, bool required) -> Result<std::string> {
    const auto found = from.find(key);
    if (found == from.end() || found->is_null()) {
      if (required) return fail(ErrorCode::kInvalidArgument, fmt::format("has no '{}'", key));
      return std::string();
    }
    if (!found->is_string())
      return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' must be a string", key));
    return found->get<std::string>();
  };
  out.question.text = TRY(text(object, "question", true));
  out.now = TRY(text(object, "now", false));
  const json history = object.value("history", json::array());
  if (!history.is_array()) return fail(ErrorCode::kInvalidArgument, "'history' must be a list");
  for (const json& turn : history) {
    if (!turn.is_object())
      return fail(ErrorCode::kInvalidArgument, "'history' must hold objects with role and content");
    const std::string role = TRY(text(turn, "role", true));
    if (role != "user" && role != "assistant") {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'history' has the role '{}'; it is user or assistant", role));
    }
    out.question.history.push_back(
        {role == "user" ? Role::kUser : Role::kAssistant, TRY(text(turn, "content", true))});
  }
  return out;
}

Reply answer_line(Session& session, std::string_view line, const AskArguments& options, json& id) {
  const Result<BatchLine> read = read_batch_line(line, id);
  if (!read)
    return plain_reply(AnswerStatus::kError, Error(read.error()).within("this line").text());
  const Result<std::unique_ptr<Clock>> clock =
      clock_of(read->now.empty() ? options.now : read->now);
  if (!clock) return plain_reply(AnswerStatus::kError, printable(clock.error().text()));
  NullSink events;
  return session.ask(
      read->question,
      {.user = options.user, .explain = options.explain, .langfuse_enabled = options.trace},
      **clock, events, interrupted());
}

int ask_batch(Session& session, const AskArguments& options) {
  auto in = InputLines::open(options.batch, kMaxBatchLine);
  if (!in) return fail_with(in.error());
  size_t number = 0, failed = 0;
  for (std::string line;;) {
    // What comes after a line that cannot be read is unknown: the batch has failed.
    const Result<bool> more = in->next(line);
    if (!more) return fail_with(Error(more.error()).within(fmt::format("after line {}", number)));
    if (!*more) break;
    ++number;
    if (trim(line).empty()) continue;
    if (interrupted().cancelled()) return interrupt_code();
    json id;
    const Reply answer = answer_line(session, line, options, id);
    if (answer.status == AnswerStatus::kError) {
      ++failed;
      to_stderr("precedent: {}:{}: {}\n", options.batch, number,
                utf8_prefix(printable(answer.text), 300));
    }
    json out = to_json(answer, options.explain);
    out["id"] = id;
    fmt::print("{}\n", dump(out));
    std::fflush(stdout);
  }
  return failed == 0 ? kExitOk : kExitFailed;
}

Result<std::string> question_text(const AskArguments& options) {
  std::string text = join(options.words, " ");
  if (text == "-") text = TRY(read_input("-", kMaxContextBytes));
  for (const std::string& file : options.files) {
    text += "\n\n" + TRY(read_input(file, kMaxContextBytes));
  }
  return text;
}

void print_explained(const Reply& reply) {
  fmt::print("\nWhy this answer\n");
  for (const std::string& line : reply.explain) fmt::print("  {}\n", printable(line));
  if (!reply.claims.claims.empty())
    fmt::print("\nWhat is proved\n{}\n", printable(claim_table(reply.claims, reply.text)));
  for (const Receipt& receipt : reply.receipts) {
    fmt::print("  {} {} {} → {}\n", receipt.id, printable(receipt.tool), printable(receipt.args),
               name(receipt.status));
    for (const std::string& line : receipt.explain) fmt::print("     {}\n", printable(line));
  }
}

void print_reply(const Reply& reply, const AskArguments& options, bool printed) {
  const bool failed = reply.status == AnswerStatus::kError ||
                      reply.status == AnswerStatus::kNeedsInput ||
                      reply.status == AnswerStatus::kRefused;
  if (!printed)
    failed ? to_stderr("{}\n", render_markdown(trim(reply.text), use_color()))
           : fmt::print("{}\n", render_markdown(trim(reply.text), use_color()));
  if (options.explain) print_explained(reply);
  if (!failed && !reply.thread_id.empty() && stderr_is_terminal())
    to_stderr("\nGo on with: precedent ask --resume {} \"…\"\n", reply.thread_id);
}

// An error in the form that was asked for.
int fail_as_asked(const AskArguments& options, const Error& error) {
  if (options.json)
    fmt::print("{}\n", dump(to_json(plain_reply(AnswerStatus::kError, printable(error.text())))));
  return fail_with(error);
}

int ask_one(Session& session, const AskArguments& options) {
  const Result<std::string> text = question_text(options);
  if (!text) return fail_as_asked(options, text.error());
  const Result<std::unique_ptr<Clock>> clock = clock_of(options.now);
  if (!clock) return fail_as_asked(options, clock.error());
  const Result<std::string> thread = thread_to_use(session, options.resume);
  if (!thread) return fail_as_asked(options, thread.error());
  StatusLine status(!options.json && stderr_is_terminal());
  JsonLines lines;
  // Somebody watches: the answer is printed as it comes, and a title is not waited for.
  AnswerPrinter printer(use_color(), stderr_is_terminal());
  const bool watched = !options.json && stdout_is_terminal();
  EventSink& shown = options.stream ? static_cast<EventSink&>(lines)
                     : watched      ? static_cast<EventSink&>(printer)
                                    : status;
  PlanPrinter planned(shown);
  const bool plan = options.plan && !options.json;
  std::optional<WaitingSink> events(std::in_place, plan ? planned : shown);
  Reply reply = session.ask({*text, {}},
                            {.thread = *thread,
                             .user = options.user,
                             .explain = options.explain,
                             .langfuse_enabled = options.trace},
                            **clock, *events, interrupted());
  events.reset();
  status.clear();
  const bool printed = watched && printer.finish();
  if (interrupted().cancelled()) {
    if (!thread->empty())
      fmt::print(stderr,
                 "precedent: interrupted; conversation {}\n"
                 "Go on with: precedent ask --resume {} \"…\"\n",
                 *thread, *thread);
    return interrupt_code();
  }
  const int code = warn_if_unkept(reply, exit_code_of(reply.status));
  // Where no conversation can be kept at all, it was said before.
  if (reply.not_kept.empty()) reply.not_kept = session.not_kept();
  if (options.json && options.stream) {
    lines.say_reply(reply, options.explain);
  } else if (options.json) {
    fmt::print("{}\n", dump(to_json(reply, options.explain)));
  } else {
    print_reply(reply, options, printed);
  }
  return code;
}

int ask(const AskArguments& options) {
  // Wrong usage is told before anything is opened.
  if (const auto clock = clock_of(options.now); !clock)
    return fail_as_asked(options, clock.error());
  // Whoever watches sees at once that something happens.
  JsonLines lines;
  StatusLine line(!options.json && options.batch.empty() && stderr_is_terminal());
  std::optional<WaitingSink> opening(std::in_place, options.stream && options.batch.empty()
                                                        ? static_cast<EventSink&>(lines)
                                                        : line);
  opening->status("Opening the knowledge base...");
  auto session = Session::open({.data_dir = data_dir_of(options),
                                .config = options.config,
                                .model = options.model,
                                .tools_config = options.tools_config,
                                .mcp_config = options.mcp_config,
                                .durability = options.durability,
                                .threads = options.batch.empty(),
                                .fast = options.fast,
                                .trace = options.trace});
  opening.reset();
  line.clear();
  if (!session) return fail_as_asked(options, session.error());
  for (const std::string& warning : (*session)->warnings())
    to_stderr("precedent: {}\n", printable(warning));
  const int code =
      options.batch.empty() ? ask_one(**session, options) : ask_batch(**session, options);
  (*session)->finish_tracing();
  return code;
}

}  // namespace

void add_ask(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<AskArguments>();
  CLI::App* command =
      app.add_subcommand("ask", "Answer a question from the knowledge base, with sources");
  command->add_option("question", options->words, "The question; '-' reads it from standard input");
  command
      ->add_option(
          "-i,--file", options->files,
          "A file whose text belongs to the question (an alert, a log); '-' is standard input")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command
      ->add_option("--batch", options->batch,
                   "Answer every line of a JSON-lines file "
                   "{\"id\",\"question\",\"now\"?,\"history\"?}; '-' is standard input")
      ->type_name("FILE");
  command->add_flag(
      "--json", options->json,
      "Print one JSON object: status, answer, intent, receipts, remembered, sources, missing, "
      "thread_id, title");
  command
      ->add_flag("--stream", options->stream,
                 "With --json: first one event a line (status, token, title …), then the object")
      ->needs("--json");
  command->add_option("--resume", options->resume, "Continue this conversation")->type_name("ID");
  add_model(*command, options->config, options->model);
  add_fast(*command, options->fast);
  command->add_flag("--explain", options->explain,
                    "Explain the answer: intent, plan, parts of the scores");
  command->add_flag("--plan", options->plan,
                    "First show the plan: which tools are called, and why");
  add_tools_config(*command, options->tools_config);
  add_mcp_config(*command, options->mcp_config);
  command->add_flag("--no-interactive", options->no_interactive, "Never ask back (the default)");
  add_trace(*command, options->trace);
  add_user(*command, options->user);
  add_durability(*command, options->durability);
  add_now(*command, *options);
  add_data_dir(*command, *options);
  command->callback([options, &exit_code] {
    if (options->words.empty() && options->batch.empty() && options->files.empty()) {
      throw CLI::RequiredError("a question (or --batch FILE)");
    }
    exit_code = ask(*options);
  });
}

}  // namespace precedent
