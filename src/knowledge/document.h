// Document: one thing that somebody wrote down, of any kind. Chunk: the piece of it that a search
// finds.
//
// Made by ingest/, kept by store/, cut and embedded into index/. Plain structs: no I/O, no JSON.
// Thread safety: plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "knowledge/kind.h"

namespace precedent {

// The fields of a record that are neither text to read nor a filter, by their name in the source:
// `root_cause`, `ticketUrl`, `actionItems`, and every field that precedent does not know. Lists and
// objects are kept as compact JSON text.
using Attributes = std::map<std::string, std::string, std::less<>>;

struct Document {
  // Unique in a knowledge base. Incidents: the normalised incident id. Others: `id` of the front
  // matter, else "kb-" and 12 digits made of the file's place below its source.
  std::string id;
  Kind kind = Kind::kDoc;
  std::string title;
  std::string body;    // Markdown; for an incident its sections (knowledge/incident.h)
  std::string path;    // as the operator named it, for people to open; "" if none
  std::string source;  // the canonical path (file or folder) that one ingest was given: the scope
                       // of --prune

  std::vector<std::string> services;
  std::vector<std::string> symptoms;
  std::vector<std::string> tags;
  std::string application;  // impacted_application
  std::string severity;     // as written: SEV1, P2, critical
  std::string status;       // as written
  std::optional<TimePoint>
      opened_at;  // incidents: opened; post-mortems: incidentDate; known issues: discoveredAt
  std::optional<TimePoint> updated_at;
  std::optional<TimePoint> resolved_at;
  Attributes attributes;

  // The line of the file at `path` on which the body begins, 1-based, so that line ranges point
  // into the file. 0: the body is a value in a record (JSON, CSV) and has no lines of its own.
  uint32_t body_line = 1;

  bool operator==(const Document&) const = default;
};

// Lines of Document::path, 1-based, both ends inclusive. {0, 0}: the source has no lines.
struct LineRange {
  uint32_t begin = 0;
  uint32_t end = 0;
  bool operator==(const LineRange&) const = default;
};

struct Chunk {
  uint32_t ordinal = 0;  // 0-based position in the document
  std::vector<std::string>
      heading;       // the path of headings above it, outermost first, without the title
  std::string text;  // the piece itself, Markdown, at most Limits::max_chunk_pieces word pieces
  LineRange lines;
  bool operator==(const Chunk&) const = default;
};

// Everything about a document that decides whether it must be chunked and embedded again.
std::string content_hash(const Document& document);

}  // namespace precedent
