// Any bytes as a multipart body: what is read lies within it, and reads the same when it is written
// again in the plainest form.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "server/http/multipart.h"

namespace {

constexpr auto* kType = "multipart/form-data; boundary=b";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"') {
      out += "%22";
    } else if (c == '\r' || c == '\n') {
      out += c == '\r' ? "%0D" : "%0A";
    } else {
      out += c == '\\' ? "\\\\" : std::string(1, c);
    }
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // The first line may be the content type, for those who find one.
  const size_t line = bytes.find('\n');
  if (line != std::string_view::npos)
    static_cast<void>(precedent::parse_multipart(bytes.substr(0, line), bytes.substr(line + 1)));

  const auto parts = precedent::parse_multipart(kType, bytes);
  if (!parts) return 0;
  std::string again;
  for (const precedent::MultipartPart& part : *parts) {
    if (part.body.data() < bytes.data() ||
        part.body.data() + part.body.size() > bytes.data() + bytes.size())
      std::abort();
    if (part.filename.find_first_of("/\\") != std::string::npos) std::abort();
    // Of `filename*`: there is no plain form that a browser would write.
    if (part.filename.find('%') != std::string::npos) return 0;
    again += "--b\r\nContent-Disposition: form-data; name=\"" + escaped(part.name) + "\"";
    if (part.is_file) again += "; filename=\"" + escaped(part.filename) + "\"";
    again += "\r\n\r\n" + std::string(part.body) + "\r\n";
  }
  again += "--b--";
  const auto same = precedent::parse_multipart(kType, again);
  if (!same || same->size() != parts->size()) std::abort();
  for (size_t i = 0; i < parts->size(); ++i)
    if ((*same)[i].name != (*parts)[i].name || (*same)[i].filename != (*parts)[i].filename ||
        (*same)[i].body != (*parts)[i].body)
      std::abort();
  return 0;
}
