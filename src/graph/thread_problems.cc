#include "graph/thread_problems.h"

#include <fmt/format.h>

#include "graph/checkpoint_coder.h"

namespace precedent {
namespace {

using db::SqlRow;

// Bodies are some KB; one server hands out all rows of a statement at once.
constexpr int64_t kRowsAtOnce = 500;

class Problems {
 public:
  Problems(db::SqlConnection& sql, size_t limit) : sql_(sql), limit_(limit) {}

  Result<void> find_all() {
    TRY(damaged_checkpoints());
    TRY(
        each("SELECT t.name, p.task, p.body FROM pending p LEFT JOIN threads t ON t.id = p.thread "
             "ORDER BY p.thread, p.task",
             [&](const SqlRow& row) {
               const auto read = decode_pending(static_cast<int>(row.integer(1)), row.blob(2));
               if (!read) add(row, fmt::format("an unfinished step: {}", read.error().message));
             }));
    TRY(
        each("SELECT t.name, t.head FROM threads t LEFT JOIN checkpoints c ON c.id = t.head "
             "WHERE c.id IS NULL ORDER BY t.id",
             [&](const SqlRow& row) { add(row, missing(row.integer(1))); }));
    return each(
        "SELECT t.name, c.parent FROM checkpoints c LEFT JOIN checkpoints p ON p.id = c.parent "
        "LEFT JOIN threads t ON t.id = c.thread "
        "WHERE c.parent IS NOT NULL AND p.id IS NULL ORDER BY c.id",
        [&](const SqlRow& row) { add(row, missing(row.integer(1))); });
  }
  std::vector<std::string> found() && { return std::move(found_); }

 private:
  Result<void> damaged_checkpoints() {
    int64_t last = 0;
    for (int64_t rows = kRowsAtOnce; rows == kRowsAtOnce && found_.size() < limit_;) {
      rows = 0;
      TRY(sql_.run(
          "SELECT t.name, c.id, c.body FROM checkpoints c LEFT JOIN threads t ON t.id = c.thread "
          "WHERE c.id > $1 ORDER BY c.id LIMIT $2",
          {last, kRowsAtOnce}, [&](const SqlRow& row) -> Result<void> {
            ++rows;
            last = row.integer(1);
            const auto read = decode_step(row.blob(2));
            if (!read) add(row, fmt::format("checkpoint {}: {}", last, read.error().message));
            return {};
          }));
    }
    return {};
  }

  template <typename Function>
  Result<void> each(std::string_view statement, Function function) {
    TRY(sql_.run(statement, {}, [&](const SqlRow& row) -> Result<void> {
      function(row);
      return {};
    }));
    return {};
  }
  static std::string missing(int64_t id) { return fmt::format("checkpoint {}: it is missing", id); }
  // The first column is the thread's name: of one that was deleted, forks may still need a
  // checkpoint.
  void add(const SqlRow& row, const std::string& what) {
    if (found_.size() >= limit_) return;
    found_.push_back(row.is_null(0) ? what
                                    : fmt::format("conversation '{}', {}", row.text(0), what));
  }

  db::SqlConnection& sql_;
  const size_t limit_;
  std::vector<std::string> found_;
};

}  // namespace

Result<std::vector<std::string>> thread_problems(db::SqlConnection& sql, size_t limit) {
  Problems problems(sql, limit);
  TRY(problems.find_all());
  return std::move(problems).found();
}

}  // namespace precedent
