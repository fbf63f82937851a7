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
#include "cli/config/config_file.h"
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

// The encoder, opened when it is first used: most syncs read no records. Without weights its
// vectors have no dimensions; the writer says why. Thread safety: that of what is synced, one
// thread.
class SeldomEmbedder final : public Embedder {
 public:
  std::string_view model_id() const override;
  size_t dimensions() const override;
  Result<Embeddings> embed(std::span<const std::string_view> texts) const override;

 private:
  const Embedder* opened() const;
  mutable std::optional<EncoderState> encoder_;
};

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

  const Options options_;
  const CancelToken& cancel_;
  const CurlHttpOptions network_;
  CurlHttpClient http_;
  const SystemClock clock_;
  std::string without_weights_;
  const SeldomEmbedder embedder_;
  const SourceWorld world_;
};

}  // namespace precedent
