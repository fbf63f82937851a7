// Tasks, of the extension io.modelcontextprotocol/tasks (revision 2026-07-28): jobs (job.h)
// that run while their sender does something else and asks from time to time.
//
// A task is a turn of a chat, so that it can be watched at /chat/{id}/stream as well. Its id names
// the chat and the call; while the chat's last question is that of the call, the task is found by
// its id alone, also after a restart. Besides, finished tasks are kept for an hour.
// What goes on inside: working → completed, failed, cancelled, or input_required → working …; a
// result that says it failed is `completed` with `isError`.
//
// Thread safety: all members. Ownership: borrows the services; work that still runs holds what it
// needs of a task.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>

#include "base/mutex.h"
#include "server/mcp/job.h"
#include "server/mcp/protocol.h"
#include "server/mcp/services.h"

namespace precedent {

class McpTasks {
 public:
  McpTasks(const McpServices& services, std::span<const McpJob* const> jobs);
  ~McpTasks();

  bool offered() const { return services_.turns != nullptr; }
  // The result that says that there is a task (`resultType: "task"`); nothing if there are too
  // many: then the job runs at once or is refused, as ever. Errors: kMcpBusy if a turn of the chat
  // runs.
  McpResult<std::optional<nlohmann::json>> start(const McpJob& job, const McpRound& round,
                                                 bool elicits);
  // tasks/get, tasks/update, tasks/cancel. Errors: kMcpMissingCapability for a client that does not
  // declare the extension; kMcpInvalidParams for a task that there is not.
  McpResult<nlohmann::json> get(const McpCall& call);
  McpResult<nlohmann::json> update(const McpCall& call);
  McpResult<nlohmann::json> cancel(const McpCall& call);

 private:
  struct Task;
  McpResult<std::shared_ptr<Task>> find(const McpCall& call);
  std::shared_ptr<Task> remembered(const std::string& id, bool elicits);
  // Begins the round that the task is ready for. Errors: those of Turns::start.
  Result<void> run(const std::shared_ptr<Task>& task);
  void forget_old() REQUIRES_LOCK(mutex_);

  const McpServices& services_;
  const std::span<const McpJob* const> jobs_;
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<Task>, std::less<>> tasks_ GUARDED_BY(mutex_);
};

}  // namespace precedent
