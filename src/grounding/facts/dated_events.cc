#include "grounding/facts/dated_events.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace precedent {
namespace {

constexpr double kDay = 86400;

double start_of(const CalendarDate& date) {
  const std::chrono::sys_days days = std::chrono::year(date.year) / date.month / date.day;
  return static_cast<double>(days.time_since_epoch().count()) * kDay;
}

// Reads the tokens of one record after another.
class Reader {
 public:
  explicit Reader(const ReceiptIndex& evidence) : evidence_(evidence) {}

  void read_unit(uint32_t unit, std::vector<DatedEvent>& out) {
    const EvidenceUnit& u = evidence_.units()[unit];
    const size_t before = out.size();
    bool says = false;
    std::optional<uint32_t> date;
    for (uint32_t t = u.first; t < u.end; ++t) {
      const Token& token = evidence_.lexed().tokens[t];
      if (token.kind == TokenKind::kDate) {
        if (date) out.push_back({day_, unit, *date, false, true});
        if (set_day(evidence_.lexed().dates[token.value])) date = t;
      } else if (token.kind == TokenKind::kTime) {
        // "2026-11-18T00:00:00Z" is how a record writes a day.
        const bool midnight =
            token.value == 0 && t > u.first && evidence_.lexed().tokens[t - 1].begin == token.begin;
        if (midnight) continue;
        // "From 2026-11-17T08:00Z to 2026-11-18T08:00Z": the day behind it is the other one's.
        const bool dated = date || set_day_behind(t, u.end) || heading_;
        out.push_back({day_ + token.value, unit, t, true, dated});
        date.reset();
      }
      says = says || is_content(token.kind) || token.kind == TokenKind::kQuantity;
    }
    if (date) out.push_back({day_, unit, *date, false, true});
    if (!says && out.size() == before + 1) {
      heading_ = out.back();
    } else if (out.size() > before) {
      heading_.reset();
    } else if (heading_ && says) {
      out.push_back({heading_->at, unit, heading_->token, heading_->timed, true});
    }
  }
  void begin_record() {
    day_ = 0;
    heading_.reset();
  }

 private:
  // "00:30 UTC on August 15"
  bool set_day_behind(uint32_t at, uint32_t end) {
    const auto& tokens = evidence_.lexed().tokens;
    for (uint32_t t = at + 1; t < std::min(end, at + 4); ++t)
      if (tokens[t].kind == TokenKind::kDate)
        return t != at + 1 && set_day(evidence_.lexed().dates[tokens[t].value]);
    return false;
  }

  bool set_day(CalendarDate date) {
    if (date.year != 0) year_ = date.year;
    if (date.year == 0) date.year = year_;
    if (date.year == 0 || date.month == 0 || date.day == 0) return false;
    day_ = start_of(date);
    return true;
  }

  const ReceiptIndex& evidence_;
  double day_ = 0;
  uint16_t year_ = 0;
  std::optional<DatedEvent> heading_;
};

}  // namespace

std::vector<DatedEvent> find_events(const ReceiptIndex& evidence) {
  std::vector<DatedEvent> events;
  Reader reader(evidence);
  for (const EvidenceRecord& record : evidence.records()) {
    reader.begin_record();
    for (uint32_t unit = record.first_unit; unit < record.end_unit; ++unit)
      reader.read_unit(unit, events);
  }
  return events;
}

std::vector<DatedEvent> find_changes(const ReceiptIndex& evidence,
                                     const std::vector<DatedEvent>& events) {
  // Its date and time are one after the other.
  constexpr uint32_t kFirstTokens = 3;
  std::vector<DatedEvent> changes;
  for (const DatedEvent& event : events) {
    const EvidenceUnit& unit = evidence.units()[event.unit];
    if (!event.timed || event.at < kFirstDay || event.token >= unit.first + kFirstTokens ||
        !evidence.receipt_of(event.unit).lists_changes)
      continue;
    // Two calls may have found one change.
    const auto terms = [&](const DatedEvent& change) {
      const EvidenceUnit& line = evidence.units()[change.unit];
      return std::ranges::subrange(evidence.lexed().tokens.begin() + line.first,
                                   evidence.lexed().tokens.begin() + line.end);
    };
    const bool known = std::ranges::any_of(changes, [&](const DatedEvent& other) {
      return other.at == event.at &&
             std::ranges::equal(terms(other), terms(event), {}, &Token::term, &Token::term);
    });
    if (!known) changes.push_back(event);
  }
  return changes;
}

std::vector<double> moments_in(const ReceiptIndex& evidence, uint32_t first_unit,
                               uint32_t end_unit) {
  std::vector<DatedEvent> events;
  Reader reader(evidence);
  for (uint32_t unit = first_unit; unit < end_unit; ++unit) reader.read_unit(unit, events);
  std::vector<double> moments;
  for (const DatedEvent& event : events)
    if (event.timed) moments.push_back(event.at);
  return moments;
}

std::vector<Mention> find_mentions(const LexedText& sentence) {
  std::vector<Mention> found;
  const auto& tokens = sentence.tokens;
  const auto date_at = [&](size_t t) -> std::optional<CalendarDate> {
    if (tokens[t].kind != TokenKind::kDate) return std::nullopt;
    return sentence.dates[tokens[t].value];
  };
  for (size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != TokenKind::kTime) continue;
    Mention mention{at, tokens[at].value, {}};
    // Behind it in its clause, "09:12 on 4 May", or else before it.
    for (size_t t = at + 1; t < tokens.size() && !mention.date; ++t) {
      if (tokens[t].kind == TokenKind::kBreak || tokens[t].kind == TokenKind::kTime) break;
      mention.date = date_at(t);
    }
    for (size_t t = at; t > 0 && !mention.date; --t) mention.date = date_at(t - 1);
    found.push_back(mention);
  }
  return found;
}

bool is_at(const DatedEvent& event, const Mention& mention) {
  if (!event.timed) return false;
  const double days = std::floor(event.at / kDay);
  const double second = event.at - days * kDay;
  if (static_cast<uint32_t>(second) / 60 != mention.second / 60) return false;
  if (!mention.date || event.at < kFirstDay) return true;
  const std::chrono::year_month_day ymd{
      std::chrono::sys_days{std::chrono::days{static_cast<int>(days)}}};
  const CalendarDate day{static_cast<uint16_t>(static_cast<int>(ymd.year())),
                         static_cast<uint8_t>(static_cast<unsigned>(ymd.month())),
                         static_cast<uint8_t>(static_cast<unsigned>(ymd.day()))};
  return day.compatible(*mention.date);
}

std::vector<double> days_of(const LexedText& text, const ReceiptIndex& evidence) {
  uint16_t year = 0;
  for (const CalendarDate& date : text.dates) year = std::max(year, date.year);
  if (year == 0)
    for (const CalendarDate& date : evidence.lexed().dates) year = std::max(year, date.year);
  std::vector<double> days;
  for (const Token& token : text.tokens) {
    if (token.kind != TokenKind::kDate) continue;
    const CalendarDate& date = text.dates[token.value];
    if (date.month == 0 || date.day == 0) continue;
    const std::chrono::sys_days day =
        std::chrono::year(date.year != 0 ? date.year : year) / date.month / date.day;
    days.push_back(static_cast<double>(day.time_since_epoch().count()) * kDay);
  }
  return days;
}

}  // namespace precedent
