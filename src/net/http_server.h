// HTTP/1.1 server: requests in, whole responses or streams out. Asynchronous at the edge: a client
// that is idle, slow or gone costs a few kilobytes and no thread.
//
// Each connection is a coroutine on one of a few threads. A request is read whole, within limits of
// size and time, and handed to the handler on a thread of a small pool, where it may read a file or
// a database: it answers at once, or later and from any thread, through `Respond`. A stream is
// pulled: the connection asks for the next piece when the client has taken the last, so that a slow
// client delays nobody and nothing piles up.
//
// What is wrong before a handler sees it gets its status from here: 400 (malformed, also bodies
// with two lengths, or that break off), 408 (too slow), 413 and 431 (too large), 503 (too many
// large bodies). A connection too many is closed without a word.
//
// Thread safety: all members of HttpServer; a handler is called by several threads at once.
// Ownership: a server owns its threads and connections; the destructor ends them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "base/error.h"
#include "net/served_request.h"

namespace precedent {

class HttpServer {
 public:
  // Errors: kInvalidArgument for an address that is none; kConflict if the port is taken;
  // kPermission, kUnavailable.
  static Result<std::unique_ptr<HttpServer>> start(const HttpServerOptions& options,
                                                   HttpHandler handler, HttpErrorBody error_body);
  virtual ~HttpServer() = default;

  virtual uint16_t port() const = 0;
  virtual size_t connections() const = 0;
  // Takes no further connection, closes idle ones, and each other after its response; returns when
  // all are gone or the time is up.
  virtual void drain(std::chrono::milliseconds time) = 0;
};

}  // namespace precedent
