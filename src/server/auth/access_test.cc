#include "server/auth/access.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

TEST(Access, EachPathTakesItsRole) {
  EXPECT_EQ(role_needed("GET", "/healthz"), std::nullopt);
  EXPECT_EQ(role_needed("GET", "/"), std::nullopt);
  EXPECT_EQ(role_needed("HEAD", "/assets/index-1.js"), std::nullopt);
  EXPECT_EQ(role_needed("GET", "/documents"), AccessRole::kReader);
  EXPECT_EQ(role_needed("POST", "/chat/prompt"), AccessRole::kUser);
  EXPECT_EQ(role_needed("POST", "/feedback"), AccessRole::kUser);
  EXPECT_EQ(role_needed("GET", "/feedback"), AccessRole::kEditor);
  EXPECT_EQ(role_needed("DELETE", "/document"), AccessRole::kEditor);
  EXPECT_EQ(role_needed("POST", "/uploads/u-1/ingest"), AccessRole::kEditor);
  EXPECT_EQ(role_needed("POST", "/datasets/guess"), AccessRole::kEditor);
  EXPECT_EQ(role_needed("POST", "/datasets/1/validate"), AccessRole::kEditor);
  EXPECT_EQ(role_needed("GET", "/sources"), AccessRole::kReader);
  EXPECT_EQ(role_needed("POST", "/sources/wiki/sync"), AccessRole::kEditor);
  EXPECT_EQ(role_needed("GET", "/metrics"), AccessRole::kAdmin);
}

TEST(Access, WhatNobodyThoughtOfTakesTheHighest) {
  EXPECT_EQ(role_needed("GET", "/new"), AccessRole::kAdmin);
  EXPECT_EQ(role_needed("POST", "/healthz"), AccessRole::kAdmin);
  EXPECT_EQ(role_needed("GET", "/chat"), AccessRole::kAdmin);
  EXPECT_EQ(role_needed("GET", "//chat/"), AccessRole::kAdmin);
  EXPECT_EQ(role_needed("PUT", "/documents"), AccessRole::kAdmin);
}

}  // namespace
}  // namespace precedent
