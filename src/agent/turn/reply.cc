#include "agent/turn/reply.h"

#include <nlohmann/json.hpp>

#include "agent/evidence/receipt_notes.h"
#include "agent/model/proof.h"
#include "base/foreign_json.h"
#include "base/strings.h"

namespace precedent {

Reply reply_of(const RunResult<CopilotState>& run, const std::string& thread) {
  Reply reply = reply_of(run.state, thread);
  if (!run.report.unkept) return reply;
  reply.not_kept = run.report.unkept->text();
  if (!run.report.checkpoint) reply.thread_id.clear();
  return reply;
}

Reply reply_of(const CopilotState& state, const std::string& thread) {
  Reply reply;
  reply.status = state.answer.status;
  if (!state.messages.empty()) reply.text = state.messages.back().content;
  if (!state.intent.empty()) reply.intent = state.intent;
  if (!state.plan.empty()) reply.plan = state.plan;
  reply.receipts = receipts_of_last_question(state);
  reply.remembered = state.answer.remembered;
  reply.sources = state.answer.sources;
  reply.missing = state.answer.missing;
  reply.explain = state.answer.explain;
  reply.claims = state.answer.proof;
  reply.sections = state.answer.sections;
  if (!reply.claims.claims.empty())
    reply.grounding = grounding_json(reply.claims, state.answer.unmet).dump();
  reply.thread_id = thread;
  reply.title = state.title;
  reply.usage = state.usage;
  reply.dataset_version = state.dataset_version;
  return reply;
}

Reply plain_reply(AnswerStatus status, std::string text, std::string thread) {
  Reply reply;
  reply.status = status;
  reply.missing = {text};
  reply.text = std::move(text);
  reply.thread_id = std::move(thread);
  return reply;
}

namespace {

// All of the text in its order, each part with its type; "text" where none is known.
nlohmann::json typed_sections(const Reply& reply) {
  nlohmann::json sections = nlohmann::json::array();
  const auto add = [&](std::string_view type, size_t begin, size_t end) {
    const std::string_view text = trim(std::string_view(reply.text).substr(begin, end - begin));
    if (!text.empty()) sections.push_back({{"type", type}, {"text", text}});
  };
  size_t at = 0;
  for (const TypedSection& section : reply.sections) {
    if (section.bytes.begin < at || section.bytes.end > reply.text.size()) continue;
    add("text", at, section.bytes.begin);
    add(section.type, section.bytes.begin, section.bytes.end);
    at = section.bytes.end;
  }
  add("text", at, reply.text.size());
  return sections;
}

}  // namespace

nlohmann::json to_json(const Reply& reply, bool explain) {
  using nlohmann::json;
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? json() : json(text);
  };
  // Our own records, with parts that a model wrote. A discarded value would be printed as no JSON.
  const auto kept = [](const std::string& text) {
    json value = parse_json_leniently(text);
    return value.is_discarded() ? json() : value;
  };
  json receipts = json::array(), sources = json::array();
  for (const Receipt& receipt : reply.receipts) {
    receipts.push_back(to_json(receipt, explain));
    receipts.back()["note"] = note_of(receipt);
  }
  for (const Source& source : reply.sources) sources.push_back(to_json(source));
  json out = {{"status", name(reply.status)},
              {"answer", reply.text},
              {"sections", typed_sections(reply)},
              {"intent", kept(reply.intent)},
              {"plan", kept(reply.plan)},
              {"grounding", kept(reply.grounding)},
              {"claims", to_json(reply.claims, reply.text)["claims"]},
              {"receipts", std::move(receipts)},
              {"sources", std::move(sources)},
              {"missing", reply.missing},
              {"thread_id", text_or_null(reply.thread_id)},
              {"title", text_or_null(reply.title)}};
  if (reply.dataset_version != 0) out["dataset_version"] = reply.dataset_version;
  if (!reply.not_kept.empty()) out["not_kept"] = reply.not_kept;
  if (!reply.remembered.empty()) out["remembered"] = reply.remembered;
  if (reply.usage.steps > 0) out["usage"] = FieldCodec<RunUse>::json(reply.usage);
  if (explain) out["explain"] = reply.explain;
  return out;
}

}  // namespace precedent
