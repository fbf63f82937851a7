// The writing half of KnowledgeStore: updates, vectors, builds of the index.
#include <fmt/format.h>

#include "knowledge/case_fold.h"
#include "store/knowledge_store.h"
#include "store/rows.h"
#include "store/store_connection.h"

namespace precedent {
namespace {

using db::Connection;

// Takes `count` numbers from a counter of `meta` and gives the first.
Result<uint64_t> take(Connection& c, std::string_view key, uint64_t count) {
  auto statement =
      TRY(c.prepare("UPDATE meta SET value = value + ? WHERE key = ? RETURNING value"));
  if (!TRY(statement.bind(count, key).step())) {
    return fail(ErrorCode::kCorrupt,
                fmt::format("{}: the counter '{}' is gone; restore the file from a backup",
                            c.path().string(), key));
  }
  const uint64_t after = statement.natural(0);
  TRY(statement.run());
  return after - count;
}

Result<uint64_t> next_version(Connection& c) { return TRY(take(c, "version", 1)) + 1; }

// The number of a name in `sources` or `models`, given a new one if need be.
Result<int64_t> number_of(Connection& c, std::string_view select, std::string_view insert,
                          std::string_view name) {
  if (const auto known = TRY(c.integer(select, name))) return *known;
  return TRY(c.integer(insert, name)).value_or(0);
}

Result<int64_t> source_number(Connection& c, std::string_view path) {
  return number_of(c, "SELECT id FROM sources WHERE path = ?",
                   "INSERT INTO sources(path) VALUES (?) RETURNING id", path);
}

// Nothing for "no model".
Result<std::optional<int64_t>> model_number(Connection& c, std::string_view name) {
  if (name.empty()) return std::nullopt;
  return TRY(number_of(c, "SELECT id FROM models WHERE name = ?",
                       "INSERT INTO models(name) VALUES (?) RETURNING id", name));
}

// True if there was such a document.
Result<bool> erase(Connection& c, std::string_view id) {
  uint64_t point = 0, last = 0;
  {
    auto found = TRY(c.prepare("SELECT point, chunk_count FROM documents WHERE id = ?"));
    if (!TRY(found.bind(id).step())) return false;
    point = found.natural(0);
    last = point + found.natural(1);
  }
  TRY(c.run("DELETE FROM chunks WHERE point > ? AND point <= ?", point, last));
  TRY(c.run("DELETE FROM bodies WHERE point = ?", point));
  TRY(c.run("DELETE FROM documents WHERE point = ?", point));
  return true;
}

Result<void> insert_chunks(Connection& c, uint64_t document_point,
                           const std::vector<StoredChunk>& chunks) {
  uint64_t point = document_point;
  for (const StoredChunk& item : chunks) {
    TRY(
        c.run("INSERT INTO chunks(point, embedding_key, line_begin, line_end, heading, text) "
              "VALUES (?,?,?,?,?,?)",
              ++point, item.embedding_key, item.chunk.lines.begin, item.chunk.lines.end,
              rows::list_to_json(item.chunk.heading), item.chunk.text));
  }
  return {};
}

Result<uint64_t> insert(Connection& c, const NewDocument& item, uint64_t version) {
  const Document& d = item.document;
  const uint64_t point = TRY(take(c, "next_point", 1 + item.chunks.size()));
  const int64_t source = TRY(source_number(c, d.source));
  const std::optional<int64_t> model = TRY(model_number(c, item.model_id));
  TRY(
      c.run("INSERT INTO documents(point, id, hash, version, chunk_count, model, kind, began_at, "
            "source, title_terms, "
            "meta_terms, heading_terms, chunk_heading_terms, body_terms, title, path, body_line, "
            "services, symptoms, "
            "tags, application, application_folded, severity, status, opened_at, updated_at, "
            "resolved_at, attributes) "
            "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            point, d.id, item.hash, version, item.chunks.size(), model, name(d.kind),
            rows::began_at(d), source, item.lengths.title, item.lengths.meta, item.lengths.headings,
            item.lengths.chunk_headings, item.lengths.body, d.title, d.path, d.body_line,
            rows::list_to_json(d.services), rows::list_to_json(d.symptoms),
            rows::list_to_json(d.tags), d.application, case_fold(d.application), d.severity,
            d.status, rows::seconds(d.opened_at), rows::seconds(d.updated_at),
            rows::seconds(d.resolved_at), rows::attributes_to_json(d.attributes)));
  TRY(c.run("INSERT INTO bodies(point, body) VALUES (?,?)", point, d.body));
  TRY(insert_chunks(c, point, item.chunks));
  TRY(c.run("DELETE FROM removals WHERE id = ?", d.id));
  return point;
}

Result<void> insert_vectors(Connection& c, std::string_view model_id,
                            std::span<const NewVector> vectors) {
  if (vectors.empty()) return {};
  const std::optional<int64_t> model = TRY(model_number(c, model_id));
  for (const NewVector& vector : vectors) {
    TRY(
        c.run("INSERT INTO vectors(model, embedding_key, vector) VALUES (?,?,?) "
              "ON CONFLICT(model, embedding_key) DO UPDATE SET vector = excluded.vector",
              model, vector.embedding_key, rows::bytes_of(vector.values)));
  }
  return {};
}

// The collection is that of the active build, which the update goes into.
constexpr std::string_view kNameCollection =
    "UPDATE incident_dataset_versions SET collection = coalesce((SELECT collection FROM datasets "
    "WHERE state = 'active'), '') WHERE state = 'active'";

Result<void> activate_version(Connection& c, const VersionActivation& activation) {
  const int64_t now = activation.at.time_since_epoch().count();
  TRY(
      c.run("UPDATE incident_dataset_versions SET state = 'superseded', collection = '', "
            "changed_at = ? WHERE state = 'active' AND number <> ?",
            now, activation.number));
  TRY(
      c.run("UPDATE incident_dataset_versions SET state = 'active', changed_at = ?, forced_by = ?, "
            "forced_why = ?, turn = 1 + (SELECT max(turn) FROM incident_dataset_versions) WHERE "
            "number = ? AND state IN ('ready', 'superseded', 'active')",
            now, activation.forced_by, activation.forced_why, activation.number));
  if (c.changes() != 1)
    return fail(ErrorCode::kConflict,
                fmt::format("version {} is not ready to be activated; see `precedent dataset show "
                            "{}`",
                            activation.number, activation.number));
  return c.run(kNameCollection);
}

}  // namespace

Result<Committed> KnowledgeStore::apply(const StoreUpdate& update) {
  return connection_->write([&](Connection& c) -> Result<Committed> {
    Committed committed;
    committed.version = TRY(next_version(c));
    for (const std::string& id : update.remove) {
      if (!TRY(erase(c, id))) continue;
      TRY(c.run("INSERT OR REPLACE INTO removals(id, version) VALUES (?,?)", id,
                committed.version));
    }
    TRY(insert_vectors(c, update.model_id, update.vectors));
    for (const NewDocument& item : update.put) {
      TRY(erase(c, item.document.id));
      committed.points.push_back(TRY(insert(c, item, committed.version)));
    }
    if (update.activation) TRY(activate_version(c, *update.activation));
    return committed;
  });
}

Result<Committed> KnowledgeStore::put_vectors(std::span<const std::string> document_ids,
                                              std::string_view model_id,
                                              std::span<const NewVector> vectors) {
  return connection_->write([&](Connection& c) -> Result<Committed> {
    Committed committed;
    committed.version = TRY(next_version(c));
    TRY(insert_vectors(c, model_id, vectors));
    const std::optional<int64_t> model = TRY(model_number(c, model_id));
    for (const std::string& id : document_ids) {
      TRY(c.run("UPDATE documents SET model = ?, version = ? WHERE id = ?", model,
                committed.version, id));
    }
    return committed;
  });
}

Result<void> KnowledgeStore::cache_vectors(std::string_view model_id,
                                           std::span<const NewVector> vectors) {
  return connection_->write(
      [&](Connection& c) -> Result<void> { return insert_vectors(c, model_id, vectors); });
}

Result<size_t> KnowledgeStore::drop_unused_vectors(std::string_view model_id) {
  return connection_->write([&](Connection& c) -> Result<size_t> {
    const auto model = TRY(c.integer("SELECT id FROM models WHERE name = ?", model_id));
    // No model has the number 0: without one, every vector is unused.
    TRY(
        c.run("DELETE FROM vectors WHERE model IS NOT ? OR embedding_key NOT IN (SELECT "
              "embedding_key FROM chunks)",
              model.value_or(0)));
    return static_cast<size_t>(c.changes());
  });
}

// --- IndexBuild versions

namespace {

constexpr std::string_view kSelectBuilds =
    "SELECT number, collection, index_format, model_id, dimensions, lengths FROM datasets ";

Result<IndexBuild> read_build(const db::Statement& row) {
  IndexBuild build;
  build.number = row.natural(0);
  build.collection = row.string(1);
  build.index_format = static_cast<int32_t>(row.integer(2));
  build.model_id = row.string(3);
  build.dimensions = static_cast<size_t>(row.integer(4));
  // Lengths that cannot be read count as none: the averages then differ and the index is rebuilt.
  if (auto lengths = rows::lengths_of_json(row.text(5)))
    std::tie(build.lengths, build.code_lengths) = std::move(*lengths);
  return build;
}

}  // namespace

Result<std::optional<IndexBuild>> KnowledgeStore::active_build() const {
  return connection_->read([&](Connection& c) -> Result<std::optional<IndexBuild>> {
    auto row = TRY(c.prepare(std::string(kSelectBuilds) + "WHERE state = 'active'"));
    if (!TRY(row.bind().step())) return std::nullopt;
    return TRY(read_build(row));
  });
}

Result<IndexBuild> KnowledgeStore::begin_build(const IndexBuildDraft& draft) {
  return connection_->write([&](Connection& c) -> Result<IndexBuild> {
    const auto store_id =
        TRY(c.integer("SELECT value FROM meta WHERE key = 'store_id'")).value_or(0);
    IndexBuild build;
    static_cast<IndexBuildDraft&>(build) = draft;
    // The final name contains the number, which is known only after the row exists.
    const auto number = TRY(c.integer(
        "INSERT INTO datasets(collection, state, created_at, index_format, model_id, dimensions, "
        "lengths) VALUES ('', 'building', unixepoch(), ?, ?, ?, ?) RETURNING number",
        draft.index_format, draft.model_id, draft.dimensions,
        rows::lengths_to_json(draft.lengths, draft.code_lengths)));
    build.number = static_cast<uint64_t>(number.value_or(0));
    build.collection = fmt::format("kb-{:08x}-{}", store_id, build.number);
    TRY(c.run("UPDATE datasets SET collection = ? WHERE number = ?", build.collection,
              build.number));
    return build;
  });
}

Result<void> KnowledgeStore::activate_build(uint64_t number) {
  return connection_->write([&](Connection& c) -> Result<void> {
    TRY(c.run("UPDATE datasets SET state = 'retired' WHERE state = 'active' AND number <> ?",
              number));
    TRY(c.run("UPDATE datasets SET state = 'active' WHERE number = ?", number));
    if (c.changes() != 1) {
      return fail(ErrorCode::kNotFound, fmt::format("there is no build {} of the index", number));
    }
    TRY(c.run(kNameCollection));
    return c.run("DELETE FROM removals");
  });
}

Result<std::vector<IndexBuild>> KnowledgeStore::inactive_builds() const {
  return connection_->read([&](Connection& c) -> Result<std::vector<IndexBuild>> {
    std::vector<IndexBuild> builds;
    auto row =
        TRY(c.prepare(std::string(kSelectBuilds) + "WHERE state <> 'active' ORDER BY number"));
    while (TRY(row.step())) builds.push_back(TRY(read_build(row)));
    return builds;
  });
}

Result<void> KnowledgeStore::forget_build(uint64_t number) {
  return connection_->write([&](Connection& c) -> Result<void> {
    return c.run("DELETE FROM datasets WHERE number = ? AND state <> 'active'", number);
  });
}

}  // namespace precedent
