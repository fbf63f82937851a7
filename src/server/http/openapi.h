// The OpenAPI 3.1 document of what is served, openapi.json, as the program holds it.
#pragma once

#include <string_view>

namespace precedent {

std::string_view openapi_document();

}  // namespace precedent
