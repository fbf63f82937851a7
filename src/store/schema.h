// The tables of precedent.db. Described for readers in docs/format/store.md; keep both in step.
#pragma once

#include "db/migrations.h"

namespace precedent {

// All formats so far, oldest first.
const db::Schema& store_schema();

}  // namespace precedent
