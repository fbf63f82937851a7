#include "agent/unproved.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "base/utf8.h"
#include "grounding/verify.h"

namespace precedent {
namespace {

// What a long conversation retrieved at its beginning is not what its latest answer rests on.
constexpr size_t kMostReceipts = 40;
constexpr size_t kMostQuoted = 5;
constexpr size_t kMaxQuoteBytes = 200;

// The latest receipts of the thread with their texts, which are kept as the tools' messages.
std::vector<Receipt> receipts_with_texts(const CopilotState& state) {
  std::map<std::string, std::string, std::less<>> texts;
  for (const Message& message : state.messages)
    if (message.role == Role::kTool) texts[message.tool_call_id] = message.content;
  std::vector<Receipt> receipts(state.receipts.begin(), state.receipts.end());
  if (receipts.size() > kMostReceipts)
    receipts.erase(receipts.begin(), receipts.end() - kMostReceipts);
  for (Receipt& receipt : receipts)
    if (const auto text = texts.find(receipt.call); text != texts.end())
      receipt.text = text->second;
  return receipts;
}

}  // namespace

std::string unproved(std::string_view answer, const CopilotState& state) {
  const std::vector<Receipt> receipts = receipts_with_texts(state);
  const Verification verification = verify(answer, receipts);
  const size_t count = verification.count(ClaimVerdict::kUnsupported);
  if (count == 0) return {};
  std::string text =
      fmt::format("\n\n**Not proved by anything that was found** ({} of {} statements):\n", count,
                  verification.claims.size());
  size_t quoted = 0;
  for (const Claim& claim : verification.claims) {
    if (claim.verdict != ClaimVerdict::kUnsupported) continue;
    if (++quoted > kMostQuoted) {
      text += fmt::format("- and {} more\n", count - kMostQuoted);
      break;
    }
    const std::string sentence = squeeze(claim.bytes.in(answer));
    text += fmt::format("- \"{}{}\": {}\n", utf8_prefix(sentence, kMaxQuoteBytes),
                        sentence.size() > kMaxQuoteBytes ? " …" : "", claim.reason);
  }
  return text;
}

}  // namespace precedent
