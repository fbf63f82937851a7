#include "embed/dense.h"

#include <fmt/format.h>

#include <map>
#include <oneapi/dnnl/dnnl.hpp>
#include <tuple>
#include <unordered_map>
#include <utility>

// oneDNN's threads are OpenMP's. Declared here because clang's <omp.h> is a separate package.
extern "C" {
int omp_get_max_threads(void);
void omp_set_num_threads(int);
}

namespace precedent {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;
using Type = memory::data_type;

enum class Holding : uint8_t { kBorrowed, kPacked, kPackedInt8 };

const dnnl::engine& engine() {
  static const dnnl::engine kEngine(dnnl::engine::kind::cpu, 0);
  return kEngine;
}

// A typical block: the row count whose preferred layout the weights are packed in.
constexpr memory::dim kPackingRows = 256;

template <typename Action>
auto guarded(std::string_view doing, Action&& action) -> Result<decltype(action())> {
  try {
    if constexpr (std::is_void_v<decltype(action())>) {
      action();
      return {};
    } else {
      return action();
    }
  } catch (const dnnl::error& e) {
    return fail(ErrorCode::kInternal, fmt::format("oneDNN, {}: {}", doing, e.what()));
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::kResourceExhausted, fmt::format("out of memory, {}", doing));
  }
}

memory::dim dim(size_t n) { return static_cast<memory::dim>(n); }

// The layout that oneDNN prefers for the weights of a product.
memory::desc preferred(size_t outputs, size_t inputs, Type source, Type weights, Type target) {
  const memory::desc x({kPackingRows, dim(inputs)}, source, Tag::ab);
  const memory::desc w({dim(inputs), dim(outputs)}, weights, Tag::any);
  const memory::desc y({kPackingRows, dim(outputs)}, target, Tag::ab);
  return dnnl::matmul::primitive_desc({x, w, y}, engine()).weights_desc();
}

// Weights as PyTorch keeps them: the transpose of what a product takes, so column-major.
memory stored(const void* weights, size_t outputs, size_t inputs, Type type) {
  // oneDNN's interface is not const-correct; sources are only read.
  return {{{dim(inputs), dim(outputs)}, type, Tag::ba}, engine(), const_cast<void*>(weights)};
}

memory reordered(memory from, const memory::desc& layout) {
  memory to(layout, engine());
  dnnl::stream stream(engine());
  dnnl::reorder(from, to).execute(stream, from, to);
  stream.wait();
  return to;
}

}  // namespace

OneThread::OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
OneThread::~OneThread() { omp_set_num_threads(before_); }

struct DenseWeights::Impl {
  Holding holding;
  size_t outputs, inputs;
  memory data;
};

