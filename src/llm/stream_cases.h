// Replies as vendors document them and as servers get them wrong, with what must come out: one list
// for the test that cuts them at every byte and for whoever adds a quirk.
#pragma once

#include <string>
#include <vector>

namespace precedent {

struct StreamCase {
  std::string name;
  bool anthropic;
  std::string bytes;
  std::string expected;  // as describe() in response_reader_test.cc writes it
};

std::vector<StreamCase> openai_streams();
std::vector<StreamCase> anthropic_streams();

}  // namespace precedent
