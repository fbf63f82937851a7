// The `KnowledgeDesk` seam: who changes what is known. The command line's DeskOfFolder is one.
//
// What a client sends is looked at (check()) before anything is stored; a change is stored, and
// searchable, when its call returns. Reads go through a KnowledgeView instead.
//
// Errors: kConflict while something else writes, with what to do; kNotFound for unknown ids;
// kInvalidArgument naming the field. Thread safety: all members; changes take turns. Ownership:
// outlives the server.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "knowledge/golden.h"
#include "knowledge/kind.h"
#include "server/knowledge/knowledge_view.h"

namespace precedent {

// Files that a client sent, waiting to be ingested.
struct UploadedFile {
  std::string name;              // the client's, cleaned: no path, no control characters
  std::filesystem::path stored;  // under a name of ours, with the extension of `name`
};
struct Upload {
  std::vector<UploadedFile> files;
  std::optional<Kind> kind;                // take everything as this
  std::string source;                      // where it comes from, in the client's words; or ""
  std::map<std::string, std::string> map;  // canonical field → column
};

struct UploadColumn {
  std::string column;
  std::string field;  // canonical; "": kept under its own name
  std::string how;    // "by its name", "as you mapped it" …; "" if it is no field
  std::string example;
};
struct UploadProblem {
  std::string where;  // "incidents.csv:12"
  std::string field;
  std::string message;
  bool costs_record = false;  // else it is loaded all the same
};
struct UploadFileReport {
  std::string name;
  std::string format;    // "json", "jsonl", "csv", "markdown"
  std::string kind;      // of most of its documents; "" if there are none
  std::string how_kind;  // what decided it
  size_t records = 0;
  size_t documents = 0;
  std::vector<UploadColumn> columns;    // of a file of records
  std::vector<UploadProblem> problems;  // the first kMaxUploadProblems
  size_t problem_count = 0;
};
inline constexpr size_t kMaxUploadProblems = 100;

// A field that records need and no column gives, with the columns that could.
struct MissingField {
  std::string field;
  std::vector<std::string> columns;
};
struct UploadReport {
  bool ready = false;  // something would be stored, and no file lacks what its records need
  std::vector<UploadFileReport> files;
  std::vector<MissingField> required_missing;
  std::vector<std::string> fields;               // that a column can be mapped to
  size_t added = 0, changed = 0, unchanged = 0;  // documents, once it is ingested
  std::vector<std::string> warnings = {};        // of no file alone
};

// What a change of the golden examples came to.
struct GoldenChange {
  GoldenExample example;
  std::string result;                        // "added", "changed", "unchanged", "reviewed" …
  std::vector<std::string> unknown_sources;  // that it cites and no document has
};

struct AppendedChanges {
  std::vector<std::string> appended;  // the records, one JSON object each, as they stand in the log
  size_t known = 0;                   // that stood there already
};

// What the validation of a version came to.
struct ValidatedVersion {
  DatasetVersion version;
  VersionDifference difference;  // from the active one
  std::string limit;             // of its mapping, that forbids to activate it; or ""
  std::string markdown;          // the report for people
};

enum class EmbedIn : uint8_t { kPrecisionOfIndex, kInt8 };

class KnowledgeDesk {
 public:
  virtual ~KnowledgeDesk() = default;

  // Where uploads wait: a folder of the desk's own, which need not exist.
  virtual std::filesystem::path upload_folder() const = 0;
  virtual Result<UploadReport> check(const Upload& upload, const CancelToken& cancel) = 0;
  // Tells for the first time once nothing else can be in the way.
  using TellProgress = std::function<void(std::string_view stage, uint64_t done, uint64_t total)>;
  virtual Result<UploadReport> ingest(const Upload& upload, const TellProgress& tell,
                                      const CancelToken& cancel) = 0;
  // Errors: kInvalidArgument for a golden example.
  virtual Result<size_t> remove(const std::string& id, const CancelToken& cancel) = 0;

  // `by` "": who runs this program.
  virtual Result<GoldenChange> put_golden(const GoldenDraft& draft) = 0;
  virtual Result<GoldenChange> review_golden(const std::string& id, const std::string& answer,
                                             const std::string& by) = 0;
  virtual Result<GoldenChange> activate_golden(const std::string& id, bool active) = 0;
  virtual Result<GoldenChange> remove_golden(const std::string& id) = 0;

  virtual Result<Feedback> add_feedback(Feedback feedback) = 0;
  virtual Result<ReviewedFeedback> review_feedback(int64_t id, const std::string& answer,
                                                   const std::string& by) = 0;
  virtual Result<Feedback> dismiss_feedback(int64_t id, const std::string& note,
                                            const std::string& by) = 0;

  // Dataset versions (docs/datasets.md). Made of an upload's files, and validated at once.
  virtual Result<DatasetVersion> create_version(const VersionDraft& draft, const Upload& upload,
                                                const CancelToken& cancel) = 0;
  // The text of a first mapping for a file of the upload; `file` "": the first one.
  virtual Result<std::string> guess_mapping(const Upload& upload, const std::string& file) = 0;
  virtual Result<ValidatedVersion> validate_version(uint64_t number, const CancelToken& cancel) = 0;
  virtual Result<DatasetVersion> embed_version(uint64_t number, EmbedIn precision,
                                               const TellProgress& tell,
                                               const CancelToken& cancel) = 0;
  virtual Result<MadeActive> activate_version(uint64_t number, const ActivationWish& wish,
                                              const CancelToken& cancel) = 0;
  // `to` 0: the version that was active before.
  virtual Result<MadeActive> roll_back_version(uint64_t to, const ActivationWish& wish,
                                               const CancelToken& cancel) = 0;
  virtual Result<DatasetVersion> discard_version(uint64_t number) = 0;

  // Each a JSON object (docs/format/deploys.md). All are appended, or none.
  virtual Result<AppendedChanges> append_changes(const std::vector<std::string>& records) = 0;
};

// What the APIs of knowledge take.
struct KnowledgeServices {
  KnowledgeDesk& desk;
  std::function<KnowledgeView()> view;
};

}  // namespace precedent
