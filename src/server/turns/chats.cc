#include "server/turns/chats.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {

using nlohmann::json;

namespace {

// What is said, without calls and their results.
bool is_said(const Message& message) {
  return message.role != Role::kTool && !message.content.empty();
}

size_t questions_in(const CopilotState& state) {
  return static_cast<size_t>(
      std::ranges::count(state.messages, Role::kUser, [](const Message& m) { return m.role; }));
}

// What a turn ends with. Of one that was cut off, the last message is its question or a call.
bool is_answered(const CopilotState& state) {
  if (state.messages.empty()) return false;
  const Message& last = state.messages.back();
  return last.role == Role::kAssistant && last.tool_calls.empty();
}

}  // namespace

bool is_chat_id(std::string_view id) {
  constexpr size_t kMaxId = 128;
  return !id.empty() && id.size() <= kMaxId && id != "." && id != ".." &&
         std::ranges::all_of(id, [](char c) {
           return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.';
         });
}

std::string new_chat_id() {
  std::random_device random;
  return fmt::format("t-{:08x}{:04x}", random(), random() & 0xffff);
}

Result<bool> Chats::exists(const std::string& id) const {
  if (!is_chat_id(id))
    return fail(ErrorCode::kInvalidArgument,
                "an id of a chat has letters, digits, '-', '_' and '.', at most 128");
  if (threads_ == nullptr) return false;
  return TRY(threads_->head(id)).has_value();
}

Result<void> Chats::require(const std::string& id) const {
  if (!TRY(exists(id)))
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no chat '{}'; GET /chat/ lists those there are", id));
  return {};
}

Chats::Listed Chats::listed(const ThreadInfo& thread) const {
  // A few hundred bytes each.
  constexpr size_t kMostListed = 20'000;
  {
    const MutexLock lock(mutex_);
    const auto known = listed_.find(thread.name);
    if (known != listed_.end() && known->second.head == thread.head) return known->second;
  }
  Listed told{.head = thread.head, .title = "cannot be read"};
  if (const auto state = copilot_.graph().state(thread.name))
    told = {.head = thread.head,
            .title = state->title,
            .archived = state->archived,
            .readable = true,
            .said = std::ranges::count_if(state->messages, is_said)};
  // What cannot be read today may be readable tomorrow.
  if (!told.readable) return told;
  const MutexLock lock(mutex_);
  if (listed_.size() >= kMostListed) listed_.clear();
  listed_[thread.name] = told;
  return told;
}

bool Chats::holds(const ThreadInfo& thread, const Listed& listed, const std::string& wanted) const {
  const auto in = [&](std::string_view text) { return ascii_lower(text).contains(wanted); };
  if (in(listed.title)) return true;
  const auto state = copilot_.graph().state(thread.name);
  return state && std::ranges::any_of(state->messages, [&](const Message& message) {
           return is_said(message) && in(message.content);
         });
}

Result<json> Chats::list(const Page& page) const {
  json chats = json::array();
  json next = nullptr;
  const std::string wanted = ascii_lower(page.search);
  constexpr size_t kBlock = 100;
  size_t offset = page.offset;
  for (bool more = threads_ != nullptr; more && chats.size() < page.limit;) {
    const std::vector<ThreadInfo> threads = TRY(threads_->threads(kBlock, offset));
    more = threads.size() == kBlock;
    for (const ThreadInfo& thread : threads) {
      if (chats.size() == page.limit) {
        next = offset;
        break;
      }
      ++offset;
      // One that cannot be read is listed all the same: it can be put away.
      const Listed told = listed(thread);
      if (told.archived != page.archived) continue;
      if (!wanted.empty() && !(told.readable && holds(thread, told, wanted))) continue;
      chats.push_back({{"chat_id", thread.name},
                       {"title", told.title},
                       {"created", format_time(thread.created)},
                       {"updated", format_time(thread.updated)},
                       {"messages", told.said}});
    }
  }
  return json{{"chats", std::move(chats)}, {"next_offset", next}};
}

json Chats::empty(const std::string& id) {
  return {{"chat_id", id},
          {"title", ""},
          {"archived", false},
          {"messages", json::array()},
          {"receipts", json::array()}};
}

