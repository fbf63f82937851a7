// Moves a knowledge store from one place to another: file to PostgreSQL, PostgreSQL to file, or
// between two of a kind.
//
// The origin stays as it is. Until everything was copied and compared the target says that it is
// not finished, to readers and writers alike; the same call goes on where it was interrupted. The
// target keeps an identity of its own, so that the collections that it will name are its own, too.
// Thread safety: one thread.
#pragma once

#include <vector>

#include "base/cancel.h"
#include "db/table_copy.h"
#include "store/store_address.h"

namespace precedent {

// Returns what is now on both sides. REQUIRES: of files, the caller has ingest.lock of their data
// directories. Errors: kConflict if the target has a knowledge base of its own, or somebody writes
// to either; else those of copy_tables().
Result<std::vector<db::TableContent>> migrate_store(const StoreAddress& from,
                                                    const StoreAddress& to,
                                                    const db::CopyProgress& progress,
                                                    const CancelToken& cancel);

}  // namespace precedent
