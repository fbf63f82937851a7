#include "server/auth/access.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

TEST(Access, EachPathTakesItsRole) {
  EXPECT_EQ(role_needed("GET", "/healthz"), std::nullopt);
  EXPECT_EQ(role_needed("GET", "/"), std::nullopt);
  EXPECT_EQ(role_needed("HEAD", "/assets/index-1.js"), std::nullopt);
  EXPECT_EQ(role_needed("GET", "/documents"), Role::kReader);
  EXPECT_EQ(role_needed("POST", "/chat/prompt"), Role::kUser);
  EXPECT_EQ(role_needed("POST", "/feedback"), Role::kUser);
  EXPECT_EQ(role_needed("GET", "/feedback"), Role::kEditor);
  EXPECT_EQ(role_needed("DELETE", "/document"), Role::kEditor);
  EXPECT_EQ(role_needed("POST", "/uploads/u-1/ingest"), Role::kEditor);
  EXPECT_EQ(role_needed("GET", "/metrics"), Role::kAdmin);
}

TEST(Access, WhatNobodyThoughtOfTakesTheHighest) {
  EXPECT_EQ(role_needed("GET", "/new"), Role::kAdmin);
  EXPECT_EQ(role_needed("POST", "/healthz"), Role::kAdmin);
  EXPECT_EQ(role_needed("GET", "/chat"), Role::kAdmin);
  EXPECT_EQ(role_needed("GET", "//chat/"), Role::kAdmin);
  EXPECT_EQ(role_needed("PUT", "/documents"), Role::kAdmin);
}

}  // namespace
}  // namespace precedent
