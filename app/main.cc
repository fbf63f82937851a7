// Wiring only: the program is the library plus main.
#include "cli/command/command.h"

int main(int argc, char** argv) { return precedent::run_cli(argc, argv); }
