// The bytes of a value in a write, and its JSON for people.
//
// A type of the domain joins by a specialisation beside it:
//
//   template <> struct FieldCodec<Message> {
//     static void encode(const Message& message, ByteWriter& out);
//     static Message decode(ByteReader& in);
//     static nlohmann::json json(const Message& message);
//   };
//
// Format: what was ever stored must stay readable: append members, never reorder them. Each value
// takes at least one byte. JSON is for showing only and never read back.
// Thread safety: pure functions.
#pragma once

#include <bit>
#include <concepts>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_coder.h"
#include "base/error.h"

namespace precedent {

template <typename T>
struct FieldCodec;

template <>
struct FieldCodec<std::string> {
  static void encode(const std::string& value, ByteWriter& out) { out.text(value); }
  static std::string decode(ByteReader& in) { return std::string(in.text()); }
  static nlohmann::json json(const std::string& value) { return value; }
};

template <std::integral T>
struct FieldCodec<T> {
  static void encode(T value, ByteWriter& out) { out.signed_number(static_cast<int64_t>(value)); }
  static T decode(ByteReader& in) { return static_cast<T>(in.signed_number()); }
  static nlohmann::json json(T value) { return value; }
};

template <>
struct FieldCodec<double> {
  static void encode(double value, ByteWriter& out) { out.number(std::bit_cast<uint64_t>(value)); }
  static double decode(ByteReader& in) { return std::bit_cast<double>(in.number()); }
  static nlohmann::json json(double value) { return value; }
};

template <typename T>
struct FieldCodec<std::optional<T>> {
  static void encode(const std::optional<T>& value, ByteWriter& out) {
    out.number(value ? 1 : 0);
    if (value) FieldCodec<T>::encode(*value, out);
  }
  static std::optional<T> decode(ByteReader& in) {
    if (in.number() == 0) return std::nullopt;
    return FieldCodec<T>::decode(in);
  }
  static nlohmann::json json(const std::optional<T>& value) {
    return value ? FieldCodec<T>::json(*value) : nlohmann::json();
  }
};

template <typename T>
struct FieldCodec<std::vector<T>> {
  static void encode(const std::vector<T>& values, ByteWriter& out) {
    out.number(values.size());
    for (const T& value : values) FieldCodec<T>::encode(value, out);
  }
  static std::vector<T> decode(ByteReader& in) {
    std::vector<T> values;
    // Each value takes at least a byte, which bounds what a corrupt count can ask for.
    for (uint64_t n = in.number(); n > 0 && in.ok(); --n)
      values.push_back(FieldCodec<T>::decode(in));
    return values;
  }
  static nlohmann::json json(const std::vector<T>& values) {
    nlohmann::json list = nlohmann::json::array();
    for (const T& value : values) list.push_back(FieldCodec<T>::json(value));
    return list;
  }
};

template <typename T>
struct FieldCodec<std::map<std::string, T>> {
  static void encode(const std::map<std::string, T>& values, ByteWriter& out) {
    out.number(values.size());
    for (const auto& [key, value] : values) {
      out.text(key);
      FieldCodec<T>::encode(value, out);
    }
  }
  static std::map<std::string, T> decode(ByteReader& in) {
    std::map<std::string, T> values;
    for (uint64_t n = in.number(); n > 0 && in.ok(); --n) {
      std::string key(in.text());
      values.insert_or_assign(std::move(key), FieldCodec<T>::decode(in));
    }
    return values;
  }
  static nlohmann::json json(const std::map<std::string, T>& values) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [key, value] : values) object[key] = FieldCodec<T>::json(value);
    return object;
  }
};

template <typename T>
std::string encode_value(const T& value) {
  ByteWriter out;
  FieldCodec<T>::encode(value, out);
  return std::move(out).take();
}

// Errors: kCorrupt unless `bytes` are one value, whole and nothing more.
template <typename T>
Result<T> decode_value(std::string_view bytes) {
  ByteReader in(bytes);
  T value = FieldCodec<T>::decode(in);
  if (!in.ok() || !in.at_end()) return fail(ErrorCode::kCorrupt, "the stored value is damaged");
  return value;
}

}  // namespace precedent
