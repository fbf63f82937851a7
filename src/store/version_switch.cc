#include "store/version_switch.h"

#include <fmt/format.h>

namespace precedent {

using db::SqlConnection;

namespace {

// `turn` orders what was active, the active one last: what a rollback passes over is out of it.
Result<void> supersede(SqlConnection& c, const VersionActivation& activation) {
  const auto to = db::number(activation.number);
  if (activation.back)
    TRY(c.run(
        "UPDATE incident_dataset_versions SET turn = 0 WHERE number <> $1 AND (state = "
        "'active' OR turn > (SELECT turn FROM incident_dataset_versions WHERE number = $2 AND "
        "turn > 0))",
        {to, to}));
  TRY(
      c.run("UPDATE incident_dataset_versions SET state = 'superseded', collection = '', "
            "changed_at = $1 WHERE state = 'active' AND number <> $2",
            {int64_t{activation.at.time_since_epoch().count()}, to}));
  return {};
}

// Nothing happens to what is active already, but that the index is told of it again.
Result<void> take_the_place(SqlConnection& c, const VersionActivation& activation) {
  const auto to = db::number(activation.number);
  if (TRY(c.integer(
          "SELECT 1 FROM incident_dataset_versions WHERE number = $1 AND state = 'active'", {to})))
    return {};
  TRY(supersede(c, activation));
  const int64_t now = activation.at.time_since_epoch().count();
  const int64_t made_active = TRY(
      c.run("UPDATE incident_dataset_versions SET state = 'active', changed_at = $1, turn = CASE "
            "WHEN $2 = 1 AND turn > 0 THEN turn ELSE 1 + (SELECT max(turn) FROM "
            "incident_dataset_versions) END WHERE number = $3 AND state IN ('ready', 'superseded')",
            {now, int64_t{activation.back}, to}));
  if (made_active != 1)
    return fail(ErrorCode::kConflict,
                fmt::format("version {} is not ready to be activated; see `precedent dataset show "
                            "{}`",
                            activation.number, activation.number));
  TRY(c.run(
      "INSERT INTO version_activations(version, made_at, made_by, back, forced, why) VALUES ($1, "
      "$2, $3, $4, $5, $6)",
      {to, now, activation.by, int64_t{activation.back}, int64_t{activation.forced},
       activation.why}));
  return {};
}

}  // namespace

Result<void> name_collection(SqlConnection& c) {
  TRY(
      c.run("UPDATE incident_dataset_versions SET collection = coalesce((SELECT collection FROM "
            "datasets WHERE state = 'active'), '') WHERE state = 'active'"));
  return {};
}

Result<void> switch_version(SqlConnection& c, const VersionActivation& activation) {
  TRY(take_the_place(c, activation));
  TRY(name_collection(c));
  // What says the same as before was not put anew, but stands in another file now.
  TRY(
      c.run("UPDATE documents SET path = v.path FROM version_records v WHERE v.version = $1 AND "
            "v.id = documents.id AND v.path <> '' AND v.path <> documents.path",
            {db::number(activation.number)}));
  return {};
}

}  // namespace precedent
