// TextColumnWriter: the text values of one filter field for all groups, in the arrays that a
// segment stores.
//
// Thread safety: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace precedent {

// Texts one after another and where each begins.
struct TextTableBuffer {
  std::vector<uint64_t> begins = {0};
  std::string text;

  void add(std::string_view value) {
    text += value;
    begins.push_back(text.size());
  }
  size_t size() const { return begins.size() - 1; }
};

class TextColumnWriter {
 public:
  // The values of the next group; empty ones are left out.
  void add_group(const std::vector<std::string>& values);
  // Sorts the dictionary and gives the codes their final values.
  void finish();

  const std::vector<uint32_t>& begins() const { return begins_; }
  const std::vector<uint32_t>& codes() const { return codes_; }
  const TextTableBuffer& dictionary() const { return dictionary_; }

 private:
  std::vector<uint32_t> begins_ = {0};
  std::vector<uint32_t> codes_;
  std::unordered_map<std::string, uint32_t>
      spellings_;  // to a code in order of appearance, until finish()
  TextTableBuffer dictionary_;
};

}  // namespace precedent
