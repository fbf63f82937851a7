// Chats: the kept conversations, as a client of the server sees them.
//
// A chat is a thread (graph/checkpointer.h) by its id. Errors: kNotFound for an id that nothing is
// kept under; kInvalidArgument for one that no chat can have; those of the store. Thread safety:
// all members. Ownership: borrows its parts.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/turn/copilot.h"
#include "base/mutex.h"
#include "graph/checkpointer.h"

namespace precedent {

// Letters, digits, '-', '_' and '.', at most 128 of them.
bool is_chat_id(std::string_view id);
std::string new_chat_id();

// The last turn of a chat.
struct KeptTurn {
  std::string question;        // as the chat keeps it; "": nothing was asked yet
  std::optional<Reply> reply;  // none: it runs, or was cut off
};

class Chats {
 public:
  // `threads` may be null: then nothing is kept, and every id is unknown.
  Chats(const Copilot& copilot, Checkpointer* threads) : copilot_(copilot), threads_(threads) {}

  struct Page {
    size_t limit = 20;
    size_t offset = 0;
    std::string search;     // words that title or messages must hold; "": all
    bool archived = false;  // those that were put away, instead of the others
  };
  // {chats: [{chat_id, title, created, updated, messages, archived}], next_offset}; the last
  // changed first. Its offsets count all conversations.
  Result<nlohmann::json> list(const Page& page) const;
  // {chat_id, title, archived, messages: [{role, content}], receipts}.
  Result<nlohmann::json> messages(const std::string& id) const;
  // The same of a chat that has only begun.
  static nlohmann::json empty(const std::string& id);
  Result<KeptTurn> last_turn(const std::string& id) const;
  // The answer to its nth question, counted from 1, as the `complete` event had it. Errors:
  // kNotFound where it has none, or it was folded away.
  Result<Reply> answer(const std::string& id, size_t question) const;
  Result<bool> exists(const std::string& id) const;
  Result<void> rename(const std::string& id, std::string_view title, TimePoint now) const;
  Result<void> archive(const std::string& id, TimePoint now) const;
  // The id of a copy that shares its past; with `questions`, of its first so many turns, and of a
  // chat that has yet to begin where they are none. Errors: kInvalidArgument for more than it has;
  // kNotFound where those turns were folded away.
  Result<std::string> fork(const std::string& id, TimePoint now,
                           std::optional<size_t> questions = {}) const;

 private:
  Result<void> require(const std::string& id) const;
  // What a list tells of a chat, as it was at a checkpoint.
  struct Listed {
    CheckpointId head = 0;
    std::string title;
    bool archived = false;
    bool readable = false;
    int64_t said = 0;
  };
  Listed listed(const ThreadInfo& thread) const;
  // Whether the title or a message has the words.
  bool holds(const ThreadInfo& thread, const Listed& listed, const std::string& wanted) const;
  // Where its turns ended, the last one first.
  Result<std::vector<CheckpointId>> ends_of_turns(const std::string& id) const;
  // The last checkpoint at which so many questions had been asked.
  Result<CheckpointId> end_of_turn(const std::string& id, size_t questions) const;

  const Copilot& copilot_;
  Checkpointer* threads_;
  mutable Mutex mutex_;
  // By the name of the thread: a state is replayed once for each of its heads.
  mutable std::map<std::string, Listed> listed_ GUARDED_BY(mutex_);
};

}  // namespace precedent
