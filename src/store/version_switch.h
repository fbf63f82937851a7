// One dataset version in the place of another, as statements of a transaction that is open.
//
// Thread safety: the connection's.
#pragma once

#include "base/error.h"
#include "db/sql.h"
#include "store/dataset_version.h"

namespace precedent {

// Makes a version the active one and writes down who did it. What is active already stays so, and
// nothing is written down. Errors: kConflict for a version that is not ready.
Result<void> switch_version(db::SqlConnection& c, const VersionActivation& activation);

// The active version's collection is that of the active build, which updates go into.
Result<void> name_collection(db::SqlConnection& c);

}  // namespace precedent
