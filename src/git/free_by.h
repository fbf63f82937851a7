// FreeBy: a deleter that calls one of libgit2's functions.
//
//   using Commit = std::unique_ptr<git_commit, FreeBy<git_commit_free>>;
//
// Private to git/. Thread safety: as the function's.
#pragma once

namespace precedent::git {

template <auto kFree>
struct FreeBy {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};

}  // namespace precedent::git
