#include "telemetry/promql/promql_matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace precedent {
namespace {

// Reading the clock costs as much as reading some hundred samples.
constexpr size_t kReadsBetweenChecks = 1 << 18;
constexpr size_t kShownLabels = 200;

}  // namespace

bool PromColumn::empty() const { return std::ranges::all_of(values, is_stale); }

Result<void> PromBudget::make(size_t columns, size_t points) {
  if (points != 0 && columns > (kMaxValues - made_) / points)
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("the query needs more than {} values on its way; select fewer series, "
                            "ask for a shorter window, or give a subquery a longer step",
                            kMaxValues));
  made_ += columns * points;
  return check();
}

Result<void> PromBudget::read(size_t samples) {
  read_ += samples;
  if (read_ < kReadsBetweenChecks) return {};
  read_ = 0;
  return check();
}

Result<void> PromBudget::check() const {
  TRY(context_.cancel.check());
  if (context_.deadline && std::chrono::steady_clock::now() >= *context_.deadline)
    return fail(ErrorCode::kTimeout,
                "the deadline passed while the query was computed; ask for a shorter window");
  return {};
}

Result<PromMatrix> united(PromMatrix matrix, bool apart) {
  std::erase_if(matrix, [](const PromColumn& column) { return column.empty(); });
  std::map<LabelSet, size_t> places;
  PromMatrix out;
  for (PromColumn& column : matrix) {
    const auto [place, fresh] = places.try_emplace(column.labels, out.size());
    if (fresh) {
      out.push_back(std::move(column));
      continue;
    }
    PromColumn& same = out[place->second];
    for (size_t point = 0; point < column.values.size(); ++point) {
      if (!column.has(point)) continue;
      if (apart || same.has(point))
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("gives two series with the same labels, {}; select one metric, or "
                                "keep apart with by () what tells them apart",
                                utf8_prefix(format_labels(column.labels), kShownLabels)));
      same.values[point] = column.values[point];
    }
  }
  return out;
}

LabelSet without_name(LabelSet labels) {
  if (const auto name = labels.find(kNameLabel); name != labels.end()) labels.erase(name);
  return labels;
}

}  // namespace precedent
