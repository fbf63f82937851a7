// Files: read whole, mapped, replaced atomically, locked. The only folder that calls the file
// system's durability primitives; index/, embed/, store/ and ingest/ build on it.
//
// Errors name the path and what the system said; a full disk is kResourceExhausted.
// Thread safety: free functions may be called from any thread; objects belong to one thread unless
// said.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace precedent {

// A file of bytes mapped read-only. Lifetime: the bytes live as long as this object.
// A file truncated by somebody else while mapped raises SIGBUS; index files are never changed in
// place.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::filesystem::path& path);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  const std::byte* data_ = nullptr;
  size_t size_ = 0;
};

// The whole file. Errors: kResourceExhausted if it is larger than `max_bytes`.
Result<std::string> read_file(const std::filesystem::path& path, size_t max_bytes);

// Writes a file such that readers, also after a crash or a full disk, see the old content or the
// new, never a part: temporary file beside it, fsync, rename, fsync of the folder. `parts` are
// written one after another. The file is its owner's alone (0600), and so is a lock.
Result<void> write_file_atomically(const std::filesystem::path& path,
                                   std::span<const std::string_view> parts);

// Adds `line` and a line end to the file (created if missing, for its owner alone), in one write to
// its end: lines of several processes do not mix. An unfinished last line, of a full disk or a
// power cut, is ended first. The file is opened anew each time, so that it may be renamed
// meanwhile. Waits for other writers at most a moment (50 ms), and for nothing else: a pipe that
// nobody reads is an error. What was written may still be lost with the power. REQUIRES: no line
// end in `line`.
Result<void> append_line(const std::filesystem::path& path, std::string_view line);

// The same for several lines that belong together.
Result<void> append_lines(const std::filesystem::path& path, std::span<const std::string> lines);

// Whether this process may write to the file, or create it. Errors: kPermission naming it.
Result<void> check_writable(const std::filesystem::path& path);

// New folders are their owner's alone (0700), whatever the umask.
Result<void> make_directories(const std::filesystem::path& path);

// Takes the rights of group and others from a file or folder that this user owns, and with
// kWithContent from all that a folder holds. Links are not followed. What cannot be changed stays
// as it is: reading goes on. A folder that everybody shares (with the sticky bit, as /tmp) stays as
// it is, and what it holds.
enum class Privacy { kAlone, kWithContent };
void make_private(const std::filesystem::path& path, Privacy privacy = Privacy::kAlone);

// Removes one file; a missing one is no error.
Result<void> remove_file(const std::filesystem::path& path);

// An advisory lock on `path` (created if missing), held until destruction or the end of the
// process, however it ends.
class FileLock {
 public:
  // Does not wait. Errors: kConflict if somebody holds it, with their process id where the file
  // tells.
  static Result<FileLock> acquire(const std::filesystem::path& path);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

// For tests of crash safety. The hook is called before each step that changes the disk through this
// header; what it returns, unless 0, is the errno with which the step fails. A hook may also end
// the process. An empty hook: none. Not thread-safe: install it before the threads that write.
enum class FileStep { kCreate, kWrite, kSync, kRename, kRemove };
using FileHook = std::function<int(FileStep, const std::filesystem::path&)>;
void set_file_hook(FileHook hook);

// The Error for a failed system call: "cannot <doing> <path>: <what errno says>".
Error system_error(std::string_view doing, const std::filesystem::path& path, int error_number);

}  // namespace precedent
