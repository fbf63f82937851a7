// precedent golden: verified answers, from the first draft to the last word.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/ids.h"
#include "base/strings.h"
#include "cli/knowledge/golden_desk.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "ingest/records/golden_reader.h"
#include "tools/receipt.h"

namespace precedent {
namespace {

using nlohmann::json;

struct GoldenArgs : CommonOptions {
  std::string id, question, by, file;
  AnswerArgs answer;
  std::vector<std::string> sources, tags;
  bool all = false;
};

void print_changed(const GoldenExample& example, std::string_view what, bool as_json) {
  if (as_json) {
    json out = to_json(example);
    out["result"] = what;
    fmt::print("{}\n", dump(out));
    return;
  }
  fmt::print("{} {}: {}\n", what, example.id, state_of(example));
  if (const std::string next = next_step(example); !next.empty()) fmt::print("{}\n", next);
}

// A source that no document has is a slip of the hand more often than not.
Result<void> note_unknown_sources(const KnowledgeStore& store, const GoldenExample& example) {
  for (const std::string& source : TRY(unknown_sources(store, example)))
    to_stderr("note: {} cites '{}', which is not in the knowledge base\n", example.id, source);
  return {};
}

int add(const GoldenArgs& args) {
  const auto answer = answer_of(args.answer);
  if (!answer) return fail_with(answer.error());
  std::optional<MergedExample> merged;
  const int code = change_golden(args, [&](KnowledgeStore& store) -> Result<void> {
    GoldenDraft draft;
    draft.id = args.id;
    draft.question = args.question;
    draft.answer = *answer;
    draft.sources = args.sources;
    draft.tags = args.tags;
    merged = TRY(merge(store, draft, SystemClock().now()));
    if (const auto problem = problem_of(merged->example)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("--{}: {}", problem->field, problem->message));
    }
    TRY(note_unknown_sources(store, merged->example));
    return store.put_golden({&merged->example, 1});
  });
  if (code == kExitOk) print_changed(merged->example, name(merged->result), args.json);
  return code;
}

// review, activate, deactivate: one example, one change of its state.
using Transition = std::function<Result<GoldenExample>(GoldenExample)>;
int change_one(const GoldenArgs& args, std::string_view what, const Transition& transition) {
  std::optional<GoldenExample> changed;
  const int code = change_golden(args, [&](KnowledgeStore& store) -> Result<void> {
    GoldenExample example = TRY(find_example(store, args.id));
    changed = TRY(transition(std::move(example)));
    return store.put_golden({&*changed, 1});
  });
  if (code == kExitOk) print_changed(*changed, what, args.json);
  return code;
}

int review(const GoldenArgs& args) {
  const TimePoint now = SystemClock().now();
  const auto reviewer = reviewer_of(args.by, now);
  if (!reviewer) return fail_with(reviewer.error());
  const auto answer = answer_of(args.answer);
  if (!answer) return fail_with(answer.error());
  return change_one(args, "reviewed", [&](GoldenExample example) {
    return reviewed(std::move(example), *answer, *reviewer);
  });
}

int delete_one(const GoldenArgs& args) {
  std::optional<GoldenExample> deleted;
  const int code = change_golden(args, [&](KnowledgeStore& store) -> Result<void> {
    deleted = TRY(find_example(store, args.id));
    return store.remove_golden(deleted->id);
  });
  if (code != kExitOk) return code;
  if (args.json) {
    json out = to_json(*deleted);
    out["result"] = "deleted";
    fmt::print("{}\n", dump(out));
  } else {
    fmt::print("deleted {}: {}\n", deleted->id, printable(deleted->question));
  }
  return kExitOk;
}

int list(const GoldenArgs& args) {
  const auto store = open_store(args);
  if (!store) return fail_with(store.error());
  const auto examples = store->golden_examples();
  if (!examples) return fail_with(examples.error());
  json all = json::array();
  size_t hidden = 0;
  for (const GoldenExample& example : *examples) {
    if (!args.all && !example.active) {
      ++hidden;
    } else if (args.json) {
      all.push_back(to_json(example));
    } else {
      fmt::print("{}\n", printable(one_line(example)));
    }
  }
  if (args.json) {
    fmt::print("{}\n", dump(all));
  } else if (examples->empty()) {
    to_stderr("there are no golden examples yet; make one with `precedent golden add`\n");
  } else if (hidden > 0) {
    to_stderr("{} not active; --all shows them too\n", hidden);
  }
  return kExitOk;
}

int show(const GoldenArgs& args) {
  const auto store = open_store(args);
  if (!store) return fail_with(store.error());
  const auto example = find_example(*store, args.id);
  if (!example) return fail_with(example.error());
  if (args.json) {
    fmt::print("{}\n", dump(to_json(*example)));
    return kExitOk;
  }
  fmt::print("{} ({}, {})\n", example->id, name(example->source), state_of(*example));
  if (example->review)
    fmt::print("Reviewed by {} on {}\n", example->review->by, format_date(example->review->at));
  if (!example->sources.empty())
    fmt::print("Sources: {}\n", printable(join(example->sources, ", ")));
  if (!example->tags.empty()) fmt::print("Tags: {}\n", printable(join(example->tags, ", ")));
  if (example->feedback) fmt::print("Made from {}\n", feedback_name(*example->feedback));
  fmt::print("\nQuestion: {}\n", printable(example->question));
  if (!example->rejected_answer.empty())
    fmt::print("\nRejected answer:\n{}\n", printable(example->rejected_answer));
  if (!example->answer.empty()) fmt::print("\nAnswer:\n{}\n", printable(example->answer));
  return kExitOk;
}

// ---------------------------------------------------------------------------------------- import

struct ImportReport {
  size_t added = 0, changed = 0, unchanged = 0;
  std::vector<BadRecord> bad;
};

// Examples that are put in one transaction.
constexpr size_t kImportBatch = 500;

class Importer {
 public:
  Importer(KnowledgeStore& store, std::string path, TimePoint now)
      : store_(store), path_(std::move(path)), now_(now) {}

