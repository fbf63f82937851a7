// What a scope leaves of a store, as temporary views that stand before the tables of the same
// names: whatever a statement of this folder reads, it reads through them. Paths of this machine
// are shown below their source: where that lies is nobody else's business.
//
// Thread safety: a pure function.
#pragma once

#include <string>

#include "db/sql.h"
#include "knowledge/scope.h"

namespace precedent {

// A script that makes the views on one connection.
std::string scope_views(const Scope& scope, db::Engine engine);

}  // namespace precedent
