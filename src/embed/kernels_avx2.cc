#include "embed/kernels_simd.h"

namespace precedent {
extern const Kernels kAvx2Kernels;
PRECEDENT_KERNELS(kAvx2Kernels, "AVX2", 8, "avx2,fma")
}  // namespace precedent