  Result<void> take(const GoldenDraft& draft, size_t line) {
    TRY(interrupted().check());
    const MergedExample merged = TRY(merge(store_, draft, now_));
    const std::string& id = merged.example.id;
    if (const auto [first, is_new] = lines_.try_emplace(id, line); !is_new) {
      bad({path_, line, "question",
           fmt::format("'{}' was read before, at line {}; leave one of the two out", id,
                       first->second)});
      return {};
    }
    if (const auto holder = TRY(store_.find(id)); holder && holder->kind != Kind::kGolden) {
      bad({path_, line, "id",
           fmt::format("'{}' is the id of the {} \"{}\"; give the example another one", id,
                       name(holder->kind), holder->title)});
      return {};
    }
    count(merged.result);
    if (merged.result == MergeResult::kUnchanged) return {};
    TRY(note_unknown_sources(store_, merged.example));
    ready_.push_back(merged.example);
    return ready_.size() < kImportBatch ? Result<void>() : flush();
  }
  void bad(BadRecord&& record) { report_.bad.push_back(std::move(record)); }
  Result<void> flush() {
    const std::vector<GoldenExample> ready = std::exchange(ready_, {});
    return store_.put_golden(ready);
  }
  const ImportReport& report() const { return report_; }

 private:
  void count(MergeResult change) {
    ++(change == MergeResult::kAdded     ? report_.added
       : change == MergeResult::kChanged ? report_.changed
                                         : report_.unchanged);
  }

