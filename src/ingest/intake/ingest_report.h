// IngestReport: what an ingest did. A plain value.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "ingest/reading/reader.h"
#include "knowledge/kind.h"

namespace precedent {

// Documents of one kind, and the file of the first of them.
struct OfKind {
  size_t count = 0;
  std::string example;
};

struct IngestReport {
  size_t added = 0, changed = 0, unchanged = 0, removed = 0;  // documents
  size_t of_version = 0;         // changed documents that the active dataset version had brought in
  std::map<Kind, OfKind> kinds;  // of added and changed documents
  size_t bad_count = 0;
  std::vector<BadRecord> bad;                // the first kMaxReportedBad of them
  std::map<std::string, LeftOut> ignored;    // files that are no source, by extension
  std::map<std::string, LeftOut> left_out;   // what else was not read, by reason
  std::map<std::string, size_t> not_pruned;  // documents, by file: they may only be unreadable
  std::vector<std::string> warnings;
  size_t chunks = 0;    // of added and changed documents
  size_t embedded = 0;  // different texts that went through the model
  size_t cached = 0;    // chunks whose vector was there already
  double seconds = 0;
  bool cancelled = false;
  bool refused = false;  // --strict and something was bad: nothing was loaded
  std::string repaired;  // what had to be repaired at the start, as a sentence; "" if nothing
  bool rebuilt = false;  // the averages drifted: the index was built anew at the end
  size_t documents = 0;  // in the knowledge base at the end
};
// A source that is bad in every record must not fill the memory with complaints.
inline constexpr size_t kMaxReportedBad = 1000;

}  // namespace precedent
