// The part of KnowledgeStore that an ingest and an index read: documents whole, and vectors.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "store/knowledge_store.h"
#include "store/row_values.h"
#include "store/rows.h"
#include "store/store_connection.h"

namespace precedent {
namespace {

using db::number;
using db::SqlConnection;
using db::SqlRow;

// After the columns of read_document.
constexpr std::string_view kStoredColumns =
    ", d.chunk_count, m.name, d.title_terms, d.meta_terms, d.heading_terms, d.chunk_heading_terms, "
    "d.body_terms";

// More than there can be.
constexpr auto kAll = static_cast<size_t>(std::numeric_limits<int64_t>::max());

std::string select_stored(std::string_view where_and_order) {
  return fmt::format("SELECT {}{} FROM {} LEFT JOIN models m ON m.id = d.model {}",
                     rows::kDocumentColumns, kStoredColumns, rows::kDocumentTables,
                     where_and_order);
}

// Documents, and how many chunks each has: read_chunks() adds them.
struct StoredRows {
  std::vector<StoredDocument> documents;
  std::vector<uint64_t> chunk_counts;

  Result<void> add(const SqlRow& row) {
    StoredDocument stored;
    stored.document = TRY(rows::read_document(row));
    stored.point = row.natural(0);
    int column = rows::kDocumentColumnCount;
    chunk_counts.push_back(row.natural(column++));
    stored.model_id = row.string(column++);
    for (uint32_t* length : {&stored.lengths.title, &stored.lengths.meta, &stored.lengths.headings,
                             &stored.lengths.chunk_headings, &stored.lengths.body}) {
      *length = static_cast<uint32_t>(row.natural(column++));
    }
    documents.push_back(std::move(stored));
    return {};
  }
};

StoredChunk read_chunk(const SqlRow& row, uint32_t ordinal) {
  StoredChunk item;
  item.embedding_key = row.string(1);
  item.chunk.ordinal = ordinal;
  item.chunk.lines = {static_cast<uint32_t>(row.natural(2)), static_cast<uint32_t>(row.natural(3))};
  item.chunk.heading = rows::list_of_json(row.text(4)).value_or(std::vector<std::string>());
  item.chunk.text = row.string(5);
  return item;
}

Result<void> read_chunks(SqlConnection& c, StoredRows& stored) {
  constexpr db::SqlRows kChunks = {
      "SELECT point, embedding_key, line_begin, line_end, heading, text FROM chunks WHERE ",
      "(point > ? AND point <= ?)", " OR ", " ORDER BY point", db::kRanges};
  RowValues blocks;
  std::map<uint64_t, std::vector<StoredChunk>*> by_point;
  for (size_t i = 0; i < stored.documents.size(); ++i) {
    const uint64_t point = stored.documents[i].point, count = stored.chunk_counts[i];
    by_point.emplace(point, &stored.documents[i].chunks);
    if (count > 0) blocks.add({number(point), number(point + count)});
  }
  TRY(c.run_rows(kChunks, {}, blocks.values(), [&](const SqlRow& row) -> Result<void> {
    std::vector<StoredChunk>& chunks = *std::prev(by_point.upper_bound(row.natural(0)))->second;
    chunks.push_back(read_chunk(row, static_cast<uint32_t>(chunks.size())));
    return {};
  }));
  return {};
}

}  // namespace

Result<std::vector<StoredDocument>> KnowledgeStore::stored(std::span<const std::string> ids) const {
  return connection_->read([&](SqlConnection& c) -> Result<std::vector<StoredDocument>> {
    static const std::string before = select_stored("WHERE d.id IN (");
    const db::SqlRows find = {before, "?", ", ", ")"};
    std::vector<std::string> different;
    std::unordered_map<std::string_view, size_t> places;  // of an id in `stored`
    for (const std::string& id : ids)
      if (places.emplace(id, 0).second) different.push_back(id);
    StoredRows stored;
    TRY(c.run_rows(find, {}, row_values(different).values(),
                   [&](const SqlRow& row) { return stored.add(row); }));
    TRY(read_chunks(c, stored));
    places.clear();
    for (size_t i = 0; i < stored.documents.size(); ++i)
      places.emplace(stored.documents[i].document.id, i);
    std::vector<StoredDocument> documents;
    for (const std::string& id : ids) {
      const auto place = places.find(id);
      if (place != places.end()) documents.push_back(stored.documents[place->second]);
    }
    return documents;
  });
}

Result<std::vector<StoredDocument>> KnowledgeStore::stored_after(uint64_t point, size_t limit,
                                                                 size_t max_bytes) const {
  return connection_->read([&](SqlConnection& c) -> Result<std::vector<StoredDocument>> {
    static const std::string sql = select_stored("WHERE d.point > $1 ORDER BY d.point LIMIT $2");
    StoredRows stored;
    size_t bytes = 0;
    const auto more = [&](const SqlRow& row) -> Result<bool> {
      TRY(stored.add(row));
      bytes += stored.documents.back().document.body.size();
      return bytes < max_bytes;
    };
    TRY(read_while(c, sql, {number(point), number(std::min(limit, kAll))}, more));
    TRY(read_chunks(c, stored));
    return std::move(stored.documents);
  });
}

Result<std::vector<std::vector<float>>> KnowledgeStore::vectors(
    std::string_view model_id, std::span<const std::string> embedding_keys) const {
  constexpr db::SqlRows kVectors = {
      "SELECT embedding_key, vector FROM vectors WHERE model = $1 AND embedding_key IN (", "?",
      ", ", ")"};
  return connection_->read([&](SqlConnection& c) -> Result<std::vector<std::vector<float>>> {
    std::vector<std::vector<float>> vectors(embedding_keys.size());
    const auto model = TRY(c.integer("SELECT id FROM models WHERE name = $1", {model_id}));
    if (!model) return vectors;
    std::unordered_map<std::string, std::vector<float>> found;
    const db::SqlValue own[] = {*model};
    TRY(c.run_rows(kVectors, own, row_values(embedding_keys).values(),
                   [&](const SqlRow& row) -> Result<void> {
                     found.insert_or_assign(row.string(0), rows::vector_of(row.blob(1)));
                     return {};
                   }));
    for (size_t i = 0; i < embedding_keys.size(); ++i) {
      if (const auto at = found.find(embedding_keys[i]); at != found.end()) vectors[i] = at->second;
    }
    return vectors;
  });
}

}  // namespace precedent
