#include "sources/document_spool.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/foreign_json.h"
#include "files/files.h"

namespace precedent {
namespace {

using nlohmann::json;

json as_json(const std::optional<TimePoint>& time) {
  return time ? json(time->time_since_epoch().count()) : json();
}

std::optional<TimePoint> as_time(const json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  return TimePoint(TimePoint::duration(value.get<int64_t>()));
}

json as_json(const Document& document, size_t line) {
  return {
      document.id,
      static_cast<int>(document.kind),
      document.title,
      document.body,
      document.path,
      document.source,
      document.services,
      document.symptoms,
      document.tags,
      document.application,
      document.severity,
      document.status,
      as_json(document.opened_at),
      as_json(document.updated_at),
      as_json(document.resolved_at),
      std::map<std::string, std::string>(document.attributes.begin(), document.attributes.end()),
      document.body_line,
      line};
}

// Of what as_json() wrote. Throws what nlohmann::json throws where it is something else.
std::pair<Document, size_t> read_document(const json& value) {
  Document out;
  size_t i = 0;
  const auto next = [&]() -> const json& { return value.at(i++); };
  out.id = next();
  out.kind = static_cast<Kind>(next().get<int>());
  for (std::string* text : {&out.title, &out.body, &out.path, &out.source}) *text = next();
  for (auto* list : {&out.services, &out.symptoms, &out.tags})
    *list = next().get<std::vector<std::string>>();
  for (std::string* text : {&out.application, &out.severity, &out.status}) *text = next();
  for (auto* time : {&out.opened_at, &out.updated_at, &out.resolved_at}) *time = as_time(next());
  for (const auto& [key, text] : next().items()) out.attributes[key] = text;
  out.body_line = next();
  const size_t line = next();
  return {std::move(out), line};
}

class Keeper final : public DocumentSink {
 public:
  Keeper(const std::filesystem::path& path, std::ofstream& file) : path_(path), file_(file) {}

  Result<void> document(Document&& document, size_t line) override {
    return write(as_json(document, line));
  }
  void bad(BadRecord&& bad) override {
    // That it cannot be written is told at the end.
    static_cast<void>(write({{"bad", {bad.path, bad.line, bad.field, bad.message, bad.record}}}));
  }
  uint64_t bytes() const { return bytes_; }

 private:
  Result<void> write(const json& value) {
    const std::string line = dump_json(value) + "\n";
    bytes_ += line.size();
    if (bytes_ > kMaxSpoolBytes)
      return fail(ErrorCode::kResourceExhausted,
                  fmt::format("the texts of one sync are larger than {} GB; divide the source",
                              kMaxSpoolBytes >> 30));
    file_ << line;
    if (file_.good()) return {};
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("cannot write {}; check the space left on its disk", path_.string()));
  }

  const std::filesystem::path& path_;
  std::ofstream& file_;
  uint64_t bytes_ = 0;
};

Result<void> hand_on(const std::string& line, DocumentSink& sink) {
  const json value = parse_json(line);
  std::optional<std::pair<Document, size_t>> document;
  std::optional<BadRecord> bad;
  try {
    if (value.is_object()) {
      const json& of = value.at("bad");
      bad = BadRecord{of.at(0), of.at(1), of.at(2), of.at(3), of.at(4)};
    } else {
      document = read_document(value);
    }
  } catch (const json::exception&) {
    return fail(ErrorCode::kCorrupt,
                "what was fetched was changed before it was stored; sync again, and let nothing "
                "else write into the folder 'sources' of the data directory");
  }
  if (document) return sink.document(std::move(document->first), document->second);
  sink.bad(std::move(*bad));
  return {};
}

}  // namespace

Result<DocumentSpool> DocumentSpool::open(const std::filesystem::path& file) {
  TRY(make_directories(file.parent_path()));
  return DocumentSpool(file);
}

DocumentSpool::DocumentSpool(DocumentSpool&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      summary_(std::move(other.summary_)),
      bytes_(other.bytes_) {}

DocumentSpool::~DocumentSpool() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove(path_, ignored);
}

Result<void> DocumentSpool::fill(
    const std::function<Result<ReadSummary>(DocumentSink& sink)>& read) {
  std::ofstream file(path_, std::ios::binary | std::ios::trunc);
  make_private(path_);
  Keeper keeper(path_, file);
  Result<ReadSummary> done = read(keeper);
  file.close();
  if (!file.good())
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("cannot write {}; check the space left on its disk", path_.string()));
  bytes_ = keeper.bytes();
  summary_ = TRY(std::move(done));
  return {};
}

Result<ReadSummary> DocumentSpool::replay(DocumentSink& sink, const CancelToken& cancel) {
  std::ifstream file(path_, std::ios::binary);
  uint64_t read = 0;
  for (std::string line; std::getline(file, line);) {
    TRY(cancel.check());
    read += line.size() + 1;
    TRY(hand_on(line, sink));
    sink.progress(read, bytes_);
  }
  if (read == bytes_) return summary_;
  return fail(ErrorCode::kCorrupt,
              fmt::format("{} is not as it was written; sync again", path_.string()));
}

}  // namespace precedent
