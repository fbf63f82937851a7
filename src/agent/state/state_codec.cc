#include "agent/state/state_codec.h"

#include <bit>

namespace precedent {
namespace {

// The two directions of one walk: each member is handed to operator(), in the order of the format.
struct Encoder {
  ByteWriter& out;

  void operator()(const std::string& value) { out.text(value); }
  void operator()(bool value) { out.number(value ? 1 : 0); }
  void operator()(uint32_t value) { out.number(value); }
  void operator()(uint64_t value) { out.number(value); }
  void operator()(float value) { out.number(std::bit_cast<uint32_t>(value)); }
  void operator()(double value) { out.number(std::bit_cast<uint64_t>(value)); }
  void operator()(TimePoint value) { out.signed_number(value.time_since_epoch().count()); }
  void operator()(Instant value) { out.signed_number(value.time_since_epoch().count()); }
  void operator()(std::chrono::milliseconds value) { out.signed_number(value.count()); }
  template <typename E>
    requires std::is_enum_v<E>
  void operator()(E value) {
    out.number(static_cast<uint64_t>(value));
  }
  template <typename T>
  void operator()(const std::optional<T>& value) {
    out.number(value ? 1 : 0);
    if (value) (*this)(*value);
  }
  template <typename T>
  void operator()(const std::vector<T>& values) {
    out.number(values.size());
    for (const T& value : values) (*this)(value);
  }
  template <typename Compare>
  void operator()(const std::map<std::string, std::string, Compare>& values) {
    out.number(values.size());
    for (const auto& [key, value] : values) {
      out.text(key);
      out.text(value);
    }
  }
  template <typename T>
    requires std::is_class_v<T>
  void operator()(const T& value) {
    walk(*this, value);
  }
};

struct Decoder {
  ByteReader& in;

  void operator()(std::string& value) { value = in.text(); }
  void operator()(bool& value) { value = in.number() != 0; }
  void operator()(uint32_t& value) { value = static_cast<uint32_t>(in.number()); }
  void operator()(uint64_t& value) { value = in.number(); }
  void operator()(float& value) {
    value = std::bit_cast<float>(static_cast<uint32_t>(in.number()));
  }
  void operator()(double& value) { value = std::bit_cast<double>(in.number()); }
  void operator()(TimePoint& value) { value = TimePoint(std::chrono::seconds(in.signed_number())); }
  void operator()(Instant& value) {
    value = Instant(std::chrono::milliseconds(in.signed_number()));
  }
  void operator()(std::chrono::milliseconds& value) {
    value = std::chrono::milliseconds(in.signed_number());
  }
  // A value that this version does not know becomes the first one: the reader of a damaged row has
  // failed elsewhere, that of a newer one is refused by its version.
  template <typename E>
    requires std::is_enum_v<E>
  void operator()(E& value) {
    const uint64_t number = in.number();
    value = number <= max_of(E{}) ? static_cast<E>(number) : E{};
  }
  template <typename T>
  void operator()(std::optional<T>& value) {
    value.reset();
    if (in.number() == 0) return;
    value.emplace();
    (*this)(*value);
  }
  template <typename T>
  void operator()(std::vector<T>& values) {
    values.clear();
    for (uint64_t n = in.number(); n > 0 && in.ok(); --n) (*this)(values.emplace_back());
  }
  template <typename Compare>
  void operator()(std::map<std::string, std::string, Compare>& values) {
    for (uint64_t n = in.number(); n > 0 && in.ok(); --n) {
      std::string key(in.text());
      values.insert_or_assign(std::move(key), std::string(in.text()));
    }
  }
  template <typename T>
    requires std::is_class_v<T>
  void operator()(T& value) {
    walk(*this, value);
  }

