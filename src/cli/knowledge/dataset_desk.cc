#include "cli/knowledge/dataset_desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "cli/knowledge/version_report.h"
#include "ingest/version_reading.h"

namespace precedent {
namespace {

// Golden examples that cite what this switch made different from what was reviewed.
Result<std::vector<std::string>> doubtful_examples(const KnowledgeStore& store,
                                                   const VersionDifference& found) {
  std::vector<std::string> doubtful;
  const auto switched = [&](const std::string& id) {
    return std::ranges::binary_search(found.added, id) ||
           std::ranges::binary_search(found.changed, id) ||
           std::ranges::binary_search(found.vanished, id);
  };
  for (const GoldenExample& example : TRY(store.golden_examples()))
    if (std::ranges::any_of(example.outdated, switched)) doubtful.push_back(example.id);
  return doubtful;
}

// Why a limit of its mapping forbids to activate it; "" where none does, and of what was active
// before. `found`: against the active version.
Result<std::string> limit_of(const DatasetVersions& versions, const DatasetVersion& version,
                             const VersionDifference& found) {
  // Limits catch a bad export, and must not stand between it and the way back.
  if (version.state == VersionState::kSuperseded) return std::string();
  const auto active = TRY(versions.active());
  return over_limit(version, found, active ? active->counts.records : 0);
}

// Whether a limit is overridden.
Result<bool> is_forced(const DatasetVersions& versions, const DatasetVersion& version,
                       const VersionDifference& found, const ActivationWish& wish) {
  const std::string limit = TRY(limit_of(versions, version, found));
  if (limit.empty()) return false;
  if (!wish.force)
    return fail(ErrorCode::kConflict,
                fmt::format("version {} was not activated: {}; mend its files, or force it and say "
                            "why (--force --why REASON)",
                            version.number, limit));
  if (trim(wish.why).empty())
    return fail(ErrorCode::kInvalidArgument,
                "forcing it needs a reason, which is kept (--why REASON)");
  return true;
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

Result<MadeActive> switch_to(KnowledgeWriter& writer, uint64_t number, const ActivationWish& wish,
                             VersionActivation activation, const CancelToken& cancel) {
  DatasetVersions versions(writer.store());
  const DatasetVersion version = TRY(versions.find(number));
  MadeActive made{.difference = TRY(versions.against_active(number))};
  made.before = version.state == VersionState::kActive;
  activation.number = number;
  activation.by = wish.by;
  activation.why = wish.why;
  if (!made.before) {
    TRY(require_transition(version, VersionState::kActive));
    activation.forced = TRY(is_forced(versions, version, made.difference, wish));
  }
  IngestOptions options;
  options.activation = activation;
  const auto report = writer.ingest(options, version_records(versions, number), nullptr, cancel);
  if (!report) return std::unexpected(half_active(report.error(), versions, number));
  if (report->cancelled)
    return fail(ErrorCode::kCancelled, "interrupted; the version before stays the active one");
  // An example is served again where its incidents are again those that were reviewed.
  if (const auto golden = writer.publish_golden(nullptr, cancel); !golden)
    return std::unexpected(half_active(golden.error(), versions, number));
  made.seconds = report->seconds;
  made.discarded = TRY(versions.keep(wish.keep, activation.at));
  made.golden_to_review = TRY(doubtful_examples(writer.store(), made.difference));
  made.version = TRY(versions.find(number));
  return made;
}

Result<uint64_t> rollback_target(const DatasetVersions& versions, uint64_t to) {
  if (to == 0) {
    const auto found = TRY(versions.to_go_back_to());
    if (found) return found->number;
    return fail(ErrorCode::kNotFound,
                "there is no earlier version to go back to; the list of versions shows all");
  }
  const DatasetVersion version = TRY(versions.find(to));
  if (version.state == VersionState::kActive || version.state == VersionState::kSuperseded)
    return to;
  return fail(ErrorCode::kConflict,
              fmt::format("version {} is {}, and a rollback goes to one that was active "
                          "before; the list of versions shows them",
                          to, name(version.state)));
}

}  // namespace

Result<ValidatedVersion> validate_version(KnowledgeWriter& writer, uint64_t number,
                                          const Clock& clock, const CancelToken& cancel) {
  DatasetVersions versions(writer.store());
  const DatasetVersion version = TRY(versions.find(number));
  TRY(require_transition(version, VersionState::kValidated));
  const VersionReading read = TRY(read_version(version, clock.now(), cancel, writer.embedder()));
  ValidatedVersion done;
  done.version = TRY(versions.validated(number, read.records, read.report.counts,
                                        dump_json(to_json(read.report)), clock.now()));
  done.difference = TRY(versions.against_active(number));
  if (done.version.state == VersionState::kValidated)
    done.limit = TRY(limit_of(versions, done.version, done.difference));
  done.markdown = VersionReportText(done.version, done.difference, done.limit).markdown();
  return done;
}

Result<DatasetVersion> embed_version(KnowledgeWriter& writer, uint64_t number, const Clock& clock,
                                     ProgressSink* progress, const CancelToken& cancel) {
  DatasetVersions versions(writer.store());
  DatasetVersion before = TRY(versions.find(number));
  if (before.state == VersionState::kReady) return before;
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

Result<DatasetVersion> discard_version(KnowledgeWriter& writer, uint64_t number,
                                       const Clock& clock) {
  DatasetVersions versions(writer.store());
  DatasetVersion before = TRY(versions.find(number));
  if (before.state == VersionState::kDiscarded) return before;
  return versions.move(number, VersionState::kDiscarded, clock.now());
}

Result<MadeActive> activate_version(KnowledgeWriter& writer, uint64_t number,
                                    const ActivationWish& wish, const Clock& clock,
                                    const CancelToken& cancel) {
  return switch_to(writer, number, wish, {.at = clock.now()}, cancel);
}

Result<MadeActive> roll_back_version(KnowledgeWriter& writer, uint64_t to,
                                     const ActivationWish& wish, const Clock& clock,
                                     const CancelToken& cancel) {
  const uint64_t number = TRY(rollback_target(DatasetVersions(writer.store()), to));
  return switch_to(writer, number, wish, {.at = clock.now(), .back = true}, cancel);
}

}  // namespace precedent
