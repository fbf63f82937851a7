// What is damaged in a store of threads, for who looks after it: every row is read, and its
// checksum.
//
// Reads only, some rows at a time. Thread safety: one thread a connection.
#pragma once

#include <string>
#include <vector>

#include "db/sql.h"

namespace precedent {

// At most `limit`, each naming its conversation where that is known. REQUIRES: tables of the newest
// format, thread_schema(). Errors: the connection's.
Result<std::vector<std::string>> thread_problems(db::SqlConnection& sql, size_t limit);

}  // namespace precedent
