// Payload ↔ the two records that a segment keeps of it: what the points of a document share, and
// what is a point's own.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/byte_coder.h"
#include "index/knowledge_index.h"

namespace precedent {

// Everything but level, ordinal, heading, text and lines. Two payloads belong to one group if these
// bytes are equal.
void write_group_record(const Payload& payload, ByteWriter& out);
// level, ordinal, heading, text, lines.
void write_point_record(const Payload& payload, ByteWriter& out);

// False if the bytes are not a record. The level is left to the caller.
bool read_group_record(std::string_view bytes, Payload& payload);
bool read_point_record(std::string_view bytes, Payload& payload);

// The leading fields of a group record, for sorting without decoding the rest.
struct GroupTitle {
  std::string_view title;
  std::string_view doc_id;
};
std::optional<GroupTitle> read_group_title(std::string_view bytes);

}  // namespace precedent
