// The world around the sources as the command line has it: the network, the environment, and the
// knowledge base of a data directory (sources/make_source.h).
//
// Thread safety: one thread at a time. Ownership: owns all its parts.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agent/sources/knowledge_base.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "cli/config_file.h"
#include "net/curl_http_client.h"
#include "sources/make_source.h"

namespace precedent {

// sources.yaml and what it says; none if there is no such file. `named`: as for find_config_file().
struct ConfiguredSources {
  std::string path;  // "" if there is none
  std::vector<SourceConfig> sources;
};
Result<ConfiguredSources> find_sources(const std::string& named,
                                       const std::filesystem::path& data_dir);

class SourceSurroundings {
 public:
  struct Options {
    std::filesystem::path data_dir;
    bool dry_run = false;
    // How long somebody else may write before this gives up.
    std::chrono::seconds patience;
  };
  // `cancel` ends every wait, and outlives this.
  SourceSurroundings(Options options, const CancelToken& cancel);
  SourceSurroundings(const SourceSurroundings&) = delete;

  const SourceWorld& world() const { return world_; }
  // Why what was stored has no vectors, with the remedy; "" if it has, or nothing was.
  const std::string& without_weights() const { return without_weights_; }

 private:
  Result<KnowledgeDoor> open_door();
  const Embedder* embedder();

  const Options options_;
  const CancelToken& cancel_;
  const CurlHttpOptions network_;
  CurlHttpClient http_;
  const SystemClock clock_;
  std::string without_weights_;
  std::optional<EncoderState> encoder_;  // once a source needs it
  const SourceWorld world_;
};

}  // namespace precedent
