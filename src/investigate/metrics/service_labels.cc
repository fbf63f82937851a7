#include "investigate/metrics/service_labels.h"

#include <array>
#include <string_view>

namespace precedent {
namespace {

std::string without_hash(std::string_view pod) {
  // "cartservice-579f59597d-wc2lz": the last parts of a pod's name that hold digits are hashes.
  std::string_view name = pod;
  for (int i = 0; i < 2; ++i) {
    const size_t dash = name.rfind('-');
    if (dash == std::string_view::npos || dash < 2) break;
    const std::string_view last = name.substr(dash + 1);
    if (last.size() > 10 || last.find_first_of("0123456789") == std::string_view::npos) break;
    name = name.substr(0, dash);
  }
  return std::string(name);
}

}  // namespace

std::string service_of(const LabelSet& labels) {
  constexpr std::array<std::string_view, 7> kKeys = {
      "service", "app", "service_name", "deployment", "container", "job", "application"};
  for (const std::string_view key : kKeys)
    if (const auto found = labels.find(key); found != labels.end() && !found->second.empty())
      return found->second;
  constexpr std::array<std::string_view, 3> kPods = {"pod", "podname", "PodName"};
  for (const std::string_view key : kPods)
    if (const auto found = labels.find(key); found != labels.end() && !found->second.empty())
      return without_hash(found->second);
  return "";
}

}  // namespace precedent
