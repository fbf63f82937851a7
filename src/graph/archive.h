// The two directions of one walk over the members of a value, so that writing and reading cannot
// differ.
//
// A type takes part by `walk(archive, value)`, which hands each member to the archive in the order
// of the format; an enumeration by `last_of`, its last value. Both are found beside the archive or
// the type. For the .cc files of codecs. Thread safety: plain values.
#pragma once

#include <bit>
#include <chrono>
#include <concepts>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"
#include "graph/field_codec.h"

namespace precedent {

namespace archive {

using Moment = std::chrono::sys_time<std::chrono::milliseconds>;

struct Encoder {
  ByteWriter& out;

  void operator()(const std::string& value) { out.text(value); }
  void operator()(char value) { out.number(static_cast<unsigned char>(value)); }
  void operator()(bool value) { out.number(value ? 1 : 0); }
  void operator()(int value) { out.signed_number(value); }
  void operator()(uint32_t value) { out.number(value); }
  void operator()(uint64_t value) { out.number(value); }
  void operator()(float value) { out.number(std::bit_cast<uint32_t>(value)); }
  void operator()(double value) { out.number(std::bit_cast<uint64_t>(value)); }
  void operator()(TimePoint value) { out.signed_number(value.time_since_epoch().count()); }
  void operator()(Moment value) { out.signed_number(value.time_since_epoch().count()); }
  void operator()(std::chrono::milliseconds value) { out.signed_number(value.count()); }
  template <typename E>
    requires std::is_enum_v<E>
  void operator()(E value) {
    out.number(static_cast<uint64_t>(value));
  }
  template <typename T>
  void operator()(const std::optional<T>& value) {
    out.number(value ? 1 : 0);
    if (value) (*this)(*value);
  }
  template <typename T>
  void operator()(const std::vector<T>& values) {
    out.number(values.size());
    for (const T& value : values) (*this)(value);
  }
  void operator()(const std::set<std::string>& values) {
    out.number(values.size());
    for (const std::string& value : values) out.text(value);
  }
  template <typename Compare>
  void operator()(const std::map<std::string, std::string, Compare>& values) {
    out.number(values.size());
    for (const auto& [key, value] : values) {
      out.text(key);
      out.text(value);
    }
  }
  template <typename T>
    requires std::is_class_v<T>
  void operator()(const T& value) {
    walk(*this, value);
  }
};

struct Decoder {
  ByteReader& in;

  void operator()(std::string& value) { value = in.text(); }
  void operator()(char& value) { value = static_cast<char>(in.number()); }
  void operator()(bool& value) { value = in.number() != 0; }
  void operator()(int& value) { value = static_cast<int>(in.signed_number()); }
  void operator()(uint32_t& value) { value = static_cast<uint32_t>(in.number()); }
  void operator()(uint64_t& value) { value = in.number(); }
  void operator()(float& value) {
    value = std::bit_cast<float>(static_cast<uint32_t>(in.number()));
  }
  void operator()(double& value) { value = std::bit_cast<double>(in.number()); }
  void operator()(TimePoint& value) { value = TimePoint(std::chrono::seconds(in.signed_number())); }
  void operator()(Moment& value) { value = Moment(std::chrono::milliseconds(in.signed_number())); }
  void operator()(std::chrono::milliseconds& value) {
    value = std::chrono::milliseconds(in.signed_number());
  }
  // A value that this version does not know becomes the first one: the reader of a damaged row has
  // failed elsewhere, that of a newer one is refused by its version.
  template <typename E>
    requires std::is_enum_v<E>
  void operator()(E& value) {
    const uint64_t number = in.number();
    value = number <= last_of(E{}) ? static_cast<E>(number) : E{};
  }
  template <typename T>
  void operator()(std::optional<T>& value) {
    value.reset();
    if (in.number() == 0) return;
    value.emplace();
    (*this)(*value);
  }
  template <typename T>
  void operator()(std::vector<T>& values) {
    values.clear();
    for (uint64_t n = in.number(); n > 0 && in.ok(); --n) (*this)(values.emplace_back());
  }
  void operator()(std::set<std::string>& values) {
    for (uint64_t n = in.number(); n > 0 && in.ok(); --n) values.emplace(in.text());
  }
  template <typename Compare>
  void operator()(std::map<std::string, std::string, Compare>& values) {
    for (uint64_t n = in.number(); n > 0 && in.ok(); --n) {
      std::string key(in.text());
      values.insert_or_assign(std::move(key), std::string(in.text()));
    }
  }
  template <typename T>
    requires std::is_class_v<T>
  void operator()(T& value) {
    walk(*this, value);
  }
};

// T is the value or a const value, as the archive writes or reads it.
template <typename T, typename U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

}  // namespace archive
}  // namespace precedent
