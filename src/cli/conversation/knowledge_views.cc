#include "cli/conversation/knowledge_views.h"

#include <algorithm>

namespace precedent {
namespace {

// While an ingest writes, each of its transactions is a change; reading the names of a large base
// again takes a while.
constexpr std::chrono::seconds kRest{1};
constexpr size_t kMostViews = 32;

}  // namespace

bool KnowledgeViews::is_current(View& view) {
  const auto now = std::chrono::steady_clock::now();
  if (now - view.looked < kRest) return true;
  view.looked = now;
  // An index that could be opened only later may be found to lag behind.
  if (view.behind || !watch_ || view.base->index().info().version < view.version) return false;
  const auto version = watch_->version();
  return !version || *version == view.version;
}

Result<KnowledgeViews::View> KnowledgeViews::open(const Scope& scope) {
  View view{.scope = scope, .looked = std::chrono::steady_clock::now()};
  if (!watch_) {
    auto store = KnowledgeStore::open(store_, KnowledgeStore::Access::kReadOnly);
    if (store) watch_.emplace(std::move(*store));
  }
  if (watch_) view.version = TRY(watch_->version());
  const bool all = for_ == For::kOwner && scope.everything();
  auto base = KnowledgeBase::open(store_, data_dir_, server_, encoder_,
                                  all ? std::nullopt : std::optional(scope));
  if (!base && base.error().code == ErrorCode::kNotFound && may_be_empty_) {
    view.base = TRY(KnowledgeBase::empty(encoder_));
    view.behind = true;
    return view;
  }
  view.base = TRY(std::move(base));
  view.behind = view.base->index().info().version < view.version;
  return view;
}

void KnowledgeViews::expire() {
  const MutexLock lock(mutex_);
  for (View& view : views_) view.looked = {};
}

Result<std::shared_ptr<const KnowledgeBase>> KnowledgeViews::of(const Scope& scope) {
  const MutexLock lock(mutex_);
  const auto found =
      std::ranges::find_if(views_, [&](const View& view) { return view.scope == scope; });
  if (found == views_.end()) {
    views_.push_front(TRY(open(scope)));
    if (views_.size() > kMostViews) views_.pop_back();
    return views_.front().base;
  }
  views_.splice(views_.begin(), views_, found);
  View& view = views_.front();
  if (is_current(view)) return view.base;
  if (auto anew = open(scope)) view = std::move(*anew);
  return view.base;
}

}  // namespace precedent
