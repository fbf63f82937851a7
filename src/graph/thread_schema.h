// The tables of threads and checkpoints. Format: docs/format/checkpoints.md.
#pragma once

#include <span>

#include "db/sql.h"
#include "db/table_copy.h"

namespace precedent {

const db::SqlSchema& thread_schema();
// All of them, for a copy.
std::span<const db::CopiedTable> thread_tables();

}  // namespace precedent
