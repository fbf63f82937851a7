#include "investigate/traces/service_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <map>

#include "base/strings.h"
#include "investigate/symptoms/words.h"

namespace precedent {
bool names_whole(std::string_view text, std::string_view name) {
  const auto joins = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  };
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool left = at == 0 || !joins(text[at - 1]);
    const size_t end = at + name.size();
    // "payment_errors" of a metric names payment.
    if (left && (end == text.size() || !joins(text[end]) || text[end] == '_')) return true;
  }
  return false;
}

void ServiceGraph::add_service(std::string_view service) {
  if (!trim(service).empty()) services_.insert(std::string(service));
}

void ServiceGraph::add_edge(CallEdge edge) {
  if (edge.caller == edge.callee || edge.caller.empty() || edge.callee.empty()) return;
  for (CallEdge& known : edges_) {
    if (known.caller == edge.caller && known.callee == edge.callee) return;
    // A text may name the caller; a span knows.
    if (known.traced && !edge.traced && known.caller == edge.callee && known.callee == edge.caller)
      return;
  }
  add_service(edge.caller);
  add_service(edge.callee);
  edges_.push_back(std::move(edge));
}

const CallEdge* ServiceGraph::edge(std::string_view caller, std::string_view callee) const {
  for (const CallEdge& edge : edges_)
    if (edge.caller == caller && edge.callee == callee) return &edge;
  return nullptr;
}

bool ServiceGraph::has_callers(std::string_view service) const {
  return std::ranges::any_of(edges_, [&](const CallEdge& edge) { return edge.callee == service; });
}

std::vector<std::string> ServiceGraph::way(std::string_view from, std::string_view to) const {
  std::map<std::string, std::string, std::less<>> came;
  std::deque<std::string> next = {std::string(from)};
  came[std::string(from)] = "";
  while (!next.empty()) {
    const std::string at = next.front();
    next.pop_front();
    if (at == to) {
      std::vector<std::string> way = {at};
      while (!came[way.back()].empty()) way.push_back(came[way.back()]);
      std::ranges::reverse(way);
      return way;
    }
    for (const CallEdge& edge : edges_)
      for (const auto& [a, b] :
           {std::pair(edge.caller, edge.callee), std::pair(edge.callee, edge.caller)})
        if (a == at && !came.contains(b)) {
          came[b] = at;
          next.push_back(b);
        }
  }
  return {};
}

std::string ServiceGraph::named_in(std::string_view text, std::string_view but) const {
  std::string best;
  for (const std::string& service : services_)
    if (service != but && service.size() > best.size() && names_whole(text, service))
      best = service;
  return best;
}

std::vector<std::string> ServiceGraph::owners_of(std::string_view path) const {
  const auto named_by = [&](const std::vector<std::string_view>& parts) {
    std::vector<std::string> out;
    for (const std::string& service : services_) {
      const std::string stem = stem_of_service(service);
      if (std::ranges::any_of(parts, [&](std::string_view part) {
            return part.size() >= 2 && stem_of_service(part) == stem;
          }))
        out.push_back(service);
    }
    return out;
  };
  std::vector<std::string_view> folders = split(path, '/');
  const std::string_view file = folders.back();
  if (folders.size() > 1) folders.pop_back();
  std::vector<std::string> owners = named_by(folders);
  // "deploy/prod/search-service.yaml"
  return owners.empty() ? named_by({file.substr(0, file.find('.'))}) : owners;
}

void read_edges(const Traces& traces, ServiceGraph& graph) {
  for (const TraceSpan& span : traces.spans) {
    graph.add_service(span.service);
    if (span.parent_index == SIZE_MAX) continue;
    const TraceSpan& parent = traces.spans[span.parent_index];
    graph.add_edge({parent.service, span.service,
                    fmt::format("the span {} of {} calls {} of {}", parent.name, parent.service,
                                span.name, span.service),
                    "", true});
  }
}

}  // namespace precedent
