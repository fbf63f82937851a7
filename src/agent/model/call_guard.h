// CallGuard: may a model make this call, or does it only make sense as obedience to retrieved text?
//
// Judged by where an argument's words come from, and by what they could do:
//   secret                          refused, wherever it comes from
//   web address, e-mail, host, IP   refused unless the user named it; a host also if it is a
//   receipt's
//                                   source or stands in a field of a record (a label, a service)
//   path of a machine (/etc/…, ~/…) refused unless the user named it or a record has it as a field
//   an instruction, word for word   refused unless the user wrote it, or it is a record's title
//   id that stands in free text     tools that reach a running system: refused; tools of the
//   knowledge alone                           base, which only read: allowed, and the receipt says
//   whence
// Free text is what a person or program wrote at length: descriptions, bodies, messages of commits,
// annotations, log lines. Fields are what a record is found by: ids, names, labels, paths. The rule
// and its reasons: docs/untrusted-text.md.
//
// Reads what it is given once. Thread safety: judge() may be called from several threads.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "agent/language/fixed_phrases.h"
#include "agent/model/links.h"
#include "agent/state/copilot_state.h"

namespace precedent {

class CallGuard {
 public:
  // `state`: with the messages and receipts up to the calls.
  explicit CallGuard(const CopilotState& state);

  struct Verdict {
    std::string refusal;  // why not, and what to do instead; "": it may be made
    std::string note;     // where an id comes from; "" if it was asked for
  };
  // `args`: JSON that fits the tool.
  Verdict judge(std::string_view tool, std::string_view args) const;

 private:
  struct Retrieved {
    std::string receipt;  // its id
    std::string text;     // as a model read it, in lower case
  };
  struct Instruction {
    std::string words;  // of a sentence: lower case, one space between them
    std::string receipt;
    bool to_the_reader;  // it speaks to a model, or of its tools
  };
  bool is_asked(std::string_view lower) const;
  bool is_offered(std::string_view lower) const { return fields_.contains(lower); }
  std::string receipt_with(std::string_view lower) const;

  std::string judge_secret(std::string_view text) const;
  std::string judge_address(std::string_view text) const;
  std::string judge_path(std::string_view text) const;
  std::string judge_instruction(std::string_view text) const;
  void judge_ids(std::string_view tool, std::string_view text, Verdict& verdict) const;

  std::string asked_;  // all messages of the user, in lower case
  std::string asked_words_;
  std::set<std::string, std::less<>> fields_;
  std::set<std::string, std::less<>> titles_;  // as Instruction::words
  Hosts hosts_;
  std::vector<Retrieved> retrieved_;
  std::vector<Instruction> instructions_;
};

}  // namespace precedent
