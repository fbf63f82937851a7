// Opening, and the reading half of KnowledgeStore.
#include "store/knowledge_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "knowledge/case_fold.h"
#include "store/rows.h"
#include "store/schema.h"
#include "store/scope_views.h"
#include "store/store_connection.h"

namespace precedent {
namespace {

using db::Connection;

constexpr std::string_view kNewestFirst =
    " ORDER BY d.began_at IS NULL, d.began_at DESC, d.id LIMIT ?";

std::string select_documents(std::string_view where_and_order) {
  return fmt::format("SELECT {} FROM {} {}", rows::kDocumentColumns, rows::kDocumentTables,
                     where_and_order);
}

template <typename... Values>
Result<std::vector<Document>> read_documents(Connection& c, const std::string& sql,
                                             const Values&... values) {
  std::vector<Document> documents;
  auto row = TRY(c.prepare(sql));
  row.bind(values...);
  while (TRY(row.step())) documents.push_back(TRY(rows::read_document(row)));
  return documents;
}

int64_t as_limit(size_t limit) {
  return limit > static_cast<size_t>(std::numeric_limits<int64_t>::max())
             ? -1
             : static_cast<int64_t>(limit);
}

Result<uint64_t> read_version(Connection& c) {
  return static_cast<uint64_t>(
      TRY(c.integer("SELECT value FROM meta WHERE key = 'version'")).value_or(0));
}

}  // namespace

KnowledgeStore::KnowledgeStore(std::unique_ptr<StoreConnection> connection)
    : connection_(std::move(connection)) {}
KnowledgeStore::KnowledgeStore(KnowledgeStore&&) noexcept = default;
KnowledgeStore& KnowledgeStore::operator=(KnowledgeStore&&) noexcept = default;
KnowledgeStore::~KnowledgeStore() = default;

Result<KnowledgeStore> KnowledgeStore::open(const std::filesystem::path& file, Access access) {
  const bool read_only = access == Access::kReadOnly;
  Connection connection = TRY(Connection::open(file, {.read_only = read_only}));
  TRY(read_only ? db::check_format(connection, store_schema())
                : db::migrate(connection, store_schema()));
  return KnowledgeStore(std::make_unique<StoreConnection>(std::move(connection)));
}

Result<KnowledgeStore> KnowledgeStore::open_scoped(const std::filesystem::path& file,
                                                   const Scope& scope) {
  Connection connection = TRY(Connection::open(file, {.read_only = true}));
  TRY(db::check_format(connection, store_schema()));
  TRY(connection.script(scope_views(scope)));
  return KnowledgeStore(std::make_unique<StoreConnection>(std::move(connection)));
}

// --- Documents

Result<std::optional<Document>> KnowledgeStore::find(std::string_view id) const {
  return connection_->read([&](Connection& c) -> Result<std::optional<Document>> {
    static const std::string sql = select_documents("WHERE d.id = ?");
    auto found = TRY(read_documents(c, sql, id));
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
  });
}

Result<std::vector<Document>> KnowledgeStore::list(Kind kind, size_t limit) const {
  return connection_->read([&](Connection& c) {
    static const std::string sql = select_documents("WHERE d.kind = ?").append(kNewestFirst);
    return read_documents(c, sql, name(kind), as_limit(limit));
  });
}

Result<std::vector<Document>> KnowledgeStore::incidents_by_application(std::string_view application,
                                                                       size_t limit) const {
  return connection_->read([&](Connection& c) {
    static const std::string sql =
        select_documents("WHERE d.application_folded = ? AND d.kind = ?").append(kNewestFirst);
    return read_documents(c, sql, case_fold(application), name(Kind::kIncident), as_limit(limit));
  });
}

Result<std::vector<Document>> KnowledgeStore::incidents_opened(const TimeRange& range,
                                                               size_t limit) const {
  if (range.unbounded()) return list(Kind::kIncident, limit);
  return connection_->read([&](Connection& c) {
    static const std::string sql =
        select_documents("WHERE d.kind = ? AND d.began_at >= ? AND d.began_at < ?")
            .append(kNewestFirst);
    return read_documents(c, sql, name(Kind::kIncident),
                          rows::seconds(range.from).value_or(std::numeric_limits<int64_t>::min()),
                          rows::seconds(range.to).value_or(std::numeric_limits<int64_t>::max()),
                          as_limit(limit));
  });
}

namespace {

// Counts names under case folding; the first spelling seen is the one shown.
class NameCounter {
 public:
  void add(std::string_view spelling, size_t documents) {
    if (spelling.empty()) return;
    NameCount& entry = counts_[case_fold(spelling)];
    if (entry.name.empty()) entry.name = spelling;
    entry.documents += documents;
  }
  std::vector<NameCount> most_frequent_first() const {
    std::vector<NameCount> all;
    for (const auto& [folded, entry] : counts_) all.push_back(entry);
    std::ranges::stable_sort(all, std::greater(), &NameCount::documents);
    return all;
  }

