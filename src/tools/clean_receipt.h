// What every receipt is before anybody sees it: without secrets (base/redact.h), and without
// escapes of terminals and characters that hide text (base/untrusted_text.h).
//
// Tool::call does it, so that models, checkpoints, logs, spans and screens all read clean ones; who
// makes a receipt himself calls it. Everything is cleaned: arguments, text, explanation, and each
// text of the typed result. Beside that the typed result stays as it was retrieved: what it says is
// quoted. Idempotent, linear. Thread safety: pure functions.
#pragma once

#include "tools/receipt.h"

namespace precedent {

void clean(Receipt& receipt);

}  // namespace precedent
