#include "server/http/multipart.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "net/http_server.h"

namespace precedent {
namespace {

constexpr size_t kMaxBoundary = 70;  // RFC 2046
constexpr size_t kMaxParameters = 8;
constexpr size_t kMaxHeaders = 8;
constexpr size_t kMaxNameBytes = 512;

std::unexpected<Error> malformed(std::string message) {
  return fail(ErrorCode::kInvalidArgument,
              "the multipart body is malformed: " + std::move(message));
}

bool is_token_char(char c) {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
  return is_alnum(c) || kOthers.find(c) != std::string_view::npos;
}

bool is_boundary(std::string_view text) {
  constexpr std::string_view kOthers = "'()+_,-./:=? ";
  return !text.empty() && text.size() <= kMaxBoundary && !text.ends_with(' ') &&
         std::ranges::all_of(text, [&](char c) {
           return is_alnum(c) || kOthers.find(c) != std::string_view::npos;
         });
}

// "form-data; name=\"file\"; filename=\"a.csv\"".
struct HeaderValue {
  std::string value;  // in lower case
  std::vector<std::pair<std::string, std::string>> parameters;

  const std::string* find(std::string_view name) const {
    const auto found =
        std::ranges::find(parameters, name, &std::pair<std::string, std::string>::first);
    return found == parameters.end() ? nullptr : &found->second;
  }
};

// Reads one value with its parameters from the left.
class ValueReader {
 public:
  explicit ValueReader(std::string_view text) : rest_(trim(text)) {}

  // Nothing if it is ill-formed.
  std::optional<HeaderValue> read() {
    HeaderValue header;
    header.value = ascii_lower(trim(rest_.substr(0, rest_.find(';'))));
    rest_.remove_prefix(std::min(rest_.size(), rest_.find(';')));
    while (!rest_.empty()) {
      rest_ = trim(rest_.substr(1));
      if (rest_.empty()) break;  // a last semicolon
      std::string name = ascii_lower(token());
      if (name.empty() || !rest_.starts_with('=') || header.find(name) != nullptr ||
          header.parameters.size() == kMaxParameters)
        return std::nullopt;
      rest_.remove_prefix(1);
      auto value = rest_.starts_with('"') ? quoted() : std::optional(token());
      if (!value) return std::nullopt;
      header.parameters.emplace_back(std::move(name), std::move(*value));
      rest_ = trim(rest_);
      if (!rest_.empty() && !rest_.starts_with(';')) return std::nullopt;
    }
    return header;
  }

 private:
  std::string token() {
    const auto end = std::ranges::find_if_not(rest_, is_token_char);
    std::string text(rest_.begin(), end);
    rest_.remove_prefix(text.size());
    return text;
  }

  // A backslash escapes a quote or a backslash; elsewhere it is itself, as old browsers send paths.
  std::optional<std::string> quoted() {
    std::string text;
    for (size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        rest_.remove_prefix(i + 1);
        return text;
      }
      if (rest_[i] == '\\' && i + 1 < rest_.size() && (rest_[i + 1] == '"' || rest_[i + 1] == '\\'))
        ++i;
      text += rest_[i];
    }
    return std::nullopt;
  }

  std::string_view rest_;
};

// Browsers write a quote as %22 and line ends as %0D and %0A, and a percent sign as itself.
std::string browser_decoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string code = ascii_lower(text.substr(i, 3));
    const char c = code == "%22" ? '"' : code == "%0d" ? '\r' : code == "%0a" ? '\n' : text[i];
    if (c != text[i]) i += 2;
    decoded += c;
  }
  return decoded;
}

// UTF-8''a%20b.csv
std::optional<std::string> extended_value(std::string_view text) {
  const size_t first = text.find('\''), second = text.find('\'', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos ||
      !iequals(text.substr(0, first), "utf-8"))
    return std::nullopt;
  return percent_decoded(text.substr(second + 1));
}

bool is_clean_line(std::string_view line) {
  return std::ranges::none_of(
      line, [](char c) { return static_cast<unsigned char>(c) < 0x20 ? c != '\t' : c == 0x7f; });
}

class MultipartReader {
 public:
  MultipartReader(std::string_view body, std::string delimiter, const MultipartLimits& limits)
      : rest_(body), delimiter_(std::move(delimiter)), limits_(limits) {}

  Result<std::vector<MultipartPart>> read() {
    // The first delimiter has no line end before it.
    if (!rest_.starts_with(std::string_view(delimiter_).substr(2)))
      return malformed("it does not begin with its boundary");
    rest_.remove_prefix(delimiter_.size() - 2);
    while (!TRY(at_end())) {
      if (parts_.size() == limits_.parts)
        return malformed(fmt::format("it has more than {} parts", limits_.parts));
      MultipartPart part = TRY(read_headers());
      const size_t end = rest_.find(delimiter_);
      if (end == std::string_view::npos)
        return wrong("has no end; the closing boundary is missing");
      part.body = rest_.substr(0, end);
      rest_.remove_prefix(end + delimiter_.size());
      parts_.push_back(std::move(part));
    }
    return std::move(parts_);
  }

