// For tests: a client of a server on this machine that says exactly these bytes, and leaves when a
// test wants.
//
// Thread safety: none. Ownership: a client owns its socket.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace precedent {

class RawClient {
 public:
  explicit RawClient(uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      std::abort();
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  ~RawClient() { leave(); }

  int socket() const { return socket_; }
  void say(std::string_view bytes) const {
    std::ignore = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
  void say_no_more() const { ::shutdown(socket_, SHUT_WR); }
  // What comes until it holds `mark`, or the server closes.
  std::string hear_until(std::string_view mark) const {
    std::string heard;
    char buffer[4096];
    while (mark.empty() || !heard.contains(mark)) {
      const ssize_t count = ::recv(socket_, buffer, sizeof buffer, 0);
      if (count <= 0) break;
      heard.append(buffer, static_cast<size_t>(count));
    }
    return heard;
  }
  std::string hear_all() const { return hear_until({}); }
  void leave() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }
  // As a machine that went away: what it sent last may be lost.
  void break_off() {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    leave();
  }

 private:
  int socket_;
};

}  // namespace precedent
