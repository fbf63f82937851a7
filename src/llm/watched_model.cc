#include "llm/watched_model.h"

namespace precedent {

Result<ModelReply> WatchedModel::complete(const ModelRequest& request, ModelContext& context) {
  auto reply = inner_->complete(request, context);
  if (!reply && reply.error().code == ErrorCode::kCancelled) return reply;
  const MutexLock lock(mutex_);
  last_failure_ = reply ? "" : reply.error().text();
  return reply;
}

std::string WatchedModel::last_failure() const {
  const MutexLock lock(mutex_);
  return last_failure_;
}

}  // namespace precedent