 private:
  static uint64_t max_of(Role) { return static_cast<uint64_t>(Role::kTool); }
  static uint64_t max_of(Kind) { return kAllKinds.size() - 1; }
  static uint64_t max_of(ReceiptStatus) { return static_cast<uint64_t>(ReceiptStatus::kError); }
  static uint64_t max_of(AnswerStatus) { return static_cast<uint64_t>(AnswerStatus::kError); }
  static uint64_t max_of(ClaimKind) { return static_cast<uint64_t>(ClaimKind::kGeneral); }
  static uint64_t max_of(ClaimVerdict) {
    return static_cast<uint64_t>(ClaimVerdict::kGeneralKnowledge);
  }
  static uint64_t max_of(ChangeKind) { return std::size(kAllChangeKinds) - 1; }
  static uint64_t max_of(DeployEvidence) {
    return static_cast<uint64_t>(DeployEvidence::kVersionSeen);
  }
  static uint64_t max_of(GoldenSource) { return static_cast<uint64_t>(GoldenSource::kManual); }
};

// T is the value or a const value, as the archive writes or reads it.
template <typename T, typename U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

template <typename A, Is<ToolCall> T>
void walk(A& a, T& v) {
  a(v.id), a(v.name), a(v.args);
}
template <typename A, Is<Message> T>
void walk(A& a, T& v) {
  a(v.role), a(v.content), a(v.id), a(v.tool_calls), a(v.tool_call_id);
}
template <typename A, Is<LineRange> T>
void walk(A& a, T& v) {
  a(v.begin), a(v.end);
}
template <typename A, Is<Source> T>
void walk(A& a, T& v) {
  a(v.id), a(v.title), a(v.kind), a(v.path), a(v.lines), a(v.receipt);
}
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
template <typename A, Is<TimeRange> T>
void walk(A& a, T& v) {
  a(v.from), a(v.to);
}
template <typename A, Is<Change> T>
void walk(A& a, T& v) {
  a(v.id), a(v.at), a(v.kind), a(v.services), a(v.version), a(v.environment), a(v.commit);
  a(v.author), a(v.title), a(v.from), a(v.to), a(v.files), a(v.files_total), a(v.source);
  a(v.path), a(v.line);
}
template <typename A, Is<AskedSource> T>
void walk(A& a, T& v) {
  a(v.name), a(v.found), a(v.note), a(v.failed);
}
template <typename A, Is<LastDeploy> T>
void walk(A& a, T& v) {
  a(v.change), a(v.evidence);
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
template <typename A, Is<TextRange> T>
void walk(A& a, T& v) {
  a(v.begin), a(v.end);
}
template <typename A, Is<Proof> T>
void walk(A& a, T& v) {
  a(v.receipt), a(v.bytes);
}
template <typename A, Is<Claim> T>
void walk(A& a, T& v) {
  a(v.bytes), a(v.kind), a(v.verdict), a(v.proofs), a(v.reason);
}
template <typename A, Is<Verification> T>
void walk(A& a, T& v) {
  a(v.claims), a(v.cut);
}
template <typename A, Is<AnswerRecord> T>
void walk(A& a, T& v) {
  a(v.status), a(v.sources), a(v.missing), a(v.remembered), a(v.explain), a(v.fallback);
}

// Of a metric, what was not kept at first.
template <typename A, Is<MetricsResult> T>
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

void FieldCodec<Message>::encode(const Message& message, ByteWriter& out) { Encoder{out}(message); }
Message FieldCodec<Message>::decode(ByteReader& in) {
  Message message;
  Decoder{in}(message);
  return message;
}
nlohmann::json FieldCodec<Message>::json(const Message& message) {
  nlohmann::json out = {
      {"id", message.id}, {"role", name(message.role)}, {"content", message.content}};
  for (const ToolCall& call : message.tool_calls)
    out["tool_calls"].push_back({{"id", call.id}, {"name", call.name}, {"args", call.args}});
  if (!message.tool_call_id.empty()) out["tool_call_id"] = message.tool_call_id;
  return out;
}

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
  if (receipt.took || metric != nullptr || expired)
    out.signed_number(receipt.took ? receipt.took->count() : kNotMeasured);
  // Nor was this in what was kept at first.
  if (metric != nullptr) a(metric->now_against), a(metric->episodes), a(metric->past_alerts);
  // Nor were these, which need all that comes before them.
  const bool ranged =
      metric != nullptr &&
      std::ranges::any_of(metric->now_against, [](const auto& n) { return n.low.has_value(); });
  if (metric != nullptr && (has_reading(*metric) || ranged)) walk_reading(a, *metric);
  if (ranged)
    for (const NowAgainst& then : metric->now_against) a(then.low), a(then.high);
  if (expired)
    for (const KnowledgeItem& item : *items) a(item.expired_at);
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
  auto* metric = std::get_if<MetricsResult>(&receipt.result);
  if (metric != nullptr && !in.at_end())
    a(metric->now_against), a(metric->episodes), a(metric->past_alerts);
  if (metric != nullptr && !in.at_end()) walk_reading(a, *metric);
  if (metric != nullptr && !in.at_end())
    for (NowAgainst& then : metric->now_against) a(then.low), a(then.high);
  if (auto* items = items_of(receipt.result); items != nullptr && !in.at_end())
    for (KnowledgeItem& item : *items) a(item.expired_at);
  if (auto* changes = std::get_if<ChangesResult>(&receipt.result); changes && !in.at_end())
    for (Change& change : changes->changes) a(change.written);
  if (auto* changes = std::get_if<ChangesResult>(&receipt.result); changes && !in.at_end())
    for (Change& change : changes->changes) a(change.subject), a(change.reverts);
  return receipt;
}
nlohmann::json FieldCodec<Receipt>::json(const Receipt& receipt) { return to_json(receipt); }

void FieldCodec<AnswerRecord>::encode(const AnswerRecord& record, ByteWriter& out) {
  Encoder a{out};
  a(record);
  // Absent in what was kept before there was a policy, and where nothing was checked.
  const bool proof = !record.proof.claims.empty();
  if (proof || !record.unmet.empty()) a(record.unmet);
  if (proof) a(record.proof);
}
AnswerRecord FieldCodec<AnswerRecord>::decode(ByteReader& in) {
  AnswerRecord record;
  Decoder a{in};
  a(record);
  if (!in.at_end()) a(record.unmet);
  if (!in.at_end()) a(record.proof);
  return record;
}
nlohmann::json FieldCodec<AnswerRecord>::json(const AnswerRecord& record) {
  nlohmann::json sources = nlohmann::json::array();
  for (const Source& source : record.sources) sources.push_back(to_json(source));
  return {{"status", name(record.status)}, {"sources", std::move(sources)},
          {"missing", record.missing},     {"remembered", record.remembered},
          {"unmet", record.unmet},         {"claims", record.proof.claims.size()}};
}

void FieldCodec<RunUse>::encode(const RunUse& use, ByteWriter& out) {
  out.signed_number(use.steps);
  out.signed_number(use.usage.input_tokens);
  out.signed_number(use.usage.output_tokens);
  out.signed_number(use.usage.cached_tokens);
  FieldCodec<double>::encode(use.cost_usd.value_or(0), out);
  out.signed_number(use.time.count());
  out.signed_number(use.cost_usd.has_value() ? 1 : 0);
}
RunUse FieldCodec<RunUse>::decode(ByteReader& in) {
  RunUse use;
  use.steps = in.signed_number();
  use.usage.input_tokens = in.signed_number();
  use.usage.output_tokens = in.signed_number();
  use.usage.cached_tokens = in.signed_number();
  const double cost = FieldCodec<double>::decode(in);
  // What follows was not kept at first: no time, and that nothing costs anything without prices.
  if (!in.at_end()) use.time = std::chrono::microseconds(in.signed_number());
  if (in.at_end() ? cost > 0 : in.signed_number() != 0) use.cost_usd = cost;
  return use;
}
nlohmann::json FieldCodec<RunUse>::json(const RunUse& use) {
  nlohmann::json object = {{"steps", use.steps},
                           {"input_tokens", use.usage.input_tokens},
                           {"output_tokens", use.usage.output_tokens},
                           {"cached_tokens", use.usage.cached_tokens}};
  if (use.cost_usd) object["cost_usd"] = *use.cost_usd;
  return object;
}

void FieldCodec<ConversationSummary>::encode(const ConversationSummary& summary, ByteWriter& out) {
  FieldCodec<std::string>::encode(summary.text, out);
  out.signed_number(static_cast<int64_t>(summary.messages));
}
ConversationSummary FieldCodec<ConversationSummary>::decode(ByteReader& in) {
  ConversationSummary summary;
  summary.text = FieldCodec<std::string>::decode(in);
  summary.messages = static_cast<size_t>(std::max<int64_t>(0, in.signed_number()));
  return summary;
}
nlohmann::json FieldCodec<ConversationSummary>::json(const ConversationSummary& summary) {
  return {{"text", summary.text}, {"messages", summary.messages}};
}

}  // namespace precedent
