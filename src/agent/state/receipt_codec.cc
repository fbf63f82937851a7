// How a receipt is written. Members are only ever appended, so that older receipts can be read.
#include <algorithm>

#include "agent/state/archive.h"
#include "agent/state/state_codec.h"

namespace precedent {

constexpr uint64_t last_of(ReceiptStatus) { return static_cast<uint64_t>(ReceiptStatus::kError); }
constexpr uint64_t last_of(CallFailure) { return static_cast<uint64_t>(CallFailure::kRefused); }
constexpr uint64_t last_of(GoldenSource) { return static_cast<uint64_t>(GoldenSource::kManual); }

namespace archive {

template <typename A, Is<Incident> T>
void walk(A& a, T& v) {
  a(v.incident_id), a(v.title), a(v.description), a(v.action_taken), a(v.root_cause);
  a(v.mitigation), a(v.impacted_application), a(v.accountable_party), a(v.source_system);
  a(v.status), a(v.severity), a(v.repeat_incident), a(v.opened_at), a(v.updated_at);
  a(v.resolved_at), a(v.services), a(v.tags), a(v.extra);
}
template <typename A, Is<IncidentItem> T>
void walk(A& a, T& v) {
  a(v.incident), a(v.path), a(v.relevance), a(v.preview);
}
template <typename A, Is<IncidentsResult> T>
void walk(A& a, T& v) {
  a(v.incidents), a(v.total), a(v.fallback), a(v.note), a(v.matched_names);
  a(v.conditions), a(v.order);
}
template <typename A, Is<IncidentFigure> T>
void walk(A& a, T& v) {
  a(v.group), a(v.title), a(v.value), a(v.incidents);
}
template <typename A, Is<FiguresResult> T>
void walk(A& a, T& v) {
  a(v.function), a(v.of), a(v.by), a(v.scope), a(v.figures), a(v.left_out), a(v.incidents);
  a(v.without), a(v.note);
}
template <typename A, Is<KnowledgeItem> T>
void walk(A& a, T& v) {
  a(v.id), a(v.title), a(v.kind), a(v.services), a(v.relevance), a(v.preview), a(v.path);
  a(v.heading), a(v.lines), a(v.text);
}
template <typename A, Is<KnowledgeResult> T>
void walk(A& a, T& v) {
  a(v.items), a(v.note);
}
template <typename A, Is<SectionsResult> T>
void walk(A& a, T& v) {
  a(v.sections), a(v.note);
}
template <typename A, Is<Review> T>
void walk(A& a, T& v) {
  a(v.by), a(v.at);
}
template <typename A, Is<GoldenExample> T>
void walk(A& a, T& v) {
  a(v.id), a(v.question), a(v.answer), a(v.source), a(v.review), a(v.active), a(v.sources);
  a(v.tags), a(v.created_at), a(v.updated_at);
}
template <typename A, Is<GoldenItem> T>
void walk(A& a, T& v) {
  a(v.example), a(v.similarity), a(v.lexical), a(v.cited);
}
template <typename A, Is<GoldenResult> T>
void walk(A& a, T& v) {
  a(v.examples);
}
template <typename A, Is<AskedSource> T>
void walk(A& a, T& v) {
  a(v.name), a(v.found), a(v.note), a(v.failed);
}
template <typename A, Is<ChangesResult> T>
void walk(A& a, T& v) {
  a(v.service), a(v.range), a(v.changes), a(v.more), a(v.asked), a(v.last_deploy), a(v.note);
}
template <typename A, Is<WindowSummary> T>
void walk(A& a, T& v) {
  a(v.points), a(v.not_a_number), a(v.mean), a(v.min), a(v.max), a(v.p95), a(v.last);
  a(v.min_at), a(v.max_at), a(v.last_at);
}
template <typename A, Is<WindowComparison> T>
void walk(A& a, T& v) {
  a(v.what), a(v.from), a(v.to), a(v.mean), a(v.max), a(v.difference), a(v.ratio);
}
template <typename A, Is<ChangePoint> T>
void walk(A& a, T& v) {
  a(v.at), a(v.before), a(v.after), a(v.p_value), a(v.pairs);
}
template <typename A, Is<SeriesPeak> T>
void walk(A& a, T& v) {
  a(v.labels), a(v.value), a(v.at);
}
template <typename A, Is<WindowTotal> T>
void walk(A& a, T& v) {
  a(v.count), a(v.of);
}
template <typename A, Is<TopSeries> T>
void walk(A& a, T& v) {
  a(v.labels), a(v.mean), a(v.before), a(v.share);
}
template <typename A, Is<Alert> T>
void walk(A& a, T& v) {
  a(v.name), a(v.labels), a(v.annotations), a(v.starts_at), a(v.suppressed);
}
template <typename A, Is<Excursion> T>
void walk(A& a, T& v) {
  a(v.at), a(v.value), a(v.bound);
}
template <typename A, Is<MetricsResult> T>
void walk(A& a, T& v) {
  a(v.metric), a(v.expression), a(v.source), a(v.unit), a(v.from), a(v.to), a(v.step);
  a(v.summary), a(v.comparisons), a(v.changes), a(v.top), a(v.series), a(v.sparkline);
  a(v.alerts), a(v.alerts_total), a(v.alert_source), a(v.nearest), a(v.notes);
  a(v.first_unusual), a(v.alert_problem), a(v.of);
}
template <typename A, Is<NowAgainst> T>
void walk(A& a, T& v) {
  a(v.what), a(v.value), a(v.ratio);
}
template <typename A, Is<Episode> T>
void walk(A& a, T& v) {
  a(v.from), a(v.until), a(v.usual), a(v.peak), a(v.peak_at);
}
template <typename A, Is<PastAlert> T>
void walk(A& a, T& v) {
  a(v.alert), a(v.ends_at);
}
template <typename A, Is<CodeItem> T>
void walk(A& a, T& v) {
  a(v.id), a(v.repository), a(v.path), a(v.lines), a(v.excerpt), a(v.symbols), a(v.commit);
  a(v.language), a(v.relevance);
}
template <typename A, Is<CodeResult> T>
void walk(A& a, T& v) {
  a(v.items), a(v.note);
}
template <typename A, Is<RemoteResult> T>
void walk(A& a, T& v) {
  a(v.server), a(v.name), a(v.tool), a(v.structured), a(v.left_out);
}
}  // namespace archive

namespace {

using archive::Decoder;
using archive::Encoder;

// Of a metric, what was not kept at first.
template <typename A, archive::Is<MetricsResult> T>
void walk_reading(A& a, T& v) {
  a(v.silence), a(v.combined), a(v.highest), a(v.lowest), a(v.ceiling);
}
bool has_reading(const MetricsResult& v) {
  return !v.silence.empty() || !v.combined.empty() || v.highest || v.lowest || v.ceiling;
}

// How long a call took, where that is followed by more.
constexpr int64_t kNotMeasured = -1;

void write(Encoder& a, const ToolResult& result) {
  a(static_cast<uint64_t>(result.index()));
  std::visit(
      [&](const auto& value) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) a(value);
      },
      result);
}

