// /v1/responses: OpenAI's newer shape, with conversations that are kept.
//
// The id of a response is that of the chat that it ends ("resp_t-…"). Who goes on from one gets a
// copy of its chat, so that any response may be gone on from, and more than once.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "server/http/problem.h"
#include "server/http/request_body.h"
#include "server/openai/openai_api.h"
#include "server/openai/openai_shape.h"
#include "server/turns/checked_text.h"
#include "server/turns/require_question.h"

namespace precedent {
namespace {

using nlohmann::json;
constexpr std::string_view kPrefix = "resp_";

struct ResponseRequest {
  Question question;
  AskOptions options;
  std::string id;
  json previous;  // null: it begins
  bool store = true;
  bool stream = false;
};

Result<bool> flag_of(const json& body, const char* name, bool otherwise) {
  const json value = body.value(name, json());
  if (value.is_null()) return otherwise;
  if (!value.is_boolean())
    return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' must be true or false", name));
  return value.get<bool>();
}

Result<ResponseRequest> read_response_request(const ServedRequest& served, const OpenAiApi& api) {
  const json body = parse_json(served.body);
  if (!body.is_object())
    return fail(ErrorCode::kInvalidArgument, "the body is no JSON object in UTF-8");
  ResponseRequest request;
  const json input = body.value("input", json());
  if (!input.is_string() && !input.is_array())
    return fail(
        ErrorCode::kInvalidArgument,
        input.is_null() ? "'input' is missing" : "'input' must be a string or a list of messages");
  request.question =
      input.is_string() ? Question{input.get<std::string>(), {}} : TRY(read_openai_messages(input));
  TRY(require_question(request.question.text, "'input'"));
  request.store = TRY(flag_of(body, "store", true));
  request.stream = TRY(flag_of(body, "stream", false));
  const json previous = body.value("previous_response_id", json());
  std::string chat = new_chat_id();
  if (previous.is_string()) {
    const std::string before = previous.get<std::string>();
    if (!before.starts_with(kPrefix) || !is_chat_id(before.substr(kPrefix.size())))
      return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' is no id of a response", before));
    if (!TRY(api.chats.exists(before.substr(kPrefix.size()))))
      return fail(ErrorCode::kNotFound,
                  fmt::format("there is no response '{}'; leave previous_response_id out to begin "
                              "anew",
                              before));
    chat = TRY(api.chats.fork(before.substr(kPrefix.size()), api.clock.now()));
    request.previous = before;
  } else if (!previous.is_null()) {
    return fail(ErrorCode::kInvalidArgument, "'previous_response_id' must be a string");
  }
  request.id = std::string(kPrefix) + chat;
  // What goes on from a stored response is kept with it, whatever `store` says: its past is.
  if (request.store || request.previous.is_string()) request.options.thread = chat;
  request.options.generate_title = false;
  return request;
}

// In code points, as OpenAI counts.
size_t length_of(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

// Where the text cites a source first: a passage by its path and lines, a document by its path, a
// record by its id, a commit by the first digits of it, what was measured by its receipt and its
// name. Otherwise the end.
size_t cited_at(const Reply& reply, const Source& source) {
  size_t at = std::string::npos;
  const auto look = [&](const std::string& words) { at = std::min(at, reply.text.find(words)); };
  if (source.lines.begin > 0)
    look(fmt::format("[{}:{}-{}]", source.path, source.lines.begin, source.lines.end));
  if (at != std::string::npos) return at;
  if (!source.path.empty()) look(fmt::format("[{}", source.path));
  constexpr size_t kHash = 40, kShort = 10;
  look(fmt::format("[{}", source.id.size() == kHash ? source.id.substr(0, kShort) : source.id));
  look(fmt::format("[{}: {}]", source.receipt, source.id));
  return at;
}

// Each source that is cited, where the text names it first.
json annotations_of(const Reply& reply) {
  json all = json::array();
  for (const Source& source : reply.sources) {
    const size_t at = cited_at(reply, source);
    all.push_back({{"type", "file_citation"},
                   {"file_id", source.id},
                   {"filename", source.path.empty() ? source.title : source.path},
                   {"index", length_of(std::string_view(reply.text).substr(0, at))}});
  }
  return all;
}

json part_of(const std::string& text, json annotations) {
  return {{"type", "output_text"},
          {"text", text},
          {"annotations", std::move(annotations)},
          {"logprobs", json::array()}};
}

json item_of(const ResponseRequest& request, const char* status, json content) {
  return {{"type", "message"},
          {"id", "msg_" + request.id.substr(kPrefix.size())},
          {"status", status},
          {"role", "assistant"},
          {"content", std::move(content)}};
}

json response_of(const ResponseRequest& request, const char* status, int64_t created, json output) {
  return {{"id", request.id},
          {"object", "response"},
          {"created_at", created},
          {"status", status},
          {"completed_at", nullptr},
          {"background", false},
          {"error", nullptr},
          {"incomplete_details", nullptr},
          {"instructions", nullptr},
          {"max_output_tokens", nullptr},
          {"max_tool_calls", nullptr},
          {"model", kOpenAiModel},
          {"output", std::move(output)},
          {"parallel_tool_calls", true},
          {"presence_penalty", 0},
          {"frequency_penalty", 0},
          {"previous_response_id", request.previous},
          {"prompt_cache_key", nullptr},
          {"reasoning", nullptr},
          {"safety_identifier", nullptr},
          {"service_tier", "default"},
          {"store", request.store},
          {"temperature", 1},
          {"text", {{"format", {{"type", "text"}}}}},
          {"tool_choice", "auto"},
          {"tools", json::array()},
          {"top_logprobs", 0},
          {"top_p", 1},
          {"truncation", "disabled"},
          {"usage", nullptr},
          {"user", nullptr},
          {"metadata", json::object()}};
}

json finished(const ResponseRequest& request, int64_t created, int64_t ended, const Reply& reply) {
  json content = json::array({part_of(reply.text, annotations_of(reply))});
  json done = response_of(request, "completed", created,
                          json::array({item_of(request, "completed", std::move(content))}));
  const Usage& usage = reply.usage.usage;
  done["completed_at"] = ended;
  done["usage"] = {{"input_tokens", usage.input_tokens},
                   {"input_tokens_details", {{"cached_tokens", usage.cached_tokens}}},
                   {"output_tokens", usage.output_tokens},
                   {"output_tokens_details", {{"reasoning_tokens", 0}}},
                   {"total_tokens", usage.input_tokens + usage.output_tokens}};
  return done;
}

// The events of a streamed response, in the order in which OpenAI's have them.
class ResponseStream {
 public:
  ResponseStream(ResponseRequest request, int64_t created)
      : request_(std::move(request)), created_(created) {}

  void begin(ChatTurn& turn) {
    const json started = response_of(request_, "in_progress", created_, json::array());
    say(turn, "response.created", {{"response", started}});
    say(turn, "response.in_progress", {{"response", started}});
    say(turn, "response.output_item.added",
        {{"output_index", 0}, {"item", item_of(request_, "in_progress", json::array())}});
    say(turn, "response.content_part.added", in_part({{"part", part_of("", json::array())}}));
  }
  void hear(ChatTurn& turn, const Event& event) { delta(turn, answer_.piece_of(event)); }
  void end(ChatTurn& turn, const Reply& reply, int64_t ended) {
    if (reply.status == AnswerStatus::kError) {
      json failed = response_of(request_, "failed", created_, json::array());
      failed["error"] = {{"code", "server_error"}, {"message", reply.text}};
      return turn.append_last(encoded("response.failed", {{"response", failed}}));
    }
    delta(turn, answer_.rest_of(reply.text));
    const json done = finished(request_, created_, ended, reply);
    const json& item = done["output"][0];
    say(turn, "response.output_text.done",
        in_part({{"text", reply.text}, {"logprobs", json::array()}}));
    say(turn, "response.content_part.done", in_part({{"part", item["content"][0]}}));
    say(turn, "response.output_item.done", {{"output_index", 0}, {"item", item}});
    turn.append_last(encoded("response.completed", {{"response", done}}));
  }

 private:
  void delta(ChatTurn& turn, const std::string& text) {
    if (!text.empty())
      say(turn, "response.output_text.delta",
          in_part({{"delta", text}, {"logprobs", json::array()}}));
  }
  json in_part(json event) const {
    event["item_id"] = "msg_" + request_.id.substr(kPrefix.size());
    event["output_index"] = 0;
    event["content_index"] = 0;
    return event;
  }
  void say(ChatTurn& turn, const char* type, json event) {
    turn.append(encoded(type, std::move(event)));
  }
  std::string encoded(const char* type, json event) {
    event["type"] = type;
    event["sequence_number"] = count_++;
    return fmt::format("event: {}\n", type) + openai_event(event);
  }

  const ResponseRequest request_;
  const int64_t created_;
  CheckedText answer_;
  int64_t count_ = 0;
};

int64_t now_of(const OpenAiApi& api) {
  return std::chrono::duration_cast<std::chrono::seconds>(api.clock.now().time_since_epoch())
      .count();
}

void respond_to(const OpenAiApi& api, const ServedRequest& served, const Respond& respond) {
  auto read = read_response_request(served, api);
  if (!read) return respond(openai_refusal(read.error()));
  const ResponseRequest request = std::move(*read);
  const int64_t created = now_of(api);
  // By the chat, so that nobody else asks in it meanwhile.
  const std::string name = request.id.substr(kPrefix.size());
  if (!request.stream) {
    const auto turn = run_turn(
        api, name, request.question, request.options, {}, [=](ChatTurn& own, const Reply& reply) {
          own.finish();  // before the answer leaves: whoever has it may ask on
          respond(reply.status == AnswerStatus::kError
                      ? openai_refusal(500, reply.text)
                      : json_response(finished(request, created, now_of(api), reply)));
        });
    if (!turn) respond(openai_refusal(turn.error()));
    return;
  }
  auto stream = std::make_shared<ResponseStream>(request, created);
  auto begun = std::make_shared<bool>(false);
  const auto begin = [stream, begun](ChatTurn& turn) {
    if (!std::exchange(*begun, true)) stream->begin(turn);
  };
  const auto turn = run_turn(
      api, name, request.question, request.options,
      [stream, begin](ChatTurn& own, const Event& event) {
        begin(own);
        stream->hear(own, event);
      },
      [stream, begin, api](ChatTurn& own, const Reply& reply) {
        begin(own);
        stream->end(own, reply, now_of(api));
      });
  if (!turn) return respond(openai_refusal(turn.error()));
  respond(event_stream((*turn)->read()));
}

}  // namespace

void add_responses_route(Router& router, const OpenAiApi& api) {
  router.add("POST", "/v1/responses", [api](const Routed& routed, const Respond& respond) {
    respond_to(api, routed.request, respond);
  });
}

}  // namespace precedent
