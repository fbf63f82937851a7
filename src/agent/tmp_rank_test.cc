#include <gtest/gtest.h>

#include <iostream>

#include "agent/intent_examples.h"
#include "embed/minilm.h"
namespace precedent {
TEST(Tmp, Rank) {
  auto encoder = MiniLmEmbedder::open(default_model_folder(), {.threads = 1});
  auto examples = IntentExamples::parse(default_intents(), "config/intents.yaml", **encoder);
  for (std::string line; std::getline(std::cin, line);) {
    std::printf("%s\n   ", line.substr(0, 90).c_str());
    for (const auto& r : (*examples)->rank(line))
      std::printf("%s %.2f  ", std::string(name(r.type)).c_str(), r.cosine);
    std::printf("\n");
  }
}
}  // namespace precedent
