// Golden examples and feedback: the part of KnowledgeStore beside its documents.
#include <fmt/format.h>

#include "base/ids.h"
#include "store/knowledge_store.h"
#include "store/rows.h"
#include "store/store_connection.h"

namespace precedent {
namespace {

using db::SqlConnection;
using db::SqlRow;

constexpr std::string_view kGoldenColumns =
    "id, question, answer, rejected_answer, source_type, reviewed_by, reviewed_at, active, "
    "sources, "
    "tags, feedback, created_at, updated_at, dataset_version";
constexpr std::string_view kFeedbackColumns =
    "id, question, answer, thumb, reason, state, closed_by, closed_at, note, golden, created_at";

TimePoint time_of(int64_t seconds) { return TimePoint(std::chrono::seconds(seconds)); }
int64_t seconds_of(TimePoint time) { return time.time_since_epoch().count(); }

std::optional<Review> review_of(const SqlRow& row, int by, int at) {
  if (row.is_null(by)) return std::nullopt;
  return Review{row.string(by), time_of(row.integer(at))};
}

// The columns of a review that may not be there. Lifetime: of the review.
db::SqlValue by_of(const std::optional<Review>& review) {
  return review ? db::SqlValue(std::string_view(review->by)) : nullptr;
}
db::SqlValue at_of(const std::optional<Review>& review) {
  return review ? db::SqlValue(seconds_of(review->at)) : nullptr;
}

Result<GoldenExample> read_golden(const SqlRow& row) {
  GoldenExample e;
  e.id = row.string(0);
  e.question = row.string(1);
  e.answer = row.string(2);
  e.rejected_answer = row.string(3);
  const auto source = parse_golden_source(row.text(4));
  auto sources = rows::list_of_json(row.text(8)), tags = rows::list_of_json(row.text(9));
  if (!source || !sources || !tags) {
    return fail(ErrorCode::kCorrupt,
                fmt::format("the golden example '{}' is damaged; put it again with "
                            "`precedent golden add` or `import`",
                            e.id));
  }
  e.source = *source;
  e.review = review_of(row, 5, 6);
  e.active = row.integer(7) != 0;
  e.sources = std::move(*sources);
  e.tags = std::move(*tags);
  if (!row.is_null(10)) e.feedback = row.integer(10);
  e.created_at = time_of(row.integer(11));
  e.updated_at = time_of(row.integer(12));
  e.dataset_version = row.natural(13);
  return e;
}

Result<Feedback> read_feedback(const SqlRow& row) {
  Feedback f;
  f.id = row.integer(0);
  f.question = row.string(1);
  f.answer = row.string(2);
  f.thumb = row.text(3) == name(Thumb::kUp) ? Thumb::kUp : Thumb::kDown;
  f.reason = row.string(4);
  for (const FeedbackState state :
       {FeedbackState::kPending, FeedbackState::kReviewed, FeedbackState::kDismissed}) {
    if (row.text(5) == name(state)) f.state = state;
  }
  f.closed = review_of(row, 6, 7);
  f.note = row.string(8);
  f.golden = row.string(9);
  f.created_at = time_of(row.integer(10));
  return f;
}

// What its sources are now; those that no document has are not watched.
Result<void> mark_sources(SqlConnection& c, const GoldenExample& e) {
  TRY(c.run("DELETE FROM golden_sources WHERE example = $1", {e.id}));
  for (const std::string& source : e.sources)
    TRY(
        c.run("INSERT INTO golden_sources(example, source, mark) SELECT $1, id, "
              "substr(hash, 1, 32) FROM documents WHERE id IN ($2, $3) ON CONFLICT DO NOTHING",
              {e.id, normalize_id(source), source}));
  TRY(
      c.run("UPDATE golden_examples SET dataset_version = coalesce((SELECT number FROM "
            "incident_dataset_versions WHERE state = 'active'), 0) WHERE id = $1",
            {e.id}));
  return {};
}

Result<std::vector<std::string>> outdated(SqlConnection& c, std::string_view example) {
  return read_all(c, "SELECT source FROM golden_outdated WHERE example = $1 ORDER BY source",
                  {example},
                  [](const SqlRow& row) -> Result<std::string> { return row.string(0); });
}

// Whether somebody looked at it since it was put last, or nobody has to yet.
Result<bool> is_reviewed_anew(SqlConnection& c, const GoldenExample& e) {
  if (!e.review) return true;
  const auto before = TRY(c.integer(
      "SELECT reviewed_at FROM golden_examples WHERE id = $1 AND reviewed_at IS NOT NULL", {e.id}));
  if (before != seconds_of(e.review->at)) return true;
  return e.outdated.empty() && !TRY(outdated(c, e.id)).empty();
}

Result<void> insert_golden(SqlConnection& c, const GoldenExample& e) {
  if (TRY(c.integer("SELECT 1 FROM documents WHERE id = $1 AND kind <> $2",
                    {e.id, name(Kind::kGolden)}))) {
    return fail(ErrorCode::kConflict,
                fmt::format("'{}' is the id of another document; give the golden example an id of "
                            "its own",
                            e.id));
  }
  const bool anew = TRY(is_reviewed_anew(c, e));
  TRY(c.run(
      "INSERT INTO golden_examples(id, question, answer, rejected_answer, source_type, "
      "reviewed_by, reviewed_at, active, sources, tags, feedback, created_at, updated_at) "
      "VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13) ON CONFLICT(id) DO UPDATE SET "
      "question = excluded.question, answer = excluded.answer, "
      "rejected_answer = excluded.rejected_answer, source_type = excluded.source_type, "
      "reviewed_by = excluded.reviewed_by, reviewed_at = excluded.reviewed_at, "
      "active = excluded.active, sources = excluded.sources, tags = excluded.tags, "
      "feedback = excluded.feedback, created_at = excluded.created_at, "
      "updated_at = excluded.updated_at",
      {e.id, e.question, e.answer, e.rejected_answer, name(e.source), by_of(e.review),
       at_of(e.review), e.active ? 1 : 0, rows::list_to_json(e.sources), rows::list_to_json(e.tags),
       db::optional_value(e.feedback), seconds_of(e.created_at), seconds_of(e.updated_at)}));
  return anew ? mark_sources(c, e) : Result<void>();
}

}  // namespace

Result<std::optional<GoldenExample>> KnowledgeStore::golden(std::string_view id) const {
  return connection_->read([&](SqlConnection& c) -> Result<std::optional<GoldenExample>> {
    static const std::string sql =
        fmt::format("SELECT {} FROM golden_examples WHERE id = $1", kGoldenColumns);
    auto example = TRY(read_one(c, sql, {id}, read_golden));
    if (example) example->outdated = TRY(outdated(c, example->id));
    return example;
  });
}

Result<std::vector<GoldenExample>> KnowledgeStore::golden_examples() const {
  return connection_->read([&](SqlConnection& c) -> Result<std::vector<GoldenExample>> {
    static const std::string sql =
        fmt::format("SELECT {} FROM golden_examples ORDER BY id", kGoldenColumns);
    auto examples = TRY(read_all(c, sql, {}, read_golden));
    for (GoldenExample& example : examples) example.outdated = TRY(outdated(c, example.id));
    return examples;
  });
}

Result<bool> KnowledgeStore::serves_golden() const {
  return connection_->read([&](SqlConnection& c) -> Result<bool> {
    return TRY(c.integer("SELECT 1 FROM golden_examples WHERE reviewed_by IS NOT NULL AND "
                         "active = 1 LIMIT 1"))
        .has_value();
  });
}

Result<void> KnowledgeStore::put_golden(std::span<const GoldenExample> examples) {
  return connection_->write([&](SqlConnection& c) -> Result<void> {
    for (const GoldenExample& example : examples) TRY(insert_golden(c, example));
    return {};
  });
}

Result<void> KnowledgeStore::remove_golden(std::string_view id) {
  return connection_->write([&](SqlConnection& c) -> Result<void> {
    TRY(c.run("DELETE FROM golden_sources WHERE example = $1", {id}));
    TRY(c.run("DELETE FROM golden_examples WHERE id = $1", {id}));
    return {};
  });
}

Result<int64_t> KnowledgeStore::add_feedback(const Feedback& f) {
  return connection_->write([&](SqlConnection& c) -> Result<int64_t> {
    return TRY(c.integer(
                   "INSERT INTO feedback(question, answer, thumb, reason, state, closed_by, "
                   "closed_at, note, golden, created_at) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10) "
                   "RETURNING id",
                   {f.question, f.answer, name(f.thumb), f.reason, name(f.state), by_of(f.closed),
                    at_of(f.closed), f.note, f.golden, seconds_of(f.created_at)}))
        .value_or(0);
  });
}

Result<std::optional<Feedback>> KnowledgeStore::feedback(int64_t id) const {
  return connection_->read([&](SqlConnection& c) -> Result<std::optional<Feedback>> {
    static const std::string sql =
        fmt::format("SELECT {} FROM feedback WHERE id = $1", kFeedbackColumns);
    return read_one(c, sql, {id}, read_feedback);
  });
}

Result<std::vector<Feedback>> KnowledgeStore::feedback_list(bool pending_only) const {
  return connection_->read([&](SqlConnection& c) -> Result<std::vector<Feedback>> {
    static const std::string sql = fmt::format(
        "SELECT {} FROM feedback WHERE $1 = 1 OR state = 'pending' ORDER BY id", kFeedbackColumns);
    return read_all(c, sql, {pending_only ? 0 : 1}, read_feedback);
  });
}

Result<void> KnowledgeStore::close_feedback(const Feedback& f,
                                            const std::optional<GoldenExample>& made) {
  return connection_->write([&](SqlConnection& c) -> Result<void> {
    const int64_t closed = TRY(c.run(
        "UPDATE feedback SET state = $1, closed_by = $2, closed_at = $3, note = $4, golden = $5 "
        "WHERE id = $6 AND state = 'pending'",
        {name(f.state), by_of(f.closed), at_of(f.closed), f.note, f.golden, f.id}));
    if (closed != 1) {
      return fail(ErrorCode::kConflict,
                  fmt::format("{} is not pending any more; somebody has closed it meanwhile",
                              feedback_name(f.id)));
    }
    return made ? insert_golden(c, *made) : Result<void>();
  });
}

}  // namespace precedent