DenseWeights::DenseWeights(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DenseWeights::DenseWeights(DenseWeights&&) noexcept = default;
DenseWeights& DenseWeights::operator=(DenseWeights&&) noexcept = default;
DenseWeights::~DenseWeights() = default;

Result<DenseWeights> DenseWeights::borrowed(const float* weights, size_t outputs, size_t inputs) {
  return guarded("taking weights", [&] {
    return DenseWeights(std::make_unique<Impl>(
        Impl{Holding::kBorrowed, outputs, inputs, stored(weights, outputs, inputs, Type::f32)}));
  });
}

Result<DenseWeights> DenseWeights::packed(const float* weights, size_t outputs, size_t inputs) {
  return guarded("packing weights", [&] {
    const memory::desc layout = preferred(outputs, inputs, Type::f32, Type::f32, Type::f32);
    return DenseWeights(std::make_unique<Impl>(
        Impl{Holding::kPacked, outputs, inputs,
             reordered(stored(weights, outputs, inputs, Type::f32), layout)}));
  });
}

Result<DenseWeights> DenseWeights::packed_int8(const int8_t* weights, size_t outputs,
                                               size_t inputs) {
  return guarded("packing int8 weights", [&] {
    const memory::desc layout = preferred(outputs, inputs, Type::u8, Type::s8, Type::s32);
    return DenseWeights(std::make_unique<Impl>(
        Impl{Holding::kPackedInt8, outputs, inputs,
             reordered(stored(weights, outputs, inputs, Type::s8), layout)}));
  });
}

struct DenseProducts::Impl {
  using Key = std::tuple<Holding, Epilogue, size_t, size_t, size_t>;  // …, rows, outputs, inputs

  struct Product {
    dnnl::matmul primitive;
    memory x, y, bias, scratch;
  };

  Product& product(const Key& key, const DenseWeights::Impl& weights);
  Product compile(const Key& key, const DenseWeights::Impl& weights) const;
  void run(Product& product, const DenseWeights::Impl& weights, const void* x, const float* bias,
           void* y);

  dnnl::stream stream{engine()};
  std::map<Key, Product> products;
};

DenseProducts::DenseProducts() : impl_(std::make_unique<Impl>()) {}
DenseProducts::DenseProducts(DenseProducts&&) noexcept = default;
DenseProducts::~DenseProducts() = default;

DenseProducts::Impl::Product DenseProducts::Impl::compile(const Key& key,
                                                          const DenseWeights::Impl& weights) const {
  const auto [holding, epilogue, rows, outputs, inputs] = key;
  const bool int8 = holding == Holding::kPackedInt8;
  const memory::desc x({dim(rows), dim(inputs)}, int8 ? Type::u8 : Type::f32, Tag::ab);
  const memory::desc y({dim(rows), dim(outputs)}, int8 ? Type::s32 : Type::f32, Tag::ab);
  const memory::desc bias({1, dim(outputs)}, Type::f32, Tag::ab);

  dnnl::post_ops after;
  if (epilogue == Epilogue::kBiasGelu)
    after.append_eltwise(1, dnnl::algorithm::eltwise_gelu_erf, 0, 0);
  if (epilogue == Epilogue::kBiasAdd) after.append_sum();
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(after);
  // oneDNN's own scratch memory would be shared between threads.
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);

  const auto operation = int8 ? dnnl::matmul::desc(x, weights.data.get_desc(), y)
                              : dnnl::matmul::desc(x, weights.data.get_desc(), bias, y);
  const dnnl::matmul::primitive_desc description(operation, attributes, engine());
  return {dnnl::matmul(description), memory(x, engine(), nullptr), memory(y, engine(), nullptr),
          memory(bias, engine(), nullptr), memory(description.scratchpad_desc(), engine())};
}

DenseProducts::Impl::Product& DenseProducts::Impl::product(const Key& key,
                                                           const DenseWeights::Impl& weights) {
  const auto found = products.find(key);
  return found != products.end() ? found->second
                                 : products.emplace(key, compile(key, weights)).first->second;
}

void DenseProducts::Impl::run(Product& product, const DenseWeights::Impl& weights, const void* x,
                              const float* bias, void* y) {
  product.x.set_data_handle(const_cast<void*>(x));
  product.y.set_data_handle(y);
  std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, product.x},
                                            {DNNL_ARG_WEIGHTS, weights.data},
                                            {DNNL_ARG_DST, product.y},
                                            {DNNL_ARG_SCRATCHPAD, product.scratch}};
  if (bias != nullptr) {
    product.bias.set_data_handle(const_cast<float*>(bias));
    arguments.emplace(DNNL_ARG_BIAS, product.bias);
  }
  product.primitive.execute(stream, arguments);
  stream.wait();
}

Result<void> DenseProducts::multiply(const DenseWeights& weights, Epilogue epilogue, const float* x,
                                     size_t rows, const float* bias, float* y) {
  return guarded("multiplying", [&] {
    const auto& w = *weights.impl_;
    impl_->run(impl_->product({w.holding, epilogue, rows, w.outputs, w.inputs}, w), w, x, bias, y);
  });
}

Result<void> DenseProducts::multiply_int8(const DenseWeights& weights, const uint8_t* x,
                                          size_t rows, int32_t* y) {
  return guarded("multiplying int8", [&] {
    const auto& w = *weights.impl_;
    impl_->run(impl_->product({w.holding, Epilogue::kBias, rows, w.outputs, w.inputs}, w), w, x,
               nullptr, y);
  });
}

}  // namespace precedent
