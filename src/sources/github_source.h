// KnowledgeSource over the issues and pull requests of a repository on GitHub that have chosen
// labels: `known-issue` makes one a known issue, `postmortem` a post-mortem.
//
// Every sync lists what has the labels, open and closed, a hundred at a time. Each page of the list
// is asked for with the ETag that it had, so that one without a change costs nothing of the limit.
// What lost its label, was deleted or was moved is gone. The text of an issue is taken, with what
// people said below it: the first hundred comments and the last, as far as kMaxCommentBytes go;
// what lies between is counted. A comment that is only edited is noticed with the next change. A
// document's id is "github:org/repo#7", its link the issue, its version the time of its
// last change. REST API of version 2022-11-28.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sources/knowledge_source.h"
#include "sources/source_http.h"

namespace precedent {

struct GithubOptions {
  std::string name;
  std::string repo;                         // "org/repo"
  std::map<std::string, Kind> label_kinds;  // in the order of their names; the first decides
  ReadOptions read;                         // services, tags
  std::string settings;                     // another one makes every issue another
  bool comments = true;
};

// Of a list, or asked for singly.
struct GithubIssue {
  std::string number, title, text, state, link, updated;
  std::vector<std::string> labels;
  std::optional<TimePoint> created_at, updated_at, closed_at;
  bool is_pull_request = false;
  size_t comments = 0;  // how many there are
};
// Of one issue.
inline constexpr size_t kMaxCommentBytes = 256 * 1024;

// What a request needs beside the token.
std::vector<HttpHeader> github_headers(const std::string& token);

class GithubSource final : public KnowledgeSource {
 public:
  GithubSource(SourceHttp http, GithubOptions options);

  const std::string& scope() const override { return scope_; }
  bool is_remote() const override { return true; }
  Result<SourceListing> list(const std::string& cursor, const SyncContext& context) override;
  Result<ReadSummary> read(std::span<const SourceEntry> entries, const SyncContext& context,
                           DocumentSink& sink) override;

 private:
  struct Page;
  using Pages = std::map<std::string, Page>;  // by address

  Result<Page> page_at(const std::string& url, const Pages& before, const CancelToken& cancel);
  Result<void> list_label(const std::string& label, const Pages& before, Pages& after,
                          SourceListing& listing, const CancelToken& cancel);
  Result<GithubIssue> issue_of(const SourceEntry& entry, const CancelToken& cancel);
  // As Markdown, below a heading; "" if nobody said anything.
  Result<std::string> comments_of(const GithubIssue& issue, const CancelToken& cancel) const;
  Result<void> hand_on(const SourceEntry& entry, const GithubIssue& issue, ReadSummary& summary,
                       DocumentSink& sink, const CancelToken& cancel) const;

  SourceHttp http_;
  GithubOptions options_;
  std::string scope_;
  std::map<std::string, GithubIssue> listed_;  // by number, what came with the list
  size_t listed_bytes_ = 0;
};

}  // namespace precedent
