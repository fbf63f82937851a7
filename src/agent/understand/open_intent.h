// OpenIntent: an intent that is still being read, with the text that it is read off. The passes
// (agent/understand/reading.cc) hand it on until it is frozen; nobody behind them has one.
#pragma once

#include <string>
#include <vector>

#include "agent/understand/intent.h"

namespace precedent {

struct OpenIntent : Intent {
  std::string question;                // what is asked, a follow-up made whole
  std::vector<std::string> sentences;  // the texts of Intent::questions
};

}  // namespace precedent
