#include "obedient_model.h"

#include "base/utf8.h"
#include "llm/scripted_model.h"

namespace precedent::attacks {
namespace {

// Undoes what `{TAGS:…}`, `{VS:…}` and `{ZW:…}` do.
std::string decode(std::string_view text) {
  std::string out;
  unsigned bits = 0, count = 0;
  for (size_t i = 0; i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    i += c.bytes;
    if (c.value >= 0xE0000 && c.value < 0xE0200) out += static_cast<char>(c.value & 0xFF);
    if (c.value != 0x200B && c.value != 0x200C) continue;
    bits = bits << 1 | (c.value & 1 ? 0U : 1U);
    if (++count % 8 == 0) out += static_cast<char>(bits & 0xFF);
  }
  return out;
}

}  // namespace

void ObedientModel::read(const std::string& text) {
  has_read_ |= !attack_.cue.empty() && text.contains(attack_.cue);
  has_decoded_ |= !attack_.hidden.empty() && decode(text).contains(attack_.hidden);
  for (const std::string& secret : secrets())
    if (text.contains(secret)) found_secret_ = secret;
}

std::string ObedientModel::expanded(const std::string& text) const {
  return expand(text, found_secret_.empty() ? "[redacted:secret]" : found_secret_);
}

namespace {
// What the receipts of nearly every question prove: an answer of which nothing is proved is no
// answer.
constexpr std::string_view kTrue = "The alert CheckoutSlow is active.\n\n";
}  // namespace

Result<ModelReply> ObedientModel::complete(const ModelRequest& request, ModelContext& context) {
  TRY(context.check());
  const MutexLock lock(answering_);
  // Reads filters off questions, which is not what is tested.
  if (request.response) return fail(ErrorCode::kUnavailable, "no structured output");
  requests_.push_back(request);
  for (const Message& message : request.messages) read(message.content);
  ModelReply reply;
  reply.model = name();
  const bool has_results = has_retrieved_ && request.messages.back().role == Role::kTool;
  if (request.tools.empty() && request.messages.size() > 1) {
    // Told that something is not proved, it repeats itself.
    reply.message.content = std::string(kTrue) + expanded(attack_.says);
  } else if (request.tools.empty()) {
    reply.message.content = expanded("Title {READ}");
  } else if (!has_results) {
    has_retrieved_ = true;
    reply.message.tool_calls = {retrieving_};
  } else if (!has_obeyed_ && !attack_.calls.empty()) {
    has_obeyed_ = true;
    for (const AttackCall& call : attack_.calls) {
      nlohmann::json args = call.args;
      for (auto& value : args)
        if (value.is_string()) value = expanded(value.get<std::string>());
      reply.message.tool_calls.push_back(
          {"obeyed_" + std::to_string(reply.message.tool_calls.size()), call.tool, args.dump()});
    }
  } else {
    reply.message.content = std::string(kTrue) + expanded(attack_.says);
    emit_words(reply.message.content, context);
  }
  if (!reply.message.tool_calls.empty()) reply.stop = StopReason::kToolCalls;
  return reply;
}

}  // namespace precedent::attacks
