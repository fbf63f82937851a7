#include "index/record_coder.h"

#include <algorithm>

namespace precedent {

void write_group_record(const Payload& payload, ByteWriter& out) {
  out.text(payload.title);
  out.text(payload.doc_id);
  out.number(static_cast<uint64_t>(payload.kind));
  out.number(payload.chunk_count);
  out.text(payload.path);
  out.texts(payload.services);
  out.texts(payload.tags);
  out.text(payload.application);
  out.text(payload.severity);
  out.text(payload.status);
  out.number(payload.opened_at ? 1 : 0);
  if (payload.opened_at) out.signed_number(payload.opened_at->time_since_epoch().count());
}

void write_point_record(const Payload& payload, ByteWriter& out) {
  out.number(payload.ordinal);
  out.texts(payload.heading);
  out.text(payload.text);
  out.number(payload.lines.begin);
  out.number(payload.lines.end);
}

bool read_group_record(std::string_view bytes, Payload& payload) {
  ByteReader in(bytes);
  payload.title = in.text();
  payload.doc_id = in.text();
  const uint64_t kind = in.number();
  if (kind >= kAllKinds.size()) return false;
  payload.kind = static_cast<Kind>(kind);
  payload.chunk_count = in.number32();
  payload.path = in.text();
  payload.services = in.texts();
  payload.tags = in.texts();
  payload.application = in.text();
  payload.severity = in.text();
  payload.status = in.text();
  payload.opened_at.reset();
  if (in.number() != 0) payload.opened_at = TimePoint(std::chrono::seconds(in.signed_number()));
  return in.ok() && in.at_end();
}

bool read_point_record(std::string_view bytes, Payload& payload) {
  ByteReader in(bytes);
  payload.ordinal = in.number32();
  payload.heading = in.texts();
  payload.text = in.text();
  payload.lines.begin = in.number32();
  payload.lines.end = in.number32();
  return in.ok() && in.at_end();
}

std::optional<GroupTitle> read_group_title(std::string_view bytes) {
  ByteReader in(bytes);
  GroupTitle title;
  title.title = in.text();
  title.doc_id = in.text();
  if (!in.ok()) return std::nullopt;
  return title;
}

}  // namespace precedent
