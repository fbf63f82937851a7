// A list of unchanging items with unique ids, cheap to copy: copies share the items.
//
// What an append field of a state is made of (state_schema.h). An item is put once; putting
// another of the same id replaces it where it stands, so that the order never changes. T has a
// member `std::string id`; an item that comes without one is given the number of its place
// ("m1", "m2" …), the same whenever the same items are put in the same order.
//
// Thread safety: a plain value; copies may be used by different threads.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace precedent {

template <typename T>
class SharedList {
 public:
  void put(T item) {
    if (item.id.empty()) item.id = free_id();
    auto shared = std::make_shared<const T>(std::move(item));
    if (items_.size() * 2 >= slots_.size()) grow();
    uint32_t& slot = slot_of(shared->id);
    if (slot != 0) {
      items_[slot - 1] = std::move(shared);
      return;
    }
    items_.push_back(std::move(shared));
    slot = static_cast<uint32_t>(items_.size());
  }

  // Null if there is none. Lifetime: until the item is replaced in the last list that shares it.
  const T* find(std::string_view id) const {
    if (slots_.empty()) return nullptr;
    const uint32_t slot = slots_[place_of(id)];
    return slot == 0 ? nullptr : items_[slot - 1].get();
  }

  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  const T& operator[](size_t i) const { return *items_[i]; }
  const T& back() const { return *items_.back(); }
  const std::vector<std::shared_ptr<const T>>& shared() const { return items_; }

  class Iterator {
   public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    explicit Iterator(const std::shared_ptr<const T>* at) : at_(at) {}
    const T& operator*() const { return **at_; }
    const T* operator->() const { return at_->get(); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    bool operator==(const Iterator&) const = default;

   private:
    const std::shared_ptr<const T>* at_ = nullptr;
  };
  Iterator begin() const { return Iterator(items_.data()); }
  Iterator end() const { return Iterator(items_.data() + items_.size()); }

  bool operator==(const SharedList& other) const {
    if (size() != other.size()) return false;
    for (size_t i = 0; i < size(); ++i) {
      if (!((*this)[i] == other[i])) return false;
    }
    return true;
  }

 private:
  std::string free_id() const {
    size_t number = items_.size() + 1;
    std::string id = "m" + std::to_string(number);
    while (find(id) != nullptr) id = "m" + std::to_string(++number);
    return id;
  }

  // Where `id` stands in slots_, or the empty slot where it belongs. REQUIRES: an empty slot.
  size_t place_of(std::string_view id) const {
    const size_t mask = slots_.size() - 1;
    size_t place = hash64(id) & mask;
    while (slots_[place] != 0 && items_[slots_[place] - 1]->id != id) place = (place + 1) & mask;
    return place;
  }
  uint32_t& slot_of(std::string_view id) { return slots_[place_of(id)]; }

  void grow() {
    // Twice the items at most, a power of two: probes stay short, and copying it is one memcpy.
    slots_.assign(std::bit_ceil((items_.size() + 4) * 4), 0);
    for (size_t i = 0; i < items_.size(); ++i)
      slot_of(items_[i]->id) = static_cast<uint32_t>(i + 1);
  }

  std::vector<std::shared_ptr<const T>> items_;
  std::vector<uint32_t> slots_;  // open addressing by hash of the id: 1 + position, or 0
};

}  // namespace precedent
