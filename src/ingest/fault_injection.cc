#include "ingest/fault_injection.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>

namespace precedent::faults {
namespace {

std::atomic<Mode> armed_mode = Mode::kNone;
std::atomic<size_t> armed_step = 0;
std::atomic<size_t> count = 0;

enum class Fate { kGoOn, kDie, kFail };

// What becomes of the step that is about to be taken.
Fate next_step(bool needs_space) {
  const Mode mode = armed_mode.load();
  if (mode == Mode::kNone) return Fate::kGoOn;
  const size_t now = ++count;
  const size_t step = armed_step.load();
  if (step == 0 || now < step) return Fate::kGoOn;
  if (mode == Mode::kKill) return Fate::kDie;
  return needs_space ? Fate::kFail : Fate::kGoOn;
}

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

int refuse() {
  errno = ENOSPC;
  return -1;
}

// The function of this name behind ours.
template <typename Function>
Function* behind(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// A step without content: create, rename, sync, remove.
template <typename Call>
auto step(bool needs_space, Call call) -> decltype(call()) {
  switch (next_step(needs_space)) {
    case Fate::kDie: die();
    case Fate::kFail: return refuse();
    case Fate::kGoOn: break;
  }
  return call();
}

template <typename Write>
ssize_t torn_write(size_t size, Write write) {
  switch (next_step(true)) {
    case Fate::kDie: write(size / 2); die();
    case Fate::kFail: return refuse();
    case Fate::kGoOn: break;
  }
  return write(size);
}

}  // namespace

void arm(Mode mode, size_t step) {
  count = 0;
  armed_step = step;
  armed_mode = mode;
}
void disarm() { armed_mode = Mode::kNone; }
size_t steps() { return count; }

}  // namespace precedent::faults

using precedent::faults::behind;
using precedent::faults::step;
using precedent::faults::torn_write;

extern "C" {

ssize_t write(int fd, const void* data, size_t size) {
  static const auto real = behind<ssize_t(int, const void*, size_t)>("write");
  if (fd <= STDERR_FILENO) return real(fd, data, size);
  return torn_write(size, [&](size_t n) { return real(fd, data, n); });
}

ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
  static const auto real = behind<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return torn_write(size, [&](size_t n) { return real(fd, data, n, offset); });
}

ssize_t pwrite64(int fd, const void* data, size_t size, off64_t offset) {
  static const auto real = behind<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
  return torn_write(size, [&](size_t n) { return real(fd, data, n, offset); });
}

// To a server that keeps the store; never for lack of space here. A message is not torn: a server
// drops half of one.
ssize_t send(int fd, const void* data, size_t size, int flags) {
  static const auto real = behind<ssize_t(int, const void*, size_t, int)>("send");
  return step(false, [&] { return real(fd, data, size, flags); });
}

int fsync(int fd) {
  static const auto real = behind<int(int)>("fsync");
  return step(false, [&] { return real(fd); });
}

int fdatasync(int fd) {
  static const auto real = behind<int(int)>("fdatasync");
  return step(false, [&] { return real(fd); });
}

int ftruncate(int fd, off_t size) noexcept {
  static const auto real = behind<int(int, off_t)>("ftruncate");
  return step(false, [&] { return real(fd, size); });
}

int ftruncate64(int fd, off64_t size) noexcept {
  static const auto real = behind<int(int, off64_t)>("ftruncate64");
  return step(false, [&] { return real(fd, size); });
}

int rename(const char* from, const char* to) noexcept {
  static const auto real = behind<int(const char*, const char*)>("rename");
  return step(false, [&] { return real(from, to); });
}

int unlink(const char* path) noexcept {
  static const auto real = behind<int(const char*)>("unlink");
  return step(false, [&] { return real(path); });
}

int unlinkat(int fd, const char* path, int flags) noexcept {
  static const auto real = behind<int(int, const char*, int)>("unlinkat");
  return step(false, [&] { return real(fd, path, flags); });
}

int mkdir(const char* path, mode_t mode) noexcept {
  static const auto real = behind<int(const char*, mode_t)>("mkdir");
  return step(true, [&] { return real(path, mode); });
}

int open(const char* path, int flags, ...) {
  static const auto real = behind<int(const char*, int, ...)>("open");
  if ((flags & O_CREAT) == 0) return real(path, flags);
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  // An existing file needs no space to be opened.
  if (::access(path, F_OK) == 0) return real(path, flags, mode);
  return step(true, [&] { return real(path, flags, mode); });
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return open(path, flags, mode);
}
}
