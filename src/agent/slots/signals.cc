#include "agent/slots/signals.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"

namespace precedent {
namespace {

struct Pattern {
  std::string_view name;
  bool Signals::* signal;
  const RE2* words;
};

// Each signal and the words that give it.
const std::vector<Pattern>& patterns() {
  static const RE2 kLatency(
      "\\b(?:la?tency|latencies|latncy|p\\d{2}(?:\\.\\d+)?s?|slow(?:er|est|ly|ness|s|ed)?|fastest|"
      "sluggish|"
      "slugish|"
      "lagg(?:y|ing)|response times?|takes? (?:too long|ages|forever)|time ?outs?|timing out|timed "
      "out|timeouts?|"
      "(?:min|minutes?|mins|seconds?|secs?|hours?) "
      "late|late|delayed|hang(?:s|ing)?|spik(?:y|es?|ed|ing)|"
      "took \\d+ (?:seconds|minutes|hours)|"
      "(?:above|over|below|under|beyond|exceed\\w*|at) \\d+(?:\\.\\d+)? "
      "?(?:ms|s|secs?|seconds?|milliseconds?))\\b");
  static const RE2 kErrors(
      "\\b(?:error "
      "rate|errors?|5xx|4xx|[45]\\d\\ds?|exceptions?|fail(?:s|ed|ing|ures?)?|refus(?:es|ed|"
      "ing)|reject(?:s|ed|ing)|crash(?:es|ed|ing)?|panics?|fatal|error budget|throwing|returns? "
      "[45]\\d\\d|success rate)\\b");
  static const RE2 kThroughput(
      "\\b(?:throughput|busiest|requests?(?: per "
      "|/)(?:s|sec|second|min|minute)|req/s|rps|qps|tps|traffic|hit "
      "r(?:atio|ate)|conversion|volume)\\b");
  static const RE2 kSaturation(
      "\\b(?:saturat\\w+|overload\\w*|overwhelm\\w*|maxed out|at capacity|under (?:heavy |high "
      ")?load|cpu|memory (?:usage|pressure)|disk (?:full|pressure|usage|space)|thread "
      "pools?|connection pools?|pool exhaust\\w+|exhaust(?:ed|ion)|out of "
      "(?:memory|connections|disk)|"
      "oom(?:killed|s)?|evict\\w+|backlog|queue depth|(?:most|highest|least|lowest) "
      "(?:memory|cpu|heap|disk)|"
      "(?:memory|heap|disk) "
      ".{0,40}?(?:high|full|ris(?:e|es|ing|en)|rose|grow(?:s|ing|n)?|grew|climb\\w*|leak\\w*))\\b");
  static const RE2 kUnhealthy(
      "(?:^|[,;.!?] ?)(?:is|are) .{2,60} "
      "(?:ok|okay|up|alive|working|fine|back|normal|affected|impacted)\\b|"
      "(?:^|[,;.!?] ?)how(?:'s|s| is| are) .{2,60} (?:doing|looking|holding up|behaving)\\b|"
      "\\brecover(?:ed|ing|s)?\\b|"
      "\\b(?:healthy|health "
      "of|weird|odd|strange|unusual|anomal\\w+|abnormal|suspicious|crashloop\\w*|restart(?:s|ing|"
      "ed)|notready|not (?:ready|healthy)|unhealthy|flapping|"
      "lag|stale|stuck|down|broken|degraded|unavailable|outage|blip|flat at zero|wrong "
      "with|what(?:'s| "
      "is| was)? (?:happening|going on|breaking)|misbehav\\w+|acting up|firing|dropped from|keeps? "
      "growing|doubled|halved|jumped)\\b");
  static const RE2 kLogLine(
      "^\\W*\\d{4}-\\d{2}-\\d{2}[t "
      "]\\d{2}:\\d{2}|^\\W*(?:error|fatal|warn(?:ing)?|panic|critical)\\b(?:\\s*[:\\[(-]|"
      "\\s{2,})|\\[firing|\\brpc error\\b|\\bexception\\b.*\\bat \\w+\\.|\\btraceback\\b|<-|"
      "\\b(?:[a-z_]\\w*\\.){2,}\\w*(?:exception|error)\\b|"
      // As a webhook sends an alert.
      "[\"'](?:alertname|startsat)[\"']\\s*:");
  static const RE2 kDeploy(
      "\\b(?:(?:re)?deploy(?:s|ed|ment|ments|ing)?|releas(?:e|ed|es)|roll-?outs?|rolled "
      "out|shipped|"
      "roll-?back|rolled back|version bump|upgrade[ds]?|went live|go-live)\\b");
  static const RE2 kFiring(
      "\\b(?:which|what|how many|any|all|list|show|show me|current|active|open|are there|is "
      "there|the) "
      "(?:[\\w-]+ ){0,3}?alerts? (?:[\\w-]+ ){0,4}?(?:firing|fires?|active|open|going "
      "off|now|currently|at the "
      "moment)\\b|"
      "\\b(?:active|firing|open|current) alerts?\\b|"
      "\\b(?:is|are|has|was) (?:the )?(?:[\\w-]+ ){1,2}?(?:still |currently |now |really "
      ")?(?:firing|alerting|going off)\\b|"
      "\\b(?:has|have) [\\w-]+ (?:ever |recently |already |just |also )?(?:fired|gone off)\\b|"
      "\\bdid [a-z0-9_]{8,} (?:ever |also )?(?:fire|go off)\\b|"
      "\\bwhen did [a-z0-9_]{8,} (?:last |first )?(?:fire|go off)\\b|"
      "\\bwhat(?:'s|s| is) (?:alerting|firing|paging|going off)\\b|\\banything "
      "(?:alerting|firing|going off)\\b");
  static const RE2 kChanges(
      "\\bwhat(?:'s| has| have| was| were| else| all){0,2}(?: (?:exactly|we|they|anyone|been))* "
      "(?:changed|deployed|released|shipped|merged|rolled out|went (?:out|live)|gone "
      "(?:out|live))\\b|"
      "\\b(?:what(?:'s| is| was)?(?: in)?|who (?:made|wrote|authored)|when was|show(?: me)?) "
      "(?:the )?commit [0-9a-f]{7,40}\\b|"
      "\\bwhat did (?:[\\w-]+ ){1,3}(?:change|deploy|release|ship|merge|push|roll out)\\b|"
      "\\bwho (?:last )?(?:changed|deployed|released|shipped|merged|pushed|rolled out|flipped|"
      "toggled|switched)\\b|"
      "\\bdid (?:we|they|you|anyone|anybody|someone|somebody) "
      "(?:change|deploy|release|ship|merge|push|roll out|flip|toggle)\\b|"
      "\\b(?:was|were|are|is|been) there (?:been )?(?:an? |any )?(?:recent |new )?"
      "(?:changes?|(?:re)?deploy(?:s|ments?)?|releases?|roll-?(?:outs?|backs?)|commits?|flag "
      "(?:change|flip)s?)\\b|"
      "\\b(?:any|all|which|list|show|show me|\\d+) (?:recent |latest |last |new |the )*(?:[\\w-]+ "
      ")?"
      "(?:changes|(?:re)?deploys|deployments|releases|roll-?(?:outs|backs)|commits|flag "
      "(?:change|flip)s)\\b|"
      "^(?:changes|deploys|deployments|releases|roll-?outs|commits)\\b|"
      "^(?:(?:so|and|but|or)[, ]+)*(?:is|was|could|might) (?:it|this|that) (?:be )?(?:because of "
      "|due to |caused by |from )?"
      "(?:the |our )?(?:[\\w:.-]+ ){0,4}?(?:deploy(?:ment)?|release|roll-?out|commit|flag) "
      "(?:of|in|to|on|by|at) |"
      "(?:^|\\b(?:(?:what|when|which) (?:is|was|are|were)|what about|show|show me|list) )(?:the "
      "|our )?"
      "(?:recent|latest|last|newest) (?:[\\w-]+ )?"
      "(?:changes?|(?:re)?deploy(?:s|ments?)?|releases?|roll-?outs?|commits?)\\b|"
      "\\b(?:any(?:thing|body|one)?|something) (?:else )?(?:been "
      ")?(?:changed|deployed|released|shipped|"
      "merged|rolled out|flipped|toggled)\\b|"
      "\\bflags? (?:[\\w-]+ ){0,2}(?:changed|flipped|toggled|switched|turned)\\b|"
      "\\bwhen (?:was|were|did) (?:[\\w./-]+ ){1,5}?(?:last )?(?:deployed|released|shipped|rolled "
      "out|go "
      "live)\\b|"
      "^(?:was|were|is|has|have|did) (?:[\\w./-]+ ){1,5}?(?:deployed|released|shipped|rolled "
      "(?:out|back))\\b|"
      "^(?:was|is|has|did) (?:[\\w./-]+ ){1,5}?(?:roll-?back|roll-?out|deploy(?:ment)?) (?:been )?"
      "(?:done|finished|complete[d]?|happen(?:ed)?|made)\\b");
  static const RE2 kCode(
      "\\b(?:source code|code ?base|the code|code path|(?:signing|session|handling|idempotency) "
      "code|in "
      "(?:the|our) (?:repo|repository|monorepo|code)|mono ?repo|repo(?:sitory)?|grep|diff|commits?|"
      "committed|merged|pull requests?|prs?|branch|callers?|call "
      "sites?|functions?|methods?|class|handler|"
      "handles|imports?|(?:which|what) (?:file|line|module|package)|(?:in "
      "(?:which|what|the)|which|config|source|yaml|the) files? "
      "(?:is|are|does|do|handles?|defines?|contains?|sets?|configures?)|point me to the "
      "line|unit tests?|its "
      "tests|implement(?:ed|s|ation)|evaluated|defined|compute[ds]|parsed|loop|stack trace "
      "points)\\b|\\bwhere (?:do|does) (?:we|our \\w+|the \\w+) "
      "(?:retry|call|parse|validate|compute|calculate|handle|catch|log|emit|cache|serialize|check|"
      "build|open|close|set)s?\\b|\\bwhere (?:does|is) "
      ".{2,60}\\b(?:bug|code|check|logic)\\b|\\bre:|\\b[a-z_][a-z0-9_]*\\(|\\b[\\w./"
      "-]+\\.(?:py|go|rs|cc|cpp|hpp|kt|java|ts|tsx|js|rb|php|sh|"
      "sql|tf|ya?ml|toml|properties|conf|json|proto|gradle|h|c)\\b");
  static const RE2 kConfiguration(
      "\\b(?:where\\b.{0,60}\\b(?:configured|set|defined|read|specified|declared|kept|come "
      "from)|which (?:config|setting|flag|option|helm value|value|key|env(?:ironment)? "
      "var\\w*|keys)|"
      "configured|config (?:file|key|value|limits?)|helm values?|feature flag|env(?:ironment)? "
      "var\\w*|default value|values? file)\\b");
  static const RE2 kArchitecture(
      "\\b(?:architect\\w*|overview|big picture|design(?:ed|s)?|end to end|end-to-end|data "
      "?flow|topology|"
      "depend(?:s|encies|ency)?(?: on)?|upstream|downstream|who calls whom|components|how "
      "do(?:es)? .{2,60} "
      "(?:work|fit|relate|travel|talk|communicate)|belong to|active/passive|multi-?region|tour of|"
      "alternatives|why did we (?:choose|pick|decide)|decisions?|what (?:still )?(?:works|happens) "
      "(?:in our "
      "setup|if|when)|is .{2,40} set up|time budget|tenancy|failover design|setup)\\b");
  static const RE2 kAlerts(
      "\\b(?:alerts? (?:are|is) wired|alerting|alerts?|burn.?rate|pages? us|paging rules?)\\b");
  static const RE2 kSlo("\\b(?:slos?|slis?|service levels?|error budgets?)\\b");
  static const RE2 kConcept(
      "^(?:hi[, ]+|hey[, ]+|please |pls |so |quick question[:,]? )*(?:what(?:'s|s| is| are| does| "
      "do)\\b|"
      "explain\\b|eli5\\b|define\\b|difference between\\b|pros and cons\\b|could you "
      "explain\\b|can you "
      "explain\\b|how do(?:es)?\\b|why (?:is|do|does|are)\\b|is\\b)|\\bwhat is "
      "it\\b|\\bvs\\.?\\b|\\bin "
      "(?:general|theory|simple words|three sentences)\\b|\\bgenerally\\b|\\bwhat's the point "
      "of\\b|\\bwhat "
      "does .{2,60} mean\\b|\\bin principle\\b|\\bpros and cons\\b|\\bto a "
      "junior\\b|\\bdifference\\b|^what "
      "(?:is|are) \\b");
  static const RE2 kOurs(
      "\\b(?:our|ours|we|us|here|in prod|in production|in staging|my|this year|next week|now|at "
      "(?:the )?company)\\b");
  static const RE2 kPrecedent(
      "\\b(?:seen? (?:this |that |it |\\w+ ){0,6}before|before\\?|before and|similar|earlier "
      "(?:outages?|cases?|incidents?|ones?)|previous(?:ly)?|past "
      "(?:incidents?|outages?|teams?|cases?)|happened "
      "(?:before|earlier)|occurred before|recurring|last "
      "time|precedents?|resembl\\w+|comparable|d[eé]j[aà] vu|"
      "anything like|ever (?:bite|bitten|have|had|seen|happen\\w*|broke\\w*)|did we ever|have we "
      "(?:ever )?(?:seen|had)|"
      "in our history|historical|closest (?:matches|incidents)|seen before|at any time|all of the "
      "ones you "
      "know|incidents (?:where|in which)|in which|had this before|were there other)\\b|d[eé]j[aà] "
      "vu|\\bbefore\\?|\\b(?:seen|had|"
      "have) (?:this|that|it) before");
  static const std::vector<Pattern> kPatterns = {
      {"latency", &Signals::latency, &kLatency},
      {"errors", &Signals::errors, &kErrors},
      {"throughput", &Signals::throughput, &kThroughput},
      {"saturation", &Signals::saturation, &kSaturation},
      {"unhealthy", &Signals::unhealthy, &kUnhealthy},
      {"log_line", &Signals::log_line, &kLogLine},
      {"deploy", &Signals::deploy, &kDeploy},
      {"changes", &Signals::changes, &kChanges},
      {"firing", &Signals::firing, &kFiring},
      {"code", &Signals::code, &kCode},
      {"configuration", &Signals::configuration, &kConfiguration},
      {"architecture", &Signals::architecture, &kArchitecture},
      {"alerts", &Signals::alerts, &kAlerts},
      {"slo", &Signals::slo, &kSlo},
      {"concept", &Signals::concept_only, &kConcept},
      {"ours", &Signals::ours, &kOurs},
      {"precedent", &Signals::precedent, &kPrecedent},
  };
  return kPatterns;
}

}  // namespace

Signals read_signals(std::string_view question, bool dated) {
  static const RE2 kLately(
      "\\b(?:recent|recently|lately|latest|last|newest|deploy\\w*|redeploy\\w*|released?|releases|"
      "commit [0-9a-f]{7,40}|shipped|rolled (?:out|back)|roll-?(?:outs?|backs?)|flags?|went "
      "(?:out|live)|gone "
      "(?:out|live)|go live)\\b");
  const std::string lower = ascii_lower(question);
  Signals signals;
  for (const Pattern& pattern : patterns()) {
    re2::StringPiece found;
    if (!pattern.words->Match(lower, 0, lower.size(), RE2::UNANCHORED, &found, 1)) continue;
    if (pattern.signal == &Signals::changes && !dated && !RE2::PartialMatch(lower, kLately))
      continue;
    signals.*pattern.signal = true;
    const std::string text = squeeze({found.data(), found.size()});
    signals.cues.push_back(fmt::format("{}: '{}'", pattern.name, text));
  }
  // "Which alert fires when the lag is too high" asks for a rule.
  static const RE2 kRule(
      "\\b(?:alerts?|pages?|it) (?:fires?|triggers?|goes off) (?:when|if|for|on|above|below)\\b|"
      "\\balerts? for (?:when|if)\\b");
  if (RE2::PartialMatch(lower, kRule)) signals.firing = false;
  // "Is there a deploy freeze right now?": when one may, which is written.
  static const RE2 kFreeze(
      "\\b(?:deploy(?:ment)?s?|releases?|changes?|code|merge) (?:freezes?|frozen|windows?|"
      "moratoriums?|bans?|stops?|embargo(?:es)?)\\b");
  if (RE2::PartialMatch(lower, kFreeze)) signals.changes = signals.deploy = false;
  signals.firing |= asks_how_all_is(lower);
  signals.architecture |= asks_for_overview(lower);
  return signals;
}

bool asks_how_all_is(std::string_view question) {
  static const RE2 kAll(
      "(?i)\\banything (?:is )?(?:on fire|broken|wrong|down|burning|alarming|alerting|firing|going "
      "(?:off|on))\\W*(?:right now|now|today|at the moment|currently)?\\W*$|"
      "\\bwhat(?:'s|s| is) (?:on fire|burning|broken|down)\\W*(?:right now|now|today|at the "
      "moment|currently)?\\W*$|"
      "\\b(?:is|are) (?:everything|all|things|all (?:the )?(?:systems|services)) "
      "(?:ok|okay|fine|good|up|healthy|green|normal|alright|all right)\\b|"
      "\\b(?:are we having|do we have|is there) (?:an? |any )?(?:ongoing |active |current )?"
      "(?:incident|outage)\\W*(?:right now|now|today|at the moment|currently|going on|ongoing|in "
      "progress)?\\W*$");
  return RE2::PartialMatch(re2::StringPiece(question.data(), question.size()), kAll);
}

bool asks_for_overview(std::string_view question) {
  static constexpr const char* kAll =
      "(?:the |our |all |your |whole |entire |different |various |overall )*";
  static constexpr const char* kWhole =
      "(?:systems?|services?|micro-?services|components?|parts|pieces|platform|stack|architecture|"
      "landscape|applications?|apps|everything|it all|things)";
  static const RE2 kForms[] = {
      std::string("(?i)\\bhow (?:do|does|are|is|did) ") + kAll + kWhole +
          " (?:all |actually "
          ")?(?:hang|fit|work|play|come|go|tied?|connect\\w*|relat\\w+|interact\\w*|"
          "talk|link\\w*|wired?|built|structured|organi[sz]ed|set up|put|communicate|depend)\\b"
          "(?: (?:all|up|together|to (?:each other|one another)|with (?:each other|one another)|on "
          "(?:each other|one another)))*\\W*$",
      std::string("(?i)^\\W*(?:(?:show|give|tell|send)(?: me)? |what is |what's |whats |explain "
                  "|describe |is "
                  "there |do we have |a |an |the |our |system |systems |overall |high[- ]level )*"
                  "(?:architecture|landscape|systems?|services?|platform|stack)(?: "
                  "(?:overview|diagram|map|landscape|architecture|summary))+\\W*$"),
      std::string("(?i)\\b(?:overview|map|diagram|summary|picture|tour) of ") + kAll + kWhole +
          "\\W*$",
      std::string(
          "(?i)^\\W*(?:explain|describe|show me|what is|what's|whats|what does)(?: to me)? ") +
          kAll + "(?:architecture|system landscape|landscape)(?: look like)?\\W*$",
      std::string("(?i)^\\W*(?:what|which) (?:systems|services|applications|components) (?:do we "
                  "(?:have|run|operate)|are there|exist)\\W*$"),
      "(?i)^\\W*(?:the |our )?(?:architecture|big picture|system landscape)\\W*$"};
  return std::ranges::any_of(kForms, [&](const RE2& form) {
    return RE2::PartialMatch(re2::StringPiece(question.data(), question.size()), form);
  });
}

const bool* find_signal(const Signals& signals, std::string_view name) {
  for (const Pattern& pattern : patterns())
    if (pattern.name == name) return &(signals.*pattern.signal);
  return nullptr;
}

const std::vector<std::string>& signal_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const Pattern& pattern : patterns()) names.emplace_back(pattern.name);
    return names;
  }();
  return kNames;
}

}  // namespace precedent
