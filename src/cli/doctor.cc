// precedent doctor: is everything there, and is it right? Checks values, not only presence.
#include <fmt/format.h>

#include <algorithm>

#include "agent/sources/knowledge_base.h"
#include "base/strings.h"
#include "cli/command/command.h"
#include "cli/command/progress_bar.h"
#include "cli/command/version.h"
#include "cli/config/mcp_servers.h"
#include "cli/config/qdrant_place.h"
#include "cli/config/store_config.h"
#include "cli/config/thread_store.h"
#include "cli/conversation/session.h"
#include "cli/index/index_desk.h"
#include "cli/terminal/render.h"
#include "embed/learned_reader.h"
#include "ingest/publish/prepare.h"

namespace precedent {
namespace {

struct DoctorOptions : CommonOptions {
  bool repair = false;
};

class Report {
 public:
  void good(std::string_view what, std::string_view detail) { line("ok  ", what, detail); }
  void note(std::string_view what, std::string_view detail) { line("note", what, detail); }
  void bad(std::string_view what, std::string_view detail) {
    line("FAIL", what, detail);
    failed_ = true;
  }
  bool failed() const { return failed_; }

 private:
  static void line(std::string_view mark, std::string_view what, std::string_view detail) {
    fmt::print("{}  {:<12} {}\n", mark, what, printable(detail));
  }
  bool failed_ = false;
};

// What was learned is a part of the program: it must fit the encoder, and read.
void check_adapters(const MiniLmEmbedder& encoder, Report& report) {
  std::vector<std::string> names;
  for (const AdapterKind kind : kAdapterKinds) {
    const auto reader = AdapterReader::open(kind, encoder);
    if (!reader) return report.bad("adapters", reader.error().text());
    const auto reading = (*reader)->read("the database refuses connections", {});
    if (!reading) return report.bad("adapters", reading.error().text());
    names.emplace_back(name(kind));
  }
  report.good("adapters", join(names, ", "));
}

void check_encoder(Report& report) {
  const auto encoder = open_encoder();
  if (!encoder) return report.bad("encoder", encoder.error().text());
  if (encoder->embedder == nullptr) return report.note("encoder", encoder->missing);
  // Two ways to say one thing must be nearer than two different things.
  const std::string_view texts[] = {"the database refuses connections",
                                    "cannot connect to postgres", "the cat sleeps"};
  const auto rows = encoder->embedder->embed(texts);
  if (!rows) return report.bad("encoder", rows.error().text());
  const auto cosine = [&](size_t a, size_t b) {
    float sum = 0;
    for (size_t i = 0; i < rows->dimensions; ++i) sum += rows->row(a)[i] * rows->row(b)[i];
    return sum;
  };
  if (cosine(0, 1) <= cosine(0, 2))
    return report.bad("encoder", "its vectors make no sense; run scripts/fetch-model again");
  report.good("encoder", fmt::format("{}, {} dimensions", encoder->embedder->model_id(),
                                     encoder->embedder->dimensions()));
  check_adapters(*encoder->embedder, report);
}

void check_store(const StoreAddress& address, const KnowledgeStore& store, Report& report) {
  const auto problems = store.problems();
  if (!problems) return report.bad("store", problems.error().text());
  for (const std::string& problem : *problems) report.bad("store", problem);
  const auto counts = store.counts();
  if (!counts) return report.bad("store", counts.error().text());
  std::string kinds;
  for (const auto& [kind, count] : counts->by_kind)
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", count, name(kind));
  if (problems->empty())
    report.good("store", fmt::format("{} documents ({}), {} chunks, {} vectors{}",
                                     counts->documents, kinds, counts->chunks, counts->vectors,
                                     address.is_file() ? "" : ", in " + address.place()));
}

void check_preparation(const KnowledgeStore& store, Report& report) {
  const auto states = store.states();
  if (!states) return report.bad("store", states.error().text());
  const auto old = states->size() - static_cast<size_t>(std::ranges::count_if(
                                        *states, is_of_these_rules, &DocumentState::hash));
  if (old == 0) return;
  report.note("store", fmt::format("{} documents were cut by another version of precedent; "
                                   "`precedent ingest` of the same paths cuts them anew",
                                   old));
}

void check_index_in_use(const std::filesystem::path& data_dir, Report& report) {
  const auto status = index_status(data_dir, "");
  if (!status) return report.bad("index", status.error().text());
  const IndexCheck& check = status->check;
  for (const std::string& difference : check.differences)
    report.bad("index", fmt::format("{}; `precedent doctor --repair` builds it anew", difference));
  if (check.lags()) {
    report.note(
        "index",
        fmt::format("reflects change {} of {}; the next `precedent ingest` brings it up to date",
                    check.index_version, check.store_version));
  }
  if (status->info.dimensions == 0) {
    report.note("index",
                "has no vectors: searching by words only; fetch the weights with "
                "scripts/fetch-model and ingest again");
  }
  if (!check.differences.empty()) return;
  report.good("index",
              fmt::format("{} documents, {} chunks, {}{}", status->info.documents,
                          status->info.chunks, status->place,
                          check.sampled == 0 ? ""
                                             : fmt::format("; {} documents compared with the store",
                                                           check.sampled)));
  if (!status->alias_is_right) report.note("index", status->alias);
}

void check_threads(const std::filesystem::path& data_dir, Report& report) {
  constexpr size_t kShown = 20;
  const auto problems = find_thread_problems(data_dir, kShown);
  const std::string place = threads_place(data_dir);
  if (!problems)
    return report.bad("threads", fmt::format("{}: {}", place, problems.error().text()));
  if (!*problems) return;  // nothing was kept yet
  for (const std::string& problem : **problems) {
    report.bad("threads",
               fmt::format("{}: {}; restore a backup, or export what can be read (`precedent "
                           "threads export ID`) and delete the rest",
                           place, problem));
  }
  if ((*problems)->empty()) report.good("threads", place + ", every checksum right");
}

// A server that cannot be reached costs its own tools alone.
void check_mcp(const std::filesystem::path& data_dir, Report& report) {
  const auto file = find_config("", data_dir);
  if (!file) return;  // `config check` tells of it
  const auto servers = McpServers::open("", data_dir, *file);
  if (!servers) return report.bad("mcp", servers.error().text());
  Toolset tools;
  for (const RemoteServers::Report& server : (*servers)->add_tools(tools, interrupted())) {
    for (const std::string& warning : server.warnings) report.note("mcp", warning);
    if (!server.revision.empty())
      report.good("mcp",
                  fmt::format("{}: {} of its {} tools may be called (revision {})", server.server,
                              server.allowed, server.offered, server.revision));
  }
}

// What can be mended without anybody's decision: the index is derived.
void repair(const std::filesystem::path& data_dir, Report& report) {
  ProgressBar bar;
  const auto done = repair_index_of(data_dir, "", false, &bar);
  bar.clear();
  if (!done) return report.bad("repair", done.error().text());
  report.good("repair", done->empty() ? "nothing to repair" : *done);
}

int doctor(const DoctorOptions& options) {
  Report report;
  const std::filesystem::path data_dir = data_dir_of(options);
  if (options.repair) repair(data_dir, report);
  report.good("version", version_text());
  check_encoder(report);
  const auto address = configured_store(data_dir);
  if (!address) {
    report.bad("store", address.error().text());
    return kExitFailed;
  }
  const auto store = KnowledgeStore::open(*address, KnowledgeStore::Access::kReadOnly);
  if (!store && store.error().code == ErrorCode::kNotFound) {
    report.note("store",
                fmt::format("no knowledge base in {}; make one with `precedent ingest PATH…`",
                            address->is_file() ? data_dir.string() : address->place()));
  } else if (!store) {
    report.bad("store", store.error().text());
  } else {
    check_store(*address, *store, report);
    check_preparation(*store, report);
    check_index_in_use(data_dir, report);
    if (!report.failed()) {
      const auto server = qdrant_for_writing(data_dir);
      const auto base =
          server ? open_knowledge(data_dir, *server)
                 : Result<std::unique_ptr<KnowledgeBase>>(std::unexpected(server.error()));
      if (!base) report.bad("search", base.error().text());
    }
  }
  check_threads(data_dir, report);
  check_mcp(data_dir, report);
  return report.failed() ? kExitFailed : kExitOk;
}

}  // namespace

void add_doctor(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* command =
      app.add_subcommand("doctor", "Check the encoder, the store, the index and the conversations");
  command->add_flag("--repair", options->repair,
                    "First repair the index where it differs from the store");
  add_data_dir(*command, *options);
  command->callback([options, &exit_code] { exit_code = doctor(*options); });
}

}  // namespace precedent
