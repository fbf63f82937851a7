// For tests: the addresses of the private servers of scripts/telemetry-servers, which ctest starts
// with the data of telemetry_lab.h and stops (fixture "telemetry").
#pragma once

#include <cstdio>
#include <string>

namespace precedent {

struct ServersLab {
  std::string prometheus, alertmanager;  // "" if they do not run

  static ServersLab find() {
    ServersLab lab;
    FILE* pipe = ::popen("scripts/telemetry-servers urls '" PRECEDENT_TELEMETRY_NAME "'", "r");
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
