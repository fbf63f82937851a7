#include "embed/kernels_simd.h"

namespace precedent {
extern const Kernels kAvx512Kernels;
PRECEDENT_KERNELS(kAvx512Kernels, "AVX-512", 16, "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")
}  // namespace precedent
