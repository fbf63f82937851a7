// Reading a dataset version: files and mapping → records and a report; and its records → an ingest.
//
// Everything is the ingest's own reading (reader.h); here it is collected and judged before
// anything is searchable. Thread safety: pure but for the file system.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ingest/pipeline.h"
#include "store/dataset_versions.h"

namespace precedent {

struct VersionProblem {
  std::string file;
  size_t line = 0;  // 0: the file as a whole
  std::string field;
  std::string rule;  // "no_id", "duplicate_id", "unread_field", "date_range", "bare" …
  std::string message;
  bool costs_record = false;  // else a warning
  std::string value = {};     // of the field (value_shown())
};
inline constexpr size_t kMaxVersionProblems = 1000;

struct VersionReport {
  VersionCounts counts;
  std::vector<VersionProblem> problems;  // the first; beyond the limit, errors replace warnings
  size_t problem_count = 0;
  std::vector<std::string> unmapped;       // columns that are kept under their own names
  std::map<std::string, size_t> coverage;  // field → records that have it
  size_t secrets = 0;                      // records of which something was redacted
};

struct VersionReading {
  std::vector<Document> records;  // by id; secrets redacted
  VersionReport report;
};

// The files that a version is made of, as they are now. Errors: kNotFound, kPermission; those of a
// folder, which is no version's file.
Result<std::vector<VersionSource>> version_sources(const std::vector<std::string>& paths);

// Whether its mapping is right, and its files have the columns that it names. Returns what is
// harmless, in sentences. Errors: those of the mapping and of check_columns().
Result<std::vector<std::string>> check_draft(const VersionDraft& draft);

// Errors: kConflict for a file that is not as it was when the version was made; those of the
// mapping and of read_documents(). `embedder`: null without weights (ReadOptions::embedder).
Result<VersionReading> read_version(const DatasetVersion& version, TimePoint now,
                                    const CancelToken& cancel, const Embedder* embedder);
nlohmann::json to_json(const VersionReport& report);

// Why this version may not become the active one, by the limits of its mapping; "" if it may.
Result<std::string> over_limit(const DatasetVersion& version, const VersionDifference& difference,
                               size_t active_records);

// The reader of an ingest that makes a version the searchable one.
DocumentReader version_records(const DatasetVersions& versions, uint64_t number);

}  // namespace precedent
