// Opening, and the reading half of KnowledgeStore.
#include "store/knowledge_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "db/postgres.h"
#include "db/sqlite_sql.h"
#include "knowledge/case_fold.h"
#include "store/rows.h"
#include "store/schema.h"
#include "store/scope_views.h"
#include "store/store_connection.h"

namespace precedent {
namespace {

using db::number;
using db::SqlConnection;
using db::SqlRow;

// Before the limit.
constexpr std::string_view kNewestFirst =
    " ORDER BY d.began_at IS NULL, d.began_at DESC, d.id LIMIT ";

std::string select_documents(std::string_view where_and_order) {
  return fmt::format("SELECT {} FROM {} {}", rows::kDocumentColumns, rows::kDocumentTables,
                     where_and_order);
}

Result<std::vector<Document>> read_documents(SqlConnection& c, const std::string& sql,
                                             std::initializer_list<db::SqlValue> values) {
  return read_all(c, sql, values, rows::read_document);
}

int64_t as_limit(size_t limit) {
  constexpr auto kMost = std::numeric_limits<int64_t>::max();
  return limit > static_cast<size_t>(kMost) ? kMost : static_cast<int64_t>(limit);
}

Result<uint64_t> read_version(SqlConnection& c) {
  return static_cast<uint64_t>(
      TRY(c.integer("SELECT value FROM meta WHERE key = 'version'")).value_or(0));
}

Result<std::vector<std::string>> read_ids(SqlConnection& c, std::string_view sql, uint64_t value) {
  return read_all(c, sql, {number(value)},
                  [](const SqlRow& row) -> Result<std::string> { return row.string(0); });
}

// Makes a connection whose tables have our format, and, with a scope, show no more than that.
Result<std::unique_ptr<SqlConnection>> connect(db::SqlDatabase& database,
                                               KnowledgeStore::Access access, const Scope* scope) {
  std::unique_ptr<SqlConnection> sql = TRY(database.connect());
  const bool read_only = access == KnowledgeStore::Access::kReadOnly;
  TRY(read_only ? sql->check_format(store_schema()) : sql->migrate(store_schema()));
  if (TRY(sql->integer("SELECT 1 FROM meta WHERE key = 'migrating'")))
    return fail(ErrorCode::kConflict,
                fmt::format("a migration into {} has not come to its end; run `precedent store "
                            "migrate` again, it goes on where it was",
                            sql->place()));
  if (scope != nullptr) TRY(sql->script(scope_views(*scope, sql->engine())));
  if (read_only && sql->engine() == db::Engine::kPostgres)
    TRY(sql->script("SET default_transaction_read_only = on"));
  return sql;
}

Result<std::unique_ptr<StoreConnection>> open_connection(const StoreAddress& address,
                                                         KnowledgeStore::Access access,
                                                         std::optional<Scope> scope) {
  if (address.is_file()) {
    const bool read_only = access == KnowledgeStore::Access::kReadOnly;
    db::SqliteDatabase database(address.file, {.read_only = read_only});
    return std::make_unique<StoreConnection>(
        TRY(connect(database, access, scope ? &*scope : nullptr)), nullptr, 1);
  }
  const auto database = std::make_shared<db::PostgresDatabase>(address.url);
  const StoreConnection::Connect again = [database, access, scope = std::move(scope)] {
    return connect(*database, access, scope ? &*scope : nullptr);
  };
  // A writer has the right to write in one session.
  const size_t most = access == KnowledgeStore::Access::kReadOnly ? database->max_connections() : 1;
  return std::make_unique<StoreConnection>(TRY(again()), again, most);
}

}  // namespace

KnowledgeStore::KnowledgeStore(std::unique_ptr<StoreConnection> connection)
    : connection_(std::move(connection)) {}
KnowledgeStore::KnowledgeStore(KnowledgeStore&&) noexcept = default;
KnowledgeStore& KnowledgeStore::operator=(KnowledgeStore&&) noexcept = default;
KnowledgeStore::~KnowledgeStore() = default;

Result<KnowledgeStore> KnowledgeStore::open(const StoreAddress& address, Access access) {
  return KnowledgeStore(TRY(open_connection(address, access, std::nullopt)));
}

Result<KnowledgeStore> KnowledgeStore::open_scoped(const StoreAddress& address,
                                                   const Scope& scope) {
  return KnowledgeStore(TRY(open_connection(address, Access::kReadOnly, scope)));
}

Result<void> KnowledgeStore::lock_for_writing() { return connection_->hold("precedent ingest"); }

// --- Documents

Result<std::optional<Document>> KnowledgeStore::find(std::string_view id) const {
  return connection_->read([&](SqlConnection& c) -> Result<std::optional<Document>> {
    static const std::string sql = select_documents("WHERE d.id = $1");
    return read_one(c, sql, {id}, rows::read_document);
  });
}

Result<std::vector<Document>> KnowledgeStore::list(Kind kind, size_t limit) const {
  return connection_->read([&](SqlConnection& c) {
    static const std::string sql =
        select_documents(fmt::format("WHERE d.kind = $1{}$2", kNewestFirst));
    return read_documents(c, sql, {name(kind), as_limit(limit)});
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
  return connection_->read([&](SqlConnection& c) -> Result<std::vector<NameCount>> {
    NameCounter counter;
    TRY(
        c.stream("SELECT application, count(*) FROM documents GROUP BY application ORDER BY "
                 "max(point) DESC",
                 {}, [&](const SqlRow& row) -> Result<void> {
                   counter.add(row.text(0), row.natural(1));
                   return {};
                 }));
    return counter.most_frequent_first();
  });
}

Result<std::vector<NameCount>> KnowledgeStore::services() const {
  return connection_->read([&](SqlConnection& c) -> Result<std::vector<NameCount>> {
    NameCounter counter;
    // The same lists come back again and again: reading each different one once is what makes this
    // fast.
    TRY(c.stream(
        "SELECT services, count(*) FROM documents GROUP BY services ORDER BY max(point) DESC", {},
        [&](const SqlRow& row) -> Result<void> {
          for (const std::string& service :
               rows::list_of_json(row.text(0)).value_or(std::vector<std::string>())) {
            counter.add(service, row.natural(1));
          }
          return {};
        }));
    return counter.most_frequent_first();
  });
}

Result<StoreCounts> KnowledgeStore::counts() const {
  return connection_->read([&](SqlConnection& c) -> Result<StoreCounts> {
    StoreCounts counts;
    TRY(c.run("SELECT kind, count(*), sum(chunk_count) FROM documents GROUP BY kind", {},
              [&](const SqlRow& row) -> Result<void> {
                counts.documents += row.natural(1);
                counts.chunks += row.natural(2);
                if (const auto kind = parse_kind(row.text(0)))
                  counts.by_kind.emplace_back(*kind, row.natural(1));
                return {};
              }));
    std::ranges::sort(counts.by_kind);
    counts.sources = static_cast<size_t>(
        TRY(c.integer("SELECT count(*) FROM (SELECT DISTINCT source FROM documents) s"))
            .value_or(0));
    counts.vectors =
        static_cast<size_t>(TRY(c.integer("SELECT count(*) FROM vectors")).value_or(0));
    return counts;
  });
}

Result<std::vector<std::string>> KnowledgeStore::sources() const {
  return connection_->read([&](SqlConnection& c) -> Result<std::vector<std::string>> {
    std::vector<std::string> sources =
        TRY(read_all(c, "SELECT path FROM sources WHERE id IN (SELECT source FROM documents)", {},
                     [](const SqlRow& row) -> Result<std::string> { return row.string(0); }));
    std::ranges::sort(sources);
    return sources;
  });
}

// --- For an ingest and for the index

Result<uint64_t> KnowledgeStore::version() const {
  return connection_->read([&](SqlConnection& c) { return read_version(c); });
}

Result<std::vector<DocumentState>> KnowledgeStore::states() const {
  return connection_->read([&](SqlConnection& c) -> Result<std::vector<DocumentState>> {
    return read_all(c,
                    "SELECT d.id, d.hash, s.path, d.path, d.kind FROM documents d "
                    "JOIN sources s ON s.id = d.source",
                    {}, [](const SqlRow& row) -> Result<DocumentState> {
                      return DocumentState{row.string(0), row.string(1), row.string(2),
                                           row.string(3),
                                           parse_kind(row.text(4)).value_or(Kind::kDoc)};
                    });
  });
}

Result<Changes> KnowledgeStore::changes_since(uint64_t version) const {
  return connection_->read([&](SqlConnection& c) -> Result<Changes> {
    Changes changes;
    changes.version = TRY(read_version(c));
    changes.removed =
        TRY(read_ids(c, "SELECT id FROM removals WHERE version > $1 ORDER BY id", version));
    changes.changed =
        TRY(read_ids(c, "SELECT id FROM documents WHERE version > $1 ORDER BY point", version));
    return changes;
  });
}

Result<std::vector<std::string>> KnowledgeStore::without_vectors_of(
    std::string_view model_id) const {
  return connection_->read([&](SqlConnection& c) -> Result<std::vector<std::string>> {
    // No model has the number 0.
    const auto model =
        TRY(c.integer("SELECT id FROM models WHERE name = $1", {model_id})).value_or(0);
    return read_ids(c, "SELECT id FROM documents WHERE model IS DISTINCT FROM $1 ORDER BY point",
                    static_cast<uint64_t>(model));
  });
}

Result<void> KnowledgeStore::visit_bodies(Kind kind, const BodyVisitor& visitor) const {
  return connection_->read([&](SqlConnection& c) -> Result<void> {
    return read_while(
        c,
        "SELECT d.id, d.path, b.body FROM documents d JOIN bodies b ON b.point = d.point "
        "WHERE d.kind = $1 ORDER BY d.path, d.id",
        {name(kind)}, [&](const SqlRow& row) -> Result<bool> {
          return visitor(row.string(0), row.string(1), row.text(2));
        });
  });
}

Result<CorpusLengths> KnowledgeStore::corpus_lengths(Population population) const {
  return connection_->read([&](SqlConnection& c) -> Result<CorpusLengths> {
    CorpusLengths lengths;
    TRY(
        c.run("SELECT sum(chunk_count), sum(title_terms * chunk_count), sum(chunk_heading_terms), "
              "sum(meta_terms * chunk_count), sum(body_terms), count(*), sum(title_terms), "
              "sum(heading_terms), sum(meta_terms) FROM documents "
              "WHERE CASE WHEN kind = $1 THEN 1 ELSE 0 END = $2",
              {name(Kind::kCode), population == Population::kCode ? 1 : 0},
              [&](const SqlRow& row) -> Result<void> {
                lengths.chunks = {row.natural(0), row.natural(1), row.natural(2), row.natural(3),
                                  row.natural(4)};
                lengths.documents = {row.natural(5), row.natural(6), row.natural(7), row.natural(8),
                                     row.natural(4)};
                return {};
              }));
    return lengths;
  });
}

Result<void> KnowledgeStore::check_pages() const {
  return connection_->read([](SqlConnection& c) { return c.check_pages(); });
}

Result<std::vector<std::string>> KnowledgeStore::problems() const {
  return connection_->read([&](SqlConnection& c) -> Result<std::vector<std::string>> {
    // A damaged file has many: the first few say enough.
    constexpr size_t kShown = 20;
    std::vector<std::string> problems = TRY(c.integrity_problems(kShown));
    const auto check = [&](std::string_view sql, std::string_view what) -> Result<void> {
      if (problems.size() >= kShown) return {};
      return read_while(c, sql, {}, [&](const SqlRow& row) -> Result<bool> {
        problems.push_back(fmt::format("{} {}", what, row.text(0)));
        return problems.size() < kShown;
      });
    };
    TRY(
        check("SELECT d.id FROM documents d WHERE d.chunk_count <> (SELECT count(*) FROM chunks c "
              "WHERE c.point > d.point AND c.point <= d.point + d.chunk_count)",
              "chunks are missing of document"));
    TRY(
        check("SELECT d.id FROM documents d LEFT JOIN bodies b ON b.point = d.point WHERE b.point "
              "IS NULL",
              "the text is missing of document"));
    TRY(
        check("SELECT count(*) FROM chunks HAVING count(*) <> (SELECT coalesce(sum(chunk_count), "
              "0) FROM documents)",
              "the number of chunks that belong to documents differs from those stored:"));
    return problems;
  });
}

}  // namespace precedent
