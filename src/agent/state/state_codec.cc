#include "agent/state/state_codec.h"

#include "agent/state/archive.h"

namespace precedent {

constexpr uint64_t last_of(Role) { return static_cast<uint64_t>(Role::kTool); }
constexpr uint64_t last_of(AnswerStatus) { return static_cast<uint64_t>(AnswerStatus::kError); }
constexpr uint64_t last_of(ClaimKind) { return static_cast<uint64_t>(ClaimKind::kGeneral); }
constexpr uint64_t last_of(ClaimVerdict) {
  return static_cast<uint64_t>(ClaimVerdict::kGeneralKnowledge);
}

namespace archive {

template <typename A, Is<ToolCall> T>
void walk(A& a, T& v) {
  a(v.id), a(v.name), a(v.args);
}
template <typename A, Is<Message> T>
void walk(A& a, T& v) {
  a(v.role), a(v.content), a(v.id), a(v.tool_calls), a(v.tool_call_id);
}
template <typename A, Is<TextRange> T>
void walk(A& a, T& v) {
  a(v.begin), a(v.end);
}
template <typename A, Is<Proof> T>
void walk(A& a, T& v) {
  a(v.receipt), a(v.bytes);
}
template <typename A, Is<Opinion> T>
void walk(A& a, T& v) {
  a(v.supported), a(v.contradicted), a(v.not_stated);
}
template <typename A, Is<Claim> T>
void walk(A& a, T& v) {
  a(v.bytes), a(v.kind), a(v.verdict), a(v.proofs), a(v.reason);
}
template <typename A, Is<Verification> T>
void walk(A& a, T& v) {
  a(v.claims), a(v.cut);
}
template <typename A, Is<TypedSection> T>
void walk(A& a, T& v) {
  a(v.type), a(v.bytes);
}
template <typename A, Is<AnswerRecord> T>
void walk(A& a, T& v) {
  a(v.status), a(v.sources), a(v.missing), a(v.remembered), a(v.explain), a(v.fallback);
}

}  // namespace archive

namespace {

using archive::Decoder;
using archive::Encoder;

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

void FieldCodec<AnswerRecord>::encode(const AnswerRecord& record, ByteWriter& out) {
  Encoder a{out};
  a(record);
  // Absent in what was kept before there was a policy, and where nothing was checked.
  const bool judged = std::ranges::any_of(record.proof.claims, [](const Claim& claim) {
    return !claim.check.empty() || claim.opinion.has_value();
  });
  const bool linked = judged || std::ranges::any_of(record.sources, [](const Source& source) {
                        return !source.link.empty() || !source.version.empty();
                      });
  const bool sections = linked || !record.sections.empty();
  const bool proof = sections || !record.proof.claims.empty();
  if (proof || !record.unmet.empty()) a(record.unmet);
  if (proof) a(record.proof);
  if (sections) a(record.sections);
  if (linked)
    for (const Source& source : record.sources) a(source.link), a(source.version);
  if (judged)
    for (const Claim& claim : record.proof.claims) a(claim.check), a(claim.opinion);
}
AnswerRecord FieldCodec<AnswerRecord>::decode(ByteReader& in) {
  AnswerRecord record;
  Decoder a{in};
  a(record);
  if (!in.at_end()) a(record.unmet);
  if (!in.at_end()) a(record.proof);
  if (!in.at_end()) a(record.sections);
  if (!in.at_end())
    for (Source& source : record.sources) a(source.link), a(source.version);
  if (!in.at_end())
    for (Claim& claim : record.proof.claims) a(claim.check), a(claim.opinion);
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
