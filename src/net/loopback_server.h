// A server on a free port of this machine that says exactly the bytes a test wants: for tests of
// the real HTTP client and of what is built on it.
//
// Thread safety: the handler runs on the server's thread, one connection after another. Lifetime:
// the destructor closes what is open and waits for the thread.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace precedent {

class LoopbackServer {
 public:
  // Says something to the client that is connected; false once the client has gone.
  using Say = std::function<bool(std::string_view bytes)>;
  // Gets a whole request, header and body. The connection is closed when it returns.
  using Handler = std::function<void(const std::string& request, const Say& say)>;

  explicit LoopbackServer(Handler handler) : handler_(std::move(handler)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    if (listener_ < 0 || ::bind(listener_, plain, size) != 0 || ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, plain, &size) != 0)
      std::abort();
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;
  ~LoopbackServer() {
    stopped_ = true;
    thread_.join();
    ::close(listener_);
  }

  std::string url(std::string_view path = "/") const {
    return "http://127.0.0.1:" + std::to_string(port_) + std::string(path);
  }
  bool stopped() const { return stopped_; }

 private:
  bool readable(int socket) const {
    while (!stopped_) {
      pollfd waiting{socket, POLLIN, 0};
      if (::poll(&waiting, 1, 20) > 0) return true;
    }
    return false;
  }

  std::string read_request(int client) const {
    std::string request;
    size_t wanted = std::string::npos;
    char buffer[65536];
    while (request.size() < wanted && readable(client)) {
      const ssize_t count = ::recv(client, buffer, sizeof buffer, 0);
      if (count <= 0) break;
      request.append(buffer, static_cast<size_t>(count));
      const size_t end = request.find("\r\n\r\n");
      if (end == std::string::npos) continue;
      const size_t length = request.find("Content-Length: ");
      wanted = end + 4 + (length < end ? std::strtoul(&request[length + 16], nullptr, 10) : 0);
    }
    return request;
  }

  void serve() {
    while (readable(listener_)) {
      const int client = ::accept(listener_, nullptr, nullptr);
      if (client < 0) continue;
      const std::string request = read_request(client);
      if (!request.empty())
        handler_(request, [client](std::string_view bytes) {
          while (!bytes.empty()) {
            const ssize_t count = ::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (count <= 0) return false;
            bytes.remove_prefix(static_cast<size_t>(count));
          }
          return true;
        });
      ::close(client);
    }
  }

  Handler handler_;
  int listener_ = -1;
  uint16_t port_ = 0;
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

}  // namespace precedent
