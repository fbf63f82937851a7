#include "investigate/report/remedies.h"

#include <algorithm>
#include <array>

namespace precedent {

const Remedy* find_remedy(std::string_view name) {
  static constexpr std::array<Remedy, 9> kRemedies = {{
      {"rollback", "What else was deployed with it goes, too, and old code may meet new data.",
       "Deploy the newer version again."},
      {"roll-forward", "It is not tested under this load, and a schema is hard to take back.",
       "Deploy the version before it, which can live with the new schema."},
      {"config-revert", "Whoever relies on the new value gets the old one.",
       "Set the new value again."},
      {"flag-off", "Users lose what the flag gave them.", "Turn the flag again."},
      {"scale", "It costs more, and what stands behind it may be the next to be full.",
       "Scale down again once the load is usual."},
      {"rotate-cert", "A client that pins the old certificate refuses the new one.",
       "Load the old certificate again, if it has not run out."},
      {"failover", "The other side may be slower, or lack what was written last.",
       "Switch back once the first one has been well for a while."},
      {"drain-node", "The other machines get its load.", "Let the machine take work again."},
      {"quarantine", "What depends on the record waits for it.", "Put the record back."},
  }};
  const auto found = std::ranges::find(kRemedies, name, &Remedy::name);
  return found == kRemedies.end() ? nullptr : &*found;
}

}  // namespace precedent
