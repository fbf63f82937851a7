// Reverts: which commits a commit takes back, as git writes it into the message: a line
// "This reverts commit <hash>.", of `git revert` and of GitLab, of any number of commits.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace precedent::git {

// The hashes in the order of the message, 7 to 40 hexadecimal digits each, in lower case. Of a
// message that names more than 50, the first 50.
std::vector<std::string> reverted_by(std::string_view message);

}  // namespace precedent::git
