#include "base/redact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

// Written in two parts, so that no scanner of the repository takes them for real ones.
std::string two(std::string_view a, std::string_view b) { return std::string(a) + std::string(b); }

TEST(Redact, TakesSecretsOut) {
  const std::pair<std::string, std::string> cases[] = {
      {two("key AK", "IAIOSFODNN7EXAMPLE1 leaked"), "key [redacted:aws-key] leaked"},
      {two("gh", "p_abcdefghijklmnopqrstuvwxyz0123456789"), "[redacted:github-token]"},
      {two("(glp", "at-ABCdef123456_7890xyz)"), "([redacted:gitlab-token])"},
      {two("xo", "xb-123456789012-abcdefGHIJ"), "[redacted:slack-token]"},
      {two("s", "k-proj-abcdEFGH1234abcdEFGH5678"), "[redacted:api-key]"},
      {two("sk_", "live_4eC39HqLyjWDarjtT1zdp7dc"), "[redacted:stripe-key]"},
      {two("https://hooks.slack.com/ser", "vices/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX now"),
       "https://hooks.slack.com/services/[redacted:slack-webhook] now"},
      {two("got ey", "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"),
       "got [redacted:jwt]"},
      {"-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----\nrest",
       "[redacted:private-key]\nrest"},
      {"-----BEGIN PRIVATE KEY-----\nMIIEow cut", "[redacted:private-key]"},
      {"Authorization: Bearer abc123def456\nHost: x", "Authorization: [redacted:header]\nHost: x"},
      {"curl -H 'Authorization: Basic dXNlcjpwYXNzMQ==' x",
       "curl -H 'Authorization: [redacted:header]' x"},
      {"Cookie: session=a1b2c3d4e5; theme=dark", "Cookie: [redacted:header]"},
      {"sent bearer 0123456789abcdefXYZ.x to it", "sent bearer [redacted:authorization] to it"},
      {"Password: Tr0ub4dor&3", "Password: [redacted:password]"},
      {"Password: hunter2 for the staging host",
       "Password: [redacted:password] for the staging host"},
      {"passwd=foo%bar&baz!qux next", "passwd=[redacted:password] next"},
      {"password=a,b;c)d next", "password=[redacted:password] next"},
      {"{password=a&b, user=x}", "{password=[redacted:password], user=x}"},
      {"connect(pwd=a1b2)", "connect(pwd=[redacted:password])"},
      {"Password=x9&y;User Id=sa;", "Password=[redacted:password];User Id=sa;"},
      {"GET /login?user=a&password=b1&next=/c",
       "GET /login?user=a&password=[redacted:password]&next=/c"},
      {"GET /login?password=b1&next=/c", "GET /login?password=[redacted:password]&next=/c"},
      {"curl -sS -u admin:topsecret99 https://x",
       "curl -sS -u admin:[redacted:password] https://x"},
      {"curl -uadmin:topsecret https://x", "curl -uadmin:[redacted:password] https://x"},
      {"curl --user 'admin:top secret' https://x",
       "curl --user 'admin:[redacted:password]' https://x"},
      {"vault login --password swordfish -v", "vault login --password [redacted:password] -v"},
      {"mysql -u root -ps3cret payments", "mysql -u root -p[redacted:password] payments"},
      {"the db password is hunter2.", "the db password is [redacted:password]."},
      {"The admin password was Tr0ub4dor&3, now changed",
       "The admin password was [redacted:password], now changed"},
      {"password is s3cret!", "password is [redacted:password]!"},
      {"password is pass!word", "password is [redacted:password]"},
      {"password=hunter2 next", "password=[redacted:password] next"},
      {"DB_PASSWORD: \"correct horse\"", "DB_PASSWORD: \"[redacted:password]\""},
      {"password: swordfish\nuser: x", "password: [redacted:password]\nuser: x"},
      {R"({"dbPassword":"a,b","user":"x"})", R"({"dbPassword":"[redacted:password]","user":"x"})"},
      {"api_key: 9f8e7d6c5b4a3210", "api_key: [redacted:secret]"},
      {"X-Api-Key: 9f8e7d6c5b4a3210", "X-Api-Key: [redacted:secret]"},
      {"GET /x?access_token=abcDEF123456&y=1", "GET /x?access_token=[redacted:secret]&y=1"},
      {two("aws_secret_access_key = wJalrXUtnFEMI/", "K7MDENG/bPxRfiCYEXAMPLEKEY"),
       "aws_secret_access_key = [redacted:secret]"},
      {"postgres://payu:s3cr3t!@db-1:5432/payments",
       "postgres://payu:[redacted:password]@db-1:5432/payments"},
      {"pwd://a:b3c@d", "pwd://a:[redacted:password]@d"},
      {"redis://:p4ss@cache:6379", "redis://:[redacted:password]@cache:6379"},
      {"card 4111 1111 1111 1111 declined", "card [redacted:card-number] declined"},
      {"pan=5500-0000-0000-0004.", "pan=[redacted:card-number]."},
      {"amex 378282246310005", "amex [redacted:card-number]"},
      {"amex 3782 822463 10005", "amex [redacted:card-number]"},
      {"4111111111111111 5500000000000004", "[redacted:card-number] [redacted:card-number]"},
      {"4111 1111 1111 1111 5500 0000 0000 0004 2",
       "[redacted:card-number] [redacted:card-number] 2"},
      {two("4111111111111111----", "-BEGIN PRIVATE KEY-----"),
       "[redacted:card-number][redacted:private-key]"},
      {two("://a.xo", "xb-123456789012-abc{x@host"), "://a.[redacted:slack-token]{x@host"},
      {two("use h", "f_abcdefghijklmnopqrstuvwxyzABCDEFGH now"), "use [redacted:api-key] now"},
      {two("S", "G.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG."),
       "[redacted:api-key]."},
      {two("hv", "s.CAESIJabcdefghijklmnopqrstuvwx"), "[redacted:vault-token]"},
      {two("hv", "b.AAAAAQJabcdefghijklmnopqrstuvwx"), "[redacted:vault-token]"},
      {two("sq0", "csp-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG"), "[redacted:square-token]"},
      {two("sq0", "atp-abcdefghijklmnopqrst12"), "[redacted:square-token]"},
      {two("AGE-SECRET-", "KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ"),
       "[redacted:private-key]"},
      {two("age-secret-", "key-1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"),
       "[redacted:private-key]"},
      {two("da", "pi0123456789abcdef0123456789abcdef"), "[redacted:api-key]"},
      {two("dckr_", "pat_AbCdEf0123456789AbCdEf01234"), "[redacted:docker-token]"},
      {two("lin_", "api_abcdefghijklmnopqrstuvwxyz0123456789ABCD"), "[redacted:api-key]"},
      {two("ntn", "_12345678901abcdefghijklmnopqrstuvwxyzABCDEFGHI"), "[redacted:api-key]"},
      {two("secr", "et_abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG"), "[redacted:api-key]"},
      {two("shp", "at_0123456789abcdef0123456789abcdef"), "[redacted:api-key]"},
      {two("pypi-", "AgEIcHlwaS5vcmcCJDabcdefghijklmnopqrstuvwxyz"), "[redacted:pypi-token]"},
      {two("abcDEF12345678.at",
           "lasv1.abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz01"),
       "[redacted:cloud-token]"},
      {two("gl", "sa_abcdefghijklmnopqrstuvwxyz012345_6789abcd"), "[redacted:grafana-token]"},
      {two("gl", "c_eyJvIjoiMTIzNDU2IiwibiI6InRva2VuIiwiayI6Ing1In0="),
       "[redacted:grafana-token]="},
      {two("NR", "AK-ABCDEFGHIJKLMNOPQRSTUVW1234"), "[redacted:api-key]"},
      {two("ke", "y-0123456789abcdef0123456789abcdef"), "[redacted:api-key]"},
      {two("AK", "IAIOSFODNN7EXAMPLE / wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY; next"),
       "[redacted:aws-key] / [redacted:aws-secret]; next"},
      {two("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY belongs to AK", "IAIOSFODNN7EXAMPLE"),
       "[redacted:aws-secret] belongs to [redacted:aws-key]"},
      {"the password is Sommer-Regen-42 now", "the password is [redacted:password] now"},
      {"the password for the admin account is hunter2",
       "the password for the admin account is "
       "[redacted:password]"},
      {"The password was changed to hunter2x.", "The password was changed to [redacted:password]."},
      {"db password is now Tr0ub4dor&3", "db password is now [redacted:password]"},
      {"Login root / Password hunter2", "Login root / Password [redacted:password]"},
      {"Password hunter22x opens it", "Password [redacted:password] opens it"},
      {"Passwort: Hunde99", "Passwort: [redacted:password]"},
      // A secret before another one of the same command.
      {two("curl -u xo", "xb-123456789012-abcdef:pa55word https://x"),
       "curl -u [redacted:slack-token]:[redacted:password] https://x"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(redact(text), expected);
    EXPECT_EQ(redact(redact(text)), expected) << "twice";
  }
}

TEST(Redact, LeavesWhatAnAnswerNeeds) {
  for (const std::string_view text : {
           "INC-2025-01-20-005, INC‑2025‑08‑24‑001 and PD-12345",
           "commit 4111111111111111aabbccddeeff00112233445566, "
           "sha256:9f86d081884c7d659a2feaa0c55ad015",
           "trace 4bf92f3577b34da6a3ce929d0e0e4736, id 550e8400-e29b-41d4-a716-446655440000",
           "10.0.12.7:5432 and [2001:db8::1]:443, http://db-1:5432/payments, https://a@b.example/x",
           "p99=1.234 0.4111111111111111 4111111111111112 ts=1736942400000 4000000000000002000001",
           "http_requests_total{code=\"403\"} 4111111111111111.5",
           "the password: rotated by the team after the leak",
           "Root cause: API key: rotation broke authentication. token: expired. secret: "
           "payu-credentials",
           "max_tokens=4096, tokens: 1500, token=3, key=value, primary_key: 17",
           "the password is wrong, the password was rotated on 2026-11-18; password is required",
           "The password is base64-encoded. The password is sha256-hashed. password was "
           "2FA-protected",
           "the password is 12characters long at most, password is valid for 90days, password is "
           "v2",
           "the password is stored in vault/payments-2/db, password was reset at "
           "2026-11-18T09:30:00Z",
           "the password is wrong, is expired, was rotated, is in vault; Password reset; Password "
           "policy; token expired; passwords expire after 90d",
           "the password for orders2 is in prod-vault-2, the password was reset to the default",
           "the password of node12 is rotated monthly; password MySQL8 plugin; password for "
           "alice@example.com; forgot password alice2@example.com",
           "image registry.example/app@sha256:"
           "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           "hf_hub_download, SG.eu-west-1.public.subnet-a, key-value-store-0123, "
           "secret_rotation_1, "
           "pypi-mirror-2, dapi, dckr_pat_, lin_api_version_2, glc_cache_size_10",
           "cache key-da39a3ee5e6b4b0d3255bfef95601890afd80709 missed",
           "commit 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12 and path "
           "/usr/share/Zoneinfo2/Europe/Amsterdam/latest",
           "password:\n  rotated\nuser: x2y3z4\npassword:\n\nRestart node123 first",
           "the password is payments-db-2 and the password is in prod-euw1.",
           "password is INC-2026-11-18-001's cause; my password is not working!",
           "use --password to pass it; with --password-stdin; the --password flag; --password $PW",
           "docker run -u 1000:1000 x, docker run --user app:app x, kubectl get -u a:b",
           "mysql -p payments, mkdir -p/tmp/x, mysql -u root -P3306, curl -u admin https://x",
           "curl -u \"$USER:$PASS\" https://x and curl -u <user>:<password> x",
           "if (token == null || password != old) password = read_password();",
           "password=${DB_PASSWORD} api_key: <your-key> token: null secret=***",
           "Bearer authentication failed; basic availability checks; Authorization: see the "
           "runbook",
           "sk-learn-and-other-words-here, xoxb-, AKIA, eyJ.a.b",
           "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
           "2025-01-20 14:05:00 2025-01-20 14:06:00",
           "",
       })
    EXPECT_EQ(redact(text), text);
}

TEST(Redact, FollowsALongSecretToItsEnd) {
  EXPECT_EQ(redact("token=" + std::string(9000, 'a') + "1 rest"), "token=[redacted:secret] rest");
  EXPECT_EQ(redact("Cookie: x=1" + std::string(9000, 'a')), "Cookie: [redacted:header]");
}

TEST(Redact, KeepsTheLinesOfADocument) {
  EXPECT_EQ(redact_lines("a\n-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nlast"),
            "a\n[redacted:private-key]\n\n\nlast");
  EXPECT_EQ(redact_lines("password:\n  hunter2x\nb"), "password:\n  [redacted:password]\nb");
  EXPECT_EQ(redact_lines("plain\ntext\n"), "plain\ntext\n");
}

TEST(Redact, ManyClosingSignsAreReadOnce) {
  const std::string commas(200'000, ',');
  EXPECT_EQ(redact("password=x" + commas + "y=1").substr(0, 28), "password=[redacted:password]");
}

TEST(Redact, NamesTheKindsInOrder) {
  EXPECT_THAT(find_and_redact("password=a1 card 4111111111111111").kinds,
              testing::ElementsAre("password", "card-number"));
}

}  // namespace
}  // namespace precedent
