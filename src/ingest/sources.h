// PATH arguments → the files to read, in a stable order.
//
// A file is taken by its extension, or, named directly and without a known one, by its content; a
// folder with all below it. Hidden files and folders, node_modules and other generated folders are
// passed over; a folder reached twice (symbolic links) is entered once. Thread safety: pure but for
// the file system.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/record.h"

namespace precedent {

enum class Format { kJson, kJsonLines, kCsv, kMarkdown };

struct SourceFile {
  std::string path;       // as the operator named it: the argument, joined with the way below it
  std::string canonical;  // absolute, without links
  std::string source;     // the canonical path of the argument
  Format format = Format::kMarkdown;
  uint64_t bytes = 0;
};

struct Sources {
  std::vector<SourceFile> files;          // arguments in their order, below one by path
  std::map<std::string, size_t> ignored;  // files of other types, by extension
  std::vector<std::string> roots;         // the canonical path of each argument, once
  std::vector<BadRecord>
      unreadable;  // files and folders that the system would not show, with the remedy
  std::vector<std::string> incomplete;  // the roots above these
  std::vector<std::string> empty;       // arguments below which there is no source
};

// Errors: kNotFound if one of the paths does not exist, kInvalidArgument if one is empty or neither
// file nor folder.
Result<Sources> expand_sources(std::span<const std::string> paths);

}  // namespace precedent
