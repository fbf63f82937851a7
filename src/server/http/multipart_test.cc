#include "server/http/multipart.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

constexpr auto* kType = "multipart/form-data; boundary=XyZ";

std::string part(const std::string& headers, const std::string& body) {
  return "--XyZ\r\n" + headers + "\r\n\r\n" + body + "\r\n";
}
std::string file(const std::string& parameters, const std::string& body = "x") {
  return part("Content-Disposition: form-data; name=\"file\"; " + parameters, body);
}
constexpr auto* kEnd = "--XyZ--\r\n";

std::vector<MultipartPart> read(const std::string& body, const std::string& type = kType) {
  auto parts = parse_multipart(type, body);
  EXPECT_TRUE(parts) << parts.error().text();
  return parts ? *parts : std::vector<MultipartPart>{};
}
void expect_refused(const std::string& body, const std::string& why,
                    const std::string& type = kType, const MultipartLimits& limits = {}) {
  const auto parts = parse_multipart(type, body, limits);
  ASSERT_FALSE(parts) << body;
  EXPECT_EQ(parts.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(parts.error().message.find(why), std::string::npos) << parts.error().message;
}
std::string name_of(const std::string& parameters) {
  const std::string body = file(parameters) + kEnd;
  const auto parts = read(body);
  return parts.size() == 1 ? parts[0].filename : "?";
}

TEST(Multipart, GivesFilesAndFieldsAsTheyWereSent) {
  const std::string body = part(R"(Content-Disposition: form-data; name="kind")", "runbook") +
                           part(
                               "content-disposition: form-data; name=\"file\"; "
                               "filename=\"a.csv\"\r\nContent-Type: text/csv",
                               "id,title\r\n1,\"--XyZ is no boundary here\"\r\n") +
                           file("filename=empty.md", "") + kEnd;
  const auto parts = read(body);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].name, "kind");
  EXPECT_FALSE(parts[0].is_file);
  EXPECT_EQ(parts[0].body, "runbook");
  EXPECT_TRUE(parts[1].is_file);
  EXPECT_EQ(parts[1].filename, "a.csv");
  EXPECT_EQ(parts[1].content_type, "text/csv");
  EXPECT_EQ(parts[1].body, "id,title\r\n1,\"--XyZ is no boundary here\"\r\n");
  EXPECT_EQ(parts[2].filename, "empty.md");
  EXPECT_EQ(parts[2].body, "");
  EXPECT_TRUE(read("--XyZ--").empty());
}

TEST(Multipart, ABoundaryMayBeQuotedAndHoldsUpTo70Characters) {
  const std::string boundary = "a b:'" + std::string(65, 'c');
  const std::string type = "Multipart/Form-Data; charset=utf-8; boundary=\"" + boundary + "\"";
  EXPECT_TRUE(read("--" + boundary + "--\r\n", type).empty());
  for (const std::string& bad :
       {std::string("multipart/form-data"), std::string("multipart/form-data; boundary="),
        "multipart/form-data; boundary=\"" + boundary + "c\"",
        std::string("multipart/form-data; boundary=\"a\r\nb\""),
        std::string("multipart/form-data; boundary=a; boundary=b"),
        std::string("multipart/form-data; boundary=\"a"),
        std::string("multipart/form-data; boundary=\"a \"")})
    expect_refused("--a--", "content type", bad);
  expect_refused("--a--", "no multipart/form-data", "multipart/mixed; boundary=a");
}

TEST(Multipart, AFileNameComesInEveryFormThatBrowsersWrite) {
  EXPECT_EQ(name_of("filename=\"a b.csv\""), "a b.csv");
  EXPECT_EQ(name_of("filename=\"%22a%22.csv\""), "\"a\".csv");
  EXPECT_EQ(name_of("filename=\"\\\"a\\\\b\\\".csv\""), "b\".csv");  // after the last slash
  EXPECT_EQ(name_of("filename=\"100%.csv\""), "100%.csv");
  EXPECT_EQ(name_of("filename=\"störung.csv\""), "störung.csv");
  EXPECT_EQ(name_of("filename*=UTF-8''st%C3%B6rung.csv; filename=old.csv"), "störung.csv");
}

