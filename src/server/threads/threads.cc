#include "server/threads/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/foreign_json.h"
#include "base/redact.h"
#include "server/http/request_body.h"
#include "server/threads/thread_shape.h"

namespace precedent {

using nlohmann::json;

namespace {

std::unexpected<Error> wrong(std::string message) {
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

json metadata_of(const CopilotState& state) {
  json metadata = {{"graph_id", kGraphId}};
  if (const json own = parse_json_leniently(state.metadata); own.is_object()) metadata.update(own);
  return metadata;
}

Result<Message> read_message(const json& message) {
  if (!message.is_object()) return wrong("a message must be an object with type and content");
  const json type = message.value("type", message.value("role", json()));
  const bool human = type == "human" || type == "user";
  if (!human && type != "ai" && type != "assistant")
    return wrong("a message must be of the type human or ai");
  Message read{human ? Role::kUser : Role::kAssistant,
               redact(TRY(text_of_content(message.value("content", json()))))};
  if (const json id = message.value("id", json()); id.is_string()) read.id = id.get<std::string>();
  return read;
}

Result<Update> read_values(const json& values) {
  Update update;
  if (values.is_null()) return update;
  if (!values.is_object()) return wrong("'values' must be an object");
  for (const auto& [name, value] : values.items()) {
    if (name == "title") {
      if (!value.is_string()) return wrong("'title' must be a string");
      update.add(copilot_fields().title, value.get<std::string>());
    } else if (name == "messages") {
      for (const json& message : value.is_array() ? value : json::array({value}))
        update.add(copilot_fields().messages, TRY(read_message(message)));
    } else {
      return wrong(
          fmt::format("'{}' cannot be written; messages and title can, the rest is what an answer "
                      "was found to rest on",
                      name));
    }
  }
  return update;
}

}  // namespace

Result<std::optional<CheckpointId>> checkpoint_of(const json& named) {
  if (named.is_null()) return std::nullopt;
  if (named.is_object()) {
    if (named.contains("configurable")) return checkpoint_of(named["configurable"]);
    const json id = named.value("checkpoint_id", json());
    if (id.is_object()) return wrong("the id of a checkpoint must be a string");
    return checkpoint_of(id);
  }
  if (!named.is_string()) return wrong("the id of a checkpoint must be a string");
  const std::string text = named.get<std::string>();
  CheckpointId id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size())
    return wrong(fmt::format("'{}' is no id of a checkpoint; the thread's history has them", text));
  return id;
}

Result<void> Threads::require(const std::string& id) const {
  if (!TRY(exists(id)))
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no thread '{}'; POST /threads makes one", id));
  return {};
}

Result<void> Threads::require_idle(const std::string& id) const {
  TRY(require(id));
  const auto turn = turns_.last_of(id);
  if (turn == nullptr || turn->finished()) return {};
  return fail(ErrorCode::kConflict,
              fmt::format("a run goes on in the thread '{}'; wait for its end, or cancel it", id));
}

Result<void> Threads::create(const std::string& id, const json& metadata) const {
  if (TRY(exists(id)))
    return fail(ErrorCode::kConflict, fmt::format("there is a thread '{}' already", id));
  Update update;
  update.add(copilot_fields().session_id, id);
  if (!metadata.empty()) update.add(copilot_fields().metadata, dump_json(metadata));
  return copilot_.begin(id, std::move(update), clock_.now());
}

Result<Threads::Moment> Threads::moment(const std::string& id,
                                        std::optional<CheckpointId> at) const {
  TRY(require(id));
  if (!at) {
    const auto head = TRY(kept_->head(id));
    if (!head) return fail(ErrorCode::kNotFound, fmt::format("there is no thread '{}' now", id));
    at = head->checkpoint;
  }
  Checkpoint checkpoint = TRY(kept_->checkpoint(id, *at));
  CopilotState state = TRY(copilot_.graph().state(id, at));
  return Moment{std::move(checkpoint), std::move(state)};
}

Result<json> Threads::document(const ThreadInfo& info, const CopilotState& state) const {
  const Checkpoint checkpoint = TRY(kept_->checkpoint(info.name, info.head));
  const auto turn = turns_.last_of(info.name);
  const json interrupts = interrupts_at(checkpoint, state);
  const bool busy = turn != nullptr && !turn->finished();
  // A turn that was cut off waits, too: for a run without input, which finishes it.
  const bool waits = !interrupts.empty() || !checkpoint.step.next.empty();
  json by_task = json::object();
  if (!interrupts.empty()) by_task[interrupts[0]["id"].get<std::string>()] = interrupts;
  return json{{"thread_id", info.name},
              {"created_at", format_time(info.created)},
              {"updated_at", format_time(info.updated)},
              {"state_updated_at", format_time(info.updated)},
              {"metadata", metadata_of(state)},
              {"config", json::object()},
              {"status", busy    ? "busy"
                         : waits ? "interrupted"
                                 : "idle"},
              {"values", values_of(state)},
              {"interrupts", std::move(by_task)},
              {"error", nullptr}};
}

Result<json> Threads::get(const std::string& id) const {
  const Moment now = TRY(moment(id, {}));
  const std::vector<Checkpoint> path = TRY(kept_->path(id, now.checkpoint.id));
  const TimePoint created = path.empty() ? now.checkpoint.step.at : path.front().step.at;
  return document({id, now.checkpoint.id, created, now.checkpoint.step.at, 0}, now.state);
}

// Null where the thread is none of those that are looked for.
Result<json> Threads::found(const ThreadInfo& info, const Search& search) const {
  if (search.ids.is_array() && std::ranges::find(search.ids, json(info.name)) == search.ids.end())
    return json();
  const auto state = copilot_.graph().state(info.name);
  // One that cannot be read does not hide the others.
  if (!state || state->archived) return json();
  json thread = TRY(document(info, *state));
  const bool wanted = (search.status.empty() || thread["status"] == search.status) &&
                      holds_all(thread["metadata"], search.metadata) &&
                      holds_all(thread["values"], search.values);
  return wanted ? thread : json();
}

Result<std::vector<json>> Threads::search(const Search& search) const {
  std::vector<json> threads;
  constexpr size_t kBlock = 100;
  const size_t enough = search.sort_by.empty() ? search.offset + search.limit : SIZE_MAX;
  bool more = kept_ != nullptr;
  for (size_t at = 0; more && threads.size() < enough; at += kBlock) {
    const std::vector<ThreadInfo> block = TRY(kept_->threads(kBlock, at));
    more = block.size() == kBlock;
    for (const ThreadInfo& info : block)
      if (json thread = TRY(found(info, search)); !thread.is_null())
        threads.push_back(std::move(thread));
  }
  if (!search.sort_by.empty()) {
    std::ranges::stable_sort(threads, [&](const json& a, const json& b) {
      const json left = a.value(search.sort_by, json()), right = b.value(search.sort_by, json());
      return search.ascending ? left < right : right < left;
    });
  }
  const auto begin = threads.begin();
  const auto from = static_cast<std::ptrdiff_t>(std::min(search.offset, threads.size()));
  const auto to =
      static_cast<std::ptrdiff_t>(std::min(search.offset + search.limit, threads.size()));
  return std::vector<json>(begin + from, begin + to);
}

Result<json> Threads::state(const std::string& id, std::optional<CheckpointId> at) const {
  const Moment then = TRY(moment(id, at));
  return thread_state(id, then.checkpoint, then.state);
}

Result<std::vector<json>> Threads::history(const std::string& id, const Past& past) const {
  TRY(require(id));
  std::vector<json> states;
  constexpr size_t kBlock = 50;
  std::optional<CheckpointId> before = past.before;
  for (bool more = true; more && states.size() < past.limit;) {
    const std::vector<Checkpoint> block = TRY(kept_->history(id, before, kBlock));
    more = block.size() == kBlock;
    for (const Checkpoint& checkpoint : block) {
      if (states.size() == past.limit) break;
      const CopilotState then = TRY(copilot_.graph().state(id, checkpoint.id));
      json state = thread_state(id, checkpoint, then);
      if (holds_all(state["metadata"], past.metadata)) states.push_back(std::move(state));
      before = checkpoint.id;
    }
  }
  return states;
}

Result<CheckpointId> Threads::update(const std::string& id, const json& values,
                                     std::optional<CheckpointId> from) const {
  TRY(require_idle(id));
  Update update = TRY(read_values(values));
  if (from) TRY(rewind(id, *from));
  return copilot_.write(id, "update", std::move(update), clock_.now());
}

Result<void> Threads::add_metadata(const std::string& id, const json& metadata) const {
  TRY(require_idle(id));
  const Moment now = TRY(moment(id, {}));
  json all = parse_json_leniently(now.state.metadata);
  if (!all.is_object()) all = json::object();
  all.update(metadata);
  TRY(copilot_.write(id, "metadata", Update().add(copilot_fields().metadata, dump_json(all)),
                     clock_.now()));
  return {};
}

Result<std::string> Threads::copy(const std::string& id) const {
  TRY(require(id));
  return chats_.fork(id, clock_.now());
}

Result<void> Threads::remove(const std::string& id) const {
  TRY(require_idle(id));
  const ThreadLease lease = TRY(kept_->lease(id));
  return kept_->remove(id);
}

Result<void> Threads::require_checkpoint(const std::string& id, CheckpointId at) const {
  TRY(require(id));
  TRY(kept_->checkpoint(id, at));
  return {};
}

Result<void> Threads::rewind(const std::string& id, CheckpointId to) const {
  TRY(require_checkpoint(id, to));
  const auto head = TRY(kept_->head(id));
  if (head && head->checkpoint == to) return {};
  return copilot_.rewind(id, to, new_chat_id(), clock_.now());
}

Result<json> Threads::interrupt(const std::string& id) const {
  const Moment now = TRY(moment(id, {}));
  const json interrupts = interrupts_at(now.checkpoint, now.state);
  return interrupts.empty() ? json() : interrupts[0];
}

Result<json> Threads::values(const std::string& id) const {
  return values_of(TRY(moment(id, {})).state);
}

}  // namespace precedent