 private:
  std::unexpected<Error> wrong(std::string_view what) const {
    return malformed(fmt::format("part {} {}", parts_.size() + 1, what));
  }

  // After a delimiter: whether it was the closing one.
  Result<bool> at_end() {
    if (rest_.starts_with("--")) {
      if (!trim(rest_.substr(2)).empty()) return malformed("text follows the closing boundary");
      return true;
    }
    const size_t line = rest_.find_first_not_of(" \t");
    if (line == std::string_view::npos || !rest_.substr(line).starts_with("\r\n"))
      return malformed("a boundary does not end its line");
    rest_.remove_prefix(line + 2);
    return false;
  }

  Result<MultipartPart> read_headers() {
    // The empty line may follow at once; then there are no headers.
    const std::string_view begin = rest_.substr(0, limits_.header_bytes);
    const size_t end = begin.starts_with("\r\n") ? 0 : begin.find("\r\n\r\n");
    if (end == std::string_view::npos)
      return wrong(
          fmt::format("has no empty line after at most {} bytes of headers", limits_.header_bytes));
    const std::string_view headers = rest_.substr(0, end);
    rest_.remove_prefix(end == 0 ? 2 : end + 4);
    MultipartPart part;
    bool disposed = false;
    size_t count = 0;
    for (std::string_view left = headers; !left.empty();) {
      const std::string_view line = left.substr(0, left.find("\r\n"));
      left.remove_prefix(std::min(left.size(), line.size() + 2));
      const size_t colon = line.find(':');
      const std::string name = ascii_lower(line.substr(0, colon));
      if (colon == std::string_view::npos || name.empty() ||
          !std::ranges::all_of(name, is_token_char) || !is_clean_line(line) ||
          ++count > kMaxHeaders)
        return wrong("has a header that is none");
      const std::string_view value = line.substr(colon + 1);
      if (name == "content-disposition") {
        if (std::exchange(disposed, true)) return wrong("has Content-Disposition twice");
        TRY(read_disposition(value, part));
      } else if (name == "content-type") {
        part.content_type = trim(value);
        if (ascii_lower(part.content_type).starts_with("multipart/"))
          return wrong("has parts of its own; send each file as a part");
      } else if (name == "content-transfer-encoding") {
        const std::string encoding = ascii_lower(trim(value));
        if (encoding != "binary" && encoding != "8bit" && encoding != "7bit")
          return wrong(fmt::format("is encoded as '{}'; send it as it is", encoding));
      }
    }
    if (!disposed) return wrong("has no Content-Disposition");
    return part;
  }

  Result<void> read_disposition(std::string_view text, MultipartPart& part) {
    const auto header = ValueReader(text).read();
    if (!header || header->value != "form-data")
      return wrong("has a Content-Disposition that is no form-data");
    const std::string* name = header->find("name");
    if (name == nullptr || name->empty()) return wrong("has no name");
    part.name = browser_decoded(*name);
    const std::string* plain = header->find("filename");
    const std::string* extended = header->find("filename*");
    part.is_file = plain != nullptr || extended != nullptr;
    std::optional<std::string> file = plain != nullptr ? browser_decoded(*plain) : std::string();
    if (extended != nullptr) file = extended_value(*extended);
    if (!file || invalid_utf8_at(*file) || invalid_utf8_at(part.name) ||
        file->size() > kMaxNameBytes || part.name.size() > kMaxNameBytes)
      return wrong("has a name that is no UTF-8, or is too long");
    part.filename = last_component(*file);
    return {};
  }

  std::string_view rest_;
  const std::string delimiter_;  // "\r\n--boundary"
  const MultipartLimits& limits_;
  std::vector<MultipartPart> parts_;
};

}  // namespace

bool is_multipart(std::string_view content_type) {
  return ascii_lower(trim(content_type)).starts_with("multipart/");
}

std::string_view last_component(std::string_view path) {
  const size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

Result<std::vector<MultipartPart>> parse_multipart(std::string_view content_type,
                                                   std::string_view body,
                                                   const MultipartLimits& limits) {
  const auto header = ValueReader(content_type).read();
  if (!header || header->value != "multipart/form-data")
    return malformed("its content type is no multipart/form-data");
  const std::string* boundary = header->find("boundary");
  if (boundary == nullptr || !is_boundary(*boundary))
    return malformed(
        fmt::format("its content type names no boundary of 1 to {} characters", kMaxBoundary));
  return MultipartReader(body, "\r\n--" + *boundary, limits).read();
}

}  // namespace precedent
