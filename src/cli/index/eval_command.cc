// precedent eval: how good is retrieval, are the tools exact?
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "agent/sources/knowledge_base.h"
#include "base/foreign_json.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "cli/command/command.h"
#include "cli/config/qdrant_place.h"
#include "cli/config/store_config.h"
#include "cli/index/ir_metrics.h"
#include "cli/knowledge/writer.h"
#include "cli/terminal/render.h"
#include "files/temporary_folder.h"
#include "tools/all_tools.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct RetrievalOptions : CommonOptions {
  std::string corpus, tree, queries, qrels, run;
  std::string mode = "hybrid";
  bool int8 = false;
};

struct ToolCheckOptions : CommonOptions {
  std::string file;
};

// A file of a source tree larger than this is generated or binary.
constexpr size_t kMaxTreeFileBytes = 4 << 20;
constexpr size_t kRunDepth = 1000;

// Every file below a folder as one document whose id is its path: how code retrieval is judged.
Result<ReadSummary> read_tree(const std::string& root, DocumentSink& sink) {
  ReadSummary summary;
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end;
       it.increment(error)) {
    if (it->is_regular_file(error)) files.push_back(it->path());
  }
  if (error) return std::unexpected(system_error("read", root, error.value()));
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    auto text = read_file(file, kMaxTreeFileBytes);
    if (!text) {
      summary.ignored[file.extension().string()].add(file.string());
      continue;
    }
    Document document;
    document.id = fs::relative(file, root, error).generic_string();
    document.title = document.id;
    document.path = document.id;
    document.source = root;
    document.kind = Kind::kCode;
    document.body = repair_utf8(*text);
    TRY(sink.document(std::move(document), 1));
    ++summary.files;
    ++summary.documents;
  }
  summary.sources = {root};
  return summary;
}

// {"id","title","text"} a line, ids kept as they are.
Result<ReadSummary> read_corpus(const std::string& path, DocumentSink& sink) {
  std::ifstream file(path);
  if (!file) return std::unexpected(system_error("open", path, errno));
  ReadSummary summary;
  size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (trim(line).empty()) continue;
    const json object = parse_json(line);
    if (!object.is_object() || !object.contains("id")) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}:{}: expected an object with id, title, text", path, number));
    }
    Document document;
    document.id = object["id"].is_string() ? object["id"].get<std::string>() : object["id"].dump();
    if (object.contains("title") && object["title"].is_string())
      document.title = object["title"].get<std::string>();
    if (object.contains("text") && object["text"].is_string())
      document.body = object["text"].get<std::string>();
    document.source = path;
    TRY(sink.document(std::move(document), number));
    ++summary.documents;
  }
  summary.files = 1;
  summary.sources = {path};
  return summary;
}

Result<Run> search_all(const KnowledgeBase& base, const Queries& queries, SearchMode mode,
                       bool code, std::ofstream* out) {
  Run run;
  for (const auto& [id, text] : queries) {
    SearchRequest request;
    request.text = text;
    request.limit = kRunDepth;
    request.mode = mode;
    if (code) request.filter.kinds = {Kind::kCode};
    request.now = SystemClock().now();
    const SearchResponse response = TRY(base.search().search(request));
    std::vector<std::string>& ranked = run[id];
    for (const Hit& hit : response.hits) {
      ranked.push_back(hit.payload.doc_id);
      if (out != nullptr)
        *out << fmt::format("{} Q0 {} {} {:.6f} precedent\n", id, hit.payload.doc_id, ranked.size(),
                            hit.parts.fused);
    }
  }
  return run;
}

// An evaluation makes a knowledge base of its own, whatever store is configured.
StoreAddress own_store(const fs::path& data_dir) { return {store_file(data_dir)}; }

// What lies on a server does not go with the temporary folder.
Result<void> drop_index_of(const fs::path& data_dir) {
  KnowledgeWriter writer = TRY(
      KnowledgeWriter::open({.data_dir = data_dir, .dense = false, .store = own_store(data_dir)}));
  return writer.drop_index();
}

