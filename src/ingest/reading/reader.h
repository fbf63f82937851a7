// PATH arguments → documents: the reading side of an ingest, one call.
//
// Expands the paths (sources.h), reads each file in its format (json_reader.h, csv_reader.h,
// front_matter.h), gives fields their meaning (field_map.h) and hands on one Document at a time.
// Memory is bounded by the largest record, not by the file. Knows nothing of the store: whether a
// document is new or changed is the pipeline's question.
//
// A bad record is reported and skipped; the rest goes on. docs/ingest.md lists what is reported.
// Thread safety: one call, one thread; calls do not share state.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "base/limits.h"
#include "embed/embedder.h"
#include "ingest/fields/record_mapping.h"
#include "ingest/reading/path_ids.h"
#include "ingest/reading/sources.h"
#include "ingest/records/record.h"
#include "knowledge/document.h"

namespace precedent {

struct ReadOptions {
  std::vector<std::string> paths;  // files and folders, as the operator named them
  std::optional<Kind> kind;      // --kind: everything read is of this kind, whatever it says itself
  std::vector<std::string> map;  // --map: "field=column"
  std::vector<std::string> services;  // --service, --tag: added to every document that lacks them
  std::vector<std::string> tags;
  bool follow_links = false;  // --follow-links: also out of the folders that were named
  // Of files that only pass through, as uploads do: path → the one under which their documents are
  // known, also to a later reading; and the source of these documents.
  std::map<std::string, std::string> known_as = {};
  std::string known_source = {};
  std::string map_name = "--map";  // what messages call `map`
  std::string map_sign = "=";      // what it has between a field and its column
  std::shared_ptr<const RecordMapping> mapping = nullptr;  // of records, instead of guesses
  bool map_where_found = false;  // a file that lacks a mapped column is read by its own names
  Limits limits;
  const CancelToken* cancel = nullptr;  // may be null; checked for every record
  // Null: columns are taken for fields by their names and values alone (learned_columns.h).
  const Embedder* embedder = nullptr;
};

// What a column of a file of records was taken for.
struct ColumnUse {
  enum class How : uint8_t { kKept, kName, kMapped, kGuessed, kIgnored };
  std::string column;
  std::string_view field;  // canonical; "" for kKept: under its own name
  How how = How::kKept;
  std::string example;  // its first value that is not blank, cut
};

struct FileColumns {
  std::string path;
  size_t records = 0;
  std::vector<ColumnUse> columns;  // in the order of the file
};

// What the reader left out or decided, as data. ReadSummary::warnings says the same in words.
struct ReadNote {
  enum class What : uint8_t { kUnreadField, kUnknownValue, kDateOrder, kNoRecord, kNoColumn };
  What what = What::kUnreadField;
  std::string path;
  size_t line = 0;    // 0: the file as a whole
  std::string field;  // as the source names it; "" if it is not about one field
  std::string message;
  std::string value = {};  // of the field (value_shown())
};

// Receives what was read, in the order of the paths, files by name, records by line.
class DocumentSink {
 public:
  virtual ~DocumentSink() = default;
  // `line`: where the record begins in `document.path`; 1 for Markdown. An error stops the reading
  // and is returned by read_documents.
  virtual Result<void> document(Document&& document, size_t line) = 0;
  virtual void bad(BadRecord&& bad) = 0;
  // Whether the document is known in exactly this revision, from this source: then it is taken for
  // read, and need not be handed on. The revision is what the document would carry as the attribute
  // kRevisionAttribute.
  virtual bool unchanged(const std::string& id, std::string_view revision,
                         const std::string& source) {
    static_cast<void>(id), static_cast<void>(revision), static_cast<void>(source);
    return false;
  }
  // The same by the hash of the content, for whoever keeps it (mark_of_content()).
  virtual bool unchanged_content(const std::string& id, std::string_view hash,
                                 const std::string& source) {
    static_cast<void>(id), static_cast<void>(hash), static_cast<void>(source);
    return false;
  }
  // Of each file of records, before its first one.
  virtual void columns(const FileColumns& columns) { static_cast<void>(columns); }
  // Of single fields at the end, the first of each column.
  virtual void noted(const ReadNote& note) { static_cast<void>(note); }
  // The id of a document that names none. The default tells documents of one source apart.
  virtual std::string id_of(const Place& place) { return id_below_source(place); }
  // After every file, and about every megabyte within one. `total` is known from the start.
  virtual void progress(uint64_t bytes_read, uint64_t bytes_total) {
    static_cast<void>(bytes_read);
    static_cast<void>(bytes_total);
  }
};

// Names the content of a document: equal revisions mean equal content, so that whoever knows the
// revision need not read it. A document that has it is compared by it alone (prepare.h).
inline constexpr std::string_view kRevisionAttribute = "revision";

struct ReadSummary {
  size_t files = 0;
  size_t documents = 0;  // handed to the sink
  size_t bad = 0;        // reported to the sink
  // Files that are no source, by extension (".png" → 12; "" without one).
  std::map<std::string, LeftOut> ignored;
  // What else was not read, by reason ("vendored" → 12).
  std::map<std::string, LeftOut> left_out;
  // The canonical paths of `paths`, in their order: the scopes of --prune.
  std::vector<std::string> sources;
  // Files with a bad record, and what could not be read: what is missing there did not necessarily
  // vanish.
  std::vector<Unread> unread;
  // Sentences for the operator: a field that could not be read, how dates of a column are read, a
  // file without a record, a folder without any source.
  std::vector<std::string> warnings;
};

// Errors: kNotFound for a path that does not exist, kInvalidArgument for a wrong --map and for
// columns that no file has, both before anything is handed on; what the sink returned; kCancelled.
// An unreadable file or folder is reported to the sink instead.
Result<ReadSummary> read_documents(const ReadOptions& options, DocumentSink& sink);

// Whether the files have the columns that `map` and `mapping` name. Returns what is harmless, in
// sentences: columns to be ignored that are not there. Errors: as read_documents() says for those.
Result<std::vector<std::string>> check_columns(const ReadOptions& options);

}  // namespace precedent
