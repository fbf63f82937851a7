// Tests only: the process dies, or its disk is full, at the Nth call that changes the file system
// or tells a server something.
//
// fault_injection.cc defines write, pwrite, fsync, rename, send … in the test binary, in front of
// libc's: SQLite, libpq, the index and the files below it call these without knowing. Nothing of
// this is in the product. Thread safety: arm before the threads that write.
#pragma once

#include <cstddef>

namespace precedent::faults {

enum class Mode {
  kNone,
  kKill,      // SIGKILL at step N; a write is torn: half of it reaches the file
  kDiskFull,  // from step N on nothing can be created or written (ENOSPC)
};

// Counts steps from 1. `step` 0 counts without ever failing.
void arm(Mode mode, size_t step);
void disarm();
size_t steps();

}  // namespace precedent::faults
