// A model for benches: speaks OpenAI's streaming protocol on loopback, at a fixed pace, and writes
// into its text when each sentence was sent.
//
// Every kTokensPerSentence-th token ends a sentence and is a mark, " mk7x12x123456789. ": the
// call's number, the sentence's, and the microseconds of the steady clock, which all processes of a
// machine share. A client that sees a mark knows which sentence it belongs to and how long it took.
//
// The calls that a bench waits for ("main") start together once `together` of them are there, or
// after `patience`. All other calls (titles, plans, repairs) are answered at once with one word.
// What a receiver does not take is kept, with the time at which it was to leave.
//
// Thread safety: counters from any thread. Ownership: owns its thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

namespace precedent::bench {

inline constexpr size_t kTokensPerSentence = 12;

struct ScriptedModelOptions {
  size_t together = 1;
  std::chrono::milliseconds patience{30'000};
  size_t sentences = 40;
  std::chrono::milliseconds between_tokens{20};  // 0: all at once, and nobody waits for others
  bool every_call_is_main = false;               // else: those that offer tools
};

class ScriptedModelServer {
 public:
  static std::unique_ptr<ScriptedModelServer> start(const ScriptedModelOptions& options);
  virtual ~ScriptedModelServer() = default;
  virtual uint16_t port() const = 0;
  virtual size_t main_calls() const = 0;  // so far
  virtual size_t other_calls() const = 0;
  // The longest that a token left after its time because this thread was busy.
  virtual std::chrono::microseconds worst_lag() const = 0;
};

// Of the steady clock.
int64_t now_us();

}  // namespace precedent::bench
