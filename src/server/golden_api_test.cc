// Golden examples over HTTP.
#include "server/server_lab.h"

namespace precedent {
namespace {

class GoldenApiTest : public ServerLab {
 protected:
  std::string add() {
    const Got added = ask("POST", "/golden",
                          R"({"question":"Why are letters late?","answer":"The courier sleeps.",
                              "sources":["rb-1"],"tags":["mail"]})");
    EXPECT_EQ(added.status, 201) << added.raw.body;
    return added.body["id"];
  }
  std::vector<std::string> states(const std::string& state) {
    std::vector<std::string> states;
    const Got listed = ask("GET", "/golden?state=" + state);
    for (const json& example : listed.body["examples"]) states.push_back(example["state"]);
    return states;
  }
};

using States = std::vector<std::string>;

TEST_F(GoldenApiTest, AnExampleIsServedOnceItIsReviewed) {
  const std::string id = add();
  EXPECT_EQ(states("pending"), States{"not reviewed"});
  EXPECT_EQ(states("served"), States{});
  const Got reviewed = ask("POST", "/golden/" + id + "/review", R"({"by":"Ada"})");
  EXPECT_EQ(reviewed.status, 200) << reviewed.raw.body;
  EXPECT_EQ(reviewed.body["served"], true);
  EXPECT_EQ(reviewed.body["reviewed_by"], "Ada");
  EXPECT_EQ(reviewed.body["result"], "reviewed");
  EXPECT_EQ(states("served"), States{"served"});
  EXPECT_EQ(ask("POST", "/golden/" + id + "/review", R"({"by":"Ada"})").status, 409);
  EXPECT_EQ(ask("POST", "/golden/" + id + "/deactivate").body["active"], false);
  EXPECT_EQ(states("inactive"), States{"not active"});
  EXPECT_EQ(ask("POST", "/golden/" + id + "/deactivate").status, 409);
  EXPECT_EQ(ask("POST", "/golden/" + id + "/activate").body["served"], true);
  EXPECT_EQ(ask("DELETE", "/golden/" + id).body["result"], "deleted");
  EXPECT_EQ(states("all"), States{});
}

TEST_F(GoldenApiTest, AnotherAnswerMustBeReviewedAgainAndTheRestStays) {
  const std::string id = add();
  ask("POST", "/golden/" + id + "/review", R"({"by":"Ada"})");
  const Got tagged = ask("PUT", "/golden/" + id, R"({"tags":["mail","hall-2"]})");
  EXPECT_EQ(tagged.status, 200) << tagged.raw.body;
  EXPECT_EQ(tagged.body["answer"], "The courier sleeps.");
  EXPECT_EQ(tagged.body["served"], true);
  const Got changed = ask("PUT", "/golden/" + id, R"({"answer":"The courier is ill."})");
  EXPECT_EQ(changed.body["tags"], (json{"mail", "hall-2"}));
  EXPECT_EQ(changed.body["sources"], json{"rb-1"});
  EXPECT_EQ(changed.body["served"], false);
  EXPECT_EQ(ask("GET", "/golden/" + id).body["answer"], "The courier is ill.");
}

TEST_F(GoldenApiTest, BadInputIsAProblemThatNamesIt) {
  EXPECT_EQ(ask("POST", "/golden", "{}").status, 400);
  EXPECT_EQ(ask("POST", "/golden", R"({"question":"  ","answer":"a"})").status, 400);
  EXPECT_EQ(ask("POST", "/golden", R"({"question":"a","answer":"b","tags":"c"})").status, 400);
  EXPECT_EQ(ask("POST", "/golden", R"({"question":"a","answer":"b","reviewed":true})").status, 400);
  EXPECT_EQ(ask("POST", "/golden", "{}", {{"Content-Type", "text/plain"}}).status, 415);
  EXPECT_EQ(ask("GET", "/golden?state=golden").status, 400);
  EXPECT_EQ(ask("GET", "/golden/G-unknown").status, 404);
  EXPECT_EQ(ask("PUT", "/golden/G-unknown", "{}").status, 404);
  EXPECT_EQ(ask("POST", "/golden/G-unknown/review", "{}").status, 404);
  EXPECT_EQ(ask("POST", "/golden/G-unknown/activate").status, 404);
  EXPECT_EQ(ask("DELETE", "/golden/G-unknown").status, 404);
}

}  // namespace
}  // namespace precedent
