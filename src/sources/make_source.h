// SourceConfig → KnowledgeSource, and one sync of it with everything that is remembered.
//
// One sync of a source runs at a time, in all processes together: a lock in the folder of the
// sources sees to it. Thread safety: a world is of one thread; worlds may be used at the same time.
// Ownership: a source borrows what it was made with.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "net/http_client.h"
#include "sources/knowledge_source.h"
#include "sources/sources_config.h"
#include "sources/sync.h"
#include "sources/sync_state.h"

namespace precedent {

// The world around the sources.
struct SourceWorld {
  std::filesystem::path data_dir;
  KnowledgeAccess knowledge;
  HttpClient& http;
  const Clock& clock;
  std::function<std::optional<std::string>(const std::string& name)> environment;
  // Waits as long as a server asked for; fails once cancelled.
  std::function<Result<void>(std::chrono::seconds, const CancelToken&)> wait;
  bool loopback_only = false;          // the network is switched off for tests
  const Embedder* embedder = nullptr;  // ReadOptions::embedder
};

// Document::source of what the source brings.
std::string scope_of(const SourceConfig& config);

// Errors: kNotFound for a folder that is not there, kInvalidArgument for a variable that the
// environment lacks, naming it.
Result<std::unique_ptr<KnowledgeSource>> make_source(const SourceConfig& config,
                                                     const SourceWorld& world);

// Syncs one source and writes down how that went; a dry run and a cancelled one leave no trace.
// Errors: those of make_source() and sync_source(), without secrets; kUnavailable, without a trace,
// if it is being synced already.
Result<SyncReport> sync_and_remember(const SourceConfig& config, const SyncOptions& options,
                                     const SourceWorld& world, const CancelToken& cancel);

}  // namespace precedent
