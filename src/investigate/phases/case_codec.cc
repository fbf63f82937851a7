// How the parts of a CaseState are written and read.
#include "graph/archive.h"
#include "investigate/hypotheses/generators.h"
#include "investigate/phases/case_state.h"

namespace precedent {

constexpr uint64_t last_of(ChangeKind) { return std::size(kAllChangeKinds) - 1; }
constexpr uint64_t last_of(Symptom) { return kSymptoms - 1; }
constexpr uint64_t last_of(LogLevel) { return static_cast<uint64_t>(LogLevel::kError); }
constexpr uint64_t last_of(FileRole) { return static_cast<uint64_t>(FileRole::kInert); }
constexpr uint64_t last_of(Measure) { return kMeasures - 1; }
constexpr uint64_t last_of(Category) { return static_cast<uint64_t>(Category::kKnown); }
constexpr uint64_t last_of(VerdictKind) {
  return static_cast<uint64_t>(VerdictKind::kInconclusive);
}

namespace archive {
namespace {

// Raised whenever a member is added, taken away or read otherwise.
constexpr uint64_t kFormat = 6;

// Names of rows stand in tables that outlive everything: what is read becomes the table's own.
void name_of_row(Encoder& a, std::string_view name) { a.out.text(name); }
void name_of_row(Decoder& a, std::string_view& name) {
  const std::string_view read = a.in.text();
  for (const Generator& row : generators())
    if (row.name == read) name = row.name;
}
void name_of_effect(Encoder& a, const Effect& effect) { a.out.text(effect.row); }
void name_of_effect(Decoder& a, Effect& effect) {
  const std::string_view read = a.in.text();
  for (const std::string_view row : effect_rows())
    if (row == read) effect.row = row, effect.text = effect_text(row);
}
void symptoms(Encoder& a, const SymptomSet& all) { a(all.list()); }
void symptoms(Decoder& a, SymptomSet& all) {
  std::vector<Symptom> list;
  a(list);
  for (const Symptom symptom : list) all.add(symptom);
}
// Not for the archive of the conversations, which keeps another part of these.
template <typename A, Is<Change> T>
void change(A& a, T& v) {
  auto& [id, at, kind, services, version, environment, commit, written, author, title, subject,
         from, to, reverts, files, files_total, source, path, line] = v;
  a(id), a(at), a(kind), a(services), a(version), a(environment), a(commit), a(written), a(author);
  a(title), a(subject), a(from), a(to), a(reverts), a(files), a(files_total), a(source), a(path);
  a(line);
}
template <typename A, Is<Receipt> T>
void receipt(A& a, T& v) {
  a(v.id), a(v.tool), a(v.args), a(v.at), a(v.text);
}
void receipts(Encoder& a, const std::vector<Receipt>& all) {
  a(uint64_t{all.size()});
  for (const Receipt& each : all) receipt(a, each);
}
void receipts(Decoder& a, std::vector<Receipt>& all) {
  for (uint64_t n = a.in.number(); n > 0 && a.in.ok(); --n) receipt(a, all.emplace_back());
}

}  // namespace

// Each type is taken apart into all of its members: one that is added and not written does not
// compile.

template <typename A, Is<AlertSaid> T>
void walk(A& a, T& v) {
  auto& [name, service, text, at, own] = v;
  a(name), a(service), a(text), a(at), a(own);
}
template <typename A, Is<IncidentBrief> T>
void walk(A& a, T& v) {
  auto& [id, title, service, severity, symptoms, errors, labels, fired_at, ended_at, first_sign,
         links, alerts, said, missing] = v;
  a(id), a(title), a(service), a(severity), a(symptoms), a(errors), a(labels), a(fired_at);
  a(ended_at), a(first_sign), a(links), a(alerts), a(said), a(missing);
}
template <typename A, Is<BriefOptions> T>
void walk(A& a, T& v) {
  auto& [service, description, since, until] = v;
  a(service), a(description), a(since), a(until);
}
template <typename A, Is<GatherOptions> T>
void walk(A& a, T& v) {
  auto& [brief, now] = v;
  a(brief), a(now);
}
template <typename A, Is<Window> T>
void walk(A& a, T& v) {
  auto& [from, to, step] = v;
  a(from), a(to), a(step);
}
template <typename A, Is<MetricMeaning> T>
void walk(A& a, T& v) {
  auto& [symptom, bad_up] = v;
  a(symptom), a(bad_up);
}
template <typename A, Is<Departure> T>
void walk(A& a, T& v) {
  auto& [onset, visible, calm, usual, spread, peak, peak_at, ramp] = v;
  a(onset), a(visible), a(calm), a(usual), a(spread), a(peak), a(peak_at), a(ramp);
}
template <typename A, Is<MetricFinding> T>
void walk(A& a, T& v) {
  auto& [metric, labels, service, meaning, course, worse, saturated, crossed_zero, per_second] = v;
  a(metric), a(labels), a(service), a(meaning), a(course), a(worse), a(saturated), a(crossed_zero);
  a(per_second);
}
template <typename A, Is<MetricEvidence> T>
void walk(A& a, T& v) {
  // Series have been compared by the time that evidence is complete, and are gone.
  auto& [findings, series, services, counted, of_services, missing] = v;
  a(findings), a(series), a(services), a(counted), a(missing);
}
template <typename A, Is<LogTemplate> T>
void walk(A& a, T& v) {
  auto& [service, level, text, sample, file, line, first, last, count, fresh, grown, onset, bad,
         constant, detail] = v;
  a(service), a(level), a(text), a(sample), a(file), a(line), a(first), a(last), a(count), a(fresh);
  a(grown), a(onset), symptoms(a, bad), a(constant), a(detail);
}
template <typename A, Is<TraceSpan> T>
void walk(A& a, T& v) {
  auto& [trace, id, parent, service, name, at, duration_ms, failed, error, attributes, parent_index,
         place] = v;
  a(trace), a(id), a(parent), a(service), a(name), a(at), a(duration_ms), a(failed), a(error);
  a(attributes), a(parent_index), a(place);
}
template <typename A, Is<Traces> T>
void walk(A& a, T& v) {
  auto& [spans, file, missing] = v;
  a(spans), a(file), a(missing);
}
template <typename A, Is<DiffLine> T>
void walk(A& a, T& v) {
  auto& [kind, text] = v;
  a(kind), a(text);
}
template <typename A, Is<Hunk> T>
void walk(A& a, T& v) {
  auto& [file, role, heading, lines] = v;
  a(file), a(role), a(heading), a(lines);
}
template <typename A, Is<Effect> T>
void walk(A& a, T& v) {
  auto& [row, text, can_cause, strength, at_once, line, file] = v;
  name_of_effect(a, v), symptoms(a, can_cause), a(strength), a(at_once), a(line), a(file);
}
template <typename A, Is<WentLive> T>
void walk(A& a, T& v) {
  auto& [service, at, exact, deploy] = v;
  a(service), a(at), a(exact), a(deploy);
}
template <typename A, Is<ChangeCandidate> T>
void walk(A& a, T& v) {
  auto& [made, hunks, has_diff, effects, owners, shared, live, deploys_known] = v;
  change(a, made), a(hunks), a(has_diff), a(effects), a(owners), a(shared), a(live);
  a(deploys_known);
}
template <typename A, Is<CandidateList> T>
void walk(A& a, T& v) {
  auto& [candidates, changes, missing] = v;
  a(candidates), a(changes), a(missing);
}
template <typename A, Is<CallEdge> T>
void walk(A& a, T& v) {
  auto& [caller, callee, why, receipt, traced] = v;
  a(caller), a(callee), a(why), a(receipt), a(traced);
}
template <typename A, Is<KnownFault> T>
void walk(A& a, T& v) {
  auto& [id, title, kind, path, says, alert, fits, share, past, receipt] = v;
  a(id), a(title), a(kind), a(path), a(says), a(alert), a(fits), a(share), a(past), a(receipt);
}
template <typename A, Is<KnownOfAlerts> T>
void walk(A& a, T& v) {
  auto& [services, calls, faults, past] = v;
  a(services), a(calls), a(faults), a(past);
}
inline void walk(Encoder& a, const ServiceGraph& v) { a(v.services()), a(v.edges()); }
inline void walk(Decoder& a, ServiceGraph& v) {
  std::set<std::string> services;
  a(services), a(v.edges());
  for (const std::string& service : services) v.add_service(service);
}
template <typename A, Is<Sign> T>
void walk(A& a, T& v) {
  auto& [symptom, service, onset, weight, what, receipt] = v;
  a(symptom), a(service), a(onset), a(weight), a(what), a(receipt);
}
template <typename A, Is<RankedService> T>
void walk(A& a, T& v) {
  auto& [service, score, because] = v;
  a(service), a(score), a(because);
}
template <typename A, Is<FailingPart> T>
void walk(A& a, T& v) {
  auto& [services, onset] = v;
  a(services), a(onset);
}
template <typename A, Is<CaseFile> T>
void walk(A& a, T& v) {
  auto& [brief, window, metrics, logs, traces, changes, graph, signs, kept, missing, slack, failing,
         onset, affected, apart, dark_since, known, ranking] = v;
  a(brief), a(window), a(metrics), a(logs), a(traces), a(changes), a(graph), a(signs);
  receipts(a, kept), a(missing), a(slack), a(failing), a(onset), a(affected), a(dark_since);
  a(known), a(ranking), a(apart);
}
template <typename A, Is<CaseOrder> T>
void walk(A& a, T& v) {
  auto& [brief, folder, options, asks, told] = v;
  a(brief), a(folder), a(options), a(asks), a(told);
}
template <typename A, Is<Condition> T>
void walk(A& a, T& v) {
  auto& [what, holds, weight, because, receipt, measure] = v;
  a(what), a(holds), a(weight), a(because), a(receipt), a(measure);
}
template <typename A, Is<PathStep> T>
void walk(A& a, T& v) {
  auto& [from, to, why, receipt] = v;
  a(from), a(to), a(why), a(receipt);
}
template <typename A, Is<Hypothesis> T>
void walk(A& a, T& v) {
  auto& [id, row, category, statement, change, service, part, needs, predictions, path, remedy,
         advice, told, confidence] = v;
  a(id), name_of_row(a, row), a(category), a(statement), a(change), a(service), a(needs);
  a(predictions), a(path), a(remedy), a(advice), a(told), a(confidence), a(part);
}
template <typename A, Is<CaseAnswer> T>
void walk(A& a, T& v) {
  auto& [question, hypothesis, row, yes, receipt] = v;
  a(question), a(hypothesis), a(row), a(yes), a(receipt);
}
template <typename A, Is<DecidingQuestion> T>
void walk(A& a, T& v) {
  auto& [question, if_yes, if_no, hypothesis] = v;
  a(question), a(if_yes), a(if_no), a(hypothesis);
}
template <typename A, Is<Alternative> T>
void walk(A& a, T& v) {
  auto& [hypothesis, why_not] = v;
  a(hypothesis), a(why_not);
}
template <typename A, Is<CaseVerdict> T>
void walk(A& a, T& v) {
  auto& [outcome, causes, confidence, summary, first_failing_service, blast_radius,
         root_cause_commit, remediation, advice, alternatives, question] = v;
  a(outcome), a(causes), a(confidence), a(summary), a(first_failing_service), a(blast_radius);
  a(root_cause_commit), a(remediation), a(advice), a(alternatives), a(question);
}
template <typename A, Is<LineRange> T>
void walk(A& a, T& v) {
  uint64_t from = v.begin, to = v.end;
  a(from), a(to);
  if constexpr (std::is_same_v<A, Decoder>)
    v = {static_cast<uint32_t>(from), static_cast<uint32_t>(to)};
}
template <typename A, Is<RunbookStep> T>
void walk(A& a, T& v) {
  auto& [text, lines] = v;
  a(text), a(lines);
}
template <typename A, Is<KnownDocument> T>
void walk(A& a, T& v) {
  auto& [id, title, kind, path, preview, relevance, helps, lines, steps] = v;
  a(id), a(title), a(kind), a(path), a(preview), a(relevance), a(helps), a(lines), a(steps);
}
template <typename A, Is<ServiceOwner> T>
void walk(A& a, T& v) {
  auto& [service, document, title, path, says, receipt] = v;
  a(service), a(document), a(title), a(path), a(says), a(receipt);
}
template <typename A, Is<DownstreamService> T>
void walk(A& a, T& v) {
  auto& [service, on, why, receipt, fails] = v;
  a(service), a(on), a(why), a(receipt), a(fails);
}
template <typename A, Is<ServicePart> T>
void walk(A& a, T& v) {
  auto& [text, fields, from, to] = v;
  a(text), a(fields), a(from), a(to);
}
template <typename A, Is<ServiceDocument> T>
void walk(A& a, T& v) {
  auto& [id, title, path, services, owns, parts] = v;
  a(id), a(title), a(path), a(services), a(owns), a(parts);
}
template <typename A, Is<CaseHelp> T>
void walk(A& a, T& v) {
  auto& [known, owners, downstream, documents, kept, missing] = v;
  a(known), a(owners), a(downstream), a(documents), receipts(a, kept), a(missing);
}

template <typename T>
void write(const T& value, ByteWriter& out) {
  out.number(kFormat);
  Encoder{out}(value);
}
// Of another format nothing is read: more is asked for than there can be, and the reader fails.
template <typename T>
T read(ByteReader& in) {
  T value{};
  if (in.number() == kFormat)
    Decoder{in}(value);
  else
    in.raw(UINT64_MAX);
  return value;
}

}  // namespace archive

using nlohmann::json;

void FieldCodec<CaseOrder>::encode(const CaseOrder& order, ByteWriter& out) {
  archive::write(order, out);
}
CaseOrder FieldCodec<CaseOrder>::decode(ByteReader& in) { return archive::read<CaseOrder>(in); }
json FieldCodec<CaseOrder>::json(const CaseOrder& order) {
  return {{"title", order.brief.title}, {"service", order.brief.service}, {"asks", order.asks}};
}

void FieldCodec<SharedCase>::encode(const SharedCase& evidence, ByteWriter& out) {
  archive::write(evidence ? *evidence : CaseFile(), out);
}
SharedCase FieldCodec<SharedCase>::decode(ByteReader& in) {
  return std::make_shared<const CaseFile>(archive::read<CaseFile>(in));
}
json FieldCodec<SharedCase>::json(const SharedCase& evidence) {
  if (evidence == nullptr) return nullptr;
  return {{"failing", evidence->failing},          {"affected", evidence->affected},
          {"signs", evidence->signs.size()},       {"changes", evidence->changes.candidates.size()},
          {"receipts", evidence->receipts.size()}, {"missing", evidence->missing}};
}

void FieldCodec<Hypothesis>::encode(const Hypothesis& hypothesis, ByteWriter& out) {
  archive::write(hypothesis, out);
}
Hypothesis FieldCodec<Hypothesis>::decode(ByteReader& in) { return archive::read<Hypothesis>(in); }
json FieldCodec<Hypothesis>::json(const Hypothesis& hypothesis) {
  return {{"id", hypothesis.id},
          {"row", hypothesis.row},
          {"statement", hypothesis.statement},
          {"confidence", hypothesis.confidence}};
}

void FieldCodec<CaseAnswer>::encode(const CaseAnswer& answer, ByteWriter& out) {
  archive::write(answer, out);
}
CaseAnswer FieldCodec<CaseAnswer>::decode(ByteReader& in) { return archive::read<CaseAnswer>(in); }
json FieldCodec<CaseAnswer>::json(const CaseAnswer& answer) {
  return {{"question", answer.question}, {"yes", answer.yes}};
}

void FieldCodec<CaseVerdict>::encode(const CaseVerdict& verdict, ByteWriter& out) {
  archive::write(verdict, out);
}
CaseVerdict FieldCodec<CaseVerdict>::decode(ByteReader& in) {
  return archive::read<CaseVerdict>(in);
}
json FieldCodec<CaseVerdict>::json(const CaseVerdict& verdict) {
  return {{"outcome", name(verdict.outcome)}, {"summary", verdict.summary}};
}

void FieldCodec<CaseHelp>::encode(const CaseHelp& help, ByteWriter& out) {
  archive::write(help, out);
}
CaseHelp FieldCodec<CaseHelp>::decode(ByteReader& in) { return archive::read<CaseHelp>(in); }
json FieldCodec<CaseHelp>::json(const CaseHelp& help) {
  return {{"known", help.known.size()}, {"owners", help.owners.size()}};
}

}  // namespace precedent
