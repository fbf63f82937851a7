#include "sources/github_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "base/strings.h"
#include "net/url.h"
#include "sources/markdown_pieces.h"
#include "sources/page_document.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr int kPerPage = 100;
// Of one label: more are no knowledge but a ticket system.
constexpr size_t kMaxPages = 100;
// Texts of a list that are kept until they are read; further ones are asked for singly.
constexpr size_t kMaxListedBytes = 32 * 1024 * 1024;

// The address of rel="next" in a Link header; "" if there is none.
std::string next_of(std::string_view header) {
  for (const std::string_view part : split(header, ',')) {
    const size_t begin = part.find('<');
    const size_t end = part.find('>');
    if (part.contains("rel=\"next\"") && begin != std::string_view::npos && end > begin &&
        end != std::string_view::npos)
      return std::string(part.substr(begin + 1, end - begin - 1));
  }
  return "";
}

std::optional<GithubIssue> issue_in(const json& value) {
  if (!value.is_object()) return std::nullopt;
  const auto number = value.find("number");
  if (number == value.end() || !number->is_number_unsigned()) return std::nullopt;
  GithubIssue issue;
  issue.number = std::to_string(number->get<uint64_t>());
  issue.title = clean_name(foreign::string_at(value, "title"));
  issue.text = foreign::string_at(value, "body");
  issue.state = clean_name(foreign::string_at(value, "state"));
  issue.link = clean_address(foreign::string_at(value, "html_url"));
  issue.updated = clean_name(foreign::string_at(value, "updated_at"));
  issue.is_pull_request = value.contains("pull_request");
  if (const auto count = value.find("comments");
      count != value.end() && count->is_number_unsigned())
    issue.comments = count->get<size_t>();
  const auto time = [&](const char* key) {
    const auto parsed = parse_time(foreign::string_at(value, key));
    return parsed ? std::optional(*parsed) : std::nullopt;
  };
  issue.created_at = time("created_at");
  issue.updated_at = time("updated_at");
  issue.closed_at = time("closed_at");
  if (const auto labels = value.find("labels"); labels != value.end() && labels->is_array())
    for (const json& label : *labels) {
      if (label.is_string()) issue.labels.push_back(clean_name(label.get<std::string>()));
      if (label.is_object()) issue.labels.push_back(clean_name(foreign::string_at(label, "name")));
    }
  return issue;
}

// What one comment says; "" for a bot's, which repeats what is told elsewhere.
std::string comment_in(const json& value) {
  if (!value.is_object()) return "";
  const auto user = value.find("user");
  const bool named = user != value.end() && user->is_object();
  if (named && foreign::string_at(*user, "type") == "Bot") return "";
  const std::string text(trim(foreign::string_at(value, "body")));
  if (text.empty()) return "";
  const std::string who = named ? clean_name(foreign::string_at(*user, "login")) : "";
  const auto when = parse_time(foreign::string_at(value, "created_at"));
  // Whatever it looks like, it is no heading of the document.
  return fmt::format("**{}**{}:\n\n{}", who.empty() ? "Somebody" : who,
                     when ? fmt::format(", {}", format_date(*when)) : "", prefixed(text, "> "));
}

}  // namespace

// Of a list, as the cursor keeps it.
struct GithubSource::Page {
  std::string etag, next;
  std::vector<std::pair<std::string, std::string>> issues;  // number, time of the last change
};

std::vector<HttpHeader> github_headers(const std::string& token) {
  std::vector<HttpHeader> headers = {{"Accept", "application/vnd.github+json"},
                                     {"X-GitHub-Api-Version", "2022-11-28"}};
  if (!token.empty()) headers.push_back({"Authorization", "Bearer " + token});
  return headers;
}

GithubSource::GithubSource(SourceHttp http, GithubOptions options)
    : http_(std::move(http)),
      options_(std::move(options)),
      scope_(fmt::format("github:{}", options_.name)) {}

