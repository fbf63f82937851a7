#include "ingest/reading/repo_reader.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "git/repository.h"
#include "ingest/reading/code_rules.h"
#include "ingest/reading/languages.h"
#include "ingest/records/clean_text.h"

namespace precedent {
namespace {

using git::TrackedFile;

// A BOM is no part of the first line.
std::string clean(std::string text) {
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  return clean_text(repair_utf8(text));
}

class RepoReader {
 public:
  RepoReader(const RepoOptions& options, const CancelToken* cancel, DocumentSink& sink,
             const git::Repository& repository)
      : options_(options),
        cancel_(cancel),
        sink_(sink),
        repository_(repository),
        name_(options.name.empty() ? repository.name() : options.name),
        source_(repository.common_folder().string()) {}

  Result<ReadSummary> read() {
    summary_.sources = {source_};
    const auto head = TRY(repository_.head());
    if (head) commit_ = head->commit;
    if (!head) {
      summary_.warnings.push_back(fmt::format(
          "{}: the repository has no commit yet, so there is nothing at HEAD", options_.path));
    }
    const auto files =
        TRY(options_.work_tree ? repository_.files_in_work_tree() : repository_.files_at_head());
    for (size_t i = 0; i < files.size(); ++i) {
      if (cancel_ != nullptr) TRY(cancel_->check());
      TRY(read_file(files[i]));
      sink_.progress(i + 1, files.size());
    }
    for (std::string& warning : repository_.unread_attributes())
      summary_.warnings.push_back(std::move(warning));
    return std::move(summary_);
  }

 private:
  void leave_out(const TrackedFile& file, std::string_view reason) {
    summary_.left_out[std::string(reason)].add(file.path);
  }

  Result<void> read_file(const TrackedFile& file) {
    ++summary_.files;
    if (file.type == TrackedFile::Type::kLink)
      return leave_out(file, "symbolic link"), Result<void>();
    if (file.type == TrackedFile::Type::kSubmodule)
      return leave_out(file, "submodule, a repository of its own"), Result<void>();
    if (const auto reason = left_out_by_path(file.path))
      return leave_out(file, *reason), Result<void>();
    if (repository_.has_attribute(file.path, "linguist-generated"))
      return leave_out(file, "generated"), Result<void>();
    if (repository_.has_attribute(file.path, "linguist-vendored"))
      return leave_out(file, "vendored"), Result<void>();
    const std::string id = fmt::format("{}:{}", name_, file.path);
    const std::string revision =
        fmt::format("{}{} {}", file.blob, file.modified ? " modified" : "", options_.cut_by);
    if (sink_.unchanged(id, revision, source_)) return ++summary_.documents, Result<void>();
    auto text = text_of(file);
    if (!text) {
      ++summary_.bad;
      summary_.unread.push_back({source_, file.path});
      sink_.bad({file.path, 0, "", text.error().text()});
      return {};
    }
    if (!*text) return {};
    ++summary_.documents;
    return sink_.document(document_of(file, id, revision, std::move(**text)), 1);
  }

  // Nothing where the file is left out.
  Result<std::optional<std::string>> text_of(const TrackedFile& file) {
    if (TRY(repository_.bytes(file)) > kMaxCodeBytes)
      return leave_out(file, "larger than 1 MB"), std::optional<std::string>();
    std::string text = TRY(repository_.read(file));
    if (const auto reason = left_out_by_text(text))
      return leave_out(file, *reason), std::optional<std::string>();
    return std::optional(clean(std::move(text)));
  }

  Document document_of(const TrackedFile& file, const std::string& id, const std::string& revision,
                       std::string text) const {
    Document document;
    document.id = id;
    document.kind = Kind::kCode;
    document.title = document.path = file.path;
    document.source = source_;
    document.body = std::move(text);
    document.tags = {std::string(language_of(file.path))};
    document.attributes["repository"] = name_;
    document.attributes["language"] = document.tags.front();
    document.attributes[std::string(kRevisionAttribute)] = revision;
    if (!file.modified) document.attributes["commit"] = commit_;
    return document;
  }

  const RepoOptions& options_;
  const CancelToken* cancel_;
  DocumentSink& sink_;
  const git::Repository& repository_;
  const std::string name_, source_;
  std::string commit_;
  ReadSummary summary_;
};

}  // namespace

Result<ReadSummary> read_repository(const RepoOptions& options, const CancelToken* cancel,
                                    DocumentSink& sink) {
  const git::Repository repository = TRY(git::Repository::open(options.path));
  return RepoReader(options, cancel, sink, repository).read();
}

}  // namespace precedent