Result<void> evaluate_retrieval_in(const fs::path& data_dir, const RetrievalOptions& options) {
  const Qrels qrels = TRY(read_qrels(options.qrels));
  const Queries queries = TRY(read_queries(options.queries));
  {
    KnowledgeWriter writer = TRY(
        KnowledgeWriter::open({.data_dir = data_dir,
                               .precision = options.int8 ? Precision::kInt8 : Precision::kFloat32,
                               .dense = options.mode != "sparse",
                               .store = own_store(data_dir)}));
    if (!writer.without_weights().empty() && options.mode != "sparse") {
      return fail(ErrorCode::kUnavailable, writer.without_weights());
    }
    const auto read = [&](const ReadOptions&, DocumentSink& sink) {
      return options.tree.empty() ? read_corpus(options.corpus, sink)
                                  : read_tree(options.tree, sink);
    };
    TRY(writer.ingest({}, read, nullptr, interrupted()));
  }
  const auto server = TRY(qdrant_for_writing(data_dir));
  const auto base = TRY(KnowledgeBase::open(data_dir, server));
  const SearchMode mode = options.mode == "sparse"  ? SearchMode::kSparse
                          : options.mode == "dense" ? SearchMode::kDense
                                                    : SearchMode::kHybrid;
  std::ofstream out;
  if (!options.run.empty()) {
    out.open(options.run);
    if (!out) return std::unexpected(system_error("create", options.run, errno));
  }
  const IrMeasures m = measure(qrels, TRY(search_all(*base, queries, mode, !options.tree.empty(),
                                                     out.is_open() ? &out : nullptr)));
  if (options.json) {
    fmt::print("{}\n", json{{"mode", options.mode},
                            {"queries", m.queries},
                            {"ndcg@10", m.ndcg10},
                            {"mrr@10", m.mrr10},
                            {"recall@10", m.recall10},
                            {"recall@100", m.recall100}}
                           .dump());
  } else {
    fmt::print("mode {}  queries {}  nDCG@10 {:.4f}  MRR@10 {:.4f}  R@10 {:.4f}  R@100 {:.4f}\n",
               options.mode, m.queries, m.ndcg10, m.mrr10, m.recall10, m.recall100);
  }
  return {};
}

Result<void> evaluate_retrieval(const RetrievalOptions& options) {
  if (!options.data_dir.empty()) return evaluate_retrieval_in(options.data_dir, options);
  const TemporaryFolder temporary;
  if (temporary.path().empty()) {
    return fail(ErrorCode::kUnavailable,
                "cannot create a temporary folder; free some space or give --data-dir");
  }
  const auto evaluated = evaluate_retrieval_in(temporary.path(), options);
  const auto dropped = drop_index_of(temporary.path());
  return evaluated ? dropped : evaluated;
}

// One line of a check file: a tool call and the ids it must return, in order.
Result<std::string> run_check(const json& check, const Toolset& tools, const KnowledgeBase& base) {
  static const std::map<std::string, std::string> kTools = {
      {"by_id", "lookup_incident_by_id"},
      {"by_application", "get_incidents_by_application"},
      {"recent", "get_recent_incidents"},
      {"similar", "search_similar_incidents"}};
  if (!check.is_object() || !check.contains("kind") || !check.contains("args") ||
      !check.contains("expect_ids")) {
    return fail(ErrorCode::kInvalidArgument, "expected {\"kind\",\"args\",\"expect_ids\"}");
  }
  const auto tool_name = kTools.find(check["kind"].get<std::string>());
  if (tool_name == kTools.end())
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("unknown kind '{}'", check["kind"].get<std::string>()));
  json args = check["args"];
  const std::string as_of = args.value("as_of", std::string());
  args.erase("as_of");
  const auto clock = TRY(clock_of(as_of));
  NullSink events;
  ToolContext context{base.search(), base.store(), *clock, events};
  const Tool* tool = TRY(tools.find(tool_name->second));
  const Receipt receipt = tool->call(args, context, "R1");
  if (receipt.status == ReceiptStatus::kError) return receipt.text;
  std::vector<std::string> got;
  const auto* result = std::get_if<IncidentsResult>(&receipt.result);
  // What a fallback offers instead is not what was asked for.
  if (result != nullptr && !result->fallback) {
    for (const IncidentItem& item : result->incidents) got.push_back(item.incident.incident_id);
  }
  const auto expected = check["expect_ids"].get<std::vector<std::string>>();
  if (got == expected) return std::string();
  return fmt::format("expected [{}], got [{}]", join(expected, " "), join(got, " "));
}

