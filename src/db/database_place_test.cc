#include "db/database_place.h"

#include <gtest/gtest.h>

namespace precedent::db {
namespace {

TEST(DatabasePlace, NamesServerAndDatabaseAndNoPassword) {
  const std::pair<const char*, const char*> cases[] = {
      {"postgresql://ana:hunter2@db.example:5432/threads?sslmode=require",
       "PostgreSQL at db.example:5432/threads"},
      {"postgres://db.example/threads", "PostgreSQL at db.example/threads"},
      {"postgresql://ana:hun@ter2@db.example/threads", "PostgreSQL at db.example/threads"},
      {"postgresql://ana:hun?ter2@db.example/threads", "PostgreSQL"},
      {"postgresql://db.example/threads?password=hun@ter2", "PostgreSQL"},
      {"host=/run/pg user=ana password=hunter2 dbname=threads",
       "PostgreSQL at host=/run/pg dbname=threads"},
      {"password='hun host=ter2 \\' x' host=db", "PostgreSQL at host=db"},
      {"password=a://b@c host=db", "PostgreSQL at host=db"},
      {"user=ana", "PostgreSQL at its default place"},
  };
  for (const auto& [url, place] : cases) EXPECT_EQ(database_place(url), place) << url;
}

TEST(DatabasePlace, SeesAPassword) {
  for (const char* url : {"postgresql://ana:hunter2@db/x", "postgres://db/x?password=y",
                          "host=db password=y", "postgresql://a:b@c@db/x"})
    EXPECT_TRUE(has_password(url)) << url;
  for (const char* url : {"postgresql://ana@db:5432/x", "postgresql://db:5432/x", "host=db user=a"})
    EXPECT_FALSE(has_password(url)) << url;
}

}  // namespace
}  // namespace precedent::db
