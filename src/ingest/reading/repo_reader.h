// A git repository → documents of kind code, one a tracked file: the reading side of an ingest, as
// reader.h is for files and folders.
//
// id "<repository>:<path>", title and path the path in the repository, source the repository (its
// common git folder, so that linked work trees are one), tags the language. Attributes: repository,
// commit (at which the file was indexed: `git show COMMIT:PATH` shows these lines; absent for what
// only the work tree has), language, revision. A file whose blob the store knows already is not
// read: DocumentSink::unchanged. What is left out is counted by reason (code_rules.h,
// .gitattributes).
//
// Thread safety: one call, one thread.
#pragma once

#include <string>

#include "base/error.h"
#include "ingest/reading/reader.h"

namespace precedent {

struct RepoOptions {
  std::string path;
  std::string name;        // instead of the one of the origin or the folder
  bool work_tree = false;  // the files as they are on disk, instead of those of HEAD
  // What else decides how a file is cut: "ctags" or "lines". Another value reads every file again.
  std::string cut_by;
};

// Errors: those of git/repository.h; what the sink returned; kCancelled.
Result<ReadSummary> read_repository(const RepoOptions& options, const CancelToken* cancel,
                                    DocumentSink& sink);

}  // namespace precedent
