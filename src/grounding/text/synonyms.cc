#include "grounding/text/synonyms.h"

#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/strings.h"
#include "grounding/text/tokens.h"

namespace precedent {
namespace {

// Plain English and the trade's own; no word of one company. In base forms, those of one meaning on
// a line; a word may stand on several.
constexpr std::string_view kGroups[] = {
    "down unavailable unreachable inaccessible offline outage downtime unusable",
    "start begin commence launch initiate kick open",
    "stop cease end halt finish conclude",
    "continue proceed remain keep stay ongoing run operate work function",
    "delete remove drop erase purge clear clean wipe cull truncate take",
    "create add introduce set make generate build establish provision form",
    "fail failure error crash break malfunction fault",
    "cause trigger lead result provoke prompt induce set bring produce",
    "fix repair resolve mend correct remedy patch solve remediate remediation address",
    "recover restore return back resume normal heal regain",
    "notice detect discover spot find observe see identify reveal learn realise realize recognise",
    "report tell inform notify announce alert mail email message communicate",
    "customer client user tenant merchant consumer people visitor",
    "slow latency sluggish delay lag degrade degradation",
    "raise increase rise grow climb creep surge jump spike expand higher upward scale",
    "reduce decrease fall drop shrink sink decline lower dip lessen cut shorten",
    "restart reboot bounce relaunch",
    "deploy release rollout ship roll deployment",
    "revert rollback undo back withdraw",
    "exhaust starve starvation short shortage deplete run insufficient lack few",
    "big large huge massive major great significant substantial considerable heavy",
    "small little minor tiny slight limited brief short",
    "quick fast rapid immediate prompt swift straight away instant",
    "wrong incorrect false erroneous faulty bad mistaken mistake invalid improper misconfigured",
    "right correct valid proper accurate good",
    "accidental mistake unintended inadvertent unintentional accident",
    "old outdated stale former previous earlier obsolete past prior",
    "new fresh recent additional further another extra",
    "affect impact hit influence disturb hamper touch reach suffer",
    "impact effect consequence result outcome",
    "worse worsen aggravate exacerbate compound amplify prolong extend",
    "prevent stop block keep avoid hinder preclude inhibit bar",
    "allow permit let enable able can",
    "need require must necessary demand have",
    "use employ utilise utilize rely depend apply consume usage",
    "change modify alter adjust edit modification tweak update switch",
    "configure configuration setup setting config option",
    "check verify inspect examine look test review validate confirm investigate study",
    "investigate investigation analysis analyse debug diagnose diagnosis research",
    "confirm verify check ensure acknowledge prove validate",
    "say state claim describe mention note name tell explain call report",
    "show display reveal indicate demonstrate reflect present",
    "plan intend schedule follow future consider want aim propose",
    "want wish plan attempt try seek intend aim",
    "machine host server node instance box vm",
    "pod container replica workload",
    "database db store postgres mysql",
    "network link connection connectivity networking",
    "traffic request load query call",
    "full fill exhaust capacity complete",
    "empty blank missing absent",
    "miss missing absent lack gone lose lost vanish disappear",
    "send submit deliver transmit push write forward emit",
    "receive get obtain fetch pull accept take",
    "move migrate transfer relocate shift switch transition",
    "replace swap substitute exchange supersede switch",
    "copy replicate sync synchronize synchronise duplicate mirror backup",
    "reject refuse deny decline forbid block",
    "retry repeat again attempt resend",
    "wait queue pend pending delay hold pause",
    "pause suspend stop halt hold interrupt",
    "interrupt disrupt disturb abort disruption kill",
    "limit cap bound maximum ceiling quota threshold restrict restriction restraint",
    "threshold limit level bound",
    "save keep store preserve retain protect",
    "lose lost loss miss drop",
    "happen occur arise appear take come event",
    "problem issue incident trouble fault bug defect error failure",
    "cause reason origin root source factor culprit",
    "team engineer staff people operator developer group oncall",
    "owner own responsible belong accountable",
    "quickly soon shortly promptly within",
    "mostly mainly primarily chiefly largely most majority",
    "all every each entire whole complete total full everything globally",
    "part portion some fraction subset several few number",
    "about concern regard relate around",
    "place schedule put locate position run allocate assign land",
    "break interrupt cut sever split separate disconnect loss partition",
    "joined join add attach connect enter register",
    "leave exit quit drop depart abandon",
    "improve better strengthen enhance harden optimise optimize increase improvement",
    "overload overwhelm saturate swamp flood congest overcommit saturation",
    "memory ram heap oom",
    "cpu processor compute",
    "disk storage volume space filesystem",
    "certificate cert tls ssl",
    "expire expiry expiration lapse run outdated old",
    "key credential secret token password",
    "email mail message",
    "documentation document runbook page manual guide docs",
    "safe secure harmless sure",
    "choose elect select pick opt decide prefer",
    "decide decision choose determine resolve conclude",
    "aware know conscious knowledge understand",
    "expect assume believe presume think suppose anticipate",
    "suggest recommend advise propose advice",
    "manual hand manually",
    "automatic automated self itself automatically",
    "temporary interim provisional short",
    "permanent lasting final forever good",
    "worldwide global globally everywhere",
    "data record information row entry",
    "write writing update insert store",
    "gradual slow step slowly gradually",
    "crowd fill overload swamp occupy",
    "ignore disregard skip overlook dismiss",
    "hide mask conceal obscure",
    "share divide split distribute common",
    "version release build revision",
    "apply implement roll deploy introduce enact",
    "forbidden unauthorized denied unauthorised permission",
    "response reply answer respond",
    "peak maximum highest max top most",
    "kubernetes cluster k8s",
    "second sec",
    "cordon isolate drain quarantine exclude disable",
    "disable deactivate off turn switch",
    "enable activate turn switch on",
    "hold contain have include carry store own",
    "inherit take receive carry",
    "run execute execution perform carry invoke command",
    "complete finish done end full conclude",
    "catch capture detect intercept trap",
    "supply provide give deliver offer serve",
    "reach access contact connect arrive reachable",
    "datacenter datacentre centre center facility site region",
    "recommend should advise suggest",
    "value reading figure measurement number level",
    "usual normal ordinary range band habitual customary regular typical",
    "coincide match fit line correspond align agree",
    "elevated high raised above abnormal unusual",
    "share rate ratio percentage fraction proportion portion",
    "equal even alike same uniform identical",
    "resemble similar alike like same comparable",
    "case incident occurrence instance episode",
    "steady stable flat constant unchanged level",
    "now current currently present today tonight moment",
    "lead head chief manager",
    "phone telephone ring call number",
    "mitigate mitigation workaround remedy relief",
    "suspect culprit candidate likely hypothesis",
    "omit skip missing without exclude",
    "overnight night nightly",
    "neighbour adjacent near close next",
    "wake page pager call",
    "spend use consume burn exhaust",
    "day yesterday",
};

using Groups = std::unordered_map<uint64_t, std::vector<uint64_t>>;

const Groups& groups() {
  static const Groups kAll = [] {
    Groups out;
    for (const std::string_view group : kGroups) {
      std::vector<uint64_t> terms;
      for (const std::string_view word : split(group, ' ')) terms.push_back(term_of(word));
      for (const uint64_t term : terms)
        for (const uint64_t other : terms)
          if (other != term) out[term].push_back(other);
    }
    return out;
  }();
  return kAll;
}

}  // namespace

std::span<const uint64_t> synonyms_of(uint64_t term) {
  const auto found = groups().find(term);
  return found == groups().end() ? std::span<const uint64_t>() : std::span(found->second);
}

}  // namespace precedent
