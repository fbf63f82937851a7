// The tables of threads and checkpoints. Format: docs/format/checkpoints.md.
#pragma once

#include "db/sql.h"

namespace precedent {

const db::SqlSchema& thread_schema();

}  // namespace precedent
