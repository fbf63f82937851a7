#include "server/mcp/ask.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/json_access.h"
#include "base/redact.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "server/mcp/output.h"
#include "server/mcp/schemas.h"
#include "tools/params.h"

namespace precedent {
namespace {

using nlohmann::json;

// The key of the form in which a question back is answered, and of its only field.
constexpr const char* kAnswer = "answer";
// A question back that is carried along; longer ones are cut.
constexpr size_t kMaxQuestionBack = 4000;

const std::vector<Param>& params() {
  static const std::vector<Param> kParams = {
      {.name = "question",
       .description = "The question, with whatever belongs to it",
       .required = true},
      {.name = "chat_id", .description = "Go on with this conversation"}};
  return kParams;
}

// REQUIRES: they were not refused.
Args given(const json& args) { return read_args(params(), args, "ask").value(); }

json result_of(const Reply& reply) {
  // The text stands there twice; sources share what remains.
  constexpr size_t kText = kMcpMaxBytes * 2 / 5, kSources = kMcpMaxBytes - 2 * kText - 1000;
  const json whole = to_json(reply);
  const std::string text = bounded_text(reply.text, kText);
  json found = {{"sources", whole["sources"]}, {"missing", whole["missing"]}};
  const std::string left_out = shrink(found, kSources);
  json structured = {{"status", whole["status"]},
                     {"answer", text},
                     {"chat_id", whole["thread_id"]},
                     {"sources", json::array()},
                     {"missing", json::array()}};
  if (found.is_object()) structured.update(found);
  if (!left_out.empty()) structured["left_out"] = left_out;
  return mcp_tool_result(text, std::move(structured), reply.status == AnswerStatus::kError);
}

json failed(const std::string& text) {
  return mcp_tool_result(text,
                         {{"status", "error"},
                          {"answer", text},
                          {"sources", json::array()},
                          {"missing", json::array({text})}},
                         true);
}

json forms_of(const std::string& question_back) {
  return mcp_form(kAnswer, question_back,
                  {{"type", "object"},
                   {"properties", {{kAnswer, {{"type", "string"}, {"title", "Your answer"}}}}},
                   {"required", json::array({kAnswer})}});
}

McpOutcome asked_back(const std::string& question_back, const Reply& reply) {
  const std::string carried(utf8_prefix(question_back, kMaxQuestionBack));
  return {.result = result_of(reply),
          .forms = forms_of(carried),
          .kept = {{"question_back", carried}},
          .reply = reply};
}

McpOutcome outcome_of(Reply reply) {
  // Only a conversation that is kept can go on once the question back is answered.
  if (reply.status == AnswerStatus::kNeedsInput && !reply.thread_id.empty() &&
      reply.not_kept.empty())
    return asked_back(reply.text, reply);
  return {.result = result_of(reply), .reply = std::move(reply)};
}

// What tells one question of a chat from another, whether or not a secret was taken out of it.
std::string mark_of(std::string_view question) {
  return fmt::format("{:08x}", hash64(redact(trim(question))) & 0xffffffff);
}

}  // namespace

json McpAsk::tool() const {
  return {{"name", name()},
          {"title", "Ask precedent"},
          {"description",
           "Answer a question about incidents, runbooks, architecture, code, changes, alerts or "
           "metrics, with the sources of each claim. What cannot be found is said."},
          {"inputSchema", json_schema(params())},
          {"outputSchema", ask_output_schema()},
          {"annotations",
           {{"readOnlyHint", true},
            {"destructiveHint", false},
            {"idempotentHint", false},
            {"openWorldHint", false}}}};
}

std::optional<json> McpAsk::refusal(const json& args) const {
  const auto read = read_args(params(), args, name());
  if (!read) return failed(read.error().text());
  if (trim(read->text("question")).empty())
    return failed("'question' is missing or blank; ask something");
  const std::string& chat = read->text("chat_id");
  if (!chat.empty() && !is_chat_id(chat)) return failed("'chat_id' is no id of a conversation");
  return std::nullopt;
}

std::string McpAsk::chat(const json& args) const { return given(args).text("chat_id"); }

std::string McpAsk::question(const McpRound& round) const {
  if (round.kept.is_null()) return given(round.args).text("question");
  return foreign::string_at(foreign::member(foreign::member(round.answers, kAnswer), "content"),
                            kAnswer);
}

McpResult<McpOutcome> McpAsk::run(const McpRound& round, EventSink& events,
                                  const CancelToken& cancel) const {
  const std::string asked = question(round);
  if (!round.kept.is_null()) {
    const std::string question_back = foreign::string_at(round.kept, "question_back");
    const Reply reply = plain_reply(AnswerStatus::kNeedsInput, question_back, round.chat);
    if (foreign::string_at(foreign::member(round.answers, kAnswer), "action") != "accept")
      return McpOutcome{.result = result_of(reply), .reply = reply};
    if (trim(asked).empty()) return asked_back(question_back, reply);
  }
  AskOptions options;
  options.thread = round.chat;
  return outcome_of(services_.answerer.ask({asked, {}}, options, services_.clock, events, cancel));
}

std::string McpAsk::mark(const json& args) const { return mark_of(given(args).text("question")); }

std::optional<McpOutcome> McpAsk::recall(const std::string& chat, std::string_view mark) const {
  if (!services_.last_turn) return std::nullopt;
  const auto kept = services_.last_turn(chat);
  if (!kept || !kept->reply || mark_of(kept->question) != mark) return std::nullopt;
  return outcome_of(*kept->reply);
}

}  // namespace precedent
