#include "investigate/notes/slack_cards.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/ascii.h"
#include "base/foreign_json.h"
#include "files/files.h"
#include "investigate/notes/note.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kMaxCard = 64 * 1024;
constexpr size_t kMaxId = 100;

size_t answers_in(const json& report) {
  const auto found = report.is_object() ? report.find("answers") : report.end();
  return report.is_object() && found != report.end() && found->is_array() ? found->size() : 0;
}

void forget_old(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> cards;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".json")
      cards.emplace_back(fs::last_write_time(it->path(), error), it->path());
  if (cards.size() <= kMaxKeptCards) return;
  std::ranges::sort(cards, std::greater<>());
  for (size_t i = kMaxKeptCards; i < cards.size(); ++i) fs::remove(cards[i].second, error);
}

}  // namespace

Result<fs::path> SlackCards::file_of(std::string_view id) const {
  const bool plain = !id.empty() && id.size() <= kMaxId && std::ranges::all_of(id, [](char c) {
    return is_letter(c) || is_digit(c) || c == '-';
  });
  if (!plain) return fail(ErrorCode::kInvalidArgument, "this is no id of an investigation");
  return folder_ / (std::string(id) + ".json");
}

std::optional<SlackCards::Card> SlackCards::find(std::string_view id) const {
  const auto file = file_of(id);
  const auto text = file ? read_file(*file, kMaxCard) : std::unexpected(file.error());
  const json kept = text ? parse_json(*text) : json();
  const auto text_at = [&](const char* key) {
    return kept.contains(key) && kept[key].is_string() ? kept[key].get<std::string>() : "";
  };
  if (!kept.is_object()) return std::nullopt;
  Card card{{text_at("channel"), text_at("ts")}};
  if (card.place.channel.empty() || card.place.ts.empty()) return std::nullopt;
  if (kept.contains("answers") && kept["answers"].is_number_unsigned())
    card.answers = kept["answers"].get<size_t>();
  card.resolved = kept.contains("resolved") && kept["resolved"] == true;
  return card;
}

// A disk that is full costs the thread, not the message.
void SlackCards::keep(std::string_view id, const Card& card) const {
  const auto file = file_of(id);
  if (!file || !make_directories(folder_)) return;
  const std::string text = dump_json({{"channel", card.place.channel},
                                      {"ts", card.place.ts},
                                      {"answers", card.answers},
                                      {"resolved", card.resolved}});
  const std::string_view parts[] = {text};
  std::ignore = write_file_atomically(*file, parts);
  forget_old(folder_);
}

Result<void> SlackCards::tell(const Told& told, const CancelToken& cancel) {
  const MutexLock lock(mutex_);
  if (!told.id.empty()) TRY(file_of(told.id));
  const bool asks = told.asks && buttons_ && !told.id.empty();
  const json message = slack_message(note_of(told.report, told.link),
                                     asks ? button_value(told.report, told.id) : "");
  auto card = told.id.empty() ? std::nullopt : find(told.id);
  if (card) {
    const auto updated = bot_.update(card->place, message, cancel);
    // Somebody removed it: a new one takes its place.
    if (!updated && updated.error().code == ErrorCode::kNotFound)
      card.reset();
    else if (!updated)
      return updated;
  }
  if (!card) {
    card = Card{TRY(bot_.post(message, cancel)), answers_in(told.report)};
    if (!told.id.empty()) keep(told.id, *card);
    return {};
  }
  const size_t before = card->answers;
  card->answers = answers_in(told.report);
  TRY(bot_.reply(card->place, slack_reply(told.report, before), cancel));
  keep(told.id, *card);
  return {};
}

Result<void> SlackCards::resolved(std::string_view id, const CancelToken& cancel) {
  const MutexLock lock(mutex_);
  auto card = find(id);
  if (!card || card->resolved) return {};
  TRY(bot_.reply(card->place, {{"text", "The alarm is over."}}, cancel));
  card->resolved = true;
  keep(id, *card);
  return {};
}

}  // namespace precedent
