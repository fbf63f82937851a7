#include "files/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include "base/strings.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

FileHook& file_hook() {
  static FileHook hook;
  return hook;
}

// 0, or the errno that a test asked for.
int injected(FileStep step, const fs::path& path) {
  const FileHook& hook = file_hook();
  return hook ? hook(step, path) : 0;
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

Result<size_t> size_of(int fd, const fs::path& path) {
  struct stat status;
  if (::fstat(fd, &status) != 0) return std::unexpected(system_error("read", path, errno));
  if (S_ISDIR(status.st_mode)) return std::unexpected(system_error("read", path, EISDIR));
  return static_cast<size_t>(status.st_size);
}

Result<void> write_all(int fd, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::unexpected(system_error("write", path, errno));
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

// Whether a regular file ends within a line.
bool ends_within_a_line(const fs::path& path) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
    return false;
  char last = '\n';
  return ::pread(fd.get(), &last, 1, status.st_size - 1) == 1 && last != '\n';
}

// Whether nobody else appends meanwhile. Others write for microseconds; one that was stopped while
// it did so holds nobody up.
bool lock_for_a_moment(int fd) {
  constexpr int kTries = 50;
  for (int i = 0; i < kTries; ++i) {
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    ::usleep(1000);
  }
  return false;
}

}  // namespace

Error system_error(std::string_view doing, const fs::path& path, int error_number) {
  ErrorCode code = ErrorCode::kUnavailable;
  std::string_view remedy;
  switch (error_number) {
    case ENOENT: code = ErrorCode::kNotFound; break;
    case EACCES:
    case EPERM:
    case EROFS:
      code = ErrorCode::kPermission;
      remedy = "; check the permissions of the file and its folder";
      break;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      code = ErrorCode::kResourceExhausted;
      remedy = "; free space on the disk and run it again, nothing was lost";
      break;
    default: break;
  }
  return {code, fmt::format("cannot {} {}: {}{}", doing, path.string(),
                            std::generic_category().message(error_number), remedy)};
}

Result<MappedFile> MappedFile::open(const fs::path& path) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return std::unexpected(system_error("open", path, errno));
  MappedFile file;
  file.size_ = TRY(size_of(fd.get(), path));
  if (file.size_ == 0) return file;
  void* data = ::mmap(nullptr, file.size_, PROT_READ, MAP_SHARED, fd.get(), 0);
  if (data == MAP_FAILED) {
    file.size_ = 0;
    return std::unexpected(system_error("map", path, errno));
  }
  file.data_ = static_cast<const std::byte*>(data);
  return file;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

Result<std::string> read_file(const fs::path& path, size_t max_bytes) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return std::unexpected(system_error("open", path, errno));
  const size_t size = TRY(size_of(fd.get(), path));
  const auto too_large = [&] {
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("{} is larger than {} MB, the most that is read at once; split it",
                            path.string(), max_bytes >> 20));
  };
  if (size > max_bytes) return too_large();
  std::string content;
  content.reserve(size);
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::unexpected(system_error("read", path, errno));
    if (n == 0) return content;
    if (content.size() + static_cast<size_t>(n) > max_bytes) return too_large();
    content.append(buffer, static_cast<size_t>(n));
  }
}

Result<void> write_file_atomically(const fs::path& path, std::span<const std::string_view> parts) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::string temporary = fmt::format("{}.{}.tmp", path.string(), ::getpid());
  const auto abandon = [&](Error error) {
    ::unlink(temporary.c_str());
    return std::unexpected(std::move(error));
  };
  {
    if (const int error = injected(FileStep::kCreate, path)) {
      return std::unexpected(system_error("create", temporary, error));
    }
    const Descriptor fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!fd) return std::unexpected(system_error("create", temporary, errno));
    if (const int error = injected(FileStep::kWrite, path))
      return abandon(system_error("write", path, error));
    for (const std::string_view part : parts) {
      if (auto written = write_all(fd.get(), part, path); !written) return abandon(written.error());
    }
    if (const int error = injected(FileStep::kSync, path))
      return abandon(system_error("write", path, error));
    if (::fsync(fd.get()) != 0) return abandon(system_error("write", path, errno));
  }
  if (const int error = injected(FileStep::kRename, path))
    return abandon(system_error("replace", path, error));
  if (::rename(temporary.c_str(), path.c_str()) != 0)
    return abandon(system_error("replace", path, errno));
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory) ::fsync(directory.get());
  return {};
}

