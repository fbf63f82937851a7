#include "sources/folder_watch.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

namespace precedent {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kEvents = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                             IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

bool is_passed_over(const std::string& name) {
  return name.starts_with('.') || name == "node_modules";
}

std::string why_not(int number) {
  if (number == ENOSPC)
    return "the system watches no more folders for this user; raise fs.inotify.max_user_watches";
  if (number == EMFILE)
    return "this user watches too much already; raise fs.inotify.max_user_instances";
  return std::strerror(number);
}

}  // namespace

FolderWatch::FolderWatch(std::function<void(const std::string& name)> changed, Pace pace)
    : changed_(std::move(changed)),
      pace_(pace),
      events_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (events_ >= 0 && wake_ >= 0) thread_ = std::jthread([this] { run(); });
}

FolderWatch::~FolderWatch() {
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
  }
  const uint64_t one = 1;
  static_cast<void>(::write(wake_, &one, sizeof one) == 0);
  if (thread_.joinable()) thread_.join();
  if (events_ >= 0) ::close(events_);
  if (wake_ >= 0) ::close(wake_);
}

Result<void> FolderWatch::watch(const std::string& name, const fs::path& folder) {
  if (!thread_.joinable())
    return fail(ErrorCode::kUnavailable,
                fmt::format("{} is not watched: {}", folder.string(), why_not(EMFILE)));
  const MutexLock lock(mutex_);
  if (folders_.contains(name) && roots_[name] == folder) return {};
  forget(name);
  folders_[name] = 0;
  roots_[name] = folder;
  auto added = add(name, folder, true);
  if (!added) forget(name);
  return added;
}

void FolderWatch::leave(const std::string& name) {
  const MutexLock lock(mutex_);
  forget(name);
}

Result<void> FolderWatch::add(const std::string& name, const fs::path& folder, bool is_root) {
  // Below a folder of a folder …, without recursion. Links are not followed, as reading does not.
  std::vector<fs::path> waiting = {folder};
  for (bool root = is_root; !waiting.empty(); root = false) {
    const fs::path at = std::move(waiting.back());
    waiting.pop_back();
    if (folders_[name] == kMaxWatchedFolders)
      return fail(ErrorCode::kResourceExhausted,
                  fmt::format("{} is not watched: it has more than {} folders; watch one below it",
                              folder.string(), kMaxWatchedFolders));
    const int number =
        inotify_add_watch(events_, at.c_str(), kEvents | (root ? 0U : IN_DONT_FOLLOW));
    if (number < 0) {
      // Gone again, or no folder.
      if (!root && (errno == ENOENT || errno == ENOTDIR || errno == EACCES)) continue;
      return fail(ErrorCode::kUnavailable,
                  fmt::format("{} is not watched: {}", at.string(), why_not(errno)));
    }
    const auto known = watched_.find(number);
    if (known == watched_.end()) ++folders_[name];
    watched_.insert_or_assign(number, Watched{name, at, root});
    std::error_code error;
    for (fs::directory_iterator entry(at, fs::directory_options::skip_permission_denied, error),
         end;
         !error && entry != end; entry.increment(error)) {
      std::error_code ignored;
      if (!is_passed_over(entry->path().filename().string()) && !entry->is_symlink(ignored) &&
          entry->is_directory(ignored))
        waiting.push_back(entry->path());
    }
  }
  return {};
}

void FolderWatch::forget(const std::string& name) {
  for (auto at = watched_.begin(); at != watched_.end();) {
    if (at->second.name != name) {
      ++at;
      continue;
    }
    inotify_rm_watch(events_, at->first);
    at = watched_.erase(at);
  }
  folders_.erase(name);
  roots_.erase(name);
}

void FolderWatch::note(const std::string& name) {
  const Time now = std::chrono::steady_clock::now();
  changes_.try_emplace(name, Change{now, now}).first->second.last = now;
}

void FolderWatch::take(const Watched& at, uint32_t mask, const std::string& file) {
  if (!file.empty() && is_passed_over(file)) return;
  const std::string name = at.name;
  note(name);
  const bool appeared = (mask & IN_ISDIR) != 0 && (mask & (IN_CREATE | IN_MOVED_TO)) != 0;
  const bool vanished = at.is_root && (mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)) != 0;
  // What cannot be watched from now on is watched again, or told, with the next sync.
  if (vanished || (appeared && !add(name, at.folder / file, false))) forget(name);
}

void FolderWatch::read_events() {
  alignas(inotify_event) std::array<char, 64 * 1024> buffer;
  for (;;) {
    const ssize_t got = ::read(events_, buffer.data(), buffer.size());
    if (got <= 0) return;
    const MutexLock lock(mutex_);
    for (size_t offset = 0; offset < static_cast<size_t>(got);) {
      inotify_event event;
      std::memcpy(&event, buffer.data() + offset, sizeof event);
      const char* file = buffer.data() + offset + sizeof event;
      offset += sizeof event + event.len;
      if ((event.mask & IN_Q_OVERFLOW) != 0) {
        // Events were lost; any folder may have changed, and new ones may not be watched.
        std::vector<std::string> names;
        for (const auto& [name, folders] : folders_) names.push_back(name);
        for (const std::string& name : names) note(name), forget(name);
        continue;
      }
      const auto at = watched_.find(event.wd);
      if (at == watched_.end()) continue;
      if ((event.mask & IN_IGNORED) == 0) {
        const Watched where = at->second;
        take(where, event.mask, event.len == 0 ? "" : std::string(file));
      } else {
        const std::string name = at->second.name;
        watched_.erase(at);
        if (const auto folders = folders_.find(name); folders != folders_.end()) --folders->second;
      }
    }
  }
}

std::chrono::milliseconds FolderWatch::tell() {
  std::vector<std::string> due;
  auto wait = std::chrono::milliseconds(-1);
  {
    const MutexLock lock(mutex_);
    const Time now = std::chrono::steady_clock::now();
    for (auto at = changes_.begin(); at != changes_.end();) {
      const Change& change = at->second;
      const Time when = std::min(change.last + pace_.quiet, change.first + pace_.longest);
      if (when <= now) {
        due.push_back(at->first);
        at = changes_.erase(at);
        continue;
      }
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(when - now);
      wait = wait.count() < 0 ? left : std::min(wait, left);
      ++at;
    }
  }
  for (const std::string& name : due) changed_(name);
  return wait;
}

void FolderWatch::run() {
  const auto stopped = [this]() -> bool {
    const MutexLock lock(mutex_);
    return stopped_;
  };
  while (!stopped()) {
    const auto wait = tell();
    pollfd waits[] = {{events_, POLLIN, 0}, {wake_, POLLIN, 0}};
    ::poll(waits, 2, static_cast<int>(wait.count()));
    read_events();
  }
}

}  // namespace precedent
