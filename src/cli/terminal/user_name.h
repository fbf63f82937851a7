// Who runs this command, as the system calls them; "" if it has no name for them.
//
// Thread safety: only from the thread that runs the command.
#pragma once

#include <string>

namespace precedent {

std::string user_name();

}  // namespace precedent
