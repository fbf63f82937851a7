// Receipt: what one tool call returned, kept as evidence. An answer cites it, the log keeps it.
//
// Every call leaves one, also a call that failed: then `status` is kError and `text` says what to
// do. Thread safety: plain values.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/time.h"
#include "knowledge/golden.h"
#include "knowledge/incident.h"
#include "telemetry/report/metrics_result.h"
#include "tools/changes_result.h"
#include "tools/source.h"

namespace precedent {

// --- The typed results.

struct IncidentItem {
  Incident incident;
  std::string path;     // where it was read from
  float relevance = 1;  // 0–1; 1 for an exact match
  std::string preview;  // the passage that matched; "" for an exact match
};

struct IncidentsResult {
  std::vector<IncidentItem> incidents;
  size_t total = 0;       // that match, also beyond the limit
  bool fallback = false;  // the primary path found nothing; these are the nearest by meaning
  std::string note;  // "no application is called 'X'; nearest names: …"; "" if nothing needs saying
  std::vector<std::string> matched_names;  // applications that were taken as meant
  // What the question restricts them to, as it was read: "sector is North Ridge".
  std::vector<std::string> conditions;
  std::string order;  // "duration, highest first"; "": newest first, or the nearest
};

// A figure of a group of incidents, or of one of them.
struct IncidentFigure {
  std::string group;  // "2026-04", "Pumphouse"; of one incident its id; "": of all
  std::string title;  // of the one incident; "" of a group
  double value = 0;
  size_t incidents = 0;  // that it is of
};

// What was computed over incidents (tools/aggregate_incidents.h).
struct FiguresResult {
  std::string function;  // "count", "sum", "average", "highest", "lowest"
  std::string of;     // "duration", in minutes; a field or column, as it is called; "": incidents
  std::string by;     // "month", a field, a column; "": all together; of the highest: each
  std::string scope;  // "severity Red, opened before …"; "": all there are
  std::vector<IncidentFigure> figures;  // in the order that was asked for
  size_t left_out = 0;                  // figures beyond the limit
  size_t incidents = 0;                 // of the scope
  size_t without = 0;                   // of them, those that do not say what was computed
  std::string note;
};

// One document, or one section of it.
struct KnowledgeItem {
  std::string id;
  std::string title;
  Kind kind = Kind::kDoc;
  std::vector<std::string> services;
  float relevance = 0;
  std::string preview;
  std::string path;
  std::vector<std::string> heading;
  LineRange lines;
  std::string text;  // of the section
  // Until when the document was to hold, if that was past at the time of the call.
  std::optional<TimePoint> expired_at = {};
  // As of Source.
  std::string link = {};
  std::string version = {};
  // What was searched for points to it, or the entry of what it names does (tools/pointers.h).
  bool pointed_to = false;
};

struct KnowledgeResult {
  std::vector<KnowledgeItem> items;  // best first; grouped by kind when written
  std::string note;
};

struct SectionsResult {
  std::vector<KnowledgeItem> sections;  // best first
  std::string note;
};

// A verified answer to a question like the one that was asked.
struct GoldenItem {
  GoldenExample example;
  float similarity = 0;  // of the two questions, 0–1: the cosine; of their words if `lexical`
  bool lexical = false;
  std::vector<Source> cited;  // the documents that its answer rests on, as far as they exist
};

struct GoldenResult {
  std::vector<GoldenItem> examples;  // best first
};

// A piece of one file of a repository, as it was indexed.
struct CodeItem {
  std::string id;  // "<repository>:<path>"
  std::string repository;
  std::string path;                  // in the repository
  LineRange lines;                   // of the excerpt
  std::string excerpt;               // these lines, literally
  std::vector<std::string> symbols;  // that it defines or lies in
  std::string commit;                // at which the file has these lines; "" for a work tree's
  std::string language;
  float relevance = 0;
};

struct CodeResult {
  std::vector<CodeItem> items;  // best first; of an exact search by path and line
  std::string note;
};

// What a tool of another server returned beside its text.
struct RemoteResult {
  std::string server;
  std::string name;                   // the tool's, as it is called here
  std::string tool;                   // … and as the server calls it
  std::string structured;             // compact JSON; "" if it gave none
  std::vector<std::string> left_out;  // "image (image/png, 2048 bytes)"
};

using ToolResult =
    std::variant<std::monostate, IncidentsResult, KnowledgeResult, SectionsResult, GoldenResult,
                 ChangesResult, MetricsResult, CodeResult, RemoteResult, FiguresResult>;

enum class ReceiptStatus {
  kOk,
  kEmpty,  // the call worked and found nothing
  kError,
};
std::string_view name(ReceiptStatus status);

// Why a call failed.
enum class CallFailure {
  kNone,      // it did not
  kCall,      // it is no call that can be made: the text says why
  kTool,      // the tool failed: the text is failure_text()
  kRepeated,  // a model made it before; the text is for that model
  kRefused,   // a model may not make it; the text is for that model
};
// "doc_search failed: <reason>".
std::string failure_text(std::string_view tool, std::string_view reason);

// What a plan made a call for.
struct CallReason {
  std::string purpose = {};  // for people; "": nothing planned it
  std::string rule = {};     // of the policy that asks for it; "": the question itself does
  // Of a message that asks several things: which of them it serves, from 0; empty: all.
  std::vector<size_t> parts = {};
  bool operator==(const CallReason&) const = default;
};

struct Receipt {
  std::string id;    // "R1", unique within one answer, and within a conversation
  std::string call;  // the ToolCall that it answers; "" outside a conversation
  std::string tool;
  std::string args;  // compact JSON, as called
  TimePoint at{};
  ReceiptStatus status = ReceiptStatus::kOk;
  CallFailure failure = CallFailure::kNone;
  ToolResult result;
  std::string text;                  // what a model reads
  std::vector<std::string> explain;  // how it was found, one decision a line
  // How long the call took; nothing if it was not measured. Not part of its JSON: the same question
  // gives the same answer.
  std::optional<std::chrono::microseconds> took = {};
  CallReason reason = {};
};

std::vector<Source> sources_of(const Receipt& receipt);

// --- At the edge.

nlohmann::json to_json(const Receipt& receipt, bool explain = false);
nlohmann::json to_json(const ToolResult& result);
nlohmann::json to_json(const Incident& incident);
nlohmann::json to_json(const GoldenExample& example);

}  // namespace precedent
