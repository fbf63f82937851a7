#include "server/turns/turns.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <random>
#include <system_error>

#include "base/compute_slots.h"

namespace precedent {

// One client's place in the log of a turn.
class TurnReader final : public HttpStream {
 public:
  TurnReader(std::shared_ptr<ChatTurn> turn, size_t at) : turn_(std::move(turn)), at_(at) {}
  ~TurnReader() override { TurnReader::wake_with({}); }

  State next(std::string& piece) override {
    constexpr size_t kMaxPiece = 64 * 1024;
    const MutexLock lock(turn_->mutex_);
    if (at_ >= turn_->log_.size()) return turn_->finished_ ? State::kDone : State::kWaiting;
    while (at_ < turn_->log_.size() && piece.size() < kMaxPiece) piece += turn_->log_[at_++];
    return State::kPiece;
  }
  void wake_with(std::function<void()> wake) override {
    const MutexLock lock(turn_->mutex_);
    if (wake) {
      turn_->waiting_[this] = std::move(wake);
    } else {
      turn_->waiting_.erase(this);
    }
  }

 private:
  const std::shared_ptr<ChatTurn> turn_;
  size_t at_;
};

// Its number is its place; one thread at a time says what happens in a turn.
std::string ChatTurn::encoded(std::string_view event, std::string_view data) const {
  const MutexLock lock(mutex_);
  return fmt::format("id: {}.{}\nevent: {}\ndata: {}\n\n", id, log_.size() + 1, event, data);
}

void ChatTurn::say(std::string_view event, std::string_view data) {
  add(encoded(event, data), false);
}

void ChatTurn::say_last(std::string_view event, std::string_view data) {
  add(encoded(event, data), true);
}

void ChatTurn::append(std::string encoded) { add(std::move(encoded), false); }

void ChatTurn::append_last(std::string encoded) { add(std::move(encoded), true); }

void ChatTurn::add(std::string encoded, bool last) {
  std::vector<std::function<void()>> wakes;
  {
    const MutexLock lock(mutex_);
    if (finished_) return;
    log_.push_back(std::move(encoded));
    finished_ = last;
    for (const auto& [reader, wake] : waiting_) wakes.push_back(wake);
  }
  for (const auto& wake : wakes) wake();
}

void ChatTurn::finish() {
  std::vector<std::function<void()>> wakes;
  {
    const MutexLock lock(mutex_);
    finished_ = true;
    for (const auto& [reader, wake] : waiting_) wakes.push_back(wake);
  }
  for (const auto& wake : wakes) wake();
}

bool ChatTurn::finished() const {
  const MutexLock lock(mutex_);
  return finished_;
}

std::shared_ptr<HttpStream> ChatTurn::read(std::string_view after) {
  size_t at = 0;
  if (after.starts_with(id + ".")) {
    const std::string_view number = after.substr(id.size() + 1);
    std::from_chars(number.data(), number.data() + number.size(), at);
  }
  return std::make_shared<TurnReader>(shared_from_this(), at);
}

namespace {

std::string random_epoch() {
  std::random_device random;
  return fmt::format("{:08x}", random());
}

}  // namespace

TurnPool::TurnPool(const TurnPoolOptions& options) : options_(options), epoch_(random_epoch()) {}

void TurnPool::stop() {
  Threads workers;
  {
    const MutexLock lock(mutex_);
    stopped_ = draining_ = true;
    cancel_all();
    // Once stopped_ is set, none leaves workers_ by itself.
    workers.swap(workers_);
    workers.splice(workers.end(), leaving_);
  }
  work_.notify_all();
}

bool TurnPool::start_worker() {
  const auto own = workers_.emplace(workers_.end());
  try {
    *own = std::jthread([this, own] { work(own); });
  } catch (const std::system_error&) {
    workers_.erase(own);
    return false;
  }
  return true;
}

std::string TurnPool::next_id() {
  const MutexLock lock(mutex_);
  return fmt::format("turn-{}-{}", epoch_, ++count_);
}

Result<void> TurnPool::add(Job job) {
  Threads left;  // joined without the lock
  {
    const MutexLock lock(mutex_);
    left.swap(leaving_);
    if (draining_)
      return fail(ErrorCode::kUnavailable, "the server is stopping; ask again once it is back");
    const size_t most = std::max<size_t>(options_.workers, 1);
    const size_t free = most - std::min(most, running_.size());
    if (queue_.size() >= options_.queue + free)
      return fail(ErrorCode::kResourceExhausted,
                  fmt::format("too many questions at once ({} wait already); ask again in a moment",
                              queue_.size()));
    const bool all_busy = queue_.size() >= idle_;
    if (all_busy && workers_.size() < most && !start_worker() && workers_.empty())
      return fail(ErrorCode::kResourceExhausted, "the system has no thread left; ask again later");
    queue_.push_back(std::move(job));
  }
  work_.notify_one();
  return {};
}

std::optional<TurnPool::Job> TurnPool::next_job(Threads::iterator own) {
  const auto until = std::chrono::steady_clock::now() + options_.idle_time;
  const MutexLock lock(mutex_);
  ++idle_;
  while (queue_.empty() && !stopped_ && work_.wait_until(mutex_, until)) {
  }
  --idle_;
  if (queue_.empty()) {
    if (!stopped_) leaving_.splice(leaving_.end(), workers_, own);
    return std::nullopt;
  }
  Job job = std::move(queue_.front());
  queue_.pop_front();
  running_[job.turn.get()] = job.turn;
  return job;
}

void TurnPool::work(Threads::iterator own) {
  while (auto job = next_job(own)) {
    {
      const ComputeSlot slot(ComputeSlots::of_process());
      job->work(*job->turn);
      // What it holds goes before anybody takes it for ended.
      job->work = nullptr;
    }
    {
      const MutexLock lock(mutex_);
      running_.erase(job->turn.get());
    }
    ended_turn_.notify_all();
  }
}

void TurnPool::drain(std::chrono::milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  const MutexLock lock(mutex_);
  draining_ = true;
  const auto busy = [this]() REQUIRES_LOCK(mutex_) { return !queue_.empty() || !running_.empty(); };
  while (busy() && ended_turn_.wait_until(mutex_, until)) {
  }
  cancel_all();
  while (busy()) ended_turn_.wait(mutex_);
}

void TurnPool::cancel_all() {
  const auto stop = [](ChatTurn& turn) {
    turn.server_stops = true;
    turn.cancel.cancel();
  };
  for (const auto& [turn, kept] : running_) stop(*turn);
  for (const Job& job : queue_) stop(*job.turn);
}

size_t TurnPool::running() const {
  const MutexLock lock(mutex_);
  return running_.size();
}

size_t TurnPool::threads() const {
  const MutexLock lock(mutex_);
  return workers_.size();
}

size_t TurnPool::waiting() const {
  const MutexLock lock(mutex_);
  return queue_.size();
}

void Turns::stop() {
  const MutexLock lock(mutex_);
  for (const auto& turn : open_) turn->cancel.cancel();
  while (!open_.empty()) ended_one_.wait(mutex_);
}

Result<void> Turns::require_idle(const std::string& chat) const {
  const auto before = last_.find(chat);
  if (before == last_.end() || before->second->finished()) return {};
  return fail(ErrorCode::kConflict,
              fmt::format("the turn {} of this chat still runs; follow it at /chat/{}/stream, or "
                          "cancel it",
                          before->second->id, chat));
}

void Turns::open(const std::shared_ptr<ChatTurn>& turn) {
  last_[turn->chat] = turn;
  open_.insert(turn);
}

Result<void> Turns::run_within(const ChatTurn& outer, const std::string& chat, const Work& work) {
  const auto turn = std::make_shared<ChatTurn>(pool_.next_id(), chat, outer.stop);
  {
    const MutexLock lock(mutex_);
    TRY(require_idle(chat));
    open(turn);
  }
  work(*turn);
  ended(turn);
  return {};
}

Result<std::shared_ptr<ChatTurn>> Turns::start(const std::string& chat, Work work) {
  const MutexLock lock(mutex_);
  TRY(require_idle(chat));
  auto turn = std::make_shared<ChatTurn>(pool_.next_id(), chat);
  TRY(pool_.add({turn, [this, turn, work = std::move(work)](ChatTurn& own) {
                   work(own);
                   ended(turn);
                 }}));
  open(turn);
  return turn;
}

void Turns::ended(const std::shared_ptr<ChatTurn>& turn) {
  const MutexLock lock(mutex_);
  turn->finish();
  open_.erase(turn);
  ended_one_.notify_all();
  ended_.push_back(turn);
  if (ended_.size() <= kept_) return;
  const std::shared_ptr<ChatTurn> oldest = std::move(ended_.front());
  ended_.pop_front();
  const auto last = last_.find(oldest->chat);
  if (last != last_.end() && last->second == oldest) last_.erase(last);
}

std::shared_ptr<ChatTurn> Turns::last_of(const std::string& chat) const {
  const MutexLock lock(mutex_);
  const auto found = last_.find(chat);
  return found == last_.end() ? nullptr : found->second;
}

bool Turns::idle() const {
  const MutexLock lock(mutex_);
  return open_.empty();
}

}  // namespace precedent
