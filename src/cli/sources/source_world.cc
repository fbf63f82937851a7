#include "cli/sources/source_world.h"

#include <memory>
#include <thread>

#include "cli/knowledge/writer.h"
#include "llm/model_config.h"

namespace precedent {
namespace {

Result<void> wait_for(std::chrono::seconds time, const CancelToken& cancel) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    TRY(cancel.check());
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return {};
}

Result<std::vector<DocumentState>> look(const std::filesystem::path& data_dir) {
  auto reader = TRY(KnowledgeWriter::open({.data_dir = data_dir, .dense = false, .dry_run = true}));
  return reader.store().states();
}

}  // namespace

Result<ConfiguredSources> find_sources(const std::string& named,
                                       const std::filesystem::path& data_dir) {
  const ConfigFile file =
      TRY(find_config_file("sources.yaml", "PRECEDENT_SOURCES", named, data_dir));
  if (file.path.empty()) return ConfiguredSources{};
  auto sources = TRY(read_sources_config(file.text, file.path));
  return ConfiguredSources{file.path, std::move(sources)};
}

const Embedder* SeldomEmbedder::opened() const {
  if (!encoder_) {
    auto state = open_encoder();
    encoder_ = state ? std::move(*state) : EncoderState{};
  }
  return encoder_->embedder.get();
}
std::string_view SeldomEmbedder::model_id() const {
  return opened() == nullptr ? "" : opened()->model_id();
}
size_t SeldomEmbedder::dimensions() const {
  return opened() == nullptr ? 0 : opened()->dimensions();
}
Result<Embeddings> SeldomEmbedder::embed(std::span<const std::string_view> texts) const {
  if (opened() == nullptr) return fail(ErrorCode::kUnavailable, "there are no weights");
  return opened()->embed(texts);
}

SourceSurroundings::SourceSurroundings(Options options, const CancelToken& cancel)
    : options_(std::move(options)),
      cancel_(cancel),
      network_(CurlHttpOptions::from_environment()),
      http_(network_),
      world_{options_.data_dir,
             {[this] { return look(options_.data_dir); }, [this] { return open_door(); }},
             http_,
             clock_,
             system_environment,
             wait_for,
             network_.loopback_only,
             &embedder_} {}

Result<KnowledgeDoor> SourceSurroundings::open_door() {
  const auto end = std::chrono::steady_clock::now() + options_.patience;
  for (;;) {
    auto opened =
        KnowledgeWriter::open({.data_dir = options_.data_dir, .dry_run = options_.dry_run});
    if (opened) {
      auto writer = std::make_shared<KnowledgeWriter>(std::move(*opened));
      without_weights_ = writer->without_weights();
      KnowledgeDoor door;
      door.known = TRY(writer->store().states());
      door.ingest = [this, writer](const IngestOptions& options,
                                   DocumentReader read) -> Result<IngestReport> {
        IngestReport report = TRY(writer->ingest(options, std::move(read), nullptr, cancel_));
        if (!options.dry_run) TRY(writer->publish_golden(nullptr, cancel_));
        return report;
      };
      door.remove = [this, writer](const std::vector<std::string>& ids,
                                   bool dry_run) -> Result<IngestReport> {
        IngestReport report = TRY(writer->remove(ids, dry_run, cancel_));
        if (!dry_run) TRY(writer->publish_golden(nullptr, cancel_));
        return report;
      };
      return door;
    }
    if (opened.error().code != ErrorCode::kConflict) return std::unexpected(opened.error());
    if (std::chrono::steady_clock::now() >= end)
      return fail(ErrorCode::kUnavailable, opened.error().text());
    TRY(wait_for(std::chrono::seconds(1), cancel_));
  }
}

}  // namespace precedent
