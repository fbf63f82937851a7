#include "store/dataset_versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "store/row_values.h"
#include "store/rows.h"
#include "store/store_connection.h"

namespace precedent {
namespace {

using db::SqlConnection;
using db::SqlRow;
using nlohmann::json;

// With the long texts, mapping and report, or with nothing in their place.
enum class Texts : bool { kNone, kAll };

std::string select(Texts texts, std::string_view rest) {
  return fmt::format(
      "SELECT number, name, state, collection, records, bad, bare, created_at, changed_at, "
      "created_by, notes, sources, mapping_path, {} "
      "FROM incident_dataset_versions {}",
      texts == Texts::kAll ? "mapping, report" : "'', ''", rest);
}

std::optional<VersionState> parse_state(std::string_view text) {
  using enum VersionState;
  for (const VersionState state :
       {kDraft, kValidated, kFailed, kIngesting, kReady, kActive, kSuperseded, kDiscarded})
    if (name(state) == text) return state;
  return std::nullopt;
}

std::string sources_to_json(const std::vector<VersionSource>& sources) {
  json all = json::array();
  for (const VersionSource& source : sources)
    all.push_back({{"path", source.path},
                   {"bytes", source.bytes},
                   {"hash", source.hash},
                   {"name", source.name}});
  return dump_json(all);
}

std::optional<std::vector<VersionSource>> sources_of_json(std::string_view text) {
  std::vector<VersionSource> sources;
  const json all = parse_json(text);
  if (!all.is_array()) return std::nullopt;
  for (const json& item : all) {
    if (!item.is_object()) return std::nullopt;
    const json path = item.value("path", json()), bytes = item.value("bytes", json()),
               hash = item.value("hash", json()), called = item.value("name", json());
    if (!path.is_string() || !bytes.is_number_unsigned() || !hash.is_string() ||
        !called.is_string())
      return std::nullopt;
    sources.push_back({path.get<std::string>(), bytes.get<uint64_t>(), hash.get<std::string>(),
                       called.get<std::string>()});
  }
  return sources;
}

TimePoint time_of(const SqlRow& row, int column) {
  return TimePoint(std::chrono::seconds(row.integer(column)));
}

std::unexpected<Error> damaged(uint64_t number) {
  return fail(ErrorCode::kCorrupt,
              fmt::format("the stored version {} is damaged; restore the data directory from a "
                          "backup",
                          number));
}

Result<DatasetVersion> read_version(const SqlRow& row) {
  DatasetVersion version;
  version.number = row.natural(0);
  version.name = row.string(1);
  const auto state = parse_state(row.text(2));
  version.collection = row.string(3);
  version.counts = {static_cast<size_t>(row.natural(4)), static_cast<size_t>(row.natural(5)),
                    static_cast<size_t>(row.natural(6))};
  version.created_at = time_of(row, 7);
  version.changed_at = time_of(row, 8);
  version.created_by = row.string(9);
  version.notes = row.string(10);
  auto sources = sources_of_json(row.text(11));
  version.mapping_path = row.string(12);
  version.mapping = row.string(13);
  version.report = row.string(14);
  if (!state || !sources) return damaged(version.number);
  version.state = *state;
  version.sources = std::move(*sources);
  return version;
}

Result<VersionActivation> read_activation(const SqlRow& row) {
  return VersionActivation{row.natural(0),      time_of(row, 1),     row.string(2),
                           row.integer(3) != 0, row.integer(4) != 0, row.string(5)};
}

Result<std::vector<VersionActivation>> activations_where(
    SqlConnection& c, std::string_view rest, std::initializer_list<db::SqlValue> values = {}) {
  return read_all(
      c,
      fmt::format("SELECT version, made_at, made_by, back, forced, why FROM version_activations {}",
                  rest),
      values, read_activation);
}

Result<std::optional<DatasetVersion>> first_where(SqlConnection& c, std::string_view where,
                                                  std::initializer_list<db::SqlValue> values = {}) {
  auto version = TRY(read_one(c, select(Texts::kAll, where), values, read_version));
  if (version)
    version->activations = TRY(
        activations_where(c, "WHERE version = $1 ORDER BY number", {db::number(version->number)}));
  return version;
}

Result<DatasetVersion> find_in(SqlConnection& c, uint64_t number) {
  if (auto found = TRY(first_where(c, "WHERE number = $1", {db::number(number)})))
    return std::move(*found);
  const auto last = TRY(c.integer("SELECT max(number) FROM incident_dataset_versions")).value_or(0);
  return fail(ErrorCode::kNotFound,
              last == 0 ? fmt::format("there is no version {}: none was made yet; begin with "
                                      "`precedent dataset create FILE`",
                                      number)
                        : fmt::format("there is no version {}; the newest is {}, see `precedent "
                                      "dataset list --all`",
                                      number, last));
}

Result<void> put_state(SqlConnection& c, uint64_t number, VersionState state, TimePoint now) {
  TRY(c.run("UPDATE incident_dataset_versions SET state = $1, changed_at = $2 WHERE number = $3",
            {name(state), int64_t{now.time_since_epoch().count()}, db::number(number)}));
  return {};
}

Result<void> forget_records(SqlConnection& c, uint64_t number) {
  TRY(c.run("DELETE FROM version_records WHERE version = $1", {db::number(number)}));
  TRY(
      c.run("DELETE FROM records WHERE NOT EXISTS (SELECT 1 FROM version_records v WHERE v.hash = "
            "records.hash)"));
  return {};
}

// Records whose texts are held for their statements at once.
constexpr size_t kRecordsAtOnce = 1'000;

Result<void> insert_records(SqlConnection& c, uint64_t number, std::span<const Document> records) {
  constexpr db::SqlRows kRecords = {"INSERT INTO records(hash, record) VALUES ", "(?,?)", ", ",
                                    " ON CONFLICT(hash) DO NOTHING"};
  constexpr db::SqlRows kOfVersion = {
      "INSERT INTO version_records(version, id, hash, path) VALUES ", "(?,?,?,?)"};
  while (!records.empty()) {
    const auto some = records.first(std::min(kRecordsAtOnce, records.size()));
    RowValues kept, of_version;
    for (const Document& record : some) {
      const std::string_view hash = kept.keep(record_hash(record));
      kept.add({hash, kept.keep(rows::document_to_json(record))});
      of_version.add({db::number(number), record.id, hash, record.path});
    }
    TRY(c.run_rows(kRecords, kept.values()));
    TRY(c.run_rows(kOfVersion, of_version.values()));
    records = records.subspan(some.size());
  }
  return {};
}

// A record of a version: its content, and the file in which it stands ('': the content says it).
struct Kept {
  std::string hash, path;
};

// Of each hash, as JSON.
Result<std::unordered_map<std::string, std::string>> texts_of(SqlConnection& c,
                                                              std::span<const Kept> records) {
  constexpr db::SqlRows kFind = {"SELECT hash, record FROM records WHERE hash IN (", "?", ", ",
                                 ")"};
  RowValues hashes;
  for (const Kept& record : records) hashes.add({record.hash});
  std::unordered_map<std::string, std::string> texts;
  TRY(c.run_rows(kFind, {}, hashes.values(), [&](const SqlRow& row) -> Result<void> {
    texts.emplace(row.string(0), row.string(1));
    return {};
  }));
  return texts;
}

Result<DatasetVersion> moved(SqlConnection& c, uint64_t number, VersionState to, TimePoint now) {
  const DatasetVersion version = TRY(find_in(c, number));
  TRY(require_transition(version, to));
  TRY(put_state(c, number, to, now));
  if (to == VersionState::kDiscarded) TRY(forget_records(c, number));
  return find_in(c, number);
}

}  // namespace

Result<DatasetVersion> DatasetVersions::create(const VersionDraft& draft, TimePoint now) {
  return connection_.write([&](SqlConnection& c) -> Result<DatasetVersion> {
    const int64_t at = now.time_since_epoch().count();
    const auto number = TRY(c.integer(
        "INSERT INTO incident_dataset_versions(name, state, created_at, changed_at, created_by, "
        "notes, sources, mapping_path, mapping) VALUES ($1,'draft',$2,$3,$4,$5,$6,$7,$8) RETURNING "
        "number",
        {draft.name, at, at, draft.created_by, draft.notes, sources_to_json(draft.sources),
         draft.mapping_path, draft.mapping}));
    return find_in(c, static_cast<uint64_t>(number.value_or(0)));
  });
}

Result<std::vector<DatasetVersion>> DatasetVersions::list() const {
  return connection_.read([&](SqlConnection& c) -> Result<std::vector<DatasetVersion>> {
    auto versions = TRY(read_all(c, select(Texts::kNone, "ORDER BY number"), {}, read_version));
    for (VersionActivation& activation : TRY(activations_where(c, "ORDER BY number"))) {
      const auto version =
          std::ranges::lower_bound(versions, activation.number, {}, &DatasetVersion::number);
      if (version != versions.end()) version->activations.push_back(std::move(activation));
    }
    return versions;
  });
}

Result<DatasetVersion> DatasetVersions::find(uint64_t number) const {
  return connection_.read([&](SqlConnection& c) { return find_in(c, number); });
}

Result<uint64_t> KnowledgeStore::active_dataset_version() const {
  return connection_->read([](SqlConnection& c) -> Result<uint64_t> {
    const auto number =
        TRY(c.integer("SELECT number FROM incident_dataset_versions WHERE state = 'active'"));
    return static_cast<uint64_t>(number.value_or(0));
  });
}

Result<std::optional<DatasetVersion>> DatasetVersions::active() const {
  return connection_.read(
      [](SqlConnection& c) { return first_where(c, "WHERE state = 'active'"); });
}

Result<std::optional<DatasetVersion>> DatasetVersions::to_go_back_to() const {
  return connection_.read([](SqlConnection& c) -> Result<std::optional<DatasetVersion>> {
    const auto last = TRY(activations_where(c, "ORDER BY number DESC LIMIT 1"));
    if (!last.empty() && last.front().back)
      return first_where(c, "WHERE number = $1", {db::number(last.front().number)});
    return first_where(c, "WHERE state = 'superseded' AND turn > 0 ORDER BY turn DESC LIMIT 1");
  });
}

Result<DatasetVersion> DatasetVersions::validated(uint64_t number,
                                                  const std::vector<Document>& records,
                                                  const VersionCounts& counts,
                                                  const std::string& report, TimePoint now) {
  return connection_.write([&](SqlConnection& c) -> Result<DatasetVersion> {
    const VersionState to = records.empty() ? VersionState::kFailed : VersionState::kValidated;
    const DatasetVersion version = TRY(find_in(c, number));
    TRY(require_transition(version, to));
    TRY(forget_records(c, number));
    TRY(insert_records(c, number, records));
    TRY(put_state(c, number, to, now));
    TRY(
        c.run("UPDATE incident_dataset_versions SET records = $1, bad = $2, bare = $3, report = $4 "
              "WHERE number = $5",
              {db::number(counts.records), db::number(counts.bad), db::number(counts.bare), report,
               db::number(number)}));
    return find_in(c, number);
  });
}

Result<DatasetVersion> DatasetVersions::move(uint64_t number, VersionState to, TimePoint now) {
  return connection_.write([&](SqlConnection& c) { return moved(c, number, to, now); });
}

Result<std::vector<uint64_t>> DatasetVersions::keep(size_t kept, TimePoint now) {
  return connection_.write([&](SqlConnection& c) -> Result<std::vector<uint64_t>> {
    auto too_many =
        TRY(read_all(c,
                     "SELECT number FROM incident_dataset_versions WHERE state = 'superseded' "
                     "ORDER BY turn DESC",
                     {}, [](const SqlRow& row) -> Result<uint64_t> { return row.natural(0); }));
    too_many.erase(too_many.begin(),
                   too_many.begin() + static_cast<ptrdiff_t>(std::min(kept, too_many.size())));
    for (const uint64_t number : too_many) TRY(moved(c, number, VersionState::kDiscarded, now));
    return too_many;
  });
}

Result<std::map<std::string, std::string>> DatasetVersions::hashes(uint64_t number) const {
  return connection_.read([&](SqlConnection& c) -> Result<std::map<std::string, std::string>> {
    TRY(find_in(c, number));
    std::map<std::string, std::string> hashes;
    TRY(c.stream("SELECT id, hash FROM version_records WHERE version = $1", {db::number(number)},
                 [&](const SqlRow& row) -> Result<void> {
                   hashes.emplace(row.string(0), row.string(1));
                   return {};
                 }));
    return hashes;
  });
}

Result<void> DatasetVersions::visit(uint64_t number, const Wanted& wanted,
                                    const std::function<Result<void>(Document&&)>& visitor) const {
  return connection_.read([&](SqlConnection& c) -> Result<void> {
    std::vector<Kept> kept;
    TRY(c.stream("SELECT id, hash, path FROM version_records WHERE version = $1 ORDER BY id",
                 {db::number(number)}, [&](const SqlRow& row) -> Result<void> {
                   if (wanted(row.string(0), row.string(1)))
                     kept.push_back({row.string(1), row.string(2)});
                   return {};
                 }));
    for (size_t begin = 0; begin < kept.size(); begin += kRecordsAtOnce) {
      const auto some =
          std::span(kept).subspan(begin, std::min(kRecordsAtOnce, kept.size() - begin));
      const auto texts = TRY(texts_of(c, some));
      for (const auto& [hash, path] : some) {
        const auto text = texts.find(hash);
        auto record = text == texts.end() ? std::nullopt : rows::document_of_json(text->second);
        if (!record) return damaged(number);
        if (!path.empty()) record->path = path;
        TRY(visitor(std::move(*record)));
      }
    }
    return {};
  });
}

}  // namespace precedent