Result<GithubSource::Page> GithubSource::page_at(const std::string& url, const Pages& before,
                                                 const CancelToken& cancel) {
  const auto known = before.find(url);
  std::vector<HttpHeader> condition;
  if (known != before.end() && !known->second.etag.empty())
    condition.push_back({"If-None-Match", known->second.etag});
  const HttpResponse response = TRY(http_.get(url, cancel, std::move(condition)));
  if (response.status == 304 && known != before.end()) return known->second;
  const json list = parse_json(response.body);
  if (!list.is_array())
    return fail(ErrorCode::kCorrupt,
                fmt::format("GitHub answered without a list of issues; check 'url' and 'repo' ({})",
                            options_.repo));
  Page page{std::string(response.header("ETag")), next_of(response.header("Link")), {}};
  for (const json& value : list) {
    std::optional<GithubIssue> issue = issue_in(value);
    if (!issue) continue;
    page.issues.emplace_back(issue->number, issue->updated);
    listed_bytes_ += issue->text.size();
    std::string number = issue->number;
    if (listed_bytes_ <= kMaxListedBytes)
      listed_.insert_or_assign(std::move(number), std::move(*issue));
  }
  return page;
}

Result<void> GithubSource::list_label(const std::string& label, const Pages& before, Pages& after,
                                      SourceListing& listing, const CancelToken& cancel) {
  std::string url = http_.address(
      fmt::format("/repos/{}/issues?labels={}&state=all&sort=created&direction=asc&per_page={}",
                  options_.repo, percent_encoded(label), kPerPage));
  for (size_t count = 0; !url.empty(); ++count) {
    if (count == kMaxPages)
      return fail(ErrorCode::kResourceExhausted,
                  fmt::format("more than {} issues have the label '{}'; choose a rarer one",
                              kMaxPages * kPerPage, label));
    const Page page = TRY(page_at(url, before, cancel));
    for (const auto& [number, updated] : page.issues)
      listing.entries.push_back({fmt::format("github:{}#{}", options_.repo, number),
                                 fmt::format("{}-{}", updated, options_.settings), number});
    after.insert_or_assign(url, page);
    url = page.next.empty() ? "" : TRY(http_.next_address(page.next));
  }
  return {};
}

Result<SourceListing> GithubSource::list(const std::string& cursor, const SyncContext& context) {
  listed_.clear();
  listed_bytes_ = 0;
  Pages before, after;
  const json kept = parse_json(cursor);
  if (kept.is_object())
    for (const auto& [url, value] : kept.items()) {
      if (!value.is_object()) continue;
      Page& page = before[url];
      page.etag = foreign::string_at(value, "etag");
      page.next = foreign::string_at(value, "next");
      if (const auto issues = value.find("issues"); issues != value.end() && issues->is_object())
        for (const auto& [number, updated] : issues->items())
          if (updated.is_string()) page.issues.emplace_back(number, updated.get<std::string>());
    }
  SourceListing listing;
  listing.everything = true;
  for (const auto& [label, kind] : options_.label_kinds)
    TRY(list_label(label, before, after, listing, context.cancel));
  json pages = json::object();
  for (const auto& [url, page] : after) {
    json issues = json::object();
    for (const auto& [number, updated] : page.issues) issues[number] = updated;
    pages[url] = {{"etag", page.etag}, {"next", page.next}, {"issues", std::move(issues)}};
  }
  listing.cursor = dump_json(pages);
  return listing;
}

Result<GithubIssue> GithubSource::issue_of(const SourceEntry& entry, const CancelToken& cancel) {
  if (const auto listed = listed_.find(entry.ref); listed != listed_.end()) return listed->second;
  auto issue = issue_in(TRY(http_.get_json(
      http_.address(fmt::format("/repos/{}/issues/{}", options_.repo, entry.ref)), cancel)));
  if (issue && issue->number == entry.ref) return std::move(*issue);
  return fail(ErrorCode::kCorrupt, fmt::format("GitHub gave something else for {}", entry.id));
}

