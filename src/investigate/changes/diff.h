// Unified diffs, also abridged ones, → hunks of lines, and what kind of file each is.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace precedent {

enum class FileRole {
  kCode,
  kMigration,   // of a database's schema
  kDependency,  // manifests and lock files
  kSetting,     // values that a process reads: yaml, json, toml, properties, env
  kImage,       // Dockerfile
  kPage,        // style sheets, templates, pictures: what a browser draws
  kInert,       // tests, documents, CI, linters, owners: no running process reads it
};
std::string_view name(FileRole role);
FileRole file_role(std::string_view path);

struct DiffLine {
  char kind = ' ';  // '+', '-', ' '
  std::string text;
};
struct Hunk {
  std::string file;
  FileRole role = FileRole::kCode;
  std::string heading;  // what stands behind @@: often the function
  std::vector<DiffLine> lines;
};

// `files`: those that the commit names, for hunks that name none. Comments and blank lines are kept
// as context (' '), so that a change of them is none.
std::vector<Hunk> parse_diff(std::string_view diff, const std::vector<std::string>& files);

// All added, or all removed, lines of the hunks.
std::string changed_text(const std::vector<Hunk>& hunks, char kind);

}  // namespace precedent
