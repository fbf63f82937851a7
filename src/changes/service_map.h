// ServiceMap: which services do the files of a commit belong to?
//
// A list of path prefixes, each with its services; the longest prefix that fits decides. A prefix
// may hold one `{service}`, which stands for one folder's name: "services/{service}/" gives
// services/checkout-api/main.go to checkout-api. Thread safety: immutable after construction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace precedent {

class ServiceMap {
 public:
  // A prefix that was added before gets further services. Errors: kInvalidArgument for an empty
  // prefix, for `{service}` twice, and for services given to a prefix that has `{service}`, or none
  // to one that has not.
  Result<void> add(std::string_view prefix, std::vector<std::string> services);

  // Empty if no prefix fits.
  std::vector<std::string> services_of(std::string_view path) const;
  // The services it names, without those of `{service}`.
  std::vector<std::string> named() const;

 private:
  struct Entry {
    std::string before, after;  // around {service}; `after` is unused without it
    bool any_folder = false;
    std::vector<std::string> services;
    size_t weight() const { return before.size() + after.size(); }
  };
  std::vector<Entry> entries_;
};

}  // namespace precedent
