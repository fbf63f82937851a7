// A Qdrant that outlives the process that is killed: the fake, in the parent, behind a socket.
//
// The child's requests are calls of write(), so that fault_injection.h kills it before, within and
// after each of them; a torn one is never heard. Tests only. Thread safety: one thread a side.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>

#include "index/qdrant_fake.h"

namespace precedent {

// Length and text.
inline bool put_frame(int fd, const std::string& text) {
  const uint64_t size = text.size();
  std::string frame(reinterpret_cast<const char*>(&size), sizeof size);
  frame += text;
  for (size_t sent = 0; sent < frame.size();) {
    const ssize_t n = ::write(fd, frame.data() + sent, frame.size() - sent);
    if (n <= 0) return false;
    sent += static_cast<size_t>(n);
  }
  return true;
}

inline bool take_bytes(int fd, char* to, size_t size) {
  for (size_t got = 0; got < size;) {
    const ssize_t n = ::read(fd, to + got, size - got);
    if (n <= 0) return false;
    got += static_cast<size_t>(n);
  }
  return true;
}

inline bool take_frame(int fd, std::string& text) {
  uint64_t size = 0;
  if (!take_bytes(fd, reinterpret_cast<char*>(&size), sizeof size)) return false;
  text.resize(size);
  return take_bytes(fd, text.data(), size);
}

// The child's side.
class DistantQdrant final : public HttpClient {
 public:
  explicit DistantQdrant(int fd) : fd_(fd) {}

  Result<HttpResponse> stream(const HttpRequest& request, const HttpContext&,
                              const OnHttpBody& on_body) override {
    const nlohmann::json asked = {request.method, request.url, request.body};
    std::string text;
    if (!put_frame(fd_, asked.dump()) || !take_frame(fd_, text))
      return fail(ErrorCode::kUnavailable, "the connection broke");
    const auto said = nlohmann::json::parse(text);
    HttpResponse response{said[0].get<int>(), {}, {}};
    on_body(response, said[1].get<std::string>());
    return response;
  }

 private:
  const int fd_;
};

// The parent's side: answers until the child is gone.
inline void serve_child(int fd, QdrantFake& fake) {
  const CancelToken cancel;
  for (std::string text; take_frame(fd, text);) {
    const auto asked = nlohmann::json::parse(text);
    const auto answer =
        fake.send({.method = asked[0], .url = asked[1], .body = asked[2]}, {cancel});
    if (!put_frame(fd, nlohmann::json({answer->status, answer->body}).dump())) return;
  }
}

}  // namespace precedent
