// SpokenText: the stream of an answer, made safe before anybody reads it.
//
// Between who answers and the consumer of the events. Tokens are held until their sentence is
// whole; until their line is, where anything in it had to be taken out, and a private key until its
// block is. All passes through safe_answer; what is no token passes at once. What is streamed and
// what is kept are the same text, since lines are judged one by one. What a model says is a draft
// until settle(). Thread safety: one thread. Lifetime: the sink behind it outlives it.
#pragma once

#include <optional>
#include <string>

#include "agent/model/links.h"
#include "chat/event.h"

namespace precedent {

// Without secrets, escapes and characters that hide text; with `hosts`, without links to any
// others. No hosts: quotations of the offline reasoner, which makes no address.
std::string safe_answer(std::string_view text, const std::optional<Hosts>& hosts);

class SpokenText final : public EventSink {
 public:
  SpokenText(EventSink& out, std::optional<Hosts> hosts) : out_(out), hosts_(std::move(hosts)) {}
  // Marks all that passes as a draft. `node`: who writes it.
  static SpokenText of_drafts(EventSink& out, Hosts hosts, std::string node) {
    SpokenText drafts(out, std::move(hosts));
    drafts.draft_ = true;
    drafts.node_ = std::move(node);
    return drafts;
  }
  void emit(const Event& event) override;
  // The line that has no end yet. Call it once all is said; what a model said before it failed on
  // the way is cut off at its last line.
  void finish();
  // Takes back the drafts, and says what stands instead: checked text, or "" for nothing.
  void settle(std::string_view checked);

 private:
  // Up to where whole sentences of the line that has no end yet may be said; 0: nowhere.
  size_t whole_sentences() const;
  // What was held up to `end`, but for what was said of it.
  void say(size_t end);
  void pass(std::string safe);

  EventSink& out_;
  const std::optional<Hosts> hosts_;
  std::string node_;
  std::string held_;
  size_t said_ = 0;  // of what is held: whole sentences of its line, that nothing was taken out of
  bool draft_ = false;
  bool drafted_ = false;  // a draft was said and not taken back
};

}  // namespace precedent
