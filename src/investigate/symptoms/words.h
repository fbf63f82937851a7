// The parts that identifiers are made of: "PaymentClient.maxIdleConns" → payment, client, max,
// idle, conns. In lower case; what is shorter than two letters is left out.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace precedent {

// The whole identifiers of a text, as they stand: letters, digits and '_'.
std::vector<std::string_view> identifiers_of(std::string_view text);
// The parts of all identifiers.
std::vector<std::string> parts_of(std::string_view text);

// A name without what every service's name may have: "payment-service" and "paymentsvc" are
// "payment"; "orders" and "order" are one.
std::string stem_of_service(std::string_view service);

}  // namespace precedent
