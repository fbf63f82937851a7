#include "server/auth/audit.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "files/files.h"
#include "files/temporary_folder.h"

namespace precedent {
namespace {

class AuditTest : public ::testing::Test {
 protected:
  std::vector<nlohmann::json> lines() const {
    std::vector<nlohmann::json> all;
    const std::string text = *read_file(file_, 1 << 20);
    for (const std::string_view line : split(text, '\n'))
      if (!line.empty()) all.push_back(parse_json(line));
    return all;
  }
  const TemporaryFolder folder_;
  const std::filesystem::path file_ = audit_file(folder_.path());
  const Audit audit_{file_};
  const TimePoint now_ = *parse_time("2026-05-04T10:00:00Z");
};

TEST_F(AuditTest, ACommandIsLoggedAsRequestsAre) {
  const Caller ann{.name = "ann", .role = AccessRole::kUser};
  ASSERT_TRUE(audit_.add({.client = "127.0.0.1", .method = "POST", .path = "/x", .changes = true},
                         ann, 200, now_));
  ASSERT_TRUE(audit_.add_command("tokens create", "root", {{"id", "0a"}, {"name", "bob"}}, now_));
  const auto all = lines();
  ASSERT_EQ(all.size(), 2U);
  for (const auto& [key, value] : all[0].items()) EXPECT_TRUE(all[1].contains(key)) << key;
  EXPECT_EQ(all[1]["who"], "root");
  EXPECT_EQ(all[1]["role"], "admin");
  EXPECT_EQ(all[1]["method"], "COMMAND");
  EXPECT_EQ(all[1]["path"], "tokens create");
  EXPECT_EQ(parse_json(all[1]["what"].get<std::string>())["name"], "bob");
  EXPECT_EQ(all[1]["at"], "2026-05-04T10:00:00Z");
}

TEST_F(AuditTest, ReadingIsNotLoggedAndRefusalsAre) {
  ASSERT_TRUE(audit_.add({.method = "GET", .path = "/x"}, {}, 200, now_));
  ASSERT_TRUE(audit_.add({.method = "GET", .path = "/x"}, {}, 403, now_));
  ASSERT_EQ(lines().size(), 1U);
  EXPECT_EQ(lines()[0]["status"], 403);
}

// As a command does beside a running server: each has opened the file by itself.
TEST_F(AuditTest, SeveralWritersMixNoLines) {
  constexpr int kEach = 50;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer)
    writers.emplace_back([&] {
      const Audit own(file_);
      for (int i = 0; i < kEach; ++i)
        EXPECT_TRUE(
            own.add_command("tokens revoke", "root", {{"id", std::string(300, 'a')}}, now_));
    });
  for (std::thread& writer : writers) writer.join();
  const auto all = lines();
  EXPECT_EQ(all.size(), 4U * kEach);
  for (const nlohmann::json& line : all) EXPECT_EQ(line["path"], "tokens revoke");
}

}  // namespace
}  // namespace precedent
