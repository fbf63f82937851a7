// For tests: the addresses of the private servers of scripts/telemetry-servers, which ctest starts
// and stops: with the data of telemetry_lab.h (fixture "telemetry") or of promql_lab.h (fixture
// "promql").
#pragma once

#include <cstdio>
#include <string>

namespace precedent {

struct ServersLab {
  std::string prometheus, alertmanager;  // "" if they do not run

  // Those that were started under the name of the build, and what is behind it.
  static ServersLab find(const std::string& behind = "") {
    ServersLab lab;
    const std::string command =
        "scripts/telemetry-servers urls '" PRECEDENT_TELEMETRY_NAME + behind + "'";
    FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return lab;
    std::string* line = &lab.prometheus;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
      if (c == '\n')
        line = &lab.alertmanager;
      else
        line->push_back(static_cast<char>(c));
    }
    ::pclose(pipe);
    return lab;
  }
};

}  // namespace precedent
