#include "store/store_migration.h"

#include <fmt/format.h>

#include "db/postgres.h"
#include "db/sqlite_sql.h"
#include "store/schema.h"

namespace precedent {
namespace {

using db::SqlConnection;
using db::TableColumn;
using enum db::TableColumn::Type;

// The tables of schema.cc but `meta`, those that others refer to first.
constexpr TableColumn kSources[] = {{"id", kInteger}, {"path", kText}};
constexpr TableColumn kModels[] = {{"id", kInteger}, {"name", kText}};
constexpr TableColumn kDocuments[] = {{"point", kInteger},
                                      {"id", kText},
                                      {"hash", kText},
                                      {"version", kInteger},
                                      {"chunk_count", kInteger},
                                      {"model", kInteger},
                                      {"kind", kText},
                                      {"began_at", kInteger},
                                      {"source", kInteger},
                                      {"title_terms", kInteger},
                                      {"meta_terms", kInteger},
                                      {"heading_terms", kInteger},
                                      {"chunk_heading_terms", kInteger},
                                      {"body_terms", kInteger},
                                      {"title", kText},
                                      {"path", kText},
                                      {"body_line", kInteger},
                                      {"services", kText},
                                      {"symptoms", kText},
                                      {"tags", kText},
                                      {"application", kText},
                                      {"application_folded", kText},
                                      {"severity", kText},
                                      {"status", kText},
                                      {"opened_at", kInteger},
                                      {"updated_at", kInteger},
                                      {"resolved_at", kInteger},
                                      {"attributes", kText}};
constexpr TableColumn kBodies[] = {{"point", kInteger}, {"body", kText}};
constexpr TableColumn kChunks[] = {{"point", kInteger},      {"embedding_key", kText},
                                   {"line_begin", kInteger}, {"line_end", kInteger},
                                   {"heading", kText},       {"text", kText}};
constexpr TableColumn kRemovals[] = {{"id", kText}, {"version", kInteger}};
constexpr TableColumn kVectors[] = {
    {"id", kInteger}, {"model", kInteger}, {"embedding_key", kText}, {"vector", kBlob}};
constexpr TableColumn kDatasets[] = {{"number", kInteger},       {"collection", kText},
                                     {"state", kText},           {"created_at", kInteger},
                                     {"index_format", kInteger}, {"model_id", kText},
                                     {"dimensions", kInteger},   {"lengths", kText}};
constexpr TableColumn kFeedback[] = {
    {"id", kInteger},  {"question", kText}, {"answer", kText},       {"thumb", kText},
    {"reason", kText}, {"state", kText},    {"closed_by", kText},    {"closed_at", kInteger},
    {"note", kText},   {"golden", kText},   {"created_at", kInteger}};
constexpr TableColumn kGoldenExamples[] = {{"id", kText},
                                           {"question", kText},
                                           {"answer", kText},
                                           {"rejected_answer", kText},
                                           {"source_type", kText},
                                           {"reviewed_by", kText},
                                           {"reviewed_at", kInteger},
                                           {"active", kInteger},
                                           {"sources", kText},
                                           {"tags", kText},
                                           {"feedback", kInteger},
                                           {"created_at", kInteger},
                                           {"updated_at", kInteger},
                                           {"dataset_version", kInteger}};
constexpr TableColumn kGoldenSources[] = {{"example", kText}, {"source", kText}, {"mark", kText}};
constexpr TableColumn kIncidentDatasetVersions[] = {
    {"number", kInteger},     {"name", kText},       {"state", kText},   {"collection", kText},
    {"records", kInteger},    {"bad", kInteger},     {"bare", kInteger}, {"created_at", kInteger},
    {"changed_at", kInteger}, {"created_by", kText}, {"notes", kText},   {"sources", kText},
    {"mapping_path", kText},  {"mapping", kText},    {"report", kText},  {"turn", kInteger}};
constexpr TableColumn kVersionActivations[] = {
    {"number", kInteger}, {"version", kInteger}, {"made_at", kInteger}, {"made_by", kText},
    {"back", kInteger},   {"forced", kInteger},  {"why", kText}};
constexpr TableColumn kRecords[] = {{"hash", kText}, {"record", kText}};
constexpr TableColumn kVersionRecords[] = {
    {"version", kInteger}, {"id", kText}, {"hash", kText}, {"path", kText}};

constexpr db::CopiedTable kTables[] = {
    {"sources", kSources, 1, true},
    {"models", kModels, 1, true},
    {"documents", kDocuments},
    {"bodies", kBodies},
    {"chunks", kChunks},
    {"removals", kRemovals},
    {"vectors", kVectors, 1, true},
    {"datasets", kDatasets, 1, true},
    {"feedback", kFeedback, 1, true},
    {"golden_examples", kGoldenExamples},
    {"golden_sources", kGoldenSources, 2},
    {"incident_dataset_versions", kIncidentDatasetVersions, 1, true},
    {"version_activations", kVersionActivations, 1, true},
    {"records", kRecords},
    {"version_records", kVersionRecords, 2},
};

Result<std::unique_ptr<SqlConnection>> connect(const StoreAddress& address, bool read_only) {
  if (!address.is_file()) return db::PostgresDatabase(address.url).connect();
  return db::SqliteDatabase(address.file, {.read_only = read_only}).connect();
}

Result<void> hold(SqlConnection& sql) {
  if (TRY(sql.hold("precedent ingest"))) return {};
  return fail(ErrorCode::kConflict,
              fmt::format("another process is writing to {}; wait for it to end and run this again",
                          sql.place()));
}

Result<bool> is_marked(SqlConnection& sql) {
  return TRY(sql.integer("SELECT 1 FROM meta WHERE key = 'migrating'")).has_value();
}

// Errors: kConflict if the target is a knowledge base already.
Result<void> check_free(SqlConnection& to) {
  if (TRY(is_marked(to))) return {};
  const auto used = TRY(to.integer(
      "SELECT 1 FROM meta WHERE (key = 'version' AND value > 0) OR EXISTS (SELECT 1 FROM "
      "golden_examples) OR EXISTS (SELECT 1 FROM feedback) OR EXISTS (SELECT 1 FROM "
      "incident_dataset_versions) LIMIT 1"));
  if (!used) return {};
  return fail(ErrorCode::kConflict,
              fmt::format("{} has a knowledge base already; name an empty place", to.place()));
}

// A set on both sides, opened.
struct OpenSet {
  const TableSet& set;
  std::unique_ptr<SqlConnection> from, to;
};

// Nothing: the origin has no such tables.
Result<std::optional<OpenSet>> open_set(const TableSet& set) {
  auto from = set.from.connect();
  if (!from && from.error().code == ErrorCode::kNotFound) return std::nullopt;
  if (!from) return std::unexpected(from.error());
  const auto format = (*from)->check_format(set.schema);
  if (!format && format.error().code == ErrorCode::kNotFound) return std::nullopt;
  if (!format) return std::unexpected(format.error());
  OpenSet open{set, std::move(*from), TRY(set.to.connect())};
  TRY(open.to->migrate(set.schema));
  return open;
}

std::string mark_of(const TableSet& set) { return fmt::format("migrating {}", set.name); }

// Errors: kConflict if the target has some of the set that no copy brought there.
Result<void> check_free(SqlConnection& store, const OpenSet& open) {
  if (TRY(store.integer("SELECT 1 FROM meta WHERE key = $1", {mark_of(open.set)}))) return {};
  for (const db::CopiedTable& table : open.set.tables) {
    if (TRY(open.to->integer(fmt::format("SELECT 1 FROM {} LIMIT 1", table.name))))
      return fail(ErrorCode::kConflict,
                  fmt::format("{} has {} of its own already; {}", open.to->place(), open.set.name,
                              open.set.remedy));
  }
  return {};
}

// From here on nobody takes the target for a knowledge base, and what it has is the copy's.
Result<void> mark(SqlConnection& to, std::span<const OpenSet> sets) {
  constexpr std::string_view kMark =
      "INSERT INTO meta(key, value) VALUES ($1, 1) ON CONFLICT(key) DO NOTHING";
  auto transaction = TRY(db::SqlTransaction::begin(to));
  TRY(to.run(kMark, {"migrating"}));
  for (const OpenSet& open : sets) TRY(to.run(kMark, {mark_of(open.set)}));
  return transaction.commit();
}

// The counters, and with them the end, in one transaction.
Result<void> finish(SqlConnection& from, SqlConnection& to) {
  auto transaction = TRY(db::SqlTransaction::begin(to));
  for (const std::string_view key : {"version", "next_point"}) {
    const auto value = TRY(from.integer("SELECT value FROM meta WHERE key = $1", {key}));
    TRY(to.run("UPDATE meta SET value = $1 WHERE key = $2", {value.value_or(0), key}));
  }
  TRY(to.run("DELETE FROM meta WHERE key LIKE 'migrating%'"));
  return transaction.commit();
}

}  // namespace

Result<std::vector<db::TableContent>> migrate_store(const StoreAddress& from,
                                                    const StoreAddress& to,
                                                    std::span<const TableSet> along,
                                                    const db::CopyProgress& progress,
                                                    const CancelToken& cancel) {
  const auto origin = TRY(connect(from, true));
  TRY(origin->check_format(store_schema()));
  if (TRY(is_marked(*origin)))
    return fail(ErrorCode::kConflict,
                fmt::format("{} is itself the target of a migration that has not come to its end",
                            origin->place()));
  TRY(hold(*origin));
  const auto target = TRY(connect(to, false));
  // Before the schema is there: where both are one and the same place this is refused, too.
  TRY(hold(*target));
  TRY(target->migrate(store_schema()));
  TRY(check_free(*target));
  std::vector<OpenSet> sets;
  for (const TableSet& set : along) {
    auto open = TRY(open_set(set));
    if (!open) continue;
    TRY(check_free(*target, *open));
    sets.push_back(std::move(*open));
  }
  TRY(mark(*target, sets));
  auto contents =
      TRY(db::copy_tables(*origin, *target, kTables, db::Foreign::kDeleted, progress, cancel));
  for (const OpenSet& open : sets) {
    const auto copied = TRY(db::copy_tables(*open.from, *open.to, open.set.tables,
                                            db::Foreign::kDeleted, progress, cancel));
    contents.insert(contents.end(), copied.begin(), copied.end());
  }
  TRY(finish(*origin, *target));
  return contents;
}

}  // namespace precedent
