#include "index/qdrant_head.h"

#include <fmt/format.h>

#include "base/foreign_json.h"
#include "base/json_access.h"

namespace precedent {
namespace {

using nlohmann::json;

// Of the records; raised whenever they change their meaning.
constexpr uint64_t kSchema = 1;
// A writer that commits and compacts faster than we read, this many times in a row, does not exist.
constexpr int kTries = 5;
constexpr size_t kMaxDimensions = 65'536;

std::string record_json(uint64_t id, const json& payload) {
  return fmt::format(R"({{"id":"{}","vector":{{}},"payload":{}}})", qdrant_id(id, 0),
                     dump_json(payload));
}

Result<QdrantHead> parse_head(const json& said) {
  if (number_member(said, "schema") != kSchema)
    return foreign_answer("an index of another version of precedent");
  QdrantHead head;
  head.collection = foreign::string_at(said, "collection");
  head.generation = number_member(said, "generation");
  head.kept_from = number_member(said, "kept_from");
  head.terms_from = number_member(said, "terms_from");
  head.info.version = number_member(said, "version");
  head.info.chunks = number_member(said, "chunks");
  head.info.documents = number_member(said, "documents");
  head.info.dimensions = number_member(said, "dimensions");
  head.info.model_id = foreign::string_at(said, "model_id");
  head.code_chunks = number_member(said, "code_chunks");
  head.code_documents = number_member(said, "code_documents");
  head.vectors = number_member(said, "vectors");
  head.term_sum = static_cast<int64_t>(number_member(said, "term_sum"));
  if (head.kept_from > head.generation || head.terms_from > head.generation ||
      head.code_chunks > head.info.chunks || head.code_documents > head.info.documents ||
      head.vectors > head.info.chunks || head.info.dimensions > kMaxDimensions)
    return foreign_answer("a head of an index that contradicts itself");
  return head;
}

// Adds the records of the generations from `from` to that of `head`, both included.
Result<void> add_terms(const QdrantCollection& collection, uint64_t from, const QdrantHead& head,
                       TermTable& terms) {
  const json filter = {
      {"must",
       json::array({{{"key", "stats"}, {"range", {{"gte", from}, {"lte", head.generation}}}}})}};
  TRY(collection.scroll(
      filter, {{"with_payload", true}, {"with_vector", false}},
      [&](const json& point) { return terms.add_record(foreign::member(point, "payload")); }));
  terms.settle();
  return {};
}

}  // namespace

size_t QdrantHead::points(Level level, Population population) const {
  const size_t code = level == Level::kChunk ? code_chunks : code_documents;
  return population == Population::kCode ? code : points(level) - code;
}

std::string head_json(const QdrantHead& head) {
  return record_json(0, {{"schema", kSchema},
                         {"collection", head.collection},
                         {"generation", head.generation},
                         {"kept_from", head.kept_from},
                         {"terms_from", head.terms_from},
                         {"version", head.info.version},
                         {"chunks", head.info.chunks},
                         {"documents", head.info.documents},
                         {"dimensions", head.info.dimensions},
                         {"model_id", head.info.model_id},
                         {"code_chunks", head.code_chunks},
                         {"code_documents", head.code_documents},
                         {"vectors", head.vectors},
                         {"term_sum", head.term_sum}});
}

std::vector<std::string> term_points(const TermTable& terms, uint64_t generation) {
  std::vector<std::string> points;
  for (json& record : terms.records()) {
    record["stats"] = generation;
    // Some 65,000 records of a generation, each of 20,000 terms: more than there are terms.
    points.push_back(record_json(generation << 16 | points.size(), record));
  }
  return points;
}

Result<QdrantHead> read_qdrant_head(const QdrantCollection& collection) {
  auto payload = collection.payload(qdrant_id(0, 0));
  if (payload) {
    QdrantHead head = TRY(parse_head(*payload));
    if (head.collection.empty() || head.collection == collection.name()) return head;
    return fail(
        ErrorCode::kConflict,
        fmt::format("what Qdrant at {} has under the name {} is the index {}: an alias that "
                    "somebody moved, or a snapshot of another; delete that alias or "
                    "collection, and `precedent ingest` builds the index from the store",
                    collection.address(), collection.name(), head.collection));
  }
  if (payload.error().code != ErrorCode::kNotFound) return std::unexpected(payload.error());
  return fail(ErrorCode::kNotFound,
              fmt::format("there is no index of precedent in the collection {} of Qdrant at {}; "
                          "`precedent ingest` builds it from the store",
                          collection.name(), collection.address()));
}

Result<std::shared_ptr<const QdrantState>> read_qdrant_state(const QdrantCollection& collection,
                                                             const QdrantState* known) {
  QdrantHead head = TRY(read_qdrant_head(collection));
  for (int tries = 0; tries < kTries; ++tries) {
    auto state = std::make_shared<QdrantState>();
    state->head = head;
    uint64_t from = head.terms_from;
    if (known != nullptr && known->head.generation >= from &&
        known->head.generation <= head.generation) {
      state->terms = known->terms;
      from = known->head.generation + 1;
    }
    TRY(add_terms(collection, from, head, state->terms));
    if (state->terms.sum() == head.term_sum) return state;
    // A writer may have put a whole table in the place of what we were reading.
    const QdrantHead newer = TRY(read_qdrant_head(collection));
    if (newer.generation == head.generation && known == nullptr) break;
    head = newer;
    known = nullptr;
  }
  return fail(ErrorCode::kCorrupt,
              fmt::format("the counts of terms in the collection {} of Qdrant at {} do not add up; "
                          "drop it: `precedent ingest` builds it anew",
                          collection.name(), collection.address()));
}

}  // namespace precedent