Result<size_t> evaluate_tools(const ToolCheckOptions& options) {
  std::ifstream file(options.file);
  if (!file) return std::unexpected(system_error("open", options.file, errno));
  const fs::path data_dir = data_dir_of(options);
  const auto server = TRY(qdrant_for_writing(data_dir));
  const auto base = TRY(open_knowledge(data_dir, server));
  const Toolset tools = knowledge_tools();
  size_t number = 0, passed = 0, failed = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (trim(line).empty()) continue;
    std::string problem;
    try {
      const json check = parse_json(line);
      auto outcome = run_check(check, tools, *base);
      problem = outcome ? *outcome : printable(outcome.error().text());
    } catch (const json::exception& error) {
      problem = error.what();
    }
    problem.empty() ? ++passed : ++failed;
    if (!problem.empty()) fmt::print("{}:{}: {}\n", options.file, number, problem);
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed;
}

}  // namespace

void add_eval(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("eval", "Measure retrieval, or check the tools exactly");
  command->require_subcommand(1);
  auto retrieval = std::make_shared<RetrievalOptions>();
  CLI::App* r =
      command->add_subcommand("retrieval", "nDCG@10, MRR@10 and recall over judged queries");
  auto* corpus =
      r->add_option("--corpus", retrieval->corpus, "JSON lines {\"id\",\"title\",\"text\"}")
          ->type_name("FILE");
  auto* tree = r->add_option("--tree", retrieval->tree,
                             "A folder; every file is a document, its path the id")
                   ->type_name("DIR");
  corpus->excludes(tree);
  r->add_option("--queries", retrieval->queries, "qid<TAB>text")->required()->type_name("FILE");
  r->add_option("--qrels", retrieval->qrels, "TREC: qid 0 docid grade")
      ->required()
      ->type_name("FILE");
  r->add_option("--mode", retrieval->mode, "hybrid, sparse or dense")
      ->check(CLI::IsMember({"hybrid", "sparse", "dense"}));
  r->add_option("--run", retrieval->run, "Write the TREC run here")->type_name("FILE");
  r->add_flag("--int8", retrieval->int8, "Embed the corpus in int8");
  r->add_flag("--json", retrieval->json, "Print JSON");
  r->add_option("--data-dir", retrieval->data_dir,
                "Keep the knowledge base here (default: a temporary one)");
  r->callback([retrieval, corpus, tree, &exit_code] {
    if (!*corpus && !*tree) throw CLI::RequiredError("--corpus or --tree");
    const auto done = evaluate_retrieval(*retrieval);
    exit_code = done ? kExitOk : fail_with(done.error());
  });
  auto checks = std::make_shared<ToolCheckOptions>();
  CLI::App* t = command->add_subcommand(
      "tools", "Exact checks {\"kind\",\"args\",\"expect_ids\"} against the knowledge base");
  t->add_option("file", checks->file, "JSON lines")->required()->type_name("FILE");
  add_data_dir(*t, *checks);
  t->callback([checks, &exit_code] {
    const auto failed = evaluate_tools(*checks);
    exit_code = !failed ? fail_with(failed.error()) : *failed == 0 ? kExitOk : kExitFailed;
  });
}

}  // namespace precedent
