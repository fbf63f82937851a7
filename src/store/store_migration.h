// Moves a knowledge store from one place to another: file to PostgreSQL, PostgreSQL to file, or
// between two of a kind; and with it what else is kept in databases of its own (conversations).
//
// The origin stays as it is. Until everything was copied and compared the target says that it is
// not finished, to readers and writers alike; the same call goes on where it was interrupted. The
// target keeps an identity of its own, so that the collections that it will name are its own, too.
// Thread safety: one thread.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "db/table_copy.h"
#include "store/store_address.h"

namespace precedent {

// Tables that go along, from one database to another.
struct TableSet {
  std::string_view name;  // for people, in the plural: "conversations"
  db::SqlDatabase& from;
  db::SqlDatabase& to;
  const db::SqlSchema& schema;
  std::span<const db::CopiedTable> tables;
  std::string_view remedy;  // what to do where the target has some of its own already
};

// Returns what is now on both sides, the store's tables first; a set that the origin does not have
// is left out. REQUIRES: of files, the caller has ingest.lock of their data directories. Errors:
// kConflict if the target has a knowledge base, or of such a set, its own, or somebody writes to
// either; else those of copy_tables().
Result<std::vector<db::TableContent>> migrate_store(const StoreAddress& from,
                                                    const StoreAddress& to,
                                                    std::span<const TableSet> along,
                                                    const db::CopyProgress& progress,
                                                    const CancelToken& cancel);

}  // namespace precedent
