#include "text/opposites.h"

#include <array>

namespace precedent {
namespace {

constexpr auto kContrary = Opposition::kContrary, kRole = Opposition::kRole;

// What is done to a system, what becomes of it, and the two ends or roles of one. No word of one
// company.
constexpr std::array kOpposites = {
    Opposites{"enable", "disable", kContrary},
    Opposites{"start restart resume launch", "stop halt pause suspend kill terminate", kRole},
    Opposites{"increase raise rise grow climb expand extend",
              "decrease reduce lower fall shrink shorten decline", kContrary},
    Opposites{"add create insert attach mount install",
              "remove delete drop detach unmount uninstall", kRole},
    Opposites{"allow permit grant accept unblock", "deny forbid revoke reject refuse block",
              kContrary},
    Opposites{"open unlock", "close lock", kContrary},
    Opposites{"connect", "disconnect", kContrary},
    Opposites{"up", "down", kRole},
    Opposites{"on", "off", kRole},
    Opposites{"upgrade", "downgrade", kContrary},
    Opposites{"upgrade deploy rollout apply commit", "downgrade rollback revert undo", kRole},
    Opposites{"promote", "demote", kContrary},
    Opposites{"succeed success successful pass work", "fail failure break", kContrary},
    Opposites{"healthy", "unhealthy", kContrary},
    Opposites{"include", "exclude", kContrary},
    Opposites{"ascending", "descending", kContrary},
    Opposites{"consumer subscriber receiver reader", "producer publisher sender writer", kRole},
    Opposites{"read receive pull download import", "write send push upload export", kRole},
    Opposites{"primary master leader active", "replica secondary slave standby follower passive",
              kRole},
    Opposites{"client", "server", kRole},
    Opposites{"source upstream", "target downstream destination sink", kRole},
    Opposites{"inbound incoming ingress", "outbound outgoing egress", kContrary},
    Opposites{"production prod live", "staging stage test dev development sandbox", kRole},
    Opposites{"internal private", "external public", kContrary},
    Opposites{"synchronous", "asynchronous", kContrary},
    Opposites{"login logon signin", "logout logoff signout", kRole},
    Opposites{"encrypt encode compress", "decrypt decode decompress", kRole},
    Opposites{"before", "after", kRole},
    Opposites{"minimum min least", "maximum max most", kContrary},
    Opposites{"fast faster quick", "slow slower", kContrary},
    Opposites{"high higher", "low lower", kContrary},
    Opposites{"backup", "restore", kRole},
    Opposites{"subscribe register join", "unsubscribe deregister unregister leave", kRole},
};

}  // namespace

std::span<const Opposites> opposites() { return kOpposites; }

}  // namespace precedent
