// What every ChangeSource must do, as checks that a test calls: expect_change_source_contract.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "base/utf8.h"
#include "changes/change_source.h"

namespace precedent {

inline ChangeList asked(const ChangeSource& source, const ChangeQuery& query) {
  auto list = source.changes(query);
  EXPECT_TRUE(list) << list.error().text();
  return list ? std::move(*list) : ChangeList{};
}

inline void expect_good_change(const Change& change) {
  EXPECT_FALSE(change.id.empty());
  EXPECT_FALSE(change.title.empty());
  EXPECT_FALSE(change.source.empty());
  EXPECT_TRUE(std::ranges::is_sorted(change.services));
  EXPECT_TRUE(std::ranges::is_sorted(change.files));
  EXPECT_LE(change.files.size(), kMaxChangedFiles);
  EXPECT_GE(change.files_total, change.files.size());
  for (const std::string* text : {&change.id, &change.title, &change.author, &change.version}) {
    EXPECT_FALSE(invalid_utf8_at(*text));
    EXPECT_EQ(text->find('\n'), std::string::npos);
  }
}

// `source` holds two changes or more, of two services or more.
inline void expect_change_source_contract(const ChangeSource& source) {
  EXPECT_FALSE(source.name().empty());
  const ChangeList all = asked(source, {.limit = 1000});
  ASSERT_GE(all.changes.size(), 2u);
  EXPECT_FALSE(all.more);
  EXPECT_FALSE(all.asked.empty());
  for (const Change& change : all.changes) expect_good_change(change);
  EXPECT_TRUE(std::ranges::is_sorted(all.changes, newer));

  // A limit takes the newest and says that there are more; one that just fits does not.
  const ChangeList one = asked(source, {.limit = 1});
  ASSERT_EQ(one.changes.size(), 1u);
  EXPECT_EQ(one.changes[0], all.changes[0]);
  EXPECT_TRUE(one.more);
  EXPECT_FALSE(asked(source, {.limit = all.changes.size()}).more);

  // Ranges are half-open.
  const TimePoint oldest = all.changes.back().at;
  const TimePoint newest = all.changes.front().at;
  for (const Change& change : asked(source, {.range = {oldest, newest}}).changes)
    EXPECT_LT(change.at, newest);
  EXPECT_TRUE(asked(source, {.range = {std::nullopt, oldest}}).changes.empty());
  EXPECT_FALSE(asked(source, {.range = {newest, std::nullopt}}).changes.empty());

  // Services and kinds restrict.
  const std::vector<std::string> services = source.services();
  ASSERT_GE(services.size(), 2u);
  EXPECT_TRUE(std::ranges::is_sorted(services));
  for (const std::string& service : services) {
    std::string shouted = service;
    for (char& c : shouted) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const ChangeList of = asked(source, {.service = shouted, .limit = 1000});
    EXPECT_LT(of.changes.size(), all.changes.size()) << service;
    for (const Change& change : of.changes)
      EXPECT_NE(std::ranges::find(change.services, service), change.services.end()) << change.id;
  }
  for (const ChangeKind kind : kAllChangeKinds) {
    for (const Change& change : asked(source, {.kinds = {kind}, .limit = 1000}).changes)
      EXPECT_EQ(change.kind, kind);
  }
  const ChangeList nobody = asked(source, {.service = "no-such-service"});
  EXPECT_TRUE(nobody.changes.empty());
  EXPECT_FALSE(nobody.asked.empty());

  // Several at once give what one gives.
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { EXPECT_EQ(asked(source, {.limit = 1000}).changes, all.changes); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace precedent
