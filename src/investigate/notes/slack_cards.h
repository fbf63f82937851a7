// SlackCards: the card of each investigation in Slack, and the thread below it.
//
// The first time an investigation is told, its card is posted, and where it stands is kept in a
// file of its own: FOLDER/ID.json (docs/format/investigations.md). Later states update the card,
// and say in its thread what has changed: an answer to the deciding question, the verdict, the end
// of the alarm. A card that asks has the buttons Yes and No, where somebody takes their presses
// (server/investigations/slack_buttons.h); each carries "ID MARK ANSWER", where MARK is
// content_hash() of the question, so that a button of an earlier question is known as one. Thread
// safety: all members; one message after another.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "investigate/notes/slack_bot.h"

namespace precedent {

// Cards that are known; older ones are forgotten, as investigations are.
inline constexpr size_t kMaxKeptCards = 200;

class SlackCards {
 public:
  struct Told {
    const nlohmann::json& report;  // docs/format/investigation.md
    std::string_view id;           // "": no later state will come, and nothing is kept
    std::string_view link;         // as CaseNote::link
    bool asks = false;             // it waits for the answer to its deciding question
  };
  // `buttons`: whether somebody takes their presses.
  SlackCards(SlackBot bot, std::filesystem::path folder, bool buttons)
      : bot_(std::move(bot)), folder_(std::move(folder)), buttons_(buttons) {}

  const SlackBot& bot() const { return bot_; }
  // Errors: those of SlackBot; kInvalidArgument for an id that is none.
  Result<void> tell(const Told& told, const CancelToken& cancel);
  // Its alarm is over. Once; nothing where no card is known.
  Result<void> resolved(std::string_view id, const CancelToken& cancel);

 private:
  struct Card {
    SlackPlace place;
    size_t answers = 0;  // that were told
    bool resolved = false;
  };
  Result<std::filesystem::path> file_of(std::string_view id) const;
  std::optional<Card> find(std::string_view id) const REQUIRES_LOCK(mutex_);
  void keep(std::string_view id, const Card& card) const REQUIRES_LOCK(mutex_);

  const SlackBot bot_;
  const std::filesystem::path folder_;
  const bool buttons_;
  Mutex mutex_;
};

}  // namespace precedent
