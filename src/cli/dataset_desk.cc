#include "cli/dataset_desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "ingest/version_reading.h"

namespace precedent {
namespace {

// Golden examples that cite what is different now.
Result<std::vector<std::string>> doubtful_examples(const KnowledgeStore& store,
                                                   const VersionDifference& found) {
  std::vector<std::string> doubtful;
  const auto differs = [&](const std::string& id) {
    return std::ranges::binary_search(found.changed, id) ||
           std::ranges::binary_search(found.vanished, id);
  };
  for (const GoldenExample& example : TRY(store.golden_examples()))
    if (std::ranges::any_of(example.sources, differs)) doubtful.push_back(example.id);
  return doubtful;
}

// What the mapping's limits say of it, and who overrides them. What was active before may become so
// again: limits are there to catch a bad export, and must not stand between it and the way back.
Result<VersionActivation> permitted(const DatasetVersion& version, const VersionDifference& found,
                                    size_t active_records, const ActivationWish& wish,
                                    TimePoint now) {
  VersionActivation activation{version.number, now};
  if (version.state == VersionState::kSuperseded) return activation;
  const std::string limit = TRY(over_limit(version, found, active_records));
  if (limit.empty()) return activation;
  if (!wish.force)
    return fail(ErrorCode::kConflict,
                fmt::format("version {} was not activated: {}; mend its files, or force it and say "
                            "why (--force --why REASON)",
                            version.number, limit));
  if (trim(wish.why).empty())
    return fail(ErrorCode::kInvalidArgument,
                "forcing it needs a reason, which is kept (--why REASON)");
  activation.forced_by = wish.by;
  activation.forced_why = wish.why;
  return activation;
}

// What stopped an activation, and which version is active now: the store switches in one
// transaction, and the index follows it.
Error half_active(Error error, DatasetVersions& versions, uint64_t number) {
  const auto active = versions.active();
  if (!active) return error;
  if (*active && (*active)->number == number)
    error.message += fmt::format(
        "; version {} is active in the store, and the index does not follow it yet: activate it "
        "again once that is mended",
        number);
  else
    error.message += "; the version before stays the active one";
  return error;
}

}  // namespace

Result<DatasetVersion> validate_version(KnowledgeWriter& writer, uint64_t number,
                                        const Clock& clock, const CancelToken& cancel) {
  DatasetVersions versions(writer.store());
  const DatasetVersion version = TRY(versions.find(number));
  TRY(require_transition(version, VersionState::kValidated));
  const VersionReading read = TRY(read_version(version, clock.now(), cancel, writer.embedder()));
  return versions.validated(number, read.records, read.report.counts,
                            dump_json(to_json(read.report)), clock.now());
}

Result<DatasetVersion> embed_version(KnowledgeWriter& writer, uint64_t number, const Clock& clock,
                                     ProgressSink* progress, const CancelToken& cancel) {
  DatasetVersions versions(writer.store());
  TRY(versions.move(number, VersionState::kIngesting, clock.now()));
  IngestOptions options;
  options.vectors_only = true;
  const IngestReport report =
      TRY(writer.ingest(options, version_records(versions, number), progress, cancel));
  if (report.cancelled)
    return fail(ErrorCode::kCancelled,
                fmt::format("interrupted; ingesting version {} again goes on", number));
  return versions.move(number, VersionState::kReady, clock.now());
}

Result<MadeActive> activate_version(KnowledgeWriter& writer, uint64_t number,
                                    const ActivationWish& wish, const Clock& clock,
                                    const CancelToken& cancel) {
  DatasetVersions versions(writer.store());
  const DatasetVersion version = TRY(versions.find(number));
  MadeActive made{.difference = TRY(versions.against_active(number))};
  IngestOptions options;
  options.activation =
      VersionActivation{number, clock.now(), version.forced_by, version.forced_why};
  if (version.state != VersionState::kActive) {
    TRY(require_transition(version, VersionState::kActive));
    const auto before = TRY(versions.active());
    options.activation = TRY(permitted(version, made.difference,
                                       before ? before->counts.records : 0, wish, clock.now()));
  }
  const auto report = writer.ingest(options, version_records(versions, number), nullptr, cancel);
  if (!report) return std::unexpected(half_active(report.error(), versions, number));
  if (report->cancelled)
    return fail(ErrorCode::kCancelled, "interrupted; the version before stays the active one");
  made.seconds = report->seconds;
  made.discarded = TRY(versions.keep(wish.keep, clock.now()));
  made.golden_to_review = TRY(doubtful_examples(writer.store(), made.difference));
  made.version = TRY(versions.find(number));
  return made;
}

Result<MadeActive> roll_back_version(KnowledgeWriter& writer, const ActivationWish& wish,
                                     const Clock& clock, const CancelToken& cancel) {
  const auto previous = TRY(DatasetVersions(writer.store()).previous());
  if (!previous)
    return fail(ErrorCode::kNotFound,
                "there is no earlier version to go back to; the list of versions shows all");
  return activate_version(writer, previous->number, wish, clock, cancel);
}

}  // namespace precedent
