#include "graph/prefixed_checkpointer.h"

namespace precedent {

Result<std::vector<Checkpoint>> PrefixedCheckpointer::mine(
    Result<std::vector<Checkpoint>> found) const {
  std::vector<Checkpoint> checkpoints = TRY(named(std::move(found)));
  for (Checkpoint& checkpoint : checkpoints) strip(checkpoint.thread);
  return checkpoints;
}

void PrefixedCheckpointer::take_prefix_out(std::string& message) const {
  const std::string quoted = "'" + prefix_;
  if (prefix_.empty()) return;
  for (size_t at = message.find(quoted); at != std::string::npos; at = message.find(quoted, at + 1))
    message.erase(at + 1, prefix_.size());
}

Result<std::vector<ThreadInfo>> PrefixedCheckpointer::threads(size_t limit, size_t offset,
                                                              std::string_view prefix) {
  std::vector<ThreadInfo> found = TRY(named(behind_.threads(limit, offset, whole(prefix))));
  for (ThreadInfo& thread : found) strip(thread.name);
  return found;
}

}  // namespace precedent
