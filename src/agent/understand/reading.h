// Reading: what the messages of a conversation ask for at their end: the question, made whole by
// what was said before, its intent, and what has been retrieved for it so far. It is frozen: behind
// it the text of the question is searched for and shown, and never read again.
//
// Thread safety: pure but for the look-ups in the store.
#pragma once

#include <string>
#include <vector>

#include "agent/converse/conversation.h"
#include "agent/converse/recollection.h"
#include "agent/sources/sources.h"
#include "agent/understand/intent.h"
#include "agent/understand/policy.h"

namespace precedent {

// What a call of the turn was made for.
struct KeptCall {
  std::string call;  // its id
  CallReason reason;
};

struct Reading {
  Conversation conversation;  // before the question
  size_t place = 0;           // of the question among the messages
  FrozenText question;        // as it was said
  Narrowing narrowing;        // of several incidents that it leans on, by what was said
  std::string unread;         // what is told of a question in letters that the rules do not read
                              // (agent/slots/unread_script.h); "": they do
  Intent intent;              // of the question made whole
  // Of a message that asks several things, each with its intent and its demands; empty: it asks
  // one.
  std::vector<Reading> parts;
  std::vector<FrozenText> left_out;  // QuestionParts::left_out
  std::vector<Demand> demands;       // that the policy makes of an answer, parts included
  std::vector<Receipt> receipts;     // of the calls made for it
  bool has_calls = false;            // whether there were any
  std::vector<KeptCall> calls;       // what they were made for
};

// What reading costs, kept with the turn, so that its question is read once.
struct KeptQuestion {
  FrozenText question;  // as it was said
  Intent intent;
  std::vector<Demand> demands;
};
struct KeptReading {
  size_t place = 0;
  KeptQuestion whole;  // without a question: nothing is kept
  Narrowing narrowing;
  std::string unread;
  std::vector<KeptQuestion> parts;
  std::vector<FrozenText> left_out;
  std::vector<KeptCall> calls;
};
KeptReading keep(const Reading& reading);

// `receipts`: of the whole thread. What is kept of this very question is not read again.
// REQUIRES: one of the messages is a user's.
Reading read_conversation(const std::vector<Message>& messages, const SharedList<Receipt>& receipts,
                          const Sources& sources, const Policy& policy, TimePoint now,
                          const KeptReading& kept = {});

// What the policy makes of the intent's type, and what only systems know of its subjects: again
// after the type has changed.
void take_demands(Reading& reading, const Sources& sources, const Policy& policy);

// Notes at the receipts what their calls were made for. A call may be planned for one part of a
// message after another.
void take_reasons(std::vector<Receipt>& receipts, const std::vector<KeptCall>& calls);

// The titles of these incidents, a line each.
std::string titles_of(const Conversation& conversation, const std::vector<std::string>& ids);

}  // namespace precedent
