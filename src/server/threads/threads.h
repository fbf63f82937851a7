// Threads: the kept conversations, as clients of the LangGraph server API see them.
//
// A thread is a chat (chats.h) by the same id. Errors: kNotFound for an id that nothing is kept
// under, kInvalidArgument for one that no thread can have, kConflict while a turn runs; those of
// the store. Thread safety: all members. Ownership: borrows its parts.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "agent/turn/copilot.h"
#include "base/clock.h"
#include "server/turns/chats.h"
#include "server/turns/turns.h"

namespace precedent {

class Threads {
 public:
  Threads(const Copilot& copilot, Checkpointer* kept, const Chats& chats, const Turns& turns,
          const Clock& clock)
      : copilot_(copilot), kept_(kept), chats_(chats), turns_(turns), clock_(clock) {}

  Result<bool> exists(const std::string& id) const { return chats_.exists(id); }
  Result<void> require(const std::string& id) const;
  // A thread in which nothing is said yet.
  Result<void> create(const std::string& id, const nlohmann::json& metadata) const;
  // {thread_id, created_at, updated_at, metadata, status, values, interrupts, …}.
  Result<nlohmann::json> get(const std::string& id) const;

  struct Search {
    nlohmann::json metadata;  // what the thread's must hold; null: anything
    nlohmann::json values;
    nlohmann::json ids;      // a list; null: all
    std::string status;      // "": any
    std::string sort_by;     // a member of a thread; "": the last changed first
    bool ascending = false;  // of sort_by
    size_t limit = 10;
    size_t offset = 0;
  };
  // Without those that were put away.
  Result<std::vector<nlohmann::json>> search(const Search& search) const;

  // As it is at a checkpoint, or now.
  Result<nlohmann::json> state(const std::string& id, std::optional<CheckpointId> at) const;
  struct Past {
    size_t limit = 10;
    std::optional<CheckpointId> before;
    nlohmann::json metadata;  // what the state's must hold
  };
  // States, the newest first.
  Result<std::vector<nlohmann::json>> history(const std::string& id, const Past& past) const;

  // Writes messages and title; from a checkpoint, if one is named. The checkpoint it made.
  Result<CheckpointId> update(const std::string& id, const nlohmann::json& values,
                              std::optional<CheckpointId> from) const;
  Result<void> add_metadata(const std::string& id, const nlohmann::json& metadata) const;
  Result<std::string> copy(const std::string& id) const;
  Result<void> remove(const std::string& id) const;

  // Goes back to a checkpoint; what is left behind is kept as a thread that is put away.
  Result<void> rewind(const std::string& id, CheckpointId to) const;
  Result<void> require_checkpoint(const std::string& id, CheckpointId at) const;
  // The interrupt that waits for an answer; null: there is none.
  Result<nlohmann::json> interrupt(const std::string& id) const;
  Result<nlohmann::json> values(const std::string& id) const;

 private:
  struct Moment {
    Checkpoint checkpoint;
    CopilotState state;
  };
  Result<void> require_idle(const std::string& id) const;
  Result<Moment> moment(const std::string& id, std::optional<CheckpointId> at) const;
  Result<nlohmann::json> document(const ThreadInfo& info, const CopilotState& state) const;
  Result<nlohmann::json> found(const ThreadInfo& info, const Search& search) const;

  const Copilot& copilot_;
  Checkpointer* kept_;  // null: nothing is kept
  const Chats& chats_;
  const Turns& turns_;
  const Clock& clock_;
};

// Of a client: "12", {checkpoint_id: "12"} or {configurable: {checkpoint_id: "12"}}; nothing where
// it names none. Errors: kInvalidArgument.
Result<std::optional<CheckpointId>> checkpoint_of(const nlohmann::json& named);

}  // namespace precedent
