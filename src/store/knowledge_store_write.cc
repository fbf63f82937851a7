// The writing half of KnowledgeStore: updates, vectors, builds of the index.
#include <fmt/format.h>

#include <map>
#include <unordered_set>

#include "knowledge/case_fold.h"
#include "store/knowledge_store.h"
#include "store/row_values.h"
#include "store/rows.h"
#include "store/store_connection.h"
#include "store/version_switch.h"

namespace precedent {
namespace {

using db::number;
using db::optional_value;
using db::SqlConnection;
using db::SqlRow;

// Takes `count` numbers from a counter of `meta` and gives the first.
Result<uint64_t> take(SqlConnection& c, std::string_view key, uint64_t count) {
  const auto after = TRY(c.integer(
      "UPDATE meta SET value = value + $1 WHERE key = $2 RETURNING value", {number(count), key}));
  if (!after) {
    return fail(
        ErrorCode::kCorrupt,
        fmt::format("{}: the counter '{}' is gone; restore it from a backup", c.place(), key));
  }
  return static_cast<uint64_t>(*after) - count;
}

Result<uint64_t> next_version(SqlConnection& c) { return TRY(take(c, "version", 1)) + 1; }

// The number of a name in `sources` or `models`, given a new one if need be.
Result<int64_t> number_of(SqlConnection& c, std::string_view select, std::string_view insert,
                          std::string_view name) {
  if (const auto known = TRY(c.integer(select, {name}))) return *known;
  return TRY(c.integer(insert, {name})).value_or(0);
}

Result<int64_t> source_number(SqlConnection& c, std::string_view path) {
  return number_of(c, "SELECT id FROM sources WHERE path = $1",
                   "INSERT INTO sources(path) VALUES ($1) RETURNING id", path);
}

// Nothing for "no model".
Result<std::optional<int64_t>> model_number(SqlConnection& c, std::string_view name) {
  if (name.empty()) return std::nullopt;
  return TRY(number_of(c, "SELECT id FROM models WHERE name = $1",
                       "INSERT INTO models(name) VALUES ($1) RETURNING id", name));
}

// Removes what there is of these. Returns their ids.
Result<std::vector<std::string>> erase(SqlConnection& c, std::span<const std::string> ids) {
  constexpr db::SqlRows kFind = {"SELECT id, point, chunk_count FROM documents WHERE id IN (", "?",
                                 ", ", ")"};
  constexpr db::SqlRows kDropChunks = {"DELETE FROM chunks WHERE ", "(point > ? AND point <= ?)",
                                       " OR ", "", db::kRanges};
  constexpr db::SqlRows kDropBodies = {"DELETE FROM bodies WHERE point IN (", "?", ", ", ")"};
  constexpr db::SqlRows kDropDocuments = {"DELETE FROM documents WHERE point IN (", "?", ", ", ")"};
  std::vector<std::string> erased;
  RowValues points, blocks;
  std::unordered_set<int64_t> seen;  // an id may be named twice
  TRY(c.run_rows(kFind, {}, row_values(ids).values(), [&](const SqlRow& row) -> Result<void> {
    const int64_t point = row.integer(1), chunks = row.integer(2);
    if (!seen.insert(point).second) return {};
    erased.push_back(row.string(0));
    points.add({point});
    if (chunks > 0) blocks.add({point, point + chunks});
    return {};
  }));
  TRY(c.run_rows(kDropChunks, blocks.values()));
  TRY(c.run_rows(kDropBodies, points.values()));
  TRY(c.run_rows(kDropDocuments, points.values()));
  return erased;
}

// The numbers of the names that an update has met so far.
class Numbers {
 public:
  explicit Numbers(SqlConnection& c) : c_(c) {}
  Result<int64_t> source(const std::string& path) {
    const auto known = sources_.find(path);
    if (known != sources_.end()) return known->second;
    return sources_.emplace(path, TRY(source_number(c_, path))).first->second;
  }
  Result<std::optional<int64_t>> model(const std::string& name) {
    const auto known = models_.find(name);
    if (known != models_.end()) return known->second;
    return models_.emplace(name, TRY(model_number(c_, name))).first->second;
  }