Result<void> append_line(const fs::path& path, std::string_view line) {
  return append_lines(path, std::array{std::string(line)});
}

Result<void> append_lines(const fs::path& path, std::span<const std::string> lines) {
  const Descriptor fd(
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600));
  if (!fd) return std::unexpected(system_error("open", path, errno));
  // Without the lock another's line might be seen half written.
  const bool unfinished = lock_for_a_moment(fd.get()) && ends_within_a_line(path);
  std::string whole = unfinished ? "\n" : "";
  for (const std::string& line : lines) whole += line + "\n";
  if (const int error = injected(FileStep::kWrite, path))
    return std::unexpected(system_error("write", path, error));
  ssize_t written = -1;
  do {
    written = ::write(fd.get(), whole.data(), whole.size());
  } while (written < 0 && errno == EINTR);
  if (written < 0) return std::unexpected(system_error("write", path, errno));
  // A second write might land behind another process's line.
  if (static_cast<size_t>(written) < whole.size())
    return std::unexpected(system_error("write", path, ENOSPC));
  return {};
}

Result<void> check_writable(const fs::path& path) {
  const bool there = ::access(path.c_str(), F_OK) == 0;
  const fs::path asked = there ? path : path.parent_path();
  if (::access(asked.c_str(), W_OK) == 0) return {};
  return std::unexpected(system_error("write", path, errno));
}

Result<void> make_directories(const fs::path& path) {
  std::error_code error;
  fs::path missing = fs::absolute(path, error);
  std::vector<fs::path> made;
  for (; !missing.empty() && !fs::exists(missing, error); missing = missing.parent_path())
    if (missing.has_filename()) made.push_back(missing);
  fs::create_directories(path, error);
  if (error) return std::unexpected(system_error("create the folder", path, error.value()));
  for (const fs::path& folder : made) ::chmod(folder.c_str(), 0700);
  return {};
}

void make_private(const fs::path& path, Privacy privacy) {
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0 || S_ISLNK(status.st_mode)) return;
  const bool folder = S_ISDIR(status.st_mode);
  if (status.st_uid != ::geteuid() || (folder && (status.st_mode & S_ISVTX) != 0)) return;
  constexpr mode_t kOthers = S_IRWXG | S_IRWXO;
  if ((folder || S_ISREG(status.st_mode)) && (status.st_mode & kOthers) != 0)
    ::chmod(path.c_str(), status.st_mode & 07777 & ~kOthers);
  if (!folder || privacy == Privacy::kAlone) return;
  std::error_code error;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error))
    make_private(it->path(), privacy);
}

Result<void> remove_file(const fs::path& path) {
  if (const int error = injected(FileStep::kRemove, path)) {
    return std::unexpected(system_error("remove", path, error));
  }
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    return std::unexpected(system_error("remove", path, errno));
  }
  return {};
}

void set_file_hook(FileHook hook) { file_hook() = std::move(hook); }

Result<FileLock> FileLock::acquire(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return std::unexpected(system_error("lock", path, errno));
  FileLock lock(fd);
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    char holder[32] = {};
    const ssize_t n = ::pread(fd, holder, sizeof holder - 1, 0);
    const std::string_view id = trim(std::string_view(holder, n > 0 ? static_cast<size_t>(n) : 0));
    return fail(ErrorCode::kConflict,
                fmt::format("{} is held by another process{}", path.string(),
                            id.empty() ? "" : fmt::format(" (process {})", id)));
  }
  // The holder's id is a courtesy for the message above; the lock itself is the kernel's.
  const std::string id = std::to_string(::getpid());
  if (::ftruncate(fd, 0) == 0) static_cast<void>(::pwrite(fd, id.data(), id.size(), 0) == 0);
  return lock;
}

FileLock::FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace precedent
