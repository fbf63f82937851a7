#include "llm/compaction.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/ascii.h"
#include "base/ids.h"
#include "base/strings.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"
#include "llm/token_estimate.h"

namespace precedent {
namespace {

// Of one message in an extractive summary, and of a result of the last turn that must be shortened:
// the first lines of a receipt hold its best hits.
constexpr size_t kLineBytes = 240;
constexpr size_t kShortResultBytes = 1200;
constexpr int64_t kMaxSummaryTokens = 1200;
// More than a conversation cites; each takes some eight tokens.
constexpr size_t kMaxKeptIds = 200;

using Messages = std::vector<Message>;
using Receipts = std::map<std::string, std::string>;

// "R2 ", or "" for what is no result.
std::string receipt_of(const Message& message, const Receipts& receipts) {
  const auto found = receipts.find(message.tool_call_id);
  return message.role != Role::kTool || found == receipts.end() ? "" : found->second + " ";
}

std::string first_part(std::string_view text, size_t bytes) {
  const std::string line = squeeze(text);
  if (line.size() <= bytes) return line;
  return std::string(utf8_prefix(line, bytes)) + "…";
}

bool is_word(char c) { return is_alnum(c) || c == '_' || c == '-'; }

void add_once(std::vector<std::string>& ids, std::string id) {
  if (ids.size() < kMaxKeptIds && std::ranges::find(ids, id) == ids.end())
    ids.push_back(std::move(id));
}

size_t leading_system(const Messages& messages) {
  return static_cast<size_t>(
      std::ranges::find_if(messages, [](const Message& m) { return m.role != Role::kSystem; }) -
      messages.begin());
}

// Where each turn begins: at a message of the user, but for what comes before the first.
std::vector<size_t> turn_starts(const Messages& messages, size_t from) {
  std::vector<size_t> starts;
  for (size_t i = from; i < messages.size(); ++i)
    if (i == from || messages[i].role == Role::kUser) starts.push_back(i);
  return starts;
}

int64_t tokens_between(const Messages& messages, size_t begin, size_t end) {
  int64_t tokens = 0;
  for (size_t i = begin; i < end; ++i) tokens += estimate_tokens(messages[i]);
  return tokens;
}

// The first message that is kept: the last turn, and as many before it as fit.
size_t first_kept(const Messages& messages, size_t head, const CompactionOptions& options) {
  const std::vector<size_t> starts = turn_starts(messages, head);
  const auto target =
      static_cast<int64_t>(static_cast<double>(options.max_tokens) * options.target);
  int64_t room = target - tokens_between(messages, 0, head) -
                 2 * max_summary_tokens(options.max_tokens);  // the text, and the ids below it
  size_t kept = messages.size();
  size_t turns = 0;
  for (size_t i = starts.size(); i-- > 0; ++turns) {
    room -= tokens_between(messages, starts[i], kept);
    if (turns > 0 && (room < 0 || turns >= options.keep_turns)) break;
    kept = starts[i];
  }
  return kept;
}

std::string summary_line(const Message& message, const Receipts& receipts) {
  switch (message.role) {
    case Role::kUser: return "Asked: " + first_part(message.content, kLineBytes);
    case Role::kTool:
      return "  Result: " + receipt_of(message, receipts) + first_part(message.content, kLineBytes);
    case Role::kSystem: return "";
    case Role::kAssistant: break;
  }
  std::string line;
  for (const ToolCall& call : message.tool_calls)
    line += fmt::format("{}Called {} {}", line.empty() ? "" : "\n", call.name,
                        first_part(call.args, kLineBytes));
  if (!trim(message.content).empty())
    line += (line.empty() ? "Answered: " : "\nSaid: ") + first_part(message.content, kLineBytes);
  return line;
}

// The newest lines that fit; those of an earlier summary are the oldest.
std::string extract(const Messages& messages, size_t begin, size_t end, const std::string& before,
                    int64_t max_tokens, const Receipts& receipts) {
  std::vector<std::string> all;
  for (const std::string_view line : split_lines(before)) all.emplace_back(line);
  for (size_t i = begin; i < end; ++i) all.push_back(summary_line(messages[i], receipts));
  std::vector<std::string> lines;
  int64_t tokens = 0;
  for (std::string& line : all | std::views::reverse) {
    tokens += estimate_tokens(line);
    if (tokens > max_tokens) break;
    if (!line.empty()) lines.push_back(std::move(line));
  }
  std::ranges::reverse(lines);
  return join(lines, "\n");
}

// What the summarising model reads: longer lines than an extract has, but no more than fit its
// window.
std::string transcript_of(const Messages& messages, size_t begin, size_t end, int64_t max_tokens,
                          const Receipts& receipts) {
  std::string out;
  for (size_t i = end; i-- > begin && estimate_tokens(out) < max_tokens;) {
    std::string entry =
        fmt::format("[{}] {}{}\n", name(messages[i].role), receipt_of(messages[i], receipts),
                    first_part(messages[i].content, kShortResultBytes));
    for (const ToolCall& call : messages[i].tool_calls)
      entry += fmt::format("[call] {} {}\n", call.name, first_part(call.args, kLineBytes));
    out.insert(0, entry);
  }
  return out;
}

std::string all_text(const Messages& messages, size_t begin, size_t end, const Receipts& receipts) {
  std::string text;
  for (size_t i = begin; i < end; ++i) {
    text += receipt_of(messages[i], receipts) + messages[i].content + "\n";
    for (const ToolCall& call : messages[i].tool_calls) text += call.args + "\n";
  }
  return text;
}

// Not a system message: it holds text from tools, which must not command.
Message summary_message(const std::string& summary, const std::vector<std::string>& ids) {
  std::string text =
      "[Summary of the earlier conversation, made automatically]\n" + delimit(summary);
  if (!ids.empty()) text += "\nIds that were mentioned: " + join(ids, ", ");
  return {Role::kUser, text + "\n[End of the summary]"};
}

// Of a text that a model wrote without keeping to the limit, the beginning.
std::string bounded(std::string_view text, int64_t max_tokens) {
  constexpr size_t kBytesOfAToken = 4;
  return std::string(utf8_prefix(trim(text), static_cast<size_t>(max_tokens) * kBytesOfAToken));
}

// Of messages [begin, end), which follow what `done` has a summary of.
Result<void> summarise(Compaction& done, const Messages& messages, size_t begin, size_t end,
                       const CompactionOptions& options, const Summarizer& summarizer) {
  const int64_t room = max_summary_tokens(options.max_tokens);
  std::string text;
  if (summarizer) {
    const auto written =
        summarizer(transcript_of(messages, begin, end, options.max_tokens / 2, options.receipts),
                   done.summary.text);
    if (!written && written.error().code == ErrorCode::kCancelled)
      return std::unexpected(written.error());
    if (written) text = bounded(*written, room);
    done.by_model = !text.empty();
  }
  if (text.empty()) text = extract(messages, begin, end, done.summary.text, room, options.receipts);
  done.summary = {std::move(text), done.summary.messages + end - begin};
  done.summarised = true;
  return {};
}

// The messages as they are sent: those that the summary stands for are replaced by it.
Messages with_summary(const Messages& messages, size_t head, const ConversationSummary& summary,
                      const CompactionOptions& options) {
  if (summary.messages == 0) return messages;
  const auto at = [&](size_t i) { return messages.begin() + static_cast<ptrdiff_t>(i); };
  const size_t kept = head + summary.messages;
  auto ids = ids_to_keep(all_text(messages, head, kept, options.receipts));
  ids.resize(std::min(ids.size(), static_cast<size_t>(max_summary_tokens(options.max_tokens) / 8)));
  Messages sent(at(0), at(head));
  sent.push_back(summary_message(summary.text, ids));
  sent.insert(sent.end(), at(kept), messages.end());
  return sent;
}

// Oldest results first, until it fits.
void shorten_results(Compaction& done, int64_t max_tokens) {
  int64_t tokens = estimate_tokens(done.messages);
  for (Message& message : done.messages) {
    if (tokens <= max_tokens) return;
    if (message.role != Role::kTool || message.content.size() <= kShortResultBytes) continue;
    const int64_t before = estimate_tokens(message);
    const auto ids = ids_to_keep(message.content);
    message.content = std::string(utf8_prefix(message.content, kShortResultBytes)) +
                      "\n[shortened to fit; call the tool again for the rest" +
                      (ids.empty() ? "" : "; ids: " + join(ids, ", ")) + "]";
    tokens += estimate_tokens(message) - before;
    ++done.shortened;
  }
}

}  // namespace

std::vector<std::string> ids_to_keep(std::string_view text) {
  std::vector<std::string> ids;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != 'R' || (i > 0 && is_word(text[i - 1]))) continue;
    size_t end = i + 1;
    while (end < text.size() && is_digit(text[end])) ++end;
    // "R12" stands alone; four digits are more receipts than a conversation has.
    if (end == i + 1 || end - i > 4 || (end < text.size() && is_word(text[end]))) continue;
    add_once(ids, std::string(text.substr(i, end - i)));
  }
  for (const IdMention& mention : find_ids(text))
    if (mention.id.starts_with("INC-")) add_once(ids, mention.id);
  return ids;
}

int64_t max_summary_tokens(int64_t max_tokens) {
  return std::min(kMaxSummaryTokens, max_tokens / 5);
}

Result<Compaction> compact(const Messages& messages, const ConversationSummary& earlier,
                           const CompactionOptions& options, const Summarizer& summarizer) {
  const size_t head = leading_system(messages);
  Compaction done;
  if (head + earlier.messages <= messages.size()) done.summary = earlier;
  done.messages = with_summary(messages, head, done.summary, options);
  if (estimate_tokens(done.messages) <= options.max_tokens) return done;
  const size_t from = head + done.summary.messages;
  if (const size_t kept = first_kept(messages, head, options); kept > from) {
    TRY(summarise(done, messages, from, kept, options, summarizer));
    done.messages = with_summary(messages, head, done.summary, options);
  }
  shorten_results(done, options.max_tokens);
  if (const int64_t tokens = estimate_tokens(done.messages); tokens > options.max_tokens)
    return fail(
        ErrorCode::kResourceExhausted,
        fmt::format("this question needs about {} tokens and the model reads {}; ask less at "
                    "once or raise model.context_tokens",
                    tokens, options.max_tokens));
  return done;
}

}  // namespace precedent
