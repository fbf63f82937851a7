// What is wrong with the query of a request, after the OpenAPI document that is served: a parameter
// that its operation does not have, or that is there twice and is no list.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "net/http_server.h"

namespace precedent {

// "" if nothing is. `pattern`: the path as the document has it, "/chat/messages/{id}".
std::string query_problem(std::string_view pattern, const ServedRequest& request);

}  // namespace precedent
