#include "server/openai/openai_api.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "server/http/problem.h"
#include "server/http/request_body.h"
#include "server/openai/openai_shape.h"
#include "server/turns/checked_text.h"
#include "server/turns/require_question.h"

namespace precedent {
namespace {

using nlohmann::json;

class Told final : public EventSink {
 public:
  Told(ChatTurn& turn, const std::function<void(ChatTurn&, const Event&)>& tell)
      : turn_(turn), tell_(tell) {}
  void emit(const Event& event) override {
    if (tell_) tell_(turn_, event);
  }

 private:
  ChatTurn& turn_;
  const std::function<void(ChatTurn&, const Event&)>& tell_;
};

int64_t seconds_of(TimePoint time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

json chunk(const std::string& id, int64_t created, json delta, json finish) {
  return {{"id", id},
          {"object", "chat.completion.chunk"},
          {"created", created},
          {"model", kOpenAiModel},
          {"choices", json::array({{{"index", 0},
                                    {"delta", std::move(delta)},
                                    {"logprobs", nullptr},
                                    {"finish_reason", std::move(finish)}}})}};
}

const char* finish_reason(const Reply& reply) {
  return reply.status == AnswerStatus::kRefused ? "content_filter" : "stop";
}

json usage_of(const Reply& reply) {
  return {{"prompt_tokens", reply.usage.usage.input_tokens},
          {"completion_tokens", reply.usage.usage.output_tokens},
          {"total_tokens", reply.usage.usage.input_tokens + reply.usage.usage.output_tokens}};
}

struct Completion {
  Question question;
  AskOptions options;
  bool stream = false;
  bool with_usage = false;
};

Result<Completion> read_completion(const ServedRequest& request) {
  const json body = parse_json(request.body);
  if (!body.is_object())
    return fail(ErrorCode::kInvalidArgument, "the body is no JSON object in UTF-8");
  Completion completion;
  completion.question = TRY(read_openai_messages(body.value("messages", json())));
  TRY(require_question(completion.question.text, "the last message"));
  completion.options.generate_title = false;
  const auto flag = [&](const json& from, const char* name) -> Result<bool> {
    const json value = from.is_object() ? from.value(name, json(false)) : json(false);
    if (value.is_null()) return false;
    if (!value.is_boolean())
      return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' must be true or false", name));
    return value.get<bool>();
  };
  completion.stream = TRY(flag(body, "stream"));
  completion.with_usage = TRY(flag(body.value("stream_options", json()), "include_usage"));
  if (const json user = body.value("user", json()); user.is_string())
    completion.options.user = user.get<std::string>();
  return completion;
}

json whole(const std::string& id, int64_t created, const Reply& reply) {
  return {{"id", id},
          {"object", "chat.completion"},
          {"created", created},
          {"model", kOpenAiModel},
          {"choices", json::array({{{"index", 0},
                                    {"message",
                                     {{"role", "assistant"},
                                      {"content", reply.text},
                                      {"refusal", nullptr},
                                      {"annotations", json::array()}}},
                                    {"logprobs", nullptr},
                                    {"finish_reason", finish_reason(reply)}}})},
          {"usage", usage_of(reply)}};
}

void complete(const OpenAiApi& api, const ServedRequest& request, const Respond& respond) {
  auto read = read_completion(request);
  if (!read) return respond(openai_refusal(read.error()));
  const std::string id = "chatcmpl-" + new_chat_id();
  const int64_t created = seconds_of(api.clock.now());
  if (!read->stream) {
    const auto turn = run_turn(api, id, std::move(read->question), read->options, {},
                               [=](ChatTurn& own, const Reply& reply) {
                                 own.finish();
                                 respond(reply.status == AnswerStatus::kError
                                             ? openai_refusal(500, reply.text)
                                             : json_response(whole(id, created, reply)));
                               });
    if (!turn) respond(openai_refusal(turn.error()));
    return;
  }
  auto answer = std::make_shared<CheckedText>();
  const bool with_usage = read->with_usage;
  const auto say = [id, created](ChatTurn& turn, json delta, json finish = {}) {
    turn.append(openai_event(chunk(id, created, std::move(delta), std::move(finish))));
  };
  const auto begun = std::make_shared<bool>(false);
  // Who speaks is said once, by the first chunk.
  const auto say_text = [say, begun](ChatTurn& turn, const std::string& text) {
    if (!std::exchange(*begun, true)) say(turn, {{"role", "assistant"}, {"content", ""}});
    say(turn, {{"content", text}});
  };
  const auto turn = run_turn(
      api, id, std::move(read->question), read->options,
      [answer, say_text](ChatTurn& own, const Event& event) {
        const std::string piece = answer->piece_of(event);
        if (!piece.empty()) say_text(own, piece);
      },
      [=](ChatTurn& own, const Reply& reply) {
        if (reply.status == AnswerStatus::kError) {
          own.append(openai_event(openai_error(500, reply.text)));
        } else {
          const std::string rest = answer->rest_of(reply.text);
          if (!rest.empty() || !*begun) say_text(own, rest);
          say(own, json::object(), finish_reason(reply));
          if (with_usage) {
            json last = chunk(id, created, json::object(), {});
            last["choices"] = json::array();
            last["usage"] = usage_of(reply);
            own.append(openai_event(last));
          }
        }
        own.append_last("data: [DONE]\n\n");
      });
  if (!turn) return respond(openai_refusal(turn.error()));
  respond(event_stream((*turn)->read()));
}

}  // namespace

Result<std::shared_ptr<ChatTurn>> run_turn(const OpenAiApi& api, const std::string& name,
                                           Question question, AskOptions options,
                                           std::function<void(ChatTurn&, const Event&)> events,
                                           std::function<void(ChatTurn&, const Reply&)> ended) {
  return api.turns.start(
      name, [api, question = std::move(question), options = std::move(options),
             events = std::move(events), ended = std::move(ended)](ChatTurn& turn) {
        Told told(turn, events);
        ended(turn, api.answerer.ask(question, options, api.clock, told, turn.cancel));
      });
}

void add_openai_routes(Router& router, const OpenAiApi& api) {
  router.add_now("GET", "/v1/models", [](const Routed&) {
    return json_response({{"object", "list"},
                          {"data", json::array({{{"id", kOpenAiModel},
                                                 {"object", "model"},
                                                 {"created", 0},
                                                 {"owned_by", "precedent"}}})}});
  });
  router.add("POST", "/v1/chat/completions", [api](const Routed& routed, const Respond& respond) {
    complete(api, routed.request, respond);
  });
  add_responses_route(router, api);
}

}  // namespace precedent
