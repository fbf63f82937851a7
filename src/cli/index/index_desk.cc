#include "cli/index/index_desk.h"

#include <fmt/format.h>

#include "cli/command/command.h"
#include "cli/config/qdrant_place.h"
#include "cli/config/store_config.h"
#include "cli/knowledge/writer.h"
#include "index/embedded_index.h"
#include "index/qdrant_index.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

Result<IndexBuild> active_build_of(const KnowledgeStore& store) {
  auto build = TRY(store.active_build());
  if (build) return std::move(*build);
  return fail(ErrorCode::kNotFound, "there is no index yet; run `precedent ingest PATH…`");
}

Result<KnowledgeStore> open_to_read(const fs::path& data_dir, const std::string& config) {
  const StoreAddress address = TRY(configured_store(data_dir, config));
  return KnowledgeStore::open(address, KnowledgeStore::Access::kReadOnly);
}

std::string megabytes(size_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

// Of the same build, in the data directory while the index is on a server.
std::string embedded_copy(const fs::path& data_dir, const std::string& collection) {
  const fs::path folder = index_folder(data_dir, collection);
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) return "";
  const auto copy = EmbeddedIndex::open_existing(folder);
  if (!copy) return fmt::format("{} is no index any more; remove it", folder.string());
  const IndexInfo info = (*copy)->info();
  return fmt::format(
      "a copy that is not in use is in {}: change {}, {}; remove the folder if "
      "nobody goes back to it",
      folder.string(), info.version, megabytes(info.bytes));
}

Result<std::unique_ptr<KnowledgeIndex>> open_in_place(const fs::path& data_dir,
                                                      const std::shared_ptr<QdrantApi>& server,
                                                      const IndexBuild& build,
                                                      IndexStatus& status) {
  const std::string& collection = build.collection;
  if (server == nullptr) {
    const fs::path folder = index_folder(data_dir, collection);
    std::unique_ptr<KnowledgeIndex> index =
        TRY(EmbeddedIndex::open_existing(folder, EmbeddedIndex::Verify::kAlways));
    status.place =
        fmt::format("embedded, in {}, {}", folder.string(), megabytes(index->info().bytes));
    return index;
  }
  status.place = fmt::format("in Qdrant {} at {}, collection {}", TRY(server->version()),
                             server->address(), collection);
  std::unique_ptr<KnowledgeIndex> index = TRY(QdrantIndex::open(server, collection));
  const std::string alias = QdrantIndex::alias_of(collection);
  const std::string named = TRY(QdrantCollection(server, collection).behind_alias(alias));
  status.alias_is_right = named == collection;
  status.alias = named == collection ? fmt::format("the alias {} names it", alias)
                 : named.empty()
                     ? fmt::format("the alias {} is missing; the next ingest makes it", alias)
                     : fmt::format(
                           "the alias {} names {}: somebody moved it; the next ingest moves "
                           "it back",
                           alias, named);
  status.elsewhere = embedded_copy(data_dir, collection);
  return index;
}

}  // namespace

Result<IndexBuild> build_in_use(const fs::path& data_dir, const std::string& config) {
  return active_build_of(TRY(open_to_read(data_dir, config)));
}

Result<IndexStatus> index_status(const fs::path& data_dir, const std::string& config) {
  const KnowledgeStore store = TRY(open_to_read(data_dir, config));
  const IndexBuild build = TRY(active_build_of(store));
  IndexStatus status{.place = {},
                     .collection = build.collection,
                     .alias = {},
                     .info = {},
                     .check = {},
                     .retired = {},
                     .elsewhere = {}};
  const auto server = TRY(qdrant_for_writing(data_dir, config));
  const auto index = TRY(open_in_place(data_dir, server, build, status));
  status.info = index->info();
  status.check = TRY(check_index(store, build, *index));
  for (const IndexBuild& retired : TRY(store.inactive_builds()))
    status.retired.push_back(retired.collection);
  return status;
}

Result<std::string> repair_index_of(const fs::path& data_dir, const std::string& config,
                                    bool rebuild, ProgressSink* progress) {
  KnowledgeWriter writer = TRY(KnowledgeWriter::open({.data_dir = data_dir, .config = config}));
  const IndexBuild before = TRY(active_build_of(writer.store()));
  // What is missing, damaged or behind.
  std::string done = TRY(writer.repair_index(rebuild, progress, interrupted()));
  const IndexBuild build = TRY(active_build_of(writer.store()));
  if (build.number != before.number) return done;
  const auto index = TRY(writer.indexes().open(build.collection));
  const IndexCheck check = TRY(check_index(writer.store(), build, *index));
  if (check.good()) return done;
  return TRY(writer.repair_index(true, progress, interrupted())) +
         fmt::format(" ({})",
                     check.differences.empty() ? "it lagged behind" : check.differences.front());
}

}  // namespace precedent