TEST(Multipart, AFileNameHasNoPath) {
  EXPECT_EQ(name_of("filename=\"../../etc/passwd.csv\""), "passwd.csv");
  EXPECT_EQ(name_of("filename=\"C:\\exports\\a.csv\""), "a.csv");
  EXPECT_EQ(name_of("filename*=UTF-8''..%2F..%2Fa.csv"), "a.csv");
  EXPECT_EQ(name_of("filename=\"folder/\""), "");
}

TEST(Multipart, RefusesWhatIsCutOff) {
  const std::string body = file("filename=a.csv", "1,2,3") + kEnd;
  // All but the last line end belongs to it.
  for (size_t bytes = 0; bytes + 2 < body.size(); ++bytes)
    EXPECT_FALSE(parse_multipart(kType, body.substr(0, bytes))) << bytes;
}

TEST(Multipart, RefusesWhatCouldBeReadInTwoWays) {
  expect_refused("before\r\n--XyZ--", "does not begin with its boundary");
  expect_refused(file("filename=a") + "--XyZ--\r\nafter", "text follows");
  expect_refused("--XyZ and more\r\n\r\nx\r\n--XyZ--", "does not end its line");
  expect_refused(file("filename=a", "x\r\n--XyZwz") + kEnd, "does not end its line");
  expect_refused("--XyZ\n\nx\n--XyZ--", "does not end its line");
  expect_refused(part("Content-Disposition: form-data; name=a;\r\n filename=b", "x") + kEnd,
                 "header");
  expect_refused(part("Content-Disposition: form-data; name=a\nX: y", "x") + kEnd, "header");
  expect_refused(part("Content-Disposition : form-data; name=a", "x") + kEnd, "header");
  expect_refused(part("X: y", "x") + kEnd, "no Content-Disposition");
  expect_refused("--XyZ\r\n\r\nx\r\n--XyZ--", "no Content-Disposition");
  const std::string disposition = "Content-Disposition: form-data; name=a";
  expect_refused(part(disposition + "\r\n" + disposition, "x") + kEnd, "twice");
  expect_refused(part(disposition + "; name=b", "x") + kEnd, "no form-data");
  expect_refused(part("Content-Disposition: attachment; name=a", "x") + kEnd, "no form-data");
  expect_refused(part("Content-Disposition: form-data; name=\"\"", "x") + kEnd, "no name");
  expect_refused(part("Content-Disposition: form-data; name=\"a", "x") + kEnd, "no form-data");
  expect_refused(file("filename=\"\xff.csv\"") + kEnd, "no UTF-8");
  expect_refused(file("filename*=UTF-8''%FF.csv") + kEnd, "no UTF-8");
  expect_refused(file("filename*=x''a.csv") + kEnd, "no UTF-8");
  expect_refused(file(std::string("filename=\"a\0.csv\"", 17)) + kEnd, "header");
}

TEST(Multipart, RefusesPartsWithinPartsAndEncodings) {
  const std::string disposition = "Content-Disposition: form-data; name=a\r\n";
  expect_refused(part(disposition + "Content-Type: multipart/mixed; boundary=b", "x") + kEnd,
                 "parts of its own");
  expect_refused(part(disposition + "Content-Transfer-Encoding: base64", "x") + kEnd, "base64");
  EXPECT_EQ(read(part(disposition + "Content-Transfer-Encoding: binary", "x") + kEnd).size(), 1U);
}

TEST(Multipart, HasLimits) {
  std::string body;
  for (int i = 0; i < 4; ++i) body += file("filename=a");
  expect_refused(body + kEnd, "more than 3 parts", kType, {.parts = 3});
  expect_refused(file("filename=" + std::string(5000, 'a')) + kEnd, "4096 bytes of headers");
  expect_refused(file("filename=" + std::string(600, 'a')) + kEnd, "too long");
  std::string headers = "Content-Disposition: form-data; name=a";
  for (int i = 0; i < 8; ++i) headers += "\r\nX: y";
  expect_refused(part(headers, "x") + kEnd, "header");
}

}  // namespace
}  // namespace precedent
