// The tables of a knowledge store, in SQLite and in PostgreSQL. Described for readers in
// docs/format/store.md; keep both in step.
#pragma once

#include "db/sql.h"

namespace precedent {

// All formats so far, oldest first.
const db::SqlSchema& store_schema();

}  // namespace precedent
