#include "mcp/stdio_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/foreign_json.h"
#include "base/strings.h"

namespace precedent {
namespace {

using nlohmann::json;
using Steady = std::chrono::steady_clock;

// Enough to see why it ended.
constexpr size_t kMaxLastWords = 4096;
constexpr size_t kShownWords = 300;
// Some print a banner before they speak; who prints this much is no server.
constexpr size_t kMaxGarbageLines = 100;
// What waits to be read by a server that does not read.
constexpr size_t kMaxOutgoing = 16 * 1024 * 1024;
// How soon a cancel is noticed.
constexpr auto kCancelCheck = std::chrono::milliseconds(50);
// For the child to end after each way of being told.
constexpr auto kEndPatience = std::chrono::milliseconds(500);
constexpr auto kEndCheck = std::chrono::milliseconds(5);

// Whether the child ends within the time; it is not reaped, so that its number stays its own.
bool ends_within(pid_t pid, std::chrono::milliseconds time) {
  for (const auto until = Steady::now() + time;;) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
      return true;
    if (info.si_pid == pid) return true;
    if (Steady::now() >= until) return false;
    std::this_thread::sleep_for(kEndCheck);
  }
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

struct Streams {
  std::array<int, 2> socket{-1, -1}, errors{-1, -1};
  int wake = -1;
  bool open() {
    return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socket.data()) == 0 &&
           ::pipe2(errors.data(), O_CLOEXEC) == 0 &&
           // Ours alone: a child that finds its stderr full waits, and loses nothing.
           ::fcntl(errors[0], F_SETFL, O_NONBLOCK) == 0 &&
           (wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) >= 0;
  }
  void close_all() {
    for (const int fd : {socket[0], socket[1], errors[0], errors[1], wake})
      if (fd >= 0) ::close(fd);
  }
};

int spawn(const StdioCommand& command, const Streams& streams, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, streams.socket[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, streams.socket[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, streams.errors[1], STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  if (!command.cwd.empty()) posix_spawn_file_actions_addchdir_np(&actions, command.cwd.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> args = {command.command};
  args.insert(args.end(), command.args.begin(), command.args.end());
  std::vector<std::string> env;
  for (const auto& [name, value] : command.env) env.push_back(name + "=" + value);
  const int error = ::posix_spawnp(&pid, command.command.c_str(), &actions, &attributes,
                                   pointers(args).data(), pointers(env).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

Result<std::unique_ptr<StdioProcess>> StdioProcess::start(const StdioCommand& command) {
  Streams streams;
  if (!streams.open()) {
    streams.close_all();
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("it cannot be started: {}", std::strerror(errno)));
  }
  pid_t pid = 0;
  if (const int error = spawn(command, streams, pid); error != 0) {
    streams.close_all();
    return fail(ErrorCode::kUnavailable,
                fmt::format("'{}' cannot be started: {}", command.command, std::strerror(error)));
  }
  ::close(streams.socket[1]);
  ::close(streams.errors[1]);
  return std::unique_ptr<StdioProcess>(new StdioProcess(pid, streams.socket[0], streams.errors[0],
                                                        streams.wake, command.max_line_bytes));
}

StdioProcess::StdioProcess(pid_t pid, int socket, int errors, int wake, size_t max_line_bytes)
    : pid_(pid),
      socket_(socket),
      errors_(errors),
      wake_(wake),
      max_line_bytes_(max_line_bytes),
      thread_([this] { run(); }) {}

StdioProcess::~StdioProcess() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  ::eventfd_write(wake_, 1);
  thread_.join();
  ::shutdown(socket_, SHUT_RDWR);
  if (!ends_within(pid_, kEndPatience)) {
    ::kill(-pid_, SIGTERM);
    ends_within(pid_, kEndPatience);
  }
  // Whatever it started itself goes with it.
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  for (const int fd : {socket_, errors_, wake_}) ::close(fd);
}

bool StdioProcess::alive() const {
  const MutexLock lock(mutex_);
  return death_.empty();
}

std::string StdioProcess::obituary() const {
  const MutexLock lock(mutex_);
  std::string text = death_;
  const auto add = [&](std::string_view what, const std::string& words) {
    // The end says more than the beginning.
    const size_t cut = words.size() - std::min(words.size(), kShownWords);
    const std::string shown = foreign_words(std::string_view(words).substr(cut), kShownWords);
    if (!shown.empty()) text += fmt::format("; {}: '{}'", what, shown);
  };
  add("its last words on stderr", last_words_);
  add("it printed what is no message", garbage_);
  return text;
}

void StdioProcess::die(std::string why) {
  if (death_.empty()) death_ = std::move(why);
  changed_.notify_all();
}

std::string StdioProcess::exit_text() const {
  if (!ends_within(pid_, kEndPatience)) return "it closed its output";
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return info.si_code == CLD_EXITED ? fmt::format("it ended with exit status {}", info.si_status)
                                    : fmt::format("it was ended by signal {}", info.si_status);
}

Result<void> StdioProcess::enqueue(std::string line) {
  if (!death_.empty()) return fail(ErrorCode::kUnavailable, death_);
  if (outgoing_.size() + line.size() > kMaxOutgoing)
    return fail(ErrorCode::kResourceExhausted, "it does not read what it is asked");
  outgoing_ += line;
  outgoing_ += '\n';
  ::eventfd_write(wake_, 1);
  return {};
}

Result<void> StdioProcess::send(std::string line) {
  const MutexLock lock(mutex_);
  return enqueue(std::move(line));
}

Result<json> StdioProcess::exchange(std::string line, int64_t id, const McpWait& wait) {
  if (!alive()) return fail(ErrorCode::kUnavailable, obituary());
  {
    const MutexLock lock(mutex_);
    TRY(enqueue(std::move(line)));
    auto& slot = pending_[id];
    Result<void> going_on;
    while (!slot && death_.empty() && (going_on = wait.cancel.check())) {
      const auto now = Steady::now();
      if (now >= wait.deadline) {
        going_on =
            fail(ErrorCode::kTimeout,
                 garbage_.empty() ? std::string("it did not answer in time")
                                  : fmt::format("it did not answer in time; it printed '{}', "
                                                "which is no message",
                                                foreign_words(garbage_, kShownWords)));
        break;
      }
      changed_.wait_until(mutex_, std::min(wait.deadline, now + kCancelCheck));
    }
    const std::optional<json> response = std::move(slot);
    pending_.erase(id);
    if (response) return *response;
    if (going_on) going_on = fail(ErrorCode::kUnavailable, "");  // it died: told below
    if (going_on.error().code != ErrorCode::kUnavailable) {
      // Nobody reads the answer any more.
      const json notice = {{"jsonrpc", "2.0"},
                           {"method", "notifications/cancelled"},
                           {"params", {{"requestId", id}, {"reason", "nobody waits for it"}}}};
      (void)enqueue(dump_json(notice));
      return std::unexpected(going_on.error());
    }
  }
  return fail(ErrorCode::kUnavailable, obituary());
}

bool StdioProcess::write_out() {
  while (!outgoing_.empty()) {
    const ssize_t count =
        ::send(socket_, outgoing_.data(), outgoing_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    outgoing_.erase(0, static_cast<size_t>(count));
  }
  return true;
}

void StdioProcess::take_line(std::string_view line) {
  if (trim(line).empty()) return;
  json message = parse_json(line);
  if (!message.is_object()) {
    garbage_ = std::string(line.substr(0, kMaxLastWords));
    if (++garbage_lines_ > kMaxGarbageLines) die("it prints what is no message");
    return;
  }
  const auto method = message.find("method");
  const auto id = message.find("id");
  if (method != message.end() && id != message.end() && !id->is_structured()) {
    // Nothing was offered to it but this.
    const bool ping = *method == "ping";
    json reply = {{"jsonrpc", "2.0"}, {"id", *id}};
    if (ping)
      reply["result"] = json::object();
    else
      reply["error"] = {{"code", -32601}, {"message", "there is no such method here"}};
    (void)enqueue(dump_json(reply));
    return;
  }
  for (auto& [asked, response] : pending_) {
    if (response || !answers(message, asked)) continue;
    // Without an id an error can only be told to the one that waits.
    const bool named = id != message.end() && !id->is_null();
    if (!named && pending_.size() > 1) return;
    response = std::move(message);
    changed_.notify_all();
    return;
  }
}

void StdioProcess::take(std::string_view bytes) {
  while (!bytes.empty() && death_.empty()) {
    const size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (line_.size() + piece.size() > max_line_bytes_)
      return die(fmt::format("it said a line of more than {} bytes", max_line_bytes_));
    line_ += piece;
    if (end == std::string_view::npos) return;
    take_line(line_);
    line_.clear();
    bytes.remove_prefix(end + 1);
  }
}

void StdioProcess::read_errors() {
  std::array<char, 4096> buffer{};
  for (ssize_t count; (count = ::read(errors_, buffer.data(), buffer.size())) > 0;) {
    const MutexLock lock(mutex_);
    last_words_.append(buffer.data(), static_cast<size_t>(count));
    if (last_words_.size() > kMaxLastWords)
      last_words_.erase(0, last_words_.size() - kMaxLastWords);
  }
}

void StdioProcess::run() {
  bool errors_open = true;
  std::array<char, 65536> buffer{};
  for (;;) {
    bool writes = false;
    {
      const MutexLock lock(mutex_);
      if (stopping_ || !death_.empty()) return;
      writes = !outgoing_.empty();
    }
    std::array<pollfd, 3> ready = {
        {{socket_, static_cast<short>(POLLIN | (writes ? POLLOUT : 0)), 0},
         {wake_, POLLIN, 0},
         {errors_open ? errors_ : -1, POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) {
      const MutexLock lock(mutex_);
      return die("it cannot be listened to");
    }
    eventfd_t ignored = 0;
    if (ready[1].revents != 0) ::eventfd_read(wake_, &ignored);
    if (ready[2].revents != 0) {
      read_errors();
      if ((ready[2].revents & POLLIN) == 0) errors_open = false;
    }
    ssize_t count = -1;
    if ((ready[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
      count = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
        const std::string why = exit_text();
        read_errors();
        const MutexLock lock(mutex_);
        return die(why);
      }
    }
    const MutexLock lock(mutex_);
    // Who has gone is noticed when it is read from: what it said last may still be there.
    if (!write_out()) outgoing_.clear();
    if (count > 0) take({buffer.data(), static_cast<size_t>(count)});
  }
}

}  // namespace precedent
