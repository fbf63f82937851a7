// Asks: the form that the answer to a question should have.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string>

#include "embed/adapted_reading.h"

namespace precedent {

// The form of answer that a question asks for. Several may hold.
struct Asks {
  bool steps = false;        // how do I …, what should I do
  bool command = false;      // which command, how to run
  bool number = false;       // how many, what threshold, how long
  bool person = false;       // who, which team, on-call
  bool contact = false;      // whom to call, how to reach a team, who owns it
  bool on_call_now = false;  // who is on call at this moment
  bool phone = false;        // a telephone number
  bool objective = false;    // which service level
  bool time = false;         // when
  bool cause = false;        // why, root cause
  bool remedy = false;       // what was done, resolution, fix
  bool list = false;         // which incidents, show all
  bool count = false;        // how many incidents
  bool status = false;       // is it still open
  bool impact = false;       // who was affected, blast radius
  bool detection = false;    // how it was noticed
  bool work = false;         // what an incident left to do: its action items
  bool whether = false;      // nothing but yes or no: "is it healthy", "anything odd"
  bool value = false;        // what a figure is: "how many requests", "what is the error rate"
  bool other = false;        // a question of another form: "did", "which", "is"
};

// Of a question in lower case, by the form of its words and by what the adapter says is asked
// (`learned`, empty where there is none). Of what the adapter knows, a form of words counts unless
// the adapter rules it out, and the adapter alone where it is sure.
Asks read_asks(const std::string& question, std::span<const ReadLabel> learned = {});

// Whether a question, in lower case, is after whom to call, how to reach a team, or who owns
// something.
bool asks_for_contact(const std::string& question);

}  // namespace precedent
