// The texts on which int8 learns how large the activations of each channel become. Few and short,
// because they are encoded in fp32 whenever int8 is opened; of all kinds that a knowledge base has,
// because what sets a channel's peak is often one odd token.
#pragma once

#include <span>
#include <string_view>

namespace precedent {

std::span<const std::string_view> calibration_texts();

}  // namespace precedent
