// Unicode case folding, for comparing names: "Größe" and "GRÖSSE" fold alike, "payu" and "PayU"
// too.
//
// Thread safety: pure function.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

// Full case folding and canonical composition (Unicode 3.13 D145); ill-formed UTF-8 is returned as
// it is.
std::string case_fold(std::string_view text);

}  // namespace precedent
