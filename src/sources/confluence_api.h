// What Confluence is asked, Cloud or Data Center: one function a question, over its REST APIs.
//
// Version 1 answers where only it can: CQL, restrictions, labels; and everything on Data Center.
// Errors: those of SourceHttp. Thread safety: one thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "sources/confluence_reply.h"
#include "sources/source_http.h"

namespace precedent {

// "\"A\",\"B\"", as CQL takes a list.
std::string cql_list(const std::vector<std::string>& names);

class ConfluenceApi {
 public:
  using OnPage = std::function<void(ConfluencePage&&)>;
  // Pages whose bodies come in one reply of Cloud.
  static constexpr size_t kBatch = 25;

  ConfluenceApi(SourceHttp http, bool data_center)
      : http_(std::move(http)), data_center_(data_center) {}

  // Lists of pages, with labels, ancestors and restrictions. Of Data Center's whole space:
  Result<void> space_pages(const std::string& space, const CancelToken& cancel,
                           const OnPage& on_page) const;
  Result<void> search(const std::string& cql, const CancelToken& cancel,
                      const OnPage& on_page) const;
  // Of Cloud's whole space, without those three. Errors: kNotFound.
  Result<void> cloud_pages(const std::string& space, const CancelToken& cancel,
                           const OnPage& on_page) const;
  // The page of that name, with all three and its storage.
  Result<std::optional<ConfluencePage>> page_named(const std::string& space,
                                                   const std::string& title,
                                                   const CancelToken& cancel) const;
  // With their storage: several of Cloud, or one.
  Result<void> bodies(const std::vector<std::string>& ids, const CancelToken& cancel,
                      const OnPage& on_page) const;
  Result<ConfluencePage> body(const std::string& id, const CancelToken& cancel) const;
  // As it is shown.
  Result<std::string> view(const std::string& id, const CancelToken& cancel) const;

  std::string link_of(const ConfluencePage& page) const;
  // An address that opens the page of that name.
  std::string link_to(const std::string& space, const std::string& title) const;

 private:
  Result<void> each_page(std::string url, const CancelToken& cancel, const OnPage& on_page) const;

  SourceHttp http_;
  bool data_center_;
};

}  // namespace precedent
