// What an ingest tells while it runs; cli/ draws it.
//
// Thread safety: an ingest calls its sink from the thread that called it, one call at a time.
#pragma once

#include <cstdint>
#include <string_view>

namespace precedent {

struct Progress {
  enum class Stage : uint8_t {
    kChecking,    // --strict: reading everything once before anything is stored; bytes
    kEmbedding,   // documents of an earlier ingest get the vectors they lack; documents
    kRepairing,   // the index is brought up to the store; documents
    kIngesting,   // bytes of the sources that are read, stored and searchable
    kPruning,     // documents
    kRebuilding,  // the whole index is built anew; documents
    kMigrating    // the index is built in another place; documents
  };
  Stage stage = Stage::kIngesting;
  uint64_t done = 0;
  uint64_t total = 0;   // 0: not known
  double seconds = 0;   // since the stage began: done / seconds is the rate
  uint64_t chunks = 0;  // made since the ingest began
};

// "ingesting" and so on.
constexpr std::string_view name(Progress::Stage stage) {
  switch (stage) {
    case Progress::Stage::kChecking: return "checking";
    case Progress::Stage::kEmbedding: return "embedding";
    case Progress::Stage::kRepairing: return "repairing";
    case Progress::Stage::kIngesting: return "ingesting";
    case Progress::Stage::kPruning: return "pruning";
    case Progress::Stage::kRebuilding: return "rebuilding";
    case Progress::Stage::kMigrating: return "migrating";
  }
  return "";
}

class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual void progress(const Progress& progress) = 0;
};

}  // namespace precedent
