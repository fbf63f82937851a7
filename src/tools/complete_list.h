// Complete lists: whether a receipt holds all that there is of what it lists. Then what is not on
// the list is not there; of any other list that does not follow.
//
// By the typed result and the arguments as the tool itself reads them, never by the text.
//
// Thread safety: pure functions.
#pragma once

#include "tools/receipt.h"

namespace precedent {

// metrics_query: every active alert. Alerts stand beside a metric whatever it is filtered by; asked
// for by themselves they may be filtered.
bool lists_every_alert(const Receipt& receipt);
// recent_changes: every change of its window, of one service or of all.
bool lists_every_change(const Receipt& receipt);

}  // namespace precedent
