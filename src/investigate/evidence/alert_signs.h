// What is made of alerts where nothing was measured: signs, and where the failure may begin.
//
// An alert that names another service says that its own waits for that one; so do documents that
// list dependencies. The failure begins where most of the others lead. But errors, slow answers and
// a lack of requests follow calls, and what is wrong with a pod, a container or a machine does not:
// whoever has an alert of its own comes first. All of it is told, none of it proved.
// Thread safety: pure functions.
#pragma once

#include "investigate/evidence/evidence.h"

namespace precedent {

// Neither metrics, logs nor traces of the time.
bool nothing_measured(const CaseFile& evidence);
// REQUIRES: nothing_measured(evidence). Adds signs, edges and receipts.
void read_alerts_alone(CaseFile& evidence);

}  // namespace precedent