  KnowledgeStore& store_;
  std::string path_;
  TimePoint now_;
  std::map<std::string, size_t> lines_;
  std::vector<GoldenExample> ready_;
  ImportReport report_;
};

void print_report(const ImportReport& report, bool as_json) {
  if (as_json) {
    json bad = json::array();
    for (const BadRecord& b : report.bad)
      bad.push_back(
          {{"path", b.path}, {"line", b.line}, {"field", b.field}, {"message", b.message}});
    fmt::print("{}\n", dump({{"added", report.added},
                             {"changed", report.changed},
                             {"unchanged", report.unchanged},
                             {"bad", bad},
                             {"bad_count", report.bad.size()}}));
    return;
  }
  for (const BadRecord& b : report.bad) to_stderr("bad: {}\n", printable(b.text()));
  fmt::print("{} added, {} changed, {} unchanged, {} bad\n", report.added, report.changed,
             report.unchanged, report.bad.size());
}

int import_file(const GoldenArgs& args) {
  auto in = ByteSource::open(args.file);
  if (!in) return fail_with(in.error());
  const TimePoint now = SystemClock().now();
  const Review reviewer{args.by.empty() ? "import of " + args.file : args.by, now};
  ImportReport report;
  const int code = change_golden(args, [&](KnowledgeStore& store) -> Result<void> {
    Importer importer(store, args.file, now);
    TRY(read_golden(
        *in, {args.file, reviewer},
        [&](GoldenDraft&& draft, size_t line) { return importer.take(draft, line); },
        [&](BadRecord&& bad) { importer.bad(std::move(bad)); }));
    if (in->error()) return std::unexpected(*in->error());
    TRY(importer.flush());
    report = importer.report();
    return {};
  });
  if (code != kExitOk) return code;
  print_report(report, args.json);
  const bool nothing_good = report.added + report.changed + report.unchanged == 0;
  return !report.bad.empty() && nothing_good ? kExitFailed : kExitOk;
}

using Action = int (*)(const GoldenArgs&);

CLI::App* subcommand(CLI::App& command, const std::shared_ptr<GoldenArgs>& args, int& exit_code,
                     const char* name, const char* what, Action action) {
  CLI::App* sub = command.add_subcommand(name, what);
  sub->add_flag("--json", args->json, "As JSON");
  add_data_dir(*sub, *args);
  sub->callback([args, action, &exit_code] { exit_code = action(*args); });
  return sub;
}

void add_id(CLI::App& command, GoldenArgs& args) {
  command.add_option("id", args.id, "The example, as `golden list` shows it")->required();
}

void add_by(CLI::App& command, GoldenArgs& args, const std::string& what) {
  command.add_option("--by", args.by, what)->type_name("NAME");
}

}  // namespace

void add_golden(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<GoldenArgs>();
  CLI::App* command = app.add_subcommand(
      "golden", "Manage verified answers, which are served once somebody has reviewed them");
  command->require_subcommand(1);
  const auto sub = [&](const char* name, const char* what, Action action) {
    return subcommand(*command, args, exit_code, name, what, action);
  };
  CLI::App* added =
      sub("add", "Add a question and its answer for review; the same question's answer is replaced",
          add);
  added->add_option("--question", args->question, "What is asked")->required();
  add_answer(*added, args->answer, "the answer");
  added->add_option("--source", args->sources, "A document that the answer rests on, by its id")
      ->type_name("ID")
      ->allow_extra_args(false);
  added->add_option("--tag", args->tags, "A tag")->type_name("TAG")->allow_extra_args(false);
  added->add_option("--id", args->id, "An id of your own instead of one made from the question");
  CLI::App* listed =
      sub("list", "List the active examples, and what each still needs before it is served", list);
  listed->add_flag("--all", args->all, "Also list examples that are not active");
  add_id(*sub("show", "One example in full", show), *args);
  CLI::App* to_review = sub("review", "Confirm the answer, or correct it", review);
  add_id(*to_review, *args);
  add_by(*to_review, *args, "Who reviewed it (default: the user who runs this)");
  add_answer(*to_review, args->answer, "the corrected answer");
  add_id(*sub("deactivate", "Stop serving it, from the next question on",
              [](const GoldenArgs& a) {
                return change_one(a, "deactivated", [](GoldenExample example) {
                  return deactivated(std::move(example), SystemClock().now());
                });
              }),
         *args);
  add_id(*sub("activate", "Serve it again",
              [](const GoldenArgs& a) {
                return change_one(a, "activated", [](GoldenExample example) {
                  return activated(std::move(example), SystemClock().now());
                });
              }),
         *args);
  add_id(*sub("delete", "Delete it for good; `deactivate` keeps it", delete_one), *args);
  CLI::App* imported =
      sub("import", "Add every example of a JSON-lines file; running it again changes nothing",
          import_file);
  imported
      ->add_option("file", args->file,
                   "Lines {\"question\",\"answer\",\"source_type\"?,\"reviewed\"?,\"active\"?,"
                   "\"tags\"?,\"sources\"?,\"id\"?,\"corrected_answer\"?,\"reviewed_by\"?,"
                   "\"reviewed_at\"?}")
      ->required();
  add_by(*imported, *args, "The reviewer of `reviewed` lines that name none");
}

}  // namespace precedent