Result<json> Chats::messages(const std::string& id) const {
  TRY(require(id));
  const CopilotState state = TRY(copilot_.graph().state(id));
  json messages = json::array(), receipts = json::array();
  for (const Message& message : state.messages)
    if (is_said(message))
      messages.push_back({{"role", name(message.role)}, {"content", message.content}});
  for (const Receipt& receipt : state.receipts) receipts.push_back(to_json(receipt));
  json shown = {{"chat_id", id},
                {"title", state.title},
                {"archived", state.archived},
                {"messages", std::move(messages)},
                {"receipts", std::move(receipts)}};
  if (state.dataset_version != 0) shown["dataset_version"] = state.dataset_version;
  return shown;
}

Result<KeptTurn> Chats::last_turn(const std::string& id) const {
  TRY(require(id));
  const CopilotState state = TRY(copilot_.graph().state(id));
  KeptTurn turn;
  const size_t asked = last_question(state.messages);
  if (asked == state.messages.size()) return turn;
  turn.question = state.messages[asked].content;
  if (is_answered(state)) turn.reply = reply_of(state, id);
  return turn;
}

Result<std::vector<CheckpointId>> Chats::ends_of_turns(const std::string& id) const {
  std::vector<CheckpointId> ends;
  std::optional<CheckpointId> before;
  constexpr size_t kBlock = 50;
  for (bool more = true; more;) {
    const std::vector<Checkpoint> block = TRY(threads_->history(id, before, kBlock));
    more = block.size() == kBlock;
    for (const Checkpoint& checkpoint : block) {
      before = checkpoint.id;
      if (checkpoint.step.next.empty()) ends.push_back(checkpoint.id);
    }
  }
  return ends;
}

Result<Reply> Chats::answer(const std::string& id, size_t question) const {
  TRY(require(id));
  // Questions are only added: the last end with no more of them than `question` is looked for by
  // halves, since each look replays a state.
  const std::vector<CheckpointId> ends = TRY(ends_of_turns(id));
  size_t low = 0, high = ends.size();
  std::optional<CopilotState> found;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    CopilotState state = TRY(copilot_.graph().state(id, ends[middle]));
    const size_t asked = questions_in(state);
    if (asked > question) {
      low = middle + 1;
      continue;
    }
    high = middle;
    found.reset();
    if (asked == question && is_answered(state)) found = std::move(state);
  }
  if (!found)
    return fail(ErrorCode::kNotFound,
                fmt::format("chat '{}' keeps no answer to question {}", id, question));
  return reply_of(*found, id);
}

Result<void> Chats::rename(const std::string& id, std::string_view title, TimePoint now) const {
  TRY(require(id));
  return copilot_.set_title(id, title, now);
}

Result<void> Chats::archive(const std::string& id, TimePoint now) const {
  TRY(require(id));
  return copilot_.set_archived(id, true, now);
}

Result<CheckpointId> Chats::end_of_turn(const std::string& id, size_t questions) const {
  std::optional<CheckpointId> before;
  size_t most = 0;  // questions that it has
  constexpr size_t kBlock = 50;
  for (bool more = true; more;) {
    const std::vector<Checkpoint> block = TRY(threads_->history(id, before, kBlock));
    more = block.size() == kBlock;
    for (const Checkpoint& checkpoint : block) {
      before = checkpoint.id;
      const CopilotState state = TRY(copilot_.graph().state(id, checkpoint.id));
      const size_t asked = questions_in(state);
      if (asked == questions) return checkpoint.id;
      most = std::max(most, asked);
      if (asked < questions) more = false;
    }
  }
  // A moment that it passed may have been pruned.
  return fail(
      ErrorCode::kNotFound,
      questions > most
          ? fmt::format("chat '{}' has {} questions, and not {}", id, most, questions)
          : fmt::format("chat '{}' can no longer be forked after {} questions", id, questions));
}

Result<std::string> Chats::fork(const std::string& id, TimePoint now,
                                std::optional<size_t> questions) const {
  TRY(require(id));
  std::string copy = new_chat_id();
  if (!questions) {
    TRY(threads_->copy(id, copy, now));
  } else if (*questions > 0) {
    const CheckpointId at = TRY(end_of_turn(id, *questions));
    TRY(threads_->fork(id, at, copy, now));
  }
  return copy;
}

}  // namespace precedent
