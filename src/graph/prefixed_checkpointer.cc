#include "graph/prefixed_checkpointer.h"

namespace precedent {

Result<std::vector<ThreadInfo>> PrefixedCheckpointer::threads(size_t limit, size_t offset,
                                                              std::string_view prefix) {
  std::vector<ThreadInfo> found = TRY(behind_.threads(limit, offset, whole(prefix)));
  for (ThreadInfo& thread : found) thread.name.erase(0, prefix_.size());
  return found;
}

}  // namespace precedent
