// Where a PostgreSQL is, for messages: server and database of a connection string, never a
// password.
//
// Thread safety: a pure function.
#pragma once

#include <string>
#include <string_view>

namespace precedent::db {

std::string database_place(std::string_view url);
// Whether a password stands in it.
bool has_password(std::string_view url);

}  // namespace precedent::db
