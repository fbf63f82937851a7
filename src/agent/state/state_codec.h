// How messages and receipts are written to checkpoints: compact bytes, one walk over the members
// for writing and reading alike, so that the two cannot differ.
//
// Format: docs/format/checkpoints.md. Members are only ever appended. The text of a receipt is not
// written: it is the content of the tool message that answers the same call.
// Thread safety: pure functions.
#pragma once

#include "agent/state/answer_record.h"
#include "chat/message.h"
#include "graph/field_codec.h"
#include "llm/compaction.h"
#include "llm/limit_model.h"
#include "tools/receipt.h"

namespace precedent {

template <>
struct FieldCodec<Message> {
  static void encode(const Message& message, ByteWriter& out);
  static Message decode(ByteReader& in);
  static nlohmann::json json(const Message& message);
};

template <>
struct FieldCodec<Receipt> {
  static void encode(const Receipt& receipt, ByteWriter& out);
  static Receipt decode(ByteReader& in);
  static nlohmann::json json(const Receipt& receipt);
};

template <>
struct FieldCodec<AnswerRecord> {
  static void encode(const AnswerRecord& record, ByteWriter& out);
  static AnswerRecord decode(ByteReader& in);
  static nlohmann::json json(const AnswerRecord& record);
};

template <>
struct FieldCodec<RunUse> {
  static void encode(const RunUse& use, ByteWriter& out);
  static RunUse decode(ByteReader& in);
  // {"steps", "input_tokens", "output_tokens", "cached_tokens", "cost_usd" with prices}
  static nlohmann::json json(const RunUse& use);
};

template <>
struct FieldCodec<ConversationSummary> {
  static void encode(const ConversationSummary& summary, ByteWriter& out);
  static ConversationSummary decode(ByteReader& in);
  // {"text", "messages"}
  static nlohmann::json json(const ConversationSummary& summary);
};

}  // namespace precedent
