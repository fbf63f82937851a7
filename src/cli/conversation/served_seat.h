// ServedSeat: the `Seat` of one caller over a session: their scope of the knowledge base, their
// conversations, and a copilot over both. The session's own questions go through one, too.
//
// A knowledge base that was ingested anew is opened again, at the next question. Where a scope
// names services, metrics, alerts and changes are left out, since nobody can tell whose they are.
// Thread safety: all members. Lifetime: as its parts.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "agent/sources/knowledge_base.h"
#include "base/mutex.h"
#include "cli/conversation/knowledge_views.h"
#include "graph/checkpointer.h"
#include "server/auth/caller.h"
#include "server/seat.h"

namespace precedent {

// What the seats of a session share. Lifetime: all of it outlives them.
struct SeatParts {
  KnowledgeViews& views;
  LiveSources live;
  Checkpointer* threads;       // null: no conversation is kept
  const Clock& clock;          // of tools that are called by hand
  const Toolset& model_tools;  // our own, and what a configured model has of other MCP servers
  Durability durability;
  std::function<CopilotServices(const KnowledgeBase& base, const Toolset& tools,
                                const LiveSources& live)>
      services;
  // Runs a question, with a line in the request log; the second says what was asked, once it is
  // answered.
  std::function<Reply(const std::function<Reply()>& run,
                      const std::function<std::string()>& question_of)>
      logged;
};

class ServedSeat final : public Seat {
 public:
  // `caller`: whose conversations they are; one without a name has all that no name was given to.
  // Errors: those of KnowledgeBase::open.
  static Result<std::unique_ptr<ServedSeat>> open(const SeatParts& parts, const Caller& caller);

  Reply ask(const Question& question, const AskOptions& options, const Clock& clock,
            EventSink& events, const CancelToken& cancel) override;
  Reply resume(const AskOptions& options, const Clock& clock, EventSink& events,
               const CancelToken& cancel) override;
  const Copilot& copilot() const override { return *keeper_->copilot; }
  Checkpointer* threads() const override { return threads_; }
  const Toolset& tools() const override { return tools_; }
  Receipt call_tool(const Tool& tool, const nlohmann::json& args,
                    const CancelToken& cancel) override;
  std::vector<std::string> suggestions() const override;
  KnowledgeView knowledge() const override;

 private:
  // A knowledge base with the copilot over it.
  struct Place {
    std::shared_ptr<const KnowledgeBase> knowledge;
    std::unique_ptr<Copilot> copilot;
  };
  ServedSeat(SeatParts parts, Caller caller)
      : parts_(std::move(parts)), caller_(std::move(caller)) {}
  Result<std::shared_ptr<const Place>> place_over(std::shared_ptr<const KnowledgeBase> base) const;
  // Over what is known now; over what was, if that cannot be opened.
  std::shared_ptr<const Place> place() const;
  AskOptions own(const AskOptions& options) const;

  const SeatParts parts_;
  const Caller caller_;
  LiveSources live_;
  Toolset tools_;
  std::unique_ptr<Checkpointer> prefixed_;
  Checkpointer* threads_ = nullptr;
  std::shared_ptr<const Place> keeper_;
  mutable Mutex mutex_;
  mutable std::shared_ptr<const Place> place_ GUARDED_BY(mutex_);
};

}  // namespace precedent
