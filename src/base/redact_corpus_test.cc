// Secrets and harmless look-alikes, all invented, in src/base/testdata/. Lines with an even number
// were looked at while the finders were written; of the odd ones only the sums were, and so it must
// stay: a failing odd half names no line. '¦' is left out of a text before it is judged: it keeps
// scanners of repositories from taking an invented key for a real one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/redact.h"
#include "base/redact_json.h"

namespace precedent {
namespace {

using nlohmann::json;

struct Half {
  size_t all = 0, wrong = 0;
  std::string shown;
  void count(bool right, const std::string& text) {
    ++all;
    wrong += !right;
    if (!right) shown += fmt::format("  {}\n", text);
  }
};

struct Corpus {
  std::array<Half, 2> halves;  // odd lines are unseen
  std::set<std::string> forms;
};
constexpr std::array kNames = {"the seen half", "the unseen half"};

std::string joined(std::string text) {
  constexpr std::string_view kJoint = "¦";
  for (size_t at = text.find(kJoint); at != std::string::npos; at = text.find(kJoint, at))
    text.erase(at, kJoint.size());
  return text;
}

template <typename Judge>
Corpus read(const char* name, const Judge& is_right) {
  std::ifstream file(std::string("src/base/testdata/") + name);
  Corpus corpus;
  size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    const json entry = json::parse(line);
    const std::string text = joined(entry.at("text"));
    const bool unseen = ++number % 2 == 1;
    corpus.halves[unseen].count(is_right(entry, text), unseen ? "" : entry.dump());
    corpus.forms.insert(entry.at("form"));
  }
  return corpus;
}

TEST(RedactCorpus, SecretsAreCaught) {
  const Corpus corpus = read("secrets.jsonl", [](const json& entry, const std::string& text) {
    for (const std::string& clean : {redact(text), redact_lines(text), redact_json(text)})
      for (const std::string secret : entry.at("secrets"))
        if (clean.contains(secret)) return false;
    return true;
  });
  EXPECT_GE(corpus.forms.size(), 40);
  for (size_t i = 0; i < corpus.halves.size(); ++i) {
    const Half& half = corpus.halves[i];
    EXPECT_GE(half.all, 100);
    EXPECT_LE(half.wrong * 100, half.all * 2)
        << kNames[i] << ": " << half.wrong << " of " << half.all << " are not caught\n"
        << (i == 0 ? half.shown : "");
  }
}

TEST(RedactCorpus, WhatOnlyLooksLikeASecretStays) {
  const Corpus corpus = read("look-alikes.jsonl", [](const json&, const std::string& text) {
    return redact(text) == text && redact_json(text) == text;
  });
  for (size_t i = 0; i < corpus.halves.size(); ++i) {
    const Half& half = corpus.halves[i];
    EXPECT_GE(half.all, 100);
    EXPECT_LE(half.wrong * 100, half.all)
        << kNames[i] << ": " << half.wrong << " of " << half.all << " are redacted\n"
        << (i == 0 ? half.shown : "");
  }
}

TEST(RedactCorpus, TwiceIsOnce) {
  read("secrets.jsonl", [](const json&, const std::string& text) {
    const std::string once = redact(text);
    EXPECT_EQ(redact(once), once);
    EXPECT_EQ(std::ranges::count(redact_lines(text), '\n'), std::ranges::count(text, '\n'));
    return true;
  });
}

}  // namespace
}  // namespace precedent