 private:
  SqlConnection& c_;
  std::map<std::string, int64_t> sources_;
  std::map<std::string, std::optional<int64_t>> models_;
};

// The rows of new documents, for all tables.
class DocumentRows {
 public:
  // REQUIRES: `item` outlives it, and no other of its id was added.
  Result<void> add(Numbers& numbers, const NewDocument& item, uint64_t point, uint64_t version);
  Result<void> insert(SqlConnection& c) const;

 private:
  RowValues documents_, bodies_, chunks_, ids_;
};

Result<void> DocumentRows::add(Numbers& numbers, const NewDocument& item, uint64_t point,
                               uint64_t version) {
  const Document& d = item.document;
  documents_.add({number(point),
                  d.id,
                  item.hash,
                  number(version),
                  number(item.chunks.size()),
                  optional_value(TRY(numbers.model(item.model_id))),
                  name(d.kind),
                  optional_value(rows::began_at(d)),
                  TRY(numbers.source(d.source)),
                  item.lengths.title,
                  item.lengths.meta,
                  item.lengths.headings,
                  item.lengths.chunk_headings,
                  item.lengths.body,
                  d.title,
                  d.path,
                  d.body_line,
                  documents_.keep(rows::list_to_json(d.services)),
                  documents_.keep(rows::list_to_json(d.symptoms)),
                  documents_.keep(rows::list_to_json(d.tags)),
                  d.application,
                  documents_.keep(case_fold(d.application)),
                  d.severity,
                  d.status,
                  optional_value(rows::seconds(d.opened_at)),
                  optional_value(rows::seconds(d.updated_at)),
                  optional_value(rows::seconds(d.resolved_at)),
                  documents_.keep(rows::attributes_to_json(d.attributes))});
  bodies_.add({number(point), d.body});
  for (const StoredChunk& each : item.chunks) {
    chunks_.add({number(++point), each.embedding_key, each.chunk.lines.begin, each.chunk.lines.end,
                 chunks_.keep(rows::list_to_json(each.chunk.heading)), each.chunk.text});
  }
  ids_.add({d.id});
  return {};
}

Result<void> DocumentRows::insert(SqlConnection& c) const {
  constexpr db::SqlRows kDocuments = {
      "INSERT INTO documents(point, id, hash, version, chunk_count, model, kind, began_at, source, "
      "title_terms, meta_terms, heading_terms, chunk_heading_terms, body_terms, title, path, "
      "body_line, services, symptoms, tags, application, application_folded, severity, status, "
      "opened_at, updated_at, resolved_at, attributes) VALUES ",
      "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};
  constexpr db::SqlRows kBodies = {"INSERT INTO bodies(point, body) VALUES ", "(?,?)"};
  constexpr db::SqlRows kChunks = {
      "INSERT INTO chunks(point, embedding_key, line_begin, line_end, heading, text) VALUES ",
      "(?,?,?,?,?,?)"};
  constexpr db::SqlRows kBack = {"DELETE FROM removals WHERE id IN (", "?", ", ", ")"};
  TRY(c.run_rows(kDocuments, documents_.values()));
  TRY(c.run_rows(kBodies, bodies_.values()));
  TRY(c.run_rows(kChunks, chunks_.values()));
  TRY(c.run_rows(kBack, ids_.values()));
  return {};
}

// Puts documents of different ids in the place of those that have them. Returns their points.
Result<std::vector<uint64_t>> put_different(SqlConnection& c, Numbers& numbers,
                                            std::span<const NewDocument> items, uint64_t version) {
  std::vector<std::string> ids;
  uint64_t count = 0;
  for (const NewDocument& item : items) {
    ids.push_back(item.document.id);
    count += 1 + item.chunks.size();
  }
  TRY(erase(c, ids));
  std::vector<uint64_t> points;
  DocumentRows rows;
  uint64_t next = TRY(take(c, "next_point", count));
  for (const NewDocument& item : items) {
    points.push_back(next);
    TRY(rows.add(numbers, item, next, version));
    next += 1 + item.chunks.size();
  }
  TRY(rows.insert(c));
  return points;
}

// In turn where an id comes more than once: the last one stays.
Result<std::vector<uint64_t>> put(SqlConnection& c, std::span<const NewDocument> items,
                                  uint64_t version) {
  Numbers numbers(c);
  std::vector<uint64_t> points;
  for (size_t begin = 0; begin < items.size();) {
    std::unordered_set<std::string_view> ids;
    size_t end = begin;
    while (end < items.size() && ids.insert(items[end].document.id).second) ++end;
    const auto put = TRY(put_different(c, numbers, items.subspan(begin, end - begin), version));
    points.insert(points.end(), put.begin(), put.end());
    begin = end;
  }
  return points;
}

Result<void> insert_vectors(SqlConnection& c, std::string_view model_id,
                            std::span<const NewVector> vectors) {
  constexpr db::SqlRows kVectors = {
      "INSERT INTO vectors(model, embedding_key, vector) VALUES ", "(?,?,?)", ", ",
      " ON CONFLICT(model, embedding_key) DO UPDATE SET vector = excluded.vector"};
  if (vectors.empty()) return {};
  const std::optional<int64_t> model = TRY(model_number(c, model_id));
  // Two threads may have embedded the same text.
  std::unordered_set<std::string_view> keys;
  RowValues rows;
  for (const NewVector& vector : vectors) {
    if (keys.insert(vector.embedding_key).second)
      rows.add({optional_value(model), vector.embedding_key, rows::blob_of(vector.values)});
  }
  TRY(c.run_rows(kVectors, rows.values()));
  return {};
}

}  // namespace

Result<Committed> KnowledgeStore::apply(const StoreUpdate& update) {
  constexpr db::SqlRows kRemovals = {"INSERT INTO removals(id, version) VALUES ", "(?,?)", ", ",
                                     " ON CONFLICT(id) DO UPDATE SET version = excluded.version"};
  return connection_->write([&](SqlConnection& c) -> Result<Committed> {
    Committed committed;
    committed.version = TRY(next_version(c));
    RowValues removals;
    for (std::string& id : TRY(erase(c, update.remove)))
      removals.add({removals.keep(std::move(id)), number(committed.version)});
    TRY(c.run_rows(kRemovals, removals.values()));
    TRY(insert_vectors(c, update.model_id, update.vectors));
    committed.points = TRY(put(c, update.put, committed.version));
    if (update.activation) TRY(switch_version(c, *update.activation));
    return committed;
  });
}

Result<Committed> KnowledgeStore::put_vectors(std::span<const std::string> document_ids,
                                              std::string_view model_id,
                                              std::span<const NewVector> vectors) {
  constexpr db::SqlRows kDocuments = {"UPDATE documents SET model = $1, version = $2 WHERE id IN (",
                                      "?", ", ", ")"};
  return connection_->write([&](SqlConnection& c) -> Result<Committed> {
    Committed committed;
    committed.version = TRY(next_version(c));
    TRY(insert_vectors(c, model_id, vectors));
    const std::optional<int64_t> model = TRY(model_number(c, model_id));
    const db::SqlValue own[] = {optional_value(model), number(committed.version)};
    TRY(c.run_rows(kDocuments, own, row_values(document_ids).values(),
                   [](const SqlRow&) -> Result<void> { return {}; }));
    return committed;
  });
}

Result<void> KnowledgeStore::cache_vectors(std::string_view model_id,
                                           std::span<const NewVector> vectors) {
  return connection_->write(
      [&](SqlConnection& c) -> Result<void> { return insert_vectors(c, model_id, vectors); });
}

Result<size_t> KnowledgeStore::drop_unused_vectors(std::string_view model_id,
                                                   const std::set<std::string>& kept) {
  constexpr db::SqlRows kVectors = {"DELETE FROM vectors WHERE embedding_key IN (", "?", ", ", ")"};
  return connection_->write([&](SqlConnection& c) -> Result<size_t> {
    const auto model = TRY(c.integer("SELECT id FROM models WHERE name = $1", {model_id}));
    // No model has the number 0: without one, every vector is unused.
    const int64_t foreign =
        TRY(c.run("DELETE FROM vectors WHERE model IS DISTINCT FROM $1", {model.value_or(0)}));
    std::vector<std::string> unused =
        TRY(read_all(c, "SELECT embedding_key FROM vectors EXCEPT SELECT embedding_key FROM chunks",
                     {}, [](const SqlRow& row) -> Result<std::string> { return row.string(0); }));
    std::erase_if(unused, [&](const std::string& key) { return kept.contains(key); });
    return static_cast<size_t>(foreign + TRY(c.run_rows(kVectors, row_values(unused).values())));
  });
}

// --- IndexBuild versions

namespace {

constexpr std::string_view kSelectBuilds =
    "SELECT number, collection, index_format, model_id, dimensions, lengths FROM datasets ";

Result<IndexBuild> read_build(const SqlRow& row) {
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

Result<std::vector<IndexBuild>> read_builds(SqlConnection& c, std::string_view where) {
  return read_all(c, std::string(kSelectBuilds).append(where), {}, read_build);
}

}  // namespace

Result<std::optional<IndexBuild>> KnowledgeStore::active_build() const {
  return connection_->read([&](SqlConnection& c) -> Result<std::optional<IndexBuild>> {
    const auto active = TRY(read_builds(c, "WHERE state = 'active'"));
    if (active.empty()) return std::nullopt;
    return active.front();
  });
}

Result<std::string> KnowledgeStore::model_in_use() const {
  if (const auto build = TRY(active_build())) return build->model_id;
  return connection_->read([](SqlConnection& c) -> Result<std::string> {
    const auto last = TRY(read_all(
        c,
        "SELECT m.name FROM vectors v JOIN models m ON m.id = v.model ORDER BY v.id DESC LIMIT 1",
        {}, [](const SqlRow& row) -> Result<std::string> { return row.string(0); }));
    return last.empty() ? "" : last.front();
  });
}

Result<IndexBuild> KnowledgeStore::begin_build(const IndexBuildDraft& draft) {
  return connection_->write([&](SqlConnection& c) -> Result<IndexBuild> {
    const auto store_id =
        TRY(c.integer("SELECT value FROM meta WHERE key = 'store_id'")).value_or(0);
    IndexBuild build;
    static_cast<IndexBuildDraft&>(build) = draft;
    // The final name contains the number, which is known only after the row exists.
    const auto at = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    build.number = static_cast<uint64_t>(
        TRY(c.integer("INSERT INTO datasets(collection, state, created_at, index_format, model_id, "
                      "dimensions, lengths) VALUES ('', 'building', $1, $2, $3, $4, $5) RETURNING "
                      "number",
                      {int64_t{at.time_since_epoch().count()}, draft.index_format, draft.model_id,
                       number(draft.dimensions),
                       rows::lengths_to_json(draft.lengths, draft.code_lengths)}))
            .value_or(0));
    build.collection = fmt::format("kb-{:08x}-{}", store_id, build.number);
    TRY(c.run("UPDATE datasets SET collection = $1 WHERE number = $2",
              {build.collection, number(build.number)}));
    return build;
  });
}

Result<void> KnowledgeStore::activate_build(uint64_t build) {
  return connection_->write([&](SqlConnection& c) -> Result<void> {
    TRY(c.run("UPDATE datasets SET state = 'retired' WHERE state = 'active' AND number <> $1",
              {number(build)}));
    if (TRY(c.run("UPDATE datasets SET state = 'active' WHERE number = $1", {number(build)})) != 1)
      return fail(ErrorCode::kNotFound, fmt::format("there is no build {} of the index", build));
    TRY(name_collection(c));
    TRY(c.run("DELETE FROM removals"));
    return {};
  });
}

Result<std::vector<IndexBuild>> KnowledgeStore::inactive_builds() const {
  return connection_->read([&](SqlConnection& c) -> Result<std::vector<IndexBuild>> {
    return read_builds(c, "WHERE state <> 'active' ORDER BY number");
  });
}

Result<void> KnowledgeStore::forget_build(uint64_t build) {
  return connection_->write([&](SqlConnection& c) -> Result<void> {
    TRY(c.run("DELETE FROM datasets WHERE number = $1 AND state <> 'active'", {number(build)}));
    return {};
  });
}

}  // namespace precedent
