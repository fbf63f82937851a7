#include "server/knowledge/feedback_api.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "base/utf8.h"
#include "server/http/problem.h"
#include "server/http/request_body.h"
#include "tools/feedback_json.h"
#include "tools/receipt.h"

namespace precedent {
namespace {

using nlohmann::json;

struct FeedbackApi {
  KnowledgeServices knowledge;
  const Chats& chats;
  const Clock& clock;
};

json shown(const Feedback& feedback) {
  json out = to_json(feedback);
  out["verdict"] = name(feedback.thumb);
  return out;
}

// Question and answer of a chat's last turn, where the body leaves them out.
Result<void> fill_from_chat(const Chats& chats, const std::string& chat, Feedback& feedback) {
  if (chat.empty())
    return fail(ErrorCode::kInvalidArgument,
                "'chat_id' is missing; name the chat, or send 'question' and 'answer'");
  const json kept = TRY(chats.messages(chat));
  const json& messages = kept["messages"];
  size_t at = messages.size();
  while (at > 0 && messages[at - 1]["role"] != "user") --at;
  if (at == 0 || messages.back()["role"] != "assistant")
    return fail(ErrorCode::kConflict,
                fmt::format("the last question of chat '{}' has no answer yet", chat));
  if (feedback.question.empty()) feedback.question = messages[at - 1]["content"].get<std::string>();
  if (feedback.answer.empty()) feedback.answer = messages.back()["content"].get<std::string>();
  return {};
}

Result<ServedResponse> give(const FeedbackApi& api, RequestBody& body) {
  Feedback feedback;
  const std::string chat = TRY(body.text("chat_id"));
  const std::string verdict = TRY(body.text("verdict", Need::kRequired));
  feedback.reason = trim(TRY(body.text("reason")));
  feedback.question = TRY(body.text("question"));
  feedback.answer = TRY(body.text("answer"));
  TRY(body.end());
  if (verdict != "up" && verdict != "down")
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'verdict' is '{}'; it must be up or down", verdict));
  feedback.thumb = verdict == "up" ? Thumb::kUp : Thumb::kDown;
  if (feedback.question.empty() || feedback.answer.empty())
    TRY(fill_from_chat(api.chats, chat, feedback));
  feedback.question = squeeze(strip_controls(feedback.question));
  feedback.answer = trim(feedback.answer);
  feedback.created_at = api.clock.now();
  if (const auto problem = problem_of(feedback))
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' {}", problem->field, problem->message));
  return json_response(shown(TRY(api.knowledge.desk.add_feedback(std::move(feedback)))), 201);
}

Result<json> list(const FeedbackApi& api, const ServedRequest& request) {
  const KnowledgeView view = api.knowledge.view();
  const bool pending = TRY(read_flag(request, "pending"));
  json all = json::array();
  for (const Feedback& feedback : TRY(view.store.feedback_list(pending)))
    all.push_back(shown(feedback));
  return json{{"feedback", std::move(all)}};
}

Result<ServedResponse> close(const FeedbackApi& api, const std::string& written,
                             RequestBody& body) {
  const std::string as = TRY(body.text("as", Need::kRequired));
  const std::string answer = TRY(body.text("answer"));
  const std::string reason = TRY(body.text("reason"));
  const std::string by = TRY(body.text("by"));
  TRY(body.end());
  const auto id = parse_feedback_id(written);
  if (!id)
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no feedback '{}'; GET /feedback lists it", written));
  if (as == "golden") {
    const auto given = TRY(api.knowledge.view().store.feedback(*id));
    if (given && given->thumb == Thumb::kDown && trim(answer).empty())
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'answer' is missing; {} is a thumb down, so give the corrected "
                              "answer, or close it as dismissed",
                              written));
    const ReviewedFeedback done = TRY(api.knowledge.desk.review_feedback(*id, answer, by));
    return json_response({{"feedback", shown(done.feedback)}, {"example", to_json(done.example)}});
  }
  if (as != "dismissed")
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'as' is '{}'; it must be golden or dismissed", as));
  // Before the list, here and elsewhere: g++ 12 leaks one that a TRY within it leaves.
  const Feedback dismissed =
      TRY(api.knowledge.desk.dismiss_feedback(*id, std::string(trim(reason)), by));
  return json_response({{"feedback", shown(dismissed)}});
}

}  // namespace

void add_feedback_routes(Router& router, const KnowledgeServices& knowledge, const Chats& chats,
                         const Clock& clock) {
  const FeedbackApi api{knowledge, chats, clock};
  router.add_now("POST", "/feedback", [api](const Routed& routed) {
    return answered(routed.request, [&](RequestBody& body) { return give(api, body); });
  });
  router.add_now("GET", "/feedback", [api](const Routed& routed) {
    return json_or_problem(list(api, routed.request));
  });
  router.add_now("POST", "/feedback/{id}/close", [api](const Routed& routed) {
    return answered(routed.request,
                    [&](RequestBody& body) { return close(api, routed.at("id"), body); });
  });
}

}  // namespace precedent
