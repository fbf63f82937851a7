// precedent feedback: a thumb up or down on an answer, and what becomes of it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "base/utf8.h"
#include "cli/conversation/session.h"
#include "cli/knowledge/golden_desk.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "tools/feedback_json.h"
#include "tools/receipt.h"

namespace precedent {
namespace {

using nlohmann::json;

// Of a question in a list.
constexpr size_t kShownQuestion = 90;

struct FeedbackArgs : CommonOptions {
  std::string id, question, by, reason, thread;
  AnswerArgs answer;
  bool all = false;
};

struct Exchange {
  std::string question, answer;
};

// What is judged: as it was given, or the last question and answer of a conversation.
Result<Exchange> judged(const FeedbackArgs& args) {
  if (args.thread.empty()) {
    std::string answer = TRY(answer_of(args.answer));
    return Exchange{args.question, std::move(answer)};
  }
  const auto session = TRY(Session::open({.data_dir = data_dir_of(args)}));
  TRY(thread_to_use(*session, args.thread));
  const CopilotState state = TRY(session->copilot().graph().state(args.thread));
  const size_t at = last_question(state.messages);
  if (at == state.messages.size() || state.messages.back().role != Role::kAssistant) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("--thread {}: its last question has no answer yet", args.thread));
  }
  return Exchange{state.messages[at].content, state.messages.back().content};
}

int give(const FeedbackArgs& args, Thumb thumb) {
  const auto exchange = judged(args);
  if (!exchange) return fail_with(exchange.error());
  Feedback feedback;
  feedback.question = squeeze(strip_controls(exchange->question));
  feedback.answer = trim(exchange->answer);
  feedback.thumb = thumb;
  feedback.reason = trim(args.reason);
  feedback.created_at = SystemClock().now();
  if (const auto problem = problem_of(feedback)) {
    return fail_with(
        {ErrorCode::kInvalidArgument, fmt::format("--{}: {}", problem->field, problem->message)});
  }
  const int code = change_golden(args, [&](KnowledgeStore& store) -> Result<void> {
    feedback.id = TRY(store.add_feedback(feedback));
    return {};
  });
  if (code != kExitOk) return code;
  if (args.json) {
    fmt::print("{}\n", dump(to_json(feedback)));
  } else {
    fmt::print("{} stored, pending; `precedent feedback review {}` makes a golden example of it\n",
               feedback_name(feedback.id), feedback_name(feedback.id));
  }
  return kExitOk;
}

int list(const FeedbackArgs& args) {
  const auto store = open_store(args);
  if (!store) return fail_with(store.error());
  const auto all = store->feedback_list(!args.all);
  if (!all) return fail_with(all.error());
  json out = json::array();
  for (const Feedback& f : *all) {
    if (args.json) {
      out.push_back(to_json(f));
      continue;
    }
    fmt::print("{:<6} {:<4}  {:<9}  {}  {}{}\n", feedback_name(f.id), name(f.thumb), name(f.state),
               format_date(f.created_at), utf8_prefix(printable(f.question), kShownQuestion),
               f.reason.empty() ? "" : " (" + squeeze(printable(f.reason)) + ")");
  }
  if (args.json) {
    fmt::print("{}\n", dump(out));
  } else if (all->empty()) {
    to_stderr("no feedback is pending{}\n", args.all ? "" : "; --all shows the rest");
  }
  return kExitOk;
}

Result<int64_t> feedback_id(const std::string& written) {
  if (const auto id = parse_feedback_id(written)) return *id;
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("'{}' is no id of feedback; write it as `precedent feedback list` shows "
                          "it, for example F-12",
                          written));
}

int review(const FeedbackArgs& args) {
  const auto answer = answer_of(args.answer);
  if (!answer) return fail_with(answer.error());
  const auto reviewer = reviewer_of(args.by, SystemClock().now());
  if (!reviewer) return fail_with(reviewer.error());
  std::optional<ReviewedFeedback> done;
  const int code = change_golden(args, [&](KnowledgeStore& store) -> Result<void> {
    const int64_t id = TRY(feedback_id(args.id));
    done = TRY(make_golden(store, id, *answer, *reviewer));
    return {};
  });
  if (code != kExitOk) return code;
  if (args.json) {
    fmt::print("{}\n",
               dump({{"feedback", to_json(done->feedback)}, {"example", to_json(done->example)}}));
  } else {
    fmt::print("{} reviewed; golden example {}: {}\n", feedback_name(done->feedback.id),
               done->example.id, state_of(done->example));
  }
  return kExitOk;
}

int dismiss(const FeedbackArgs& args) {
  const auto by = reviewer_of(args.by, SystemClock().now());
  if (!by) return fail_with(by.error());
  std::optional<Feedback> done;
  const int code = change_golden(args, [&](KnowledgeStore& store) -> Result<void> {
    const int64_t id = TRY(feedback_id(args.id));
    done = TRY(dismiss(store, id, std::string(trim(args.reason)), *by));
    return {};
  });
  if (code != kExitOk) return code;
  if (args.json) {
    fmt::print("{}\n", dump(to_json(*done)));
  } else {
    fmt::print("{} dismissed\n", feedback_name(done->id));
  }
  return kExitOk;
}

// What was asked and said, and why it was good or bad.
void add_judged(CLI::App& command, FeedbackArgs& args) {
  command
      .add_option("--thread", args.thread,
                  "The conversation whose last answer is rated, instead of --question and --answer")
      ->type_name("ID");
  command.add_option("--question", args.question, "What was asked");
  add_answer(command, args.answer, "the answer that is judged");
  command.add_option("--reason", args.reason, "Why");
}

void add_closing(CLI::App& command, FeedbackArgs& args) {
  command.add_option("id", args.id, "The feedback, as `feedback list` shows it")->required();
  command.add_option("--by", args.by, "Who decides (default: the user who runs this)")
      ->type_name("NAME");
}

using Action = int (*)(const FeedbackArgs&);

}  // namespace

void add_feedback(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<FeedbackArgs>();
  CLI::App* command =
      app.add_subcommand("feedback", "Rate answers, and turn ratings into golden examples");
  command->require_subcommand(1);
  // They may stand before the thumb, too.
  add_judged(*command, *args);
  const auto sub = [&](const char* name, const char* what, Action action) {
    CLI::App* made = command->add_subcommand(name, what);
    made->add_flag("--json", args->json, "As JSON");
    add_data_dir(*made, *args);
    made->callback([args, action, &exit_code] { exit_code = action(*args); });
    return made;
  };
  add_judged(*sub("up", "Rate an answer as right",
                  [](const FeedbackArgs& a) { return give(a, Thumb::kUp); }),
             *args);
  add_judged(*sub("down", "Rate an answer as wrong or unhelpful",
                  [](const FeedbackArgs& a) { return give(a, Thumb::kDown); }),
             *args);
  sub("list", "List the feedback that is pending, oldest first", list)
      ->add_flag("--all", args->all, "Also list what was reviewed or dismissed");
  CLI::App* to_review =
      sub("review",
          "Make a golden example: of the answer (thumbs up), or of a corrected one (thumbs down)",
          review);
  add_closing(*to_review, *args);
  add_answer(*to_review, args->answer, "the corrected answer");
  CLI::App* to_dismiss = sub("dismiss", "Dismiss it: no example is made of it", dismiss);
  add_closing(*to_dismiss, *args);
  to_dismiss->add_option("--reason", args->reason, "Why");
}

}  // namespace precedent
