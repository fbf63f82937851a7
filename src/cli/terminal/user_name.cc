#include "cli/terminal/user_name.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

namespace precedent {

std::string user_name() {
  for (const char* variable : {"USER", "LOGNAME"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return value;
  }
  const passwd* entry = ::getpwuid(::getuid());
  return entry != nullptr ? entry->pw_name : "";
}

}  // namespace precedent
