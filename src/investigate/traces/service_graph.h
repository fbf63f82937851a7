// Who calls whom, as far as traces, logs and names of metrics tell.
//
// Thread safety: plain values.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "investigate/logs/log_lines.h"
#include "investigate/traces/traces.h"

namespace precedent {

struct CallEdge {
  std::string caller, callee;
  std::string why;      // "the span PlaceOrder calls GetProduct"
  std::string receipt;  // set once evidence is numbered; "" until then
  bool traced = false;  // by a span; else only named in a text
};

// Whether `name` stands in `text`, and no letter, digit or dash goes on at either side.
bool names_whole(std::string_view text, std::string_view name);

class ServiceGraph {
 public:
  void add_service(std::string_view service);
  void add_edge(CallEdge edge);
  const std::set<std::string>& services() const { return services_; }
  const std::vector<CallEdge>& edges() const { return edges_; }
  std::vector<CallEdge>& edges() { return edges_; }
  const CallEdge* edge(std::string_view caller, std::string_view callee) const;
  bool has_callers(std::string_view service) const;
  // The shortest way along calls, in either direction; empty if there is none, one name if both are
  // the same.
  std::vector<std::string> way(std::string_view from, std::string_view to) const;
  // The service that a text names, other than `but`, by whole words; "" if it names none.
  std::string named_in(std::string_view text, std::string_view but) const;
  // Services that a path of a file belongs to, by the names of its folders; where none of them
  // names one, by the file's own name.
  std::vector<std::string> owners_of(std::string_view path) const;

 private:
  std::set<std::string> services_;
  std::vector<CallEdge> edges_;
};

// Edges of spans, then of complaints in logs that name another service, then of metrics of one
// service that are named after another.
void read_edges(const Traces& traces, ServiceGraph& graph);

}  // namespace precedent
