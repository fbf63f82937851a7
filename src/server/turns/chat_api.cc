#include "server/turns/chat_api.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "server/http/problem.h"
#include "server/http/request_body.h"
#include "server/turns/require_question.h"
#include "server/turns/turn_events.h"

namespace precedent {
namespace {

using nlohmann::json;

struct Prompt {
  std::string chat;
  Question question;
  AskOptions options;
};

// {message, chat_id|session_id?, user_id?, generate_title?, langfuse_enabled?, model?}. A chat_id
// is one that exists; a session_id is the client's own, and begins a chat where there is none.
Result<Prompt> read_prompt(const ServedRequest& request, const ChatApi& api) {
  RequestBody body = TRY(RequestBody::of(request));
  Prompt prompt;
  prompt.question.text = TRY(body.text("message", Need::kRequired));
  const std::string chat = TRY(body.text("chat_id"));
  const std::string session = TRY(body.text("session_id"));
  prompt.options.user = TRY(body.text("user_id"));
  prompt.options.generate_title = TRY(body.flag("generate_title", true));
  prompt.options.langfuse_enabled = TRY(body.flag("langfuse_enabled", false));
  const std::string model = TRY(body.text("model"));
  TRY(body.end());
  TRY(require_question(prompt.question.text, "'message'"));
  if (!chat.empty() && !session.empty() && chat != session)
    return fail(ErrorCode::kInvalidArgument,
                "'chat_id' and 'session_id' name two chats; send one of them");
  if (!model.empty() && model != api.model)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'model' is '{}'; this server answers with '{}'", model, api.model));
  prompt.chat = !chat.empty() ? chat : !session.empty() ? session : new_chat_id();
  const bool exists = TRY(api.chats.exists(prompt.chat));
  const auto last = api.turns.last_of(prompt.chat);
  if (!chat.empty() && !exists && last == nullptr)
    return fail(ErrorCode::kNotFound, fmt::format("there is no chat '{}'; leave chat_id out to "
                                                  "begin one",
                                                  chat));
  prompt.options.thread = prompt.chat;
  return prompt;
}

// `ended`: what is left to do with the reply once all events are said.
Result<std::shared_ptr<ChatTurn>> start_turn(const ChatApi& api, Prompt prompt,
                                             std::function<void(ChatTurn&, const Reply&)> ended) {
  const std::string chat = prompt.chat;
  return api.turns.start(
      chat, [api, prompt = std::move(prompt), ended = std::move(ended)](ChatTurn& turn) {
        say_begin(turn, prompt.question.text);
        TurnEvents events(turn);
        const Reply reply =
            api.answerer.ask(prompt.question, prompt.options, api.clock, events, turn.cancel);
        say_end(turn, reply);
        if (ended) ended(turn, reply);
      });
}

// With the id of the turn that runs, where that is in the way.
ServedResponse refused(const Error& error, const ChatApi& api, const std::string& chat) {
  const auto running = error.code == ErrorCode::kConflict ? api.turns.last_of(chat) : nullptr;
  if (running == nullptr) return problem(error);
  return problem(409, error.text(), {{"chat_id", chat}, {"turn_id", running->id}});
}

ServedResponse whole_answer(const ChatTurn& turn, const Reply& reply) {
  if (reply.status != AnswerStatus::kError) return json_response(answer_json(reply, turn));
  return problem(error_status(reply, turn), error_detail(reply, turn),
                 {{"chat_id", turn.chat}, {"turn_id", turn.id}});
}

void prompt(const ChatApi& api, const ServedRequest& request, const Respond& respond) {
  auto read = read_prompt(request, api);
  if (!read) return respond(problem(read.error()));
  const std::string chat = read->chat;
  const auto turn = start_turn(
      api, std::move(*read),
      [respond](ChatTurn& ended, const Reply& reply) { respond(whole_answer(ended, reply)); });
  if (!turn) respond(refused(turn.error(), api, chat));
}

ServedResponse prompt_stream(const ChatApi& api, const ServedRequest& request) {
  auto read = read_prompt(request, api);
  if (!read) return problem(read.error());
  const std::string chat = read->chat;
  const auto turn = start_turn(api, std::move(*read), {});
  if (!turn) return refused(turn.error(), api, chat);
  return event_stream((*turn)->read());
}

constexpr const char* kKeptTurn = "turn-kept";

// Of a chat whose last turn nobody remembers, but what is kept of it: its answer, or that it was
// cut off, by the end of the server or by whoever cancelled it.
std::shared_ptr<ChatTurn> told_again(const std::string& chat, const KeptTurn& kept) {
  auto turn = std::make_shared<ChatTurn>(kKeptTurn, chat);
  if (kept.reply) {
    say_end(*turn, *kept.reply);
  } else if (!kept.question.empty()) {
    say_cut_off(*turn);
  }
  turn->finish();
  return turn;
}

// 204 where nothing comes after the last event that was seen: an EventSource asks again after the
// end of a stream, and this alone tells it not to.
ServedResponse rest_of(ChatTurn& turn, std::string_view after) {
  std::string piece;
  if (!after.empty() && turn.read(after)->next(piece) == HttpStream::State::kDone)
    return {.status = 204};
  return event_stream(turn.read(after));
}

ServedResponse join_stream(const ChatApi& api, const Routed& routed) {
  const std::string& chat = routed.at("id");
  std::string_view after = routed.request.parameter("after");
  if (after.empty()) after = routed.request.header("Last-Event-ID");
  if (const auto turn = api.turns.last_of(chat)) return rest_of(*turn, after);
  const auto kept = api.chats.last_turn(chat);
  if (!kept) return problem(kept.error());
  return rest_of(*told_again(chat, *kept), after);
}

Result<json> answer(const ChatApi& api, const Routed& routed) {
  const std::string& chat = routed.at("id");
  const std::string& number = routed.at("question");
  size_t question = 0;
  const char* const end = number.data() + number.size();
  const auto [read, wrong] = std::from_chars(number.data(), end, question);
  if (wrong != std::errc() || read != end || question == 0)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' is no number of a question; the first is 1", number));
  return answer_json(TRY(api.chats.answer(chat, question)), ChatTurn(kKeptTurn, chat));
}

ServedResponse cancel(const ChatApi& api, const Routed& routed) {
  const std::string& chat = routed.at("id");
  const auto turn = api.turns.last_of(chat);
  if (turn == nullptr) {
    const auto exists = api.chats.exists(chat);
    if (!exists) return problem(exists.error());
    if (!*exists) return problem(404, fmt::format("there is no chat '{}'", chat));
  }
  if (turn == nullptr || turn->finished())
    return json_response({{"chat_id", chat}, {"cancelled", false}});
  turn->cancel.cancel();
  return json_response({{"chat_id", chat}, {"turn_id", turn->id}, {"cancelled", true}}, 202);
}

// Null: none runs.
std::shared_ptr<ChatTurn> running_in(const ChatApi& api, const std::string& chat) {
  auto turn = api.turns.last_of(chat);
  if (turn != nullptr && turn->finished()) turn = nullptr;
  return turn;
}

json id_of(const std::shared_ptr<ChatTurn>& turn) {
  return turn == nullptr ? json() : json(turn->id);
}

Result<json> list(const ChatApi& api, const ServedRequest& request) {
  constexpr size_t kMostAtOnce = 100, kMostOffset = 100'000'000;
  Chats::Page page;
  page.limit = TRY(read_count(request, "limit", page.limit, kMostAtOnce));
  page.offset = TRY(read_count(request, "offset", 0, kMostOffset));
  page.search = request.parameter("search");
  page.archived = TRY(read_flag(request, "archived"));
  json listed = TRY(api.chats.list(page));
  for (json& chat : listed["chats"])
    chat["running_turn"] = id_of(running_in(api, chat["chat_id"].get<std::string>()));
  return listed;
}

Result<json> messages(const ChatApi& api, const std::string& chat) {
  const auto turn = running_in(api, chat);
  // Of a chat that has only begun nothing is kept yet.
  const bool begins = turn != nullptr && !TRY(api.chats.exists(chat));
  json shown = begins ? Chats::empty(chat) : TRY(api.chats.messages(chat));
  shown["running_turn"] = id_of(turn);
  return shown;
}

// What the chat is to be changed for has to wait for the turn that runs in it.
Result<void> require_idle(const ChatApi& api, const std::string& chat) {
  const auto turn = running_in(api, chat);
  if (turn == nullptr) return {};
  return fail(ErrorCode::kConflict,
              fmt::format("chat '{}' is being answered; wait for the end of {}, or cancel it", chat,
                          turn->id));
}

Result<json> rename(const ChatApi& api, const Routed& routed) {
  constexpr size_t kMaxTitle = 200;
  RequestBody body = TRY(RequestBody::of(routed.request));
  const std::string title = squeeze(strip_controls(TRY(body.text("title", Need::kRequired))));
  TRY(body.end());
  if (title.empty() || title.size() > kMaxTitle)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'title' must have 1 to {} bytes", kMaxTitle));
  TRY(require_idle(api, routed.at("id")));
  TRY(api.chats.rename(routed.at("id"), title, api.clock.now()));
  return json{{"chat_id", routed.at("id")}, {"title", title}};
}

Result<json> archive(const ChatApi& api, const std::string& chat) {
  TRY(require_idle(api, chat));
  TRY(api.chats.archive(chat, api.clock.now()));
  return json{{"chat_id", chat}, {"archived", true}};
}

Result<json> fork(const ChatApi& api, const Routed& routed) {
  std::optional<size_t> questions;
  if (!routed.request.body.empty()) {
    constexpr size_t kMostQuestions = 100'000;
    RequestBody body = TRY(RequestBody::of(routed.request));
    questions = TRY(body.count("questions", kMostQuestions));
    TRY(body.end());
  }
  const std::string& chat = routed.at("id");
  // Before the list: g++ 12 leaks an initializer list that is left by a TRY within it.
  const std::string fork = TRY(api.chats.fork(chat, api.clock.now(), questions));
  return json{{"chat_id", fork}, {"forked_from", chat}};
}

}  // namespace

void add_chat_routes(Router& router, const ChatApi& api) {
  router.add("POST", "/chat/prompt", [api](const Routed& routed, const Respond& respond) {
    prompt(api, routed.request, respond);
  });
  router.add_now("POST", "/chat/prompt/stream",
                 [api](const Routed& routed) { return prompt_stream(api, routed.request); });
  router.add_now("GET", "/chat/{id}/stream",
                 [api](const Routed& routed) { return join_stream(api, routed); });
  router.add_now("POST", "/chat/{id}/cancel",
                 [api](const Routed& routed) { return cancel(api, routed); });
  router.add_now("GET", "/chat/", [api](const Routed& routed) {
    return json_or_problem(list(api, routed.request));
  });
  router.add_now("GET", "/chat/messages/{id}", [api](const Routed& routed) {
    return json_or_problem(messages(api, routed.at("id")));
  });
  router.add_now("GET", "/chat/{id}/answers/{question}",
                 [api](const Routed& routed) { return json_or_problem(answer(api, routed)); });
  router.add_now("PUT", "/chat/rename/{id}",
                 [api](const Routed& routed) { return json_or_problem(rename(api, routed)); });
  router.add_now("DELETE", "/chat/archive/{id}", [api](const Routed& routed) {
    return json_or_problem(archive(api, routed.at("id")));
  });
  router.add_now("POST", "/chat/{id}/fork",
                 [api](const Routed& routed) { return json_or_problem(fork(api, routed), 201); });
}

}  // namespace precedent