template <size_t I = 0>
ToolResult read_result(Decoder& a, uint64_t index) {
  if constexpr (I >= std::variant_size_v<ToolResult>) {
    return {};
  } else {
    if (index != I) return read_result<I + 1>(a, index);
    std::variant_alternative_t<I, ToolResult> value{};
    if constexpr (I > 0) a(value);
    return value;
  }
}

// The documents of a result; null where it has none.
template <typename R>
auto* items_of(R& result) {
  using Items = decltype(&std::get<KnowledgeResult>(result).items);
  if (auto* found = std::get_if<KnowledgeResult>(&result)) return &found->items;
  auto* sections = std::get_if<SectionsResult>(&result);
  return sections == nullptr ? Items{nullptr} : &sections->sections;
}

}  // namespace

void FieldCodec<Receipt>::encode(const Receipt& receipt, ByteWriter& out) {
  Encoder a{out};
  a(receipt.id), a(receipt.call), a(receipt.tool), a(receipt.args), a(receipt.at);
  a(receipt.status), a(receipt.explain);
  write(a, receipt.result);
  const auto* metric = std::get_if<MetricsResult>(&receipt.result);
  // Absent in what was kept before there were times.
  const std::vector<KnowledgeItem>* items = items_of(receipt.result);
  const bool expired = items != nullptr && std::ranges::any_of(*items, [](const KnowledgeItem& i) {
                         return i.expired_at.has_value();
                       });
  const bool pointed = items != nullptr && std::ranges::any_of(*items, &KnowledgeItem::pointed_to);
  const bool linked =
      pointed || (items != nullptr && std::ranges::any_of(*items, [](const KnowledgeItem& i) {
                    return !i.link.empty() || !i.version.empty();
                  }));
  const bool failed = receipt.failure != CallFailure::kNone;
  if (receipt.took || metric != nullptr || expired || linked || failed)
    out.signed_number(receipt.took ? receipt.took->count() : kNotMeasured);
  // Nor was this; what failed has no result that would follow.
  if (failed) a(receipt.failure);
  // Nor was this in what was kept at first.
  if (metric != nullptr) a(metric->now_against), a(metric->episodes), a(metric->past_alerts);
  // Nor were these, which need all that comes before them.
  const bool drawn = metric != nullptr && !metric->course.empty();
  const bool counted = drawn || (metric != nullptr && metric->total.has_value());
  const bool ranged =
      counted || (metric != nullptr && std::ranges::any_of(metric->now_against, [](const auto& n) {
                    return n.low.has_value();
                  }));
  if (metric != nullptr && (has_reading(*metric) || ranged)) walk_reading(a, *metric);
  if (ranged)
    for (const NowAgainst& then : metric->now_against) a(then.low), a(then.high);
  if (counted) a(metric->total);
  if (drawn) a(metric->course);
  if (expired || linked)
    for (const KnowledgeItem& item : *items) a(item.expired_at);
  if (linked)
    for (const KnowledgeItem& item : *items) a(item.link), a(item.version);
  if (pointed)
    for (const KnowledgeItem& item : *items) a(item.pointed_to);
  const auto* changes = std::get_if<ChangesResult>(&receipt.result);
  if (changes == nullptr) return;
  const bool named = std::ranges::any_of(changes->changes, [](const Change& change) {
    return !change.subject.empty() || !change.reverts.empty();
  });
  const bool written = std::ranges::any_of(
      changes->changes, [](const Change& change) { return change.written.has_value(); });
  if (!named && !written) return;
  if (!receipt.took) out.signed_number(kNotMeasured);
  for (const Change& change : changes->changes) a(change.written);
  if (!named) return;
  for (const Change& change : changes->changes) a(change.subject), a(change.reverts);
}
Receipt FieldCodec<Receipt>::decode(ByteReader& in) {
  Decoder a{in};
  Receipt receipt;
  a(receipt.id), a(receipt.call), a(receipt.tool), a(receipt.args), a(receipt.at);
  a(receipt.status), a(receipt.explain);
  receipt.result = read_result(a, in.number());
  if (!in.at_end()) {
    const int64_t took = in.signed_number();
    if (took != kNotMeasured) receipt.took = std::chrono::microseconds(took);
  }
  if (receipt.status == ReceiptStatus::kError && !in.at_end()) a(receipt.failure);
  auto* metric = std::get_if<MetricsResult>(&receipt.result);
  if (metric != nullptr && !in.at_end())
    a(metric->now_against), a(metric->episodes), a(metric->past_alerts);
  if (metric != nullptr && !in.at_end()) walk_reading(a, *metric);
  if (metric != nullptr && !in.at_end())
    for (NowAgainst& then : metric->now_against) a(then.low), a(then.high);
  if (metric != nullptr && !in.at_end()) a(metric->total);
  if (metric != nullptr && !in.at_end()) a(metric->course);
  if (auto* items = items_of(receipt.result); items != nullptr && !in.at_end())
    for (KnowledgeItem& item : *items) a(item.expired_at);
  if (auto* items = items_of(receipt.result); items != nullptr && !in.at_end())
    for (KnowledgeItem& item : *items) a(item.link), a(item.version);
  if (auto* items = items_of(receipt.result); items != nullptr && !in.at_end())
    for (KnowledgeItem& item : *items) a(item.pointed_to);
  if (auto* changes = std::get_if<ChangesResult>(&receipt.result); changes && !in.at_end())
    for (Change& change : changes->changes) a(change.written);
  if (auto* changes = std::get_if<ChangesResult>(&receipt.result); changes && !in.at_end())
    for (Change& change : changes->changes) a(change.subject), a(change.reverts);
  return receipt;
}
nlohmann::json FieldCodec<Receipt>::json(const Receipt& receipt) { return to_json(receipt); }

}  // namespace precedent
