// For tests: a folder for tokens.json, gone afterwards.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "server/auth/tokens.h"

namespace precedent {

class AuthLab : public ::testing::Test {
 protected:
  AuthLab() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "precedent-auth-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~AuthLab() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path file() const { return token_file(folder_); }
  MadeToken make(AccessToken draft) const {
    auto made = create_token(file(), std::move(draft));
    EXPECT_TRUE(made) << made.error().text();
    return made.value_or(MadeToken{});
  }
  std::filesystem::path folder_;
};

}  // namespace precedent
