// Writes the data of telemetry_lab.h into the file that is named: for the servers of the tests.
#include <fmt/os.h>

#include "telemetry/telemetry_lab.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  fmt::output_file(argv[1]).print("{}", precedent::lab_openmetrics());
  return 0;
}
