// Chronicle: what the receipts date. A moment belongs to the line that it stands in; a line that is
// nothing but a moment ("### 13:28") dates those behind it.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <vector>

#include "grounding/facts/receipt_index.h"

namespace precedent {

struct DatedEvent {
  double at = 0;  // seconds since the epoch; of the day alone where no day was named before it
  uint32_t unit = 0;
  uint32_t token = 0;  // of the moment
  bool timed = false;  // to the minute; else it is a day
  bool dated = false;  // its day stands beside it; else it is the one named last
};

// Moments of less than this are of a day alone: nobody's records reach back to 1970.
inline constexpr double kFirstDay = 86400;

// By record, in order. A day holds up to the end of its record, a day without a year is of the year
// named last.
std::vector<DatedEvent> find_events(const ReceiptIndex& evidence);

// Of these, those that are the time of a change: "- 2026-11-17T15:40:00Z deploy …" in what
// recent_changes returned.
std::vector<DatedEvent> find_changes(const ReceiptIndex& evidence,
                                     const std::vector<DatedEvent>& events);

// The moments of these units.
std::vector<double> moments_in(const ReceiptIndex& evidence, uint32_t first_unit,
                               uint32_t end_unit);

// A moment that a sentence names: a time of day, with the date beside it.
struct Mention {
  size_t token = 0;
  uint32_t second = 0;  // of the day
  std::optional<CalendarDate> date;
};
std::vector<Mention> find_mentions(const LexedText& sentence);

// The days that a text names, those without a year of the last year that it or else the receipts
// name; in seconds since the epoch.
std::vector<double> days_of(const LexedText& text, const ReceiptIndex& evidence);

// Whether an event is the moment that is mentioned, to the minute.
bool is_at(const DatedEvent& event, const Mention& mention);

}  // namespace precedent
