#include "agent/state/reading_codec.h"

#include "agent/state/archive.h"

namespace precedent {

constexpr uint64_t last_of(QuestionType) { return static_cast<uint64_t>(QuestionType::kOffTopic); }
constexpr uint64_t last_of(SubjectKind) { return static_cast<uint64_t>(SubjectKind::kThing); }
constexpr uint64_t last_of(Extreme) { return static_cast<uint64_t>(Extreme::kOldest); }
constexpr uint64_t last_of(Recall) { return static_cast<uint64_t>(Recall::kCause); }

namespace archive {

// Each type is taken apart into all of its members: one that is added and not written does not
// compile.

template <typename A, Is<Subject> T>
void walk(A& a, T& v) {
  auto& [text, kind] = v;
  a(text), a(kind);
}
template <typename A, Is<TimeHint> T>
void walk(A& a, T& v) {
  auto& [text, begin, end, range, days] = v;
  a(text), a(begin), a(end), a(range), a(days);
}
template <typename A, Is<DeployHint> T>
void walk(A& a, T& v) {
  auto& [text, begin, end, version, day, deploy, of_version] = v;
  a(text), a(begin), a(end), a(version), a(day), a(deploy), a(of_version);
  // Beyond what a receipt keeps of it.
  if (deploy) a(deploy->change.written), a(deploy->change.subject), a(deploy->change.reverts);
}
template <typename A, Is<Signals> T>
void walk(A& a, T& v) {
  auto& [latency, errors, throughput, saturation, unhealthy, log_line, deploy, firing, changes,
         code, configuration, architecture, alerts, slo, concept_only, ours, precedent, cues] = v;
  for (auto* flag : {&latency, &errors, &throughput, &saturation, &unhealthy, &log_line, &deploy,
                     &firing, &changes, &code, &configuration, &architecture, &alerts, &slo,
                     &concept_only, &ours, &precedent})
    a(*flag);
  a(cues);
}
template <typename A, Is<Asks> T>
void walk(A& a, T& v) {
  auto& [steps, command, number, person, contact, on_call_now, phone, objective, time, cause,
         remedy, list, count, status, impact, detection, work, whether, value, other] = v;
  for (auto* flag : {&steps,     &command,   &number, &person,  &contact, &on_call_now, &phone,
                     &objective, &time,      &cause,  &remedy,  &list,    &count,       &status,
                     &impact,    &detection, &work,   &whether, &value,   &other})
    a(*flag);
}
template <typename A, Is<Qualifiers> T>
void walk(A& a, T& v) {
  auto& [everything, overview, to_look, version, author, least, switched_off, ever, before, flags,
         deploys, rollbacks, commits, only_objective, dependants, moment, rising, falling,
         open_work, repeat, outlook, of_a_document, commit, environment, label, resource, future,
         deed, words, names, compared_days, compared] = v;
  for (auto* flag :
       {&everything,   &overview,       &to_look,    &version,      &author,  &least,
        &switched_off, &ever,           &before,     &flags,        &deploys, &rollbacks,
        &commits,      &only_objective, &dependants, &moment,       &rising,  &falling,
        &open_work,    &repeat,         &outlook,    &of_a_document})
    a(*flag);
  a(commit), a(environment), a(label), a(resource), a(future), a(deed), a(words), a(names);
  a(compared_days), a(compared);
}
template <typename A, Is<Filter> T>
void walk(A& a, T& v) {
  // Systems are of scopes, which are below whatever reads a question.
  auto& [kinds, services, tags, applications, systems, ids, severities, statuses, opened] = v;
  a(kinds), a(services), a(tags), a(applications), a(ids), a(severities), a(statuses), a(opened);
}
template <typename A, Is<AskedDocuments> T>
void walk(A& a, T& v) {
  auto& [kinds, all, incidents, one] = v;
  a(kinds), a(all), a(incidents), a(one);
}
template <typename A, Is<Tally> T>
void walk(A& a, T& v) {
  auto& [function, pick, of, by, open, surely] = v;
  a(function), a(pick), a(of), a(by), a(open), a(surely);
}
template <typename A, Is<FrozenText> T>
void walk(A& a, T& v) {
  if constexpr (std::is_const_v<T>) {
    a(v.to_show());
  } else {
    std::string text;
    a(text);
    v = FrozenText(std::move(text));
  }
}
template <typename A, Is<ThingName> T>
void walk(A& a, T& v) {
  auto& [name, term, coded] = v;
  a(name), a(term), a(coded);
}
template <typename A, Is<FrozenQuestion> T>
void walk(A& a, T& v) {
  auto& [text, without_times, without_ids, says_live, records_alone, time_word, things,
         unknown_names] = v;
  a(text), a(without_times), a(without_ids), a(says_live), a(records_alone), a(time_word);
  a(things), a(unknown_names);
}
template <typename A, Is<Narrowing> T>
void walk(A& a, T& v) {
  auto& [repeats, cause, extremes] = v;
  a(repeats), a(cause), a(extremes);
}
template <typename A, Is<Intent> T>
void walk(A& a, T& v) {
  auto& [type, after, asked, ids, subjects, applications, lists_only, count, ranked, saying, open,
         tally, service, blamed, series, now, times, deploy, questions, signals, confidence,
         investigated, filter, asks, qualifiers, documents, document, parts_only, advice, except,
         live, candidates, recall, follow_up, taken_for, changed, order, cues] = v;
  a(type), a(after), a(asked), a(ids), a(subjects), a(applications), a(lists_only), a(count);
  a(ranked), a(saying), a(open), a(tally), a(service), a(blamed), a(series), a(now), a(times),
      a(deploy), a(questions);
  a(signals), a(confidence), a(investigated), a(filter), a(asks), a(qualifiers), a(documents),
      a(document);
  a(parts_only), a(advice), a(except), a(live), a(candidates), a(recall), a(follow_up);
  a(taken_for), a(changed), a(order), a(cues);
}
template <typename A, Is<Demand> T>
void walk(A& a, T& v) {
  auto& [tool, rule, because, must] = v;
  a(tool), a(rule), a(because), a(must);
}
template <typename A, Is<KeptQuestion> T>
void walk(A& a, T& v) {
  auto& [question, intent, demands] = v;
  a(question), a(intent), a(demands);
}
template <typename A, Is<CallReason> T>
void walk(A& a, T& v) {
  auto& [purpose, rule, parts] = v;
  a(purpose), a(rule), a(parts);
}
template <typename A, Is<KeptCall> T>
void walk(A& a, T& v) {
  auto& [call, reason] = v;
  a(call), a(reason);
}
template <typename A, Is<KeptReading> T>
void walk(A& a, T& v) {
  auto& [place, whole, narrowing, unread, parts, left_out, calls] = v;
  a(place), a(whole), a(narrowing), a(unread), a(parts), a(left_out), a(calls);
}

}  // namespace archive

namespace {

// Raised whenever a member is added, taken away or read otherwise.
constexpr uint64_t kFormat = 7;

}  // namespace

void FieldCodec<KeptReading>::encode(const KeptReading& reading, ByteWriter& out) {
  out.number(kFormat);
  archive::Encoder{out}(reading);
}

KeptReading FieldCodec<KeptReading>::decode(ByteReader& in) {
  KeptReading reading;
  if (in.number() != kFormat) {
    in.skip();
    return reading;
  }
  archive::Decoder{in}(reading);
  return reading;
}

nlohmann::json FieldCodec<KeptReading>::json(const KeptReading& reading) {
  return to_json(reading.whole.intent);
}

}  // namespace precedent
