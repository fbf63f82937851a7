// Signals: what a question speaks of, read off its words: how a system behaves, a deploy, code, a
// design. Policy rules and the type of a question are made of them.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace precedent {

struct Signals {
  // How something behaves.
  bool latency = false;
  bool errors = false;
  bool throughput = false;
  bool saturation = false;
  bool unhealthy = false;  // restarts, lag, stale data: no golden signal, but a fault
  bool log_line = false;   // a line of a log or an alert, pasted
  bool deploy = false;     // a deploy, a release, a roll-out
  bool firing = false;     // which alerts are active
  bool changes = false;    // what was changed, when or by whom: "what went out today"
  // Where something stands.
  bool code = false;           // files, functions, commits, callers
  bool configuration = false;  // where a setting is, what it is set to
  bool architecture = false;   // how parts hang together
  bool alerts = false;         // how alerting is set up
  bool slo = false;
  bool concept_only = false;      // "what is a circuit breaker": a term, not a system
  bool ours = false;              // "our", "we", "here"
  bool precedent = false;         // "seen before", "earlier cases"
  std::vector<std::string> cues;  // "latency: 'p95'", one each

  bool behaviour() const {
    return latency || errors || throughput || saturation || unhealthy || log_line;
  }
};

// `dated`: the question names a time. Documents tell of changes, too, so `changes` needs one, or a
// deploy, or a word like "lately".
Signals read_signals(std::string_view question, bool dated = false);

// "Is everything ok?", "anything on fire?", "are we having an incident": of no system in
// particular.
bool asks_how_all_is(std::string_view question);

// The whole of what runs and how it hangs together, of no system in particular: "architecture
// overview", "how do the services fit together".
bool asks_for_overview(std::string_view question);

// The name of each signal that a policy may ask for, and whether it is there. Empty: no such
// signal.
const bool* find_signal(const Signals& signals, std::string_view name);
const std::vector<std::string>& signal_names();

}  // namespace precedent