 private:
  std::map<std::string, NameCount> counts_;
};

}  // namespace

Result<std::vector<NameCount>> KnowledgeStore::applications() const {
  return connection_->read([&](Connection& c) -> Result<std::vector<NameCount>> {
    NameCounter counter;
    auto row =
        TRY(c.prepare("SELECT application, count(*) FROM documents GROUP BY application ORDER BY "
                      "max(point) DESC"));
    while (TRY(row.step())) counter.add(row.text(0), row.natural(1));
    return counter.most_frequent_first();
  });
}

Result<std::vector<NameCount>> KnowledgeStore::services() const {
  return connection_->read([&](Connection& c) -> Result<std::vector<NameCount>> {
    NameCounter counter;
    // The same lists come back again and again: reading each different one once is what makes this
    // fast.
    auto row = TRY(c.prepare(
        "SELECT services, count(*) FROM documents GROUP BY services ORDER BY max(point) DESC"));
    while (TRY(row.step())) {
      for (const std::string& service :
           rows::list_of_json(row.text(0)).value_or(std::vector<std::string>())) {
        counter.add(service, row.natural(1));
      }
    }
    return counter.most_frequent_first();
  });
}

Result<StoreCounts> KnowledgeStore::counts() const {
  return connection_->read([&](Connection& c) -> Result<StoreCounts> {
    StoreCounts counts;
    auto kinds =
        TRY(c.prepare("SELECT kind, count(*), sum(chunk_count) FROM documents GROUP BY kind"));
    while (TRY(kinds.step())) {
      counts.documents += kinds.natural(1);
      counts.chunks += kinds.natural(2);
      if (const auto kind = parse_kind(kinds.text(0)))
        counts.by_kind.emplace_back(*kind, kinds.natural(1));
    }
    std::ranges::sort(counts.by_kind);
    counts.sources = static_cast<size_t>(
        TRY(c.integer("SELECT count(*) FROM (SELECT DISTINCT source FROM documents)")).value_or(0));
    counts.vectors =
        static_cast<size_t>(TRY(c.integer("SELECT count(*) FROM vectors")).value_or(0));
    return counts;
  });
}

// --- For an ingest and for the index

Result<uint64_t> KnowledgeStore::version() const {
  return connection_->read([&](Connection& c) { return read_version(c); });
}

Result<std::vector<DocumentState>> KnowledgeStore::states() const {
  return connection_->read([&](Connection& c) -> Result<std::vector<DocumentState>> {
    std::vector<DocumentState> states;
    auto row =
        TRY(c.prepare("SELECT d.id, d.hash, s.path, d.path, d.kind FROM documents d "
                      "JOIN sources s ON s.id = d.source"));
    while (TRY(row.step()))
      states.push_back({row.string(0), row.string(1), row.string(2), row.string(3),
                        parse_kind(row.text(4)).value_or(Kind::kDoc)});
    return states;
  });
}

Result<Changes> KnowledgeStore::changes_since(uint64_t version) const {
  return connection_->read([&](Connection& c) -> Result<Changes> {
    Changes changes;
    changes.version = TRY(read_version(c));
    auto removed = TRY(c.prepare("SELECT id FROM removals WHERE version > ? ORDER BY id"));
    removed.bind(version);
    while (TRY(removed.step())) changes.removed.push_back(removed.string(0));
    auto changed = TRY(c.prepare("SELECT id FROM documents WHERE version > ? ORDER BY point"));
    changed.bind(version);
    while (TRY(changed.step())) changes.changed.push_back(changed.string(0));
    return changes;
  });
}

namespace {

// After the columns of read_document.
constexpr std::string_view kStoredColumns =
    ", d.chunk_count, m.name, d.title_terms, d.meta_terms, d.heading_terms, d.chunk_heading_terms, "
    "d.body_terms";

std::string select_stored(std::string_view where_and_order) {
  return fmt::format("SELECT {}{} FROM {} LEFT JOIN models m ON m.id = d.model {}",
                     rows::kDocumentColumns, kStoredColumns, rows::kDocumentTables,
                     where_and_order);
}

Result<StoredDocument> read_stored(Connection& c, const db::Statement& row) {
  StoredDocument stored;
  stored.document = TRY(rows::read_document(row));
  stored.point = row.natural(0);
  int column = rows::kDocumentColumnCount;
  const uint64_t chunk_count = row.natural(column++);
  stored.model_id = row.string(column++);
  for (uint32_t* length : {&stored.lengths.title, &stored.lengths.meta, &stored.lengths.headings,
                           &stored.lengths.chunk_headings, &stored.lengths.body}) {
    *length = static_cast<uint32_t>(row.natural(column++));
  }
  auto chunk =
      TRY(c.prepare("SELECT embedding_key, line_begin, line_end, heading, text FROM chunks "
                    "WHERE point > ? AND point <= ? ORDER BY point"));
  chunk.bind(stored.point, stored.point + chunk_count);
  while (TRY(chunk.step())) {
    StoredChunk item;
    item.embedding_key = chunk.string(0);
    item.chunk.ordinal = static_cast<uint32_t>(stored.chunks.size());
    item.chunk.lines = {static_cast<uint32_t>(chunk.natural(1)),
                        static_cast<uint32_t>(chunk.natural(2))};
    item.chunk.heading = rows::list_of_json(chunk.text(3)).value_or(std::vector<std::string>());
    item.chunk.text = chunk.string(4);
    stored.chunks.push_back(std::move(item));
  }
  return stored;
}

}  // namespace

Result<std::vector<StoredDocument>> KnowledgeStore::stored(std::span<const std::string> ids) const {
  return connection_->read([&](Connection& c) -> Result<std::vector<StoredDocument>> {
    static const std::string sql = select_stored("WHERE d.id = ?");
    std::vector<StoredDocument> documents;
    auto row = TRY(c.prepare(sql));
    for (const std::string& id : ids) {
      if (TRY(row.bind(id).step())) documents.push_back(TRY(read_stored(c, row)));
    }
    return documents;
  });
}

Result<std::vector<StoredDocument>> KnowledgeStore::stored_after(uint64_t point, size_t limit,
                                                                 size_t max_bytes) const {
  return connection_->read([&](Connection& c) -> Result<std::vector<StoredDocument>> {
    static const std::string sql = select_stored("WHERE d.point > ? ORDER BY d.point LIMIT ?");
    std::vector<StoredDocument> documents;
    size_t bytes = 0;
    auto row = TRY(c.prepare(sql));
    row.bind(point, as_limit(limit));
    while (bytes < max_bytes && TRY(row.step())) {
      documents.push_back(TRY(read_stored(c, row)));
      bytes += documents.back().document.body.size();
    }
    return documents;
  });
}

Result<std::vector<std::vector<float>>> KnowledgeStore::vectors(
    std::string_view model_id, std::span<const std::string> embedding_keys) const {
  return connection_->read([&](Connection& c) -> Result<std::vector<std::vector<float>>> {
    std::vector<std::vector<float>> vectors(embedding_keys.size());
    const auto model = TRY(c.integer("SELECT id FROM models WHERE name = ?", model_id));
    if (!model) return vectors;
    auto row = TRY(c.prepare("SELECT vector FROM vectors WHERE model = ? AND embedding_key = ?"));
    for (size_t i = 0; i < embedding_keys.size(); ++i) {
      if (TRY(row.bind(*model, embedding_keys[i]).step()))
        vectors[i] = rows::vector_of(row.bytes(0));
    }
    return vectors;
  });
}

Result<std::vector<std::string>> KnowledgeStore::without_vectors_of(
    std::string_view model_id) const {
  return connection_->read([&](Connection& c) -> Result<std::vector<std::string>> {
    std::vector<std::string> ids;
    // No model has the number 0.
    const auto model = TRY(c.integer("SELECT id FROM models WHERE name = ?", model_id)).value_or(0);
    auto row = TRY(c.prepare("SELECT id FROM documents WHERE model IS NOT ? ORDER BY point"));
    row.bind(model);
    while (TRY(row.step())) ids.push_back(row.string(0));
    return ids;
  });
}

Result<void> KnowledgeStore::visit_bodies(Kind kind, const BodyVisitor& visitor) const {
  return connection_->read([&](Connection& c) -> Result<void> {
    auto row = TRY(
        c.prepare("SELECT d.id, d.path, b.body FROM documents d JOIN bodies b ON b.point = d.point "
                  "WHERE d.kind = ? ORDER BY d.path, d.id"));
    row.bind(name(kind));
    while (TRY(row.step())) {
      if (!visitor(row.string(0), row.string(1), row.text(2))) return {};
    }
    return {};
  });
}

Result<CorpusLengths> KnowledgeStore::corpus_lengths(Population population) const {
  return connection_->read([&](Connection& c) -> Result<CorpusLengths> {
    auto row = TRY(c.prepare(
        "SELECT total(chunk_count), total(title_terms * chunk_count), total(chunk_heading_terms), "
        "total(meta_terms * chunk_count), total(body_terms), count(*), total(title_terms), "
        "total(heading_terms), total(meta_terms) FROM documents WHERE (kind = ?) = ?"));
    CorpusLengths lengths;
    row.bind(name(Kind::kCode), population == Population::kCode ? 1 : 0);
    if (!TRY(row.step())) return lengths;
    lengths.chunks = {row.natural(0), row.natural(1), row.natural(2), row.natural(3),
                      row.natural(4)};
    lengths.documents = {row.natural(5), row.natural(6), row.natural(7), row.natural(8),
                         row.natural(4)};
    return lengths;
  });
}

Result<void> KnowledgeStore::check_pages() const {
  return connection_->read([](Connection& c) { return db::check_pages(c); });
}

Result<std::vector<std::string>> KnowledgeStore::problems() const {
  return connection_->read([&](Connection& c) -> Result<std::vector<std::string>> {
    // A damaged file has many: the first few say enough.
    constexpr size_t kShown = 20;
    std::vector<std::string> problems = TRY(db::integrity_problems(c, kShown));
    const auto check = [&](std::string_view sql, std::string_view what) -> Result<void> {
      auto row = TRY(c.prepare(sql));
      while (problems.size() < kShown && TRY(row.step())) {
        problems.push_back(fmt::format("{} {}", what, row.text(0)));
      }
      return {};
    };
    TRY(
        check("SELECT d.id FROM documents d WHERE d.chunk_count <> (SELECT count(*) FROM chunks c "
              "WHERE c.point > d.point AND c.point <= d.point + d.chunk_count)",
              "chunks are missing of document"));
    TRY(
        check("SELECT d.id FROM documents d LEFT JOIN bodies b ON b.point = d.point WHERE b.point "
              "IS NULL",
              "the text is missing of document"));
    TRY(check(
        "SELECT count(*) FROM chunks HAVING count(*) <> (SELECT total(chunk_count) FROM documents)",
        "the number of chunks that belong to documents differs from those stored:"));
    return problems;
  });
}

}  // namespace precedent
