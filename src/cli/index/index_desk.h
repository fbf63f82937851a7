// What `precedent index` and `precedent doctor` share: the index in use compared with its store,
// and mended.
//
// Thread safety: free functions. Errors: kNotFound with the remedy where nothing was ever ingested,
// and those of the index's server.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "index/knowledge_index.h"
#include "ingest/publish/index_check.h"
#include "ingest/publish/progress.h"
#include "store/index_build.h"

namespace precedent {

struct IndexStatus {
  std::string place;  // for people: a folder, or a Qdrant with its version
  std::string collection;
  std::string alias;  // a sentence about it; "" where there is none
  bool alias_is_right = true;
  IndexInfo info;
  IndexCheck check;
  std::vector<std::string> retired;  // collections that are still to be dropped
  std::string elsewhere;             // a sentence about the same build in the other place; "": none
};

// The build that the store names.
Result<IndexBuild> build_in_use(const std::filesystem::path& data_dir, const std::string& config);

// `config`: the file of --config; "": looked for.
Result<IndexStatus> index_status(const std::filesystem::path& data_dir, const std::string& config);

// Compares, and where they differ brings the index up to date or builds it anew. Returns what was
// done, as a sentence; "" if nothing. Errors: also kConflict while another process ingests.
Result<std::string> repair_index_of(const std::filesystem::path& data_dir,
                                    const std::string& config, bool rebuild,
                                    ProgressSink* progress);

}  // namespace precedent