Result<ReadSummary> GithubSource::read(std::span<const SourceEntry> entries,
                                       const SyncContext& context, DocumentSink& sink) {
  ReadSummary summary;
  for (const SourceEntry& entry : entries) {
    TRY(context.cancel.check());
    const auto issue = issue_of(entry, context.cancel);
    if (issue) {
      TRY(hand_on(entry, *issue, summary, sink, context.cancel));
    } else if (issue.error().code == ErrorCode::kResourceExhausted) {
      ++summary.bad;
      sink.bad({entry.id, 0, "", issue.error().message});
    } else if (issue.error().code != ErrorCode::kNotFound) {
      return std::unexpected(issue.error());
    }
  }
  return summary;
}

Result<std::string> GithubSource::comments_of(const GithubIssue& issue,
                                              const CancelToken& cancel) const {
  if (!options_.comments || issue.comments == 0) return std::string();
  std::vector<size_t> pages = {1};
  if (const size_t last = (issue.comments + kPerPage - 1) / kPerPage; last > 1)
    pages.push_back(last);
  std::string out;
  size_t taken = 0, seen = 0;
  for (const size_t page : pages) {
    const HttpResponse response =
        TRY(http_.get(http_.address(fmt::format("/repos/{}/issues/{}/comments?per_page={}&page={}",
                                                options_.repo, issue.number, kPerPage, page)),
                      cancel));
    const json list = parse_json(response.body);
    if (!list.is_array())
      return fail(ErrorCode::kCorrupt,
                  fmt::format("GitHub answered without a list of comments for {}#{}", options_.repo,
                              issue.number));
    for (const json& value : list) {
      ++seen;
      const std::string text = comment_in(value);
      if (text.empty() || out.size() + text.size() > kMaxCommentBytes) continue;
      add_block(out, text);
      ++taken;
    }
  }
  if (out.empty()) return out;
  const size_t left_out = std::max(issue.comments, seen) - taken;
  std::string all = fmt::format("## Comments\n\n{}", out);
  if (left_out > 0)
    add_block(all, fmt::format("({} further comments, of bots or beyond what is taken)", left_out));
  return all;
}

Result<void> GithubSource::hand_on(const SourceEntry& entry, const GithubIssue& issue,
                                   ReadSummary& summary, DocumentSink& sink,
                                   const CancelToken& cancel) const {
  const auto label = std::ranges::find_if(options_.label_kinds, [&](const auto& row) {
    return std::ranges::any_of(issue.labels,
                               [&](const std::string& own) { return iequals(own, row.first); });
  });
  // It lost its label since it was listed.
  if (label == options_.label_kinds.end()) return {};
  ++summary.files;
  const std::string path = fmt::format("github:{}/{}/{}", options_.repo,
                                       issue.is_pull_request ? "pull" : "issues", issue.number);
  auto comments = comments_of(issue, cancel);
  // Deleted since it was listed, or larger than anything: the issue itself is there.
  if (!comments && comments.error().code != ErrorCode::kNotFound &&
      comments.error().code != ErrorCode::kResourceExhausted)
    return std::unexpected(std::move(comments).error());
  std::string text = issue.text;
  if (comments) add_block(text, *comments);
  auto document =
      page_document(issue.title.empty() ? entry.id : issue.title, text, path, label->second);
  if (!document) {
    ++summary.bad;
    sink.bad(std::move(document.error()));
    return {};
  }
  document->id = entry.id;
  document->source = scope_;
  document->status = issue.state;
  document->opened_at = issue.created_at;
  document->updated_at = issue.updated_at;
  document->resolved_at = issue.closed_at;
  document->services = options_.read.services;
  document->tags = options_.read.tags;
  document->tags.insert(document->tags.end(), issue.labels.begin(), issue.labels.end());
  document->attributes[std::string(kRevisionAttribute)] = entry.revision;
  document->attributes[std::string(kVersionAttribute)] = issue.updated;
  if (issue.link.starts_with("https://") || issue.link.starts_with("http://"))
    document->attributes[std::string(kLinkAttribute)] = issue.link;
  ++summary.documents;
  return sink.document(std::move(*document), 0);
}

}  // namespace precedent
