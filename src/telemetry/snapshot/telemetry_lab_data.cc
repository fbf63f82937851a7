// Writes the data of telemetry_lab.h and of promql_lab.h into the files that are named: for the
// servers of the tests.
#include <fmt/os.h>

#include "telemetry/snapshot/promql_lab.h"
#include "telemetry/snapshot/telemetry_lab.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  fmt::output_file(argv[1]).print("{}", precedent::lab_openmetrics());
  fmt::output_file(argv[2]).print("{}", precedent::promql_lab_openmetrics());
  return 0;
}
