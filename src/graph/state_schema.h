// Which fields a state has, and what a write does to each.
//
//   struct State { SharedList<Message> messages; std::string title; };
//   StateSchema<State> schema;
//   const FieldOf<Message> messages = schema.append(1, "messages", &State::messages);
//   const FieldOf<std::string> title = schema.overwrite(2, "title", &State::title);
//
// Format: the tag is what checkpoints name a field by. A tag that was ever used is never given to
// another field, nor to another type. Thread safety: const members from any thread.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/any_state.h"
#include "graph/field_codec.h"
#include "graph/shared_list.h"
#include "graph/task.h"

namespace precedent {

template <typename State>
class StateSchema {
 public:
  struct Field {
    uint32_t tag;
    std::string name;
    bool appends;
    std::function<Result<void>(State&, std::string_view)> apply;
    std::function<void(const State&, std::vector<Write>&)> snapshot;
    std::function<nlohmann::json(const State&)> json;
    std::function<nlohmann::json(std::string_view)> write_json;
  };

  // The last write wins; of one step, that of the last task in order.
  template <typename T>
  FieldOf<T> overwrite(uint32_t tag, std::string name, T State::* member) {
    return merge(tag, std::move(name), member,
                 [](T& current, T&& value) { current = std::move(value); });
  }

  // A write puts one item (shared_list.h): appended, or in the place of the item with its id.
  template <typename T>
  FieldOf<T> append(uint32_t tag, std::string name, SharedList<T> State::* member) {
    Field field{tag, std::move(name), true, {}, {}, {}, write_json<T>};
    field.apply = [member](State& state, std::string_view bytes) -> Result<void> {
      (state.*member).put(TRY(decode_value<T>(bytes)));
      return {};
    };
    field.snapshot = [tag, member](const State& state, std::vector<Write>& out) {
      for (const T& item : state.*member) out.push_back({tag, encode_value(item)});
    };
    field.json = [member](const State& state) {
      nlohmann::json list = nlohmann::json::array();
      for (const T& item : state.*member) list.push_back(FieldCodec<T>::json(item));
      return list;
    };
    return add<T>(std::move(field));
  }

  // `reduce(T& current, T&& written)`: a sum, a union, a map by key. REQUIRES: reducing a value
  // into that of an initial state gives the value.
  template <typename T, typename Reduce>
  FieldOf<T> merge(uint32_t tag, std::string name, T State::* member, Reduce reduce) {
    Field field{tag, std::move(name), false, {}, {}, {}, write_json<T>};
    field.apply = [member, reduce](State& state, std::string_view bytes) -> Result<void> {
      reduce(state.*member, TRY(decode_value<T>(bytes)));
      return {};
    };
    field.snapshot = [tag, member](const State& state, std::vector<Write>& out) {
      out.push_back({tag, encode_value(state.*member)});
    };
    field.json = [member](const State& state) { return FieldCodec<T>::json(state.*member); };
    return add<T>(std::move(field));
  }

  // Null if there is none.
  const Field* find(uint32_t tag) const {
    for (const Field& field : fields_) {
      if (field.tag == tag) return &field;
    }
    return nullptr;
  }
  const std::vector<Field>& fields() const { return fields_; }

  // Errors: kInvalidArgument if two fields share a tag or a name.
  Result<void> check() const {
    for (size_t i = 0; i < fields_.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (fields_[i].tag == fields_[j].tag || fields_[i].name == fields_[j].name) {
          return fail(
              ErrorCode::kInvalidArgument,
              fmt::format("the fields '{}' ({}) and '{}' ({}) of the state share a tag or a "
                          "name; give each its own",
                          fields_[j].name, fields_[j].tag, fields_[i].name, fields_[i].tag));
        }
      }
    }
    return {};
  }

 private:
  template <typename T>
  static nlohmann::json write_json(std::string_view bytes) {
    const Result<T> value = decode_value<T>(bytes);
    return value ? FieldCodec<T>::json(*value) : nlohmann::json();
  }
  template <typename T>
  FieldOf<T> add(Field field) {
    fields_.push_back(std::move(field));
    return {fields_.back().tag};
  }

  std::vector<Field> fields_;
};

// A state of type State behind AnyState.
template <typename State>
class TypedState final : public AnyState {
 public:
  explicit TypedState(std::shared_ptr<const StateSchema<State>> schema, State value = {})
      : schema_(std::move(schema)), value_(std::move(value)) {}

  // What a state holds. REQUIRES: it is of this type.
  static const State& of(const AnyState& state) {
    return static_cast<const TypedState&>(state).value_;
  }
  static State&& of(AnyState&& state) { return std::move(static_cast<TypedState&>(state).value_); }

  std::unique_ptr<AnyState> clone() const override { return std::make_unique<TypedState>(*this); }

  Result<void> apply(const Write& write) override {
    const auto* field = schema_->find(write.tag);
    if (field == nullptr) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("field {} is unknown to this precedent; upgrade it", write.tag));
    }
    if (auto applied = field->apply(value_, write.value); !applied) {
      return std::unexpected(std::move(applied).error().within("field '" + field->name + "'"));
    }
    return {};
  }

  std::vector<Write> snapshot() const override {
    std::vector<Write> writes;
    for (const auto& field : schema_->fields()) field.snapshot(value_, writes);
    return writes;
  }

  std::string json() const override {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& field : schema_->fields()) object[field.name] = field.json(value_);
    return dump(object);
  }

  std::string json_of(std::span<const Write> writes) const override {
    nlohmann::json object = nlohmann::json::object();
    for (const Write& write : writes) {
      const auto* field = schema_->find(write.tag);
      if (field == nullptr) continue;
      nlohmann::json value = field->write_json(write.value);
      if (field->appends) {
        object[field->name].push_back(std::move(value));
      } else {
        object[field->name] = std::move(value);
      }
    }
    return dump(object);
  }

 private:
  static std::string dump(const nlohmann::json& value) {
    // What is not UTF-8 must not throw in the middle of a stream.
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  std::shared_ptr<const StateSchema<State>> schema_;
  State value_;
};

}  // namespace precedent
