// DatasetVersion: a version of the incident data that people chose: from which files, read by which
// mapping, with what result.
//
// Not to be confused with a build of the index (dataset.h), which is derived from whatever is
// active. A version keeps its records, so that it can be activated again without its files. States:
//
//   draft ──► validated ──► ingesting ──► ready ──► active ◄──► superseded
//     └──► failed ◄──┘                                 any but active ──► discarded
//
// Thread safety: plain values and pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "knowledge/document.h"

namespace precedent {

enum class VersionState : uint8_t {
  kDraft,
  kValidated,
  kFailed,
  kIngesting,
  kReady,
  kActive,
  kSuperseded,
  kDiscarded,
};
std::string_view name(VersionState state);

// A file that a version was read from, as it was then.
struct VersionSource {
  std::string path;  // where it was, absolute
  uint64_t bytes = 0;
  std::string hash;       // content_hash of its bytes
  std::string name = {};  // what people call it, where that is not the path: of an upload
  bool operator==(const VersionSource&) const = default;
};

struct VersionDraft {
  std::string name;
  std::string mapping;  // the text of the mapping file; "" if there is none
  std::string mapping_path;
  std::vector<VersionSource> sources;
  std::string created_by;
  std::string notes;
};

struct VersionCounts {
  size_t records = 0;  // kept
  size_t bad = 0;      // refused
  size_t bare = 0;     // kept, with a title and nothing else
  bool operator==(const VersionCounts&) const = default;
};

// That a version took the place of the active one, and by whose word.
struct VersionActivation {
  uint64_t number = 0;
  TimePoint at;
  std::string by = {};
  bool back = false;    // by a rollback
  bool forced = false;  // although a limit of the mapping forbade it
  std::string why = {};
};

struct DatasetVersion : VersionDraft {
  uint64_t number = 0;
  VersionState state = VersionState::kDraft;
  std::string collection;  // of the index that serves it; "" unless it is active
  VersionCounts counts;
  std::string report;  // of its validation, JSON (docs/datasets.md); "" before
  TimePoint created_at;
  TimePoint changed_at;                        // of its state
  std::vector<VersionActivation> activations;  // oldest first

  // The last time that a limit forbade it and somebody activated it all the same; null if never.
  const VersionActivation* forced() const;
};

// Which ids differ between two versions, each list by id. `from` 0: nothing was there before.
struct VersionDifference {
  uint64_t from = 0, to = 0;
  std::vector<std::string> added, changed, vanished;
  // Of `from`, where it is active: DatasetVersions::replaced(). Activating a version puts its own
  // in their place.
  std::vector<std::string> replaced = {};
};

// What an activation came to.
struct MadeActive {
  DatasetVersion version;
  bool before = false;           // it was the active one already
  VersionDifference difference;  // from the one before
  double seconds = 0;
  std::vector<uint64_t> discarded;            // that could have been gone back to
  std::vector<std::string> golden_to_review;  // examples that cite what changed or vanished
};

// How somebody wants a version to become the active one.
struct ActivationWish {
  std::string by;
  bool force = false;  // although a limit of the mapping forbids it
  std::string why;     // needed with `force`
  size_t keep = 5;     // superseded versions that can be gone back to
};

// Errors: kConflict saying what is possible from where it is.
Result<void> require_transition(const DatasetVersion& version, VersionState to);

// The source of all documents of the active version: the scope in which an activation removes.
inline constexpr std::string_view kVersionSource = "dataset:default";

// content_hash() of a record of a version without its path: the next export has another name, and
// says the same of most incidents. Which file a record stands in is kept for each version.
std::string record_hash(Document record);

}  // namespace precedent
