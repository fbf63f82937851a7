// Dot products of float rows: AVX-512, AVX2 with FMA, or plain C++, chosen once by what the
// processor has.
//
// The sums are taken in different orders, so results differ by rounding (about 1e-7 for unit
// vectors). Thread safety: pure functions.
#pragma once

#include <cstddef>

namespace precedent {

using DotProduct = float (*)(const float* a, const float* b, size_t n);

// The fastest that this processor runs.
DotProduct dot_product();
// The plain one: the oracle of the others.
float plain_dot_product(const float* a, const float* b, size_t n);

}  // namespace precedent
