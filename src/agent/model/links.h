// Links in a model's answer: only to where the conversation itself points.
//
// A model that obeys retrieved text can give away what it read without any tool: it writes an image
// whose address holds it, and whoever shows the answer as Markdown fetches the image. So an address
// is left alive only if its host was named by the person who asks, or is that of a receipt's source
// (the metrics' server, a document's address). Every other one stays readable but leads nowhere:
//   https://evil.example/x   → hxxps://evil[.]example/x
//   ![x](…), [x](…), <img …> → the mark that makes them a link is taken apart
// Thread safety: pure functions, linear in the text.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "agent/state/copilot_state.h"

namespace precedent {

// In lower case.
using Hosts = std::set<std::string, std::less<>>;

// Adds the hosts of the web addresses in `text`.
void add_hosts(Hosts& hosts, std::string_view text);
// What the messages of the user and the sources of the receipts name.
Hosts named_hosts(const CopilotState& state);

// REQUIRES: `text` is visible_text. Idempotent.
std::string defang_links(std::string_view text, const Hosts& allowed);

}  // namespace precedent
