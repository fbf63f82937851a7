// PATH arguments → the files to read, in a stable order.
//
// A file is taken by its extension, or, named directly and without a known one, by its content; a
// folder with all below it. Hidden files and folders, node_modules and other generated folders are
// passed over; so are symbolic links that lead out of the argument, unless they are asked for, and
// the system's own files (/proc). A folder reached twice is entered once. Thread safety: pure but
// for the file system.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/records/record.h"

namespace precedent {

enum class Format { kJson, kJsonLines, kCsv, kMarkdown };

struct SourceFile {
  std::string path;       // as the operator named it: the argument, joined with the way below it
  std::string canonical;  // absolute, without links
  std::string source;     // the canonical path of the argument
  std::string relative;   // the way below the argument; the file's name if that is the file
  Format format = Format::kMarkdown;
  uint64_t bytes = 0;
  // Where its bytes are, if that is not at `path`.
  std::string stored = {};

  const std::string& bytes_at() const { return stored.empty() ? path : stored; }
};

// What could not be read of a source, and therefore may hold what is missing elsewhere.
struct Unread {
  std::string source;
  std::string relative;  // a file or a folder below it; "" for all of it
  bool operator==(const Unread&) const = default;
};

struct LeftOut {
  size_t count = 0;
  std::vector<std::string> paths;  // the first kMaxNamedPaths

  void add(std::string path);
};
inline constexpr size_t kMaxNamedPaths = 100;

struct FoundFiles {
  std::vector<SourceFile> files;            // arguments in their order, below one by path
  std::map<std::string, LeftOut> ignored;   // files of other types, by extension
  std::map<std::string, LeftOut> left_out;  // files, folders and links, by reason
  std::vector<std::string> roots;           // the canonical path of each argument, once
  std::vector<BadRecord>
      unreadable;              // files and folders that the system would not show, with the remedy
  std::vector<Unread> unread;  // where these are
  std::vector<std::string> empty;  // arguments below which there is no source
};

// Errors: kNotFound if one of the paths does not exist, kInvalidArgument if one is empty or neither
// file nor folder.
Result<FoundFiles> expand_sources(std::span<const std::string> paths, bool follow_links = false);

}  // namespace precedent
