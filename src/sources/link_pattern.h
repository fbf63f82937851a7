// LinkPattern: how a forge addresses a file of a repository, as sources.yaml says it:
// "https://git.example.com/{repo}/-/blob/{branch}/{path}".
//
// Thread safety: values.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace precedent {

class LinkPattern {
 public:
  // What stands for a file. Each is percent-encoded, but for its slashes.
  struct File {
    std::string_view repo;  // "org/repo"
    std::string_view branch, commit, path;
  };

  LinkPattern() = default;  // gives no link
  // Errors: kInvalidArgument saying what the text must be: an address of http or https, without a
  // user, whose host is written out, and which has {path}.
  static Result<LinkPattern> parse(std::string_view text);

  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }
  bool has(std::string_view name) const;
  std::string link(const File& file) const;

 private:
  explicit LinkPattern(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace precedent
