// Router: which handler answers which method and path.
//
//   Router router;
//   router.add("GET", "/chat/messages/{id}", messages);   // {id}: one segment, not empty
//
// A path that is itself a pattern is nothing else: of "/chat/prompt" and "/chat/{id}" only the
// first answers /chat/prompt, whatever the method. A path that no route has is 404, a method that
// its routes have not is 405 with `Allow`; HEAD is answered as GET. A body that says that it is not
// what its route takes, or that it is compressed, is 415; one of JSON with a key twice is 400, as
// is a query that check_queries() finds wrong. Thread safety: dispatch() from any thread once all
// routes are added.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "net/http_server.h"

namespace precedent {

struct Routed {
  ServedRequest request;
  std::map<std::string, std::string, std::less<>> names;  // of the path: {id}
  const std::string& at(std::string_view name) const { return names.find(name)->second; }
};
using RouteHandler = std::function<void(Routed, Respond)>;

// What the body of a request may be: JSON, also where it does not say what it is, or whatever the
// handler makes of it.
enum class Takes : uint8_t { kJson, kAnything };

class Router {
 public:
  void add(std::string_view method, std::string_view pattern, RouteHandler handler,
           Takes takes = Takes::kJson);
  // For what is answered at once.
  void add_now(std::string_view method, std::string_view pattern,
               std::function<ServedResponse(const Routed&)> handler, Takes takes = Takes::kJson);
  // Of the routes that are added from now on: what is wrong with the query of a request to a
  // pattern; "" if nothing is.
  using QueryCheck = std::string (*)(std::string_view pattern, const ServedRequest& request);
  void check_queries(QueryCheck check) { check_ = check; }
  void dispatch(ServedRequest request, Respond respond) const;
  // Whether a route has this path, whatever its method.
  bool knows(std::string_view path) const;
  // "GET /chat/messages/{id}", in the order they were added.
  std::vector<std::string> routes() const;

 private:
  struct Route {
    std::string method;
    std::string pattern;
    RouteHandler handler;
    Takes takes;
    QueryCheck check;
  };
  // What is to be told as 400; "" if nothing is.
  static std::string wrong_in(const ServedRequest& request, const Route& route);

  std::vector<Route> routes_;
  QueryCheck check_ = nullptr;  // null: any query is taken
};

}  // namespace precedent
