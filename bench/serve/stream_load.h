// Clients of a chat server under load, all on one thread: whole answers one after another, streams
// side by side, connections that are idle, slow or half open. Each run is bounded in count and time
// and ends by itself.
//
// Thread safety: one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace precedent::bench {

struct Target {
  uint16_t port = 0;
  std::string path;                 // "/chat/prompt"
  std::vector<std::string> bodies;  // asked in turn
};

// Microseconds, sorted.
struct Times {
  std::vector<int64_t> sorted;
  // 0 < share <= 1; 0 of nothing.
  int64_t at(double share) const;
};

struct PromptFigures {
  size_t answered = 0;
  size_t failed = 0;  // another status than 200, or a broken line
  double seconds = 0;
  Times took;
};
// `clients` that each ask again as soon as they are answered.
PromptFigures ask_prompts(const Target& target, size_t clients, std::chrono::milliseconds time);

struct StreamFigures {
  size_t opened = 0;     // streams that said anything
  size_t completed = 0;  // that came to their `complete`
  size_t failed = 0;     // refused, broken, or ended with an error
  size_t marks = 0;      // sentences that arrived
  size_t lost = 0;       // sentences that did not, or out of their order
  size_t foreign = 0;    // of another stream's call
  size_t late = 0;       // behind by a sentence or more
  Times delay;           // from a sentence's last token to its arrival
  Times verdict;         // from the same moment to the arrival of its verdict
};
// `streams` at once, each until its end or until the time is up. `sentences`: how many each is to
// bring; `late`: what counts as late.
StreamFigures read_streams(const Target& target, size_t streams, size_t sentences,
                           std::chrono::microseconds late, std::chrono::milliseconds time);

// Connections that do nothing good: held until the object ends.
class Ballast {
 public:
  Ballast();
  ~Ballast();
  Ballast(const Ballast&) = delete;
  Ballast& operator=(const Ballast&) = delete;
  // That many connected; how many were.
  size_t open_idle(uint16_t port, size_t count);
  // Half a request, and never more.
  size_t open_half(uint16_t port, size_t count);
  // Ask for `path` many times in one breath, and read a byte now and then.
  size_t open_slow(uint16_t port, const std::string& path, size_t count);

 private:
  struct Parts;
  Parts* const parts_;
};

}  // namespace precedent::bench
