// Tokens, roles, and whose chats are whose, over real HTTP.
#include <fstream>

#include "server/http/openapi.h"
#include "server/server_lab.h"

namespace precedent {
namespace {

struct OwnFolder {
  TemporaryFolder tokens_folder;
};

class ServerSignInTest : private OwnFolder, public ServerLab {
 protected:
  ServerSignInTest() : ServerLab(token_file(tokens_folder.path())) {}
  std::filesystem::path tokens() const { return token_file(tokens_folder.path()); }
  std::string token(const std::string& name, AccessRole role = AccessRole::kUser) {
    return create_token(tokens(), {.name = name, .role = role})->secret;
  }
  Got as(const std::string& token, const std::string& method, const std::string& path,
         const std::string& body = "") {
    return ask(method, path, body,
               {{"Content-Type", "application/json"}, {"Authorization", "Bearer " + token}});
  }
};

constexpr auto* kAsk = R"({"message":"what to do when letters are late?"})";

TEST_F(ServerSignInTest, FromTheFirstTokenOnEverybodySignsIn) {
  EXPECT_EQ(ask("GET", "/whoami").body["auth"], "none");
  EXPECT_EQ(ask("GET", "/whoami").body["can"]["admin"], true);
  const std::string ann = token("ann");
  const Got nobody = ask("POST", "/chat/prompt", kAsk);
  EXPECT_EQ(nobody.status, 401);
  const std::string challenge(nobody.raw.header("WWW-Authenticate"));
  EXPECT_TRUE(challenge.starts_with("Bearer ")) << challenge;
  EXPECT_TRUE(challenge.contains(url("/.well-known/oauth-protected-resource"))) << challenge;
  EXPECT_FALSE(challenge.contains("invalid_token"));
  EXPECT_TRUE(std::string(as("prc_1_2", "GET", "/whoami").raw.header("WWW-Authenticate"))
                  .contains("invalid_token"));
  EXPECT_EQ(nobody.body["title"], "Unauthorized");
  EXPECT_EQ(ask("GET", "/v1/models").body["error"]["type"], "invalid_request_error");
  const Got who = as(ann, "GET", "/whoami");
  EXPECT_EQ(who.body["name"], "ann");
  EXPECT_EQ(who.body["role"], "user");
  EXPECT_EQ(who.body["can"], (json{{"ask", true}, {"edit", false}, {"admin", false}}));
  EXPECT_EQ(as(ann, "POST", "/chat/prompt", kAsk).status, 200);
  EXPECT_EQ(ask("GET", "/whoami", "", {{"x-api-key", ann}}).status, 200);
  // Without signing in: that it lives, and nothing of what it knows.
  EXPECT_EQ(ask("GET", "/healthz").status, 200);
  EXPECT_EQ(ask("GET", "/readyz").body["parts"][0]["detail"], "");
  const Got resource = ask("GET", "/.well-known/oauth-protected-resource");
  EXPECT_EQ(resource.body["resource"], url(""));
  EXPECT_FALSE(resource.body.contains("authorization_servers"));
  EXPECT_EQ(as(ann, "GET", "/readyz").body["parts"][0]["detail"], "");
  EXPECT_EQ(as(token("eve", AccessRole::kAdmin), "GET", "/readyz").body["parts"][0]["detail"],
            "1 document");
  // Nobody can carry a token off by a name of their own, so any name of the server will do.
  EXPECT_EQ(ask("GET", "/whoami", "", {{"x-api-key", ann}, {"Host", "copilot.example"}}).status,
            200);
}

TEST_F(ServerSignInTest, ThatOneMustSignInIsInTheDocument) {
  token("ann");
  const json document = parse_json(openapi_document());
  for (const auto& [path, methods] : document["paths"].items())
    for (const auto& [method, operation] : methods.items()) {
      // Their 401 is about a signature.
      if (path == "/webhook/pagerduty" || path == "/webhook/slack") continue;
      const std::string upper = method_of(method);
      const int status = ask(upper, path).status;
      EXPECT_EQ(status == 401, operation["responses"].contains("401")) << upper << " " << path;
      EXPECT_EQ(status == 401, operation["responses"].contains("429")) << upper << " " << path;
    }
}

TEST_F(ServerSignInTest, EachRoleMayWhatItMayAndNoMore) {
  const std::string reader = token("rita", AccessRole::kReader), user = token("ursula"),
                    admin = token("ada", AccessRole::kAdmin);
  EXPECT_EQ(as(reader, "GET", "/suggestions").status, 200);
  const Got refused = as(reader, "POST", "/chat/prompt", kAsk);
  EXPECT_EQ(refused.status, 403);
  EXPECT_TRUE(refused.body["detail"].get<std::string>().contains("'user'")) << refused.raw.body;
  EXPECT_EQ(as(user, "GET", "/metrics").status, 403);
  EXPECT_EQ(as(admin, "GET", "/metrics").status, 200);
  EXPECT_EQ(as(user, "GET", "/nowhere").status, 404);
  EXPECT_EQ(as(admin, "POST", "/chat/prompt", kAsk).status, 200);
}

TEST_F(ServerSignInTest, ChatsOfOthersAreNotThere) {
  const std::string ann = token("ann"), bob = token("bob");
  const json mine = {{"message", "what to do when letters are late?"}, {"session_id", "letters"}};
  ASSERT_EQ(as(ann, "POST", "/chat/prompt", mine.dump()).status, 200);
  EXPECT_EQ(as(ann, "GET", "/chat/").body["chats"].size(), 1U);
  EXPECT_EQ(as(bob, "GET", "/chat/").body["chats"].size(), 0U);
  for (const auto& [method, path] :
       std::vector<std::pair<std::string, std::string>>{{"GET", "/chat/messages/letters"},
                                                        {"GET", "/chat/letters/stream"},
                                                        {"POST", "/chat/letters/cancel"},
                                                        {"POST", "/chat/letters/fork"},
                                                        {"DELETE", "/chat/archive/letters"},
                                                        {"GET", "/threads/letters"},
                                                        {"GET", "/threads/letters/state"},
                                                        {"DELETE", "/threads/letters"}}) {
    EXPECT_EQ(as(bob, method, path).status, 404) << method << " " << path;
  }
  // The same name is another chat, and no name reaches across.
  EXPECT_EQ(as(bob, "POST", "/chat/prompt", mine.dump()).status, 200);
  EXPECT_EQ(as(bob, "GET", "/chat/messages/letters").body["messages"].size(), 2U);
  EXPECT_EQ(as(bob, "GET", "/chat/messages/ann:letters").status, 400);
  EXPECT_EQ(as(bob, "POST", "/chat/prompt",
               json{{"message", "letters?"}, {"session_id", "ann:letters"}}.dump())
                .status,
            400);
  EXPECT_EQ(as(ann, "GET", "/chat/messages/letters").body["messages"].size(), 2U);
}

TEST_F(ServerSignInTest, ARevokedTokenOpensNothingMore) {
  const MadeToken ann = create_token(tokens(), {.name = "ann"}).value();
  EXPECT_EQ(as(ann.secret, "GET", "/whoami").status, 200);
  ASSERT_TRUE(revoke_token(tokens(), ann.token.id));
  EXPECT_EQ(as(ann.secret, "GET", "/whoami").status, 401);
  std::ofstream(tokens()) << "{";
  const Got broken = as(ann.secret, "GET", "/whoami");
  EXPECT_EQ(broken.status, 503);
}

class ServerLimitsTest : public ServerSignInTest {
 protected:
  Got started(const ServerOptions& options, const std::string& token, const std::string& method,
              const std::string& body) {
    auto server = Server::start(services(), options);
    EXPECT_TRUE(server) << server.error().text();
    std::swap(server_, *server);
    Got last;
    for (int i = 0; i < 3; ++i) last = as(token, method, "/chat/prompt", body);
    std::swap(server_, *server);
    return last;
  }
};

TEST_F(ServerLimitsTest, WhoAsksTooOftenWaitsAndIsTold) {
  const std::string ann = token("ann");
  ServerOptions options = options_;
  options.requests_a_minute = 2;
  const Got got = started(options, ann, "POST", kAsk);
  EXPECT_EQ(got.status, 429);
  EXPECT_GT(std::stoi(std::string(got.raw.header("Retry-After"))), 0);
}

TEST_F(ServerLimitsTest, WhoAskedWhatIsWrittenDownWithoutSecrets) {
  const std::string ann = token("ann");
  ServerOptions options = options_;
  options.audit = tokens().parent_path() / "audit.jsonl";
  started(options, ann, "POST", json{{"message", "letters? password=hunter2hunter2"}}.dump());
  std::ifstream file(options.audit);
  const std::string log((std::istreambuf_iterator<char>(file)), {});
  const json first = parse_json(log.substr(0, log.find('\n')));
  EXPECT_EQ(first["who"], "ann");
  EXPECT_EQ(first["path"], "/chat/prompt");
  EXPECT_EQ(first["status"], 200);
  EXPECT_TRUE(first["what"].get<std::string>().contains("letters?")) << log;
  EXPECT_FALSE(log.contains("hunter2")) << log;
  // A body without a type is read as JSON, and so it is written down.
  const auto what = [](std::vector<HttpHeader> headers) {
    return Audit::entry_of(
               {.method = "POST", .path = "/x", .headers = std::move(headers), .body = "letters?"})
        .what;
  };
  EXPECT_EQ(what({}), "letters?");
  EXPECT_EQ(what({{"Content-Type", "Application/JSON"}}), "letters?");
  EXPECT_EQ(what({{"Content-Type", "multipart/form-data"}}), "");
  EXPECT_FALSE(log.contains(ann)) << log;
}

}  // namespace
}  // namespace precedent
