// Feedback over HTTP.
#include "server/server_lab.h"

namespace precedent {
namespace {

class FeedbackApiTest : public ServerLab {
 protected:
  json chat() {
    return ask("POST", "/chat/prompt", R"({"message":"what to do when letters are late?"})").body;
  }
  std::string give(const std::string& verdict) {
    const Got given = ask("POST", "/feedback",
                          R"({"question":"Late?","answer":"No.","verdict":")" + verdict + "\"}");
    EXPECT_EQ(given.status, 201) << given.raw.body;
    return given.body["id"];
  }
  Got close(const std::string& id, const std::string& body) {
    return ask("POST", "/feedback/" + id + "/close", body);
  }
};

TEST_F(FeedbackApiTest, AThumbIsOfTheLastAnswerOfItsChat) {
  const json answered = chat();
  const std::string id = answered["chat_id"];
  const Got given =
      ask("POST", "/feedback",
          json{{"chat_id", id}, {"verdict", "down"}, {"reason", " too short "}}.dump());
  ASSERT_EQ(given.status, 201) << given.raw.body;
  EXPECT_EQ(given.body["question"], "what to do when letters are late?");
  EXPECT_EQ(given.body["answer"], trim(answered["answer"].get<std::string>()));
  EXPECT_EQ(given.body["verdict"], "down");
  EXPECT_EQ(given.body["reason"], "too short");
  EXPECT_EQ(given.body["state"], "pending");
  const Got pending = ask("GET", "/feedback?pending=true");
  ASSERT_EQ(pending.body["feedback"].size(), 1U);
  EXPECT_EQ(pending.body["feedback"][0]["id"], given.body["id"]);
}

TEST_F(FeedbackApiTest, WhatTheBodySaysGoesBeforeTheChat) {
  const std::string id = chat()["chat_id"];
  const Got given = ask("POST", "/feedback",
                        json{{"chat_id", id}, {"verdict", "up"}, {"answer", "Mine."}}.dump());
  EXPECT_EQ(given.body["answer"], "Mine.");
  EXPECT_EQ(given.body["question"], "what to do when letters are late?");
}

TEST_F(FeedbackApiTest, IsMadeAGoldenExampleOrDismissed) {
  const Got golden = close(give("up"), R"({"as":"golden","by":"Ada"})");
  ASSERT_EQ(golden.status, 200) << golden.raw.body;
  EXPECT_EQ(golden.body["feedback"]["state"], "reviewed");
  EXPECT_EQ(golden.body["feedback"]["closed_by"], "Ada");
  EXPECT_EQ(golden.body["example"]["answer"], "No.");
  EXPECT_EQ(golden.body["example"]["served"], true);
  const std::string other = give("down");
  const Got rejected = close(other, R"({"as":"golden"})");  // the rejected answer is no answer
  EXPECT_EQ(rejected.status, 400);
  EXPECT_TRUE(rejected.body["detail"].get<std::string>().contains("'answer' is missing"))
      << rejected.raw.body;
  const Got dismissed = close(other, R"({"as":"dismissed","reason":"a joke"})");
  EXPECT_EQ(dismissed.status, 200) << dismissed.raw.body;
  EXPECT_EQ(dismissed.body["feedback"]["note"], "a joke");
  EXPECT_EQ(close(other, R"({"as":"dismissed"})").status, 409);
  EXPECT_EQ(ask("GET", "/feedback?pending=true").body["feedback"], json::array());
  EXPECT_EQ(ask("GET", "/feedback").body["feedback"].size(), 2U);
}

TEST_F(FeedbackApiTest, BadInputIsAProblemThatNamesIt) {
  EXPECT_EQ(ask("POST", "/feedback", R"({"verdict":"up"})").status, 400);
  EXPECT_EQ(ask("POST", "/feedback", R"({"chat_id":"t-unknown","verdict":"up"})").status, 404);
  EXPECT_EQ(ask("POST", "/feedback", R"({"question":"a","answer":"b","verdict":"so-so"})").status,
            400);
  EXPECT_EQ(ask("POST", "/feedback", R"({"question":" ","answer":"b","verdict":"up"})").status,
            400);
  EXPECT_EQ(ask("POST", "/feedback", "{}", {{"Content-Type", "text/html"}}).status, 415);
  EXPECT_EQ(close("F-99", R"({"as":"dismissed"})").status, 404);
  EXPECT_EQ(close("no-id", R"({"as":"dismissed"})").status, 404);
  EXPECT_EQ(close(give("up"), R"({"as":"art"})").status, 400);
}

}  // namespace
}  // namespace precedent
