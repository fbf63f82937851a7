#include "sources/sync_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "files/files.h"
#include "files/temporary_folder.h"

namespace precedent {
namespace {

using testing::HasSubstr;

SourceStates some() {
  SourceState whole{.scope = "git:a",
                    .settings = "s",
                    .cursor = "main 12ab \"quoted\"",
                    .synced_at = parse_time("2026-11-24T10:00:00Z").value(),
                    .swept_at = parse_time("2026-11-24T09:00:00Z").value(),
                    .documents = 12,
                    .notes = {"one", "two"}};
  SourceState failed{.scope = "confluence:b",
                     .error = "no\xff such host",
                     .failed_at = parse_time("2026-11-24T11:00:00Z").value(),
                     .failures = 3};
  return {{"a", whole}, {"b", failed}};
}

Result<void> write(const std::filesystem::path& folder, const SourceStates& states) {
  for (const auto& [name, state] : states) TRY(remember_source(folder, name, state));
  return {};
}

TEST(SyncState, ComesBackAsItWasWritten) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_source_states(folder.path()).value(), SourceStates{});
  ASSERT_TRUE(write(folder.path(), some()));
  SourceStates expected = some();
  expected["b"].error = "no\ufffd such host";
  EXPECT_EQ(read_source_states(folder.path()).value(), expected);
}

TEST(SyncState, AnUnreadableFileSaysWhatToDo) {
  for (const char* text :
       {"", "[]", "{\"format\": 1", "{\"format\": 2, \"sources\": {}}",
        "{\"format\": 1, \"sources\": []}", "{\"format\": 1, \"sources\": {\"a\": 1}}"}) {
    const auto states = parse_source_states(text);
    ASSERT_FALSE(states) << text;
    EXPECT_EQ(states.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(states.error().message, HasSubstr("remove it"));
  }
}

TEST(SyncState, AWriteThatFailsLeavesTheOldState) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write(folder.path(), some()));
  for (const FileStep failing :
       {FileStep::kCreate, FileStep::kWrite, FileStep::kSync, FileStep::kRename}) {
    set_file_hook(
        [&](FileStep step, const std::filesystem::path&) { return step == failing ? ENOSPC : 0; });
    EXPECT_FALSE(remember_source(folder.path(), "a", {}));
    set_file_hook({});
    EXPECT_EQ(read_source_states(folder.path())->at("a").documents, 12U);
  }
}

}  // namespace
}  // namespace precedent
