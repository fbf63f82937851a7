"""precedent chat as a person sees it: on a terminal, with keys, pastes and signals."""
import http.server
import json
import os
import signal
import threading
import unittest

from harness import BINARY, NOW, Case, environment, run
from terminal import Screen, Terminal

# The terminal is asked to mark pastes each time that precedent waits for a question.
PROMPT = "\x1b[?2004h> "
ABOUT_ONE = "What caused INC-2025-08-24-001?"
UP, LEFT = "\x1b[A", "\x1b[D"


class Chat(Case):
    def setUp(self):
        super().setUp()
        self.copy_of_sample()

    def chat(self, *args, env=None, color=True):
        env = env or environment(TERM="xterm")
        if color:
            env.pop("NO_COLOR", None)
        command = [BINARY, "chat", "--now", NOW, "--data-dir", str(self.data), *args]
        self.terminal = Terminal(command, env)
        self.addCleanup(self.terminal.close)
        self.at = self.terminal.wait_for(PROMPT)
        self.thread = self.terminal.screen().split("conversation ")[1].split(".")[0]
        return self.terminal

    def until_prompt(self):
        """What was written until the next prompt: as it came, and what remains visible of it."""
        begin, self.at = self.at, self.terminal.wait_for(PROMPT, self.at)
        output = self.terminal.output[begin:self.at]
        return output, Screen(output).text()

    def say(self, text):
        self.terminal.type(text + "\r")
        return self.until_prompt()

    def questions(self, thread=None):
        done = self.check(run("threads", "export", thread or self.thread, "--data-dir", self.data), 0)
        return [m["content"] for m in json.loads(done.out)["messages"] if m["role"] == "user"]

    def leave(self):
        self.terminal.type("\x04")
        self.assertEqual(self.terminal.wait(), 0)


class Conversation(Chat):
    def test_three_questions_with_statuses_that_disappear(self):
        self.chat()
        output, visible = self.say(ABOUT_ONE)
        for status in ("Analyzing your request", "Generating title for the incident report", "Almost done"):
            self.assertIn(status, output)
            self.assertNotIn(status, visible)
        self.assertIn("The JVM cached the address", visible)
        output, visible = self.say("What was the resolution?")
        self.assertIn("payment_retry_enabled=false", visible)
        self.assertNotIn("Searching for", output, "the follow-up is answered from memory")
        output, visible = self.say("How do I fix HTTP 403 errors in PayU?")
        self.assertIn("INC-2025-01-20-005", visible)
        self.leave()
        self.assertIn(f"precedent chat --resume {self.thread}", self.terminal.screen())
        self.assertEqual(len(self.questions()), 3)

    def test_markdown_is_rendered_and_not_with_no_color(self):
        self.chat()
        output, visible = self.say(ABOUT_ONE)
        self.assertIn("\x1b[1mCause:\x1b[0m", output)
        self.assertNotIn("**", visible)
        self.assertNotIn("`", visible)
        self.leave()
        self.chat(color=False)
        output, visible = self.say(ABOUT_ONE)
        self.assertNotIn("\x1b[1m", output)
        self.assertIn("**Cause:**", visible)
        self.leave()

    def test_a_resumed_conversation_goes_on(self):
        first = self.ask(ABOUT_ONE, data=self.data)
        self.chat("--resume", first["thread_id"])
        output, visible = self.say("What was the resolution?")
        self.assertIn("payment_retry_enabled=false", visible)
        self.leave()


class Typing(Chat):
    def test_earlier_questions_are_at_the_arrow_keys(self):
        self.chat()
        self.say(ABOUT_ONE)
        self.say("/title")
        self.say(UP + UP)
        self.assertEqual(self.questions(), [ABOUT_ONE, ABOUT_ONE])
        self.leave()

    def test_a_line_is_edited_and_may_hold_any_character(self):
        self.chat()
        self.say("naïve € retries?" + LEFT + " in 支付")
        self.assertEqual(self.questions(), ["naïve € retries in 支付?"])
        self.leave()

    def test_a_paste_is_one_question_whatever_lines_it_has(self):
        self.chat()
        pasted = "What caused INC-2025-08-24-001?\n\n\tERROR: cannot execute INSERT\n/quit\nin a read-only transaction\n"
        self.terminal.type("We saw: ")
        self.terminal.paste(pasted)
        self.terminal.type(" Why?\r")
        output, visible = self.until_prompt()
        self.assertEqual(self.questions(), ["We saw: " + pasted + " Why?"])
        self.assertIn("The JVM cached the address", visible)
        self.leave()

    def test_control_characters_of_a_paste_do_nothing(self):
        self.chat()
        self.terminal.paste("PayU\x04\x1b[A 403\x7f")
        self.terminal.type("\r")
        self.until_prompt()
        self.assertEqual(self.questions(), ["PayU[A 403"])
        self.leave()

    def test_what_is_printed_for_programs_is_free_of_the_prompt(self):
        done = self.check(run("chat", "--json", "--now", NOW, "--data-dir", self.data, stdin=ABOUT_ONE.encode()), 0)
        self.assertEqual(done.lines()[-1]["event"], "answer")


class Commands(Chat):
    def test_several_sections_of_a_runbook_are_one_source(self):
        self.chat()
        self.say("How do I fix HTTP 403 errors in PayU?")
        self.assertEqual(self.say("/sources")[1].count("PayU HTTP 403 and authentication errors"), 1)
        self.leave()

    def test_commands_answer_at_once(self):
        self.chat()
        self.assertIn("/history", self.say("/help")[1])
        self.assertIn("lookup_incident_by_id", self.say("/tools")[1])
        self.assertIn("no sources", self.say("/sources")[1])
        self.say(ABOUT_ONE)
        self.assertIn("INC-2025-08-24-001", self.say("/sources")[1])
        history = self.say("/history")[1]
        self.assertIn("> " + ABOUT_ONE, history)
        self.assertIn("The JVM cached the address", history)
        # Rendered as the answer was, and not as it was written.
        self.assertIn("INC-2025-08-24-001", history)
        self.assertNotIn("**", history)
        self.assertIn("Titled", self.say("/title My Outage")[1])
        self.assertIn("My Outage", self.say("/title")[1])
        forked = self.say("/fork")[1]
        self.assertIn(f"a copy of {self.thread}", forked)
        copy = forked.split("Now in ")[1].split(",")[0]
        self.say("What was the resolution?")
        self.assertIn("no command /nonsense", self.say("/nonsense")[1])
        self.terminal.type("/quit\r")
        self.assertEqual(self.terminal.wait(), 0)
        self.assertIn(f"precedent chat --resume {copy}", self.terminal.screen())
        self.assertEqual(self.questions(), [ABOUT_ONE])
        self.assertEqual(len(self.questions(copy)), 2)


class Slow(http.server.BaseHTTPRequestHandler):
    """A model that begins an answer and does not end it before it is told to."""

    def log_message(self, *args):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        chunk = {"id": "x", "model": "test", "choices": [{"index": 0, "delta": {"content": "It began\nwith "}, "finish_reason": None}]}
        try:
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.flush()
            self.server.go_on.wait()
            chunk["choices"][0] = {"index": 0, "delta": {"content": "DNS."}, "finish_reason": "stop"}
            self.wfile.write(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode())
        except OSError:  # the other side has stopped
            pass


class Signals(Chat):
    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
        self.server.go_on = threading.Event()
        thread = threading.Thread(target=self.server.serve_forever)
        thread.start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(self.server.shutdown)
        self.addCleanup(self.server.go_on.set)
        self.model = environment(TERM="xterm", OPENAI_API_KEY="sk-test-key-0123456789", PRECEDENT_MODEL="openai/test",
                                 OPENAI_BASE_URL=f"http://127.0.0.1:{self.server.server_port}/v1")

    def test_control_c_stops_a_turn_and_keeps_the_conversation(self):
        self.chat(env=self.model)
        self.terminal.type(ABOUT_ONE + "\r")
        self.terminal.wait_for("Writing the answer", self.at)
        self.terminal.type("\x03")
        output, visible = self.until_prompt()
        self.assertIn("Stopped.", visible)
        self.server.go_on.set()
        output, visible = self.say("And now?")
        self.assertIn("with DNS.", visible)
        self.leave()
        self.assertEqual(self.questions(), [ABOUT_ONE, "And now?"])

    def test_a_killed_turn_is_finished_where_its_conversation_goes_on(self):
        self.chat(env=self.model)
        self.terminal.type(ABOUT_ONE + "\r")
        self.terminal.wait_for("Writing the answer", self.at)
        os.kill(self.terminal.pid, signal.SIGKILL)
        self.terminal.wait()
        thread = self.thread
        self.server.go_on.set()
        self.chat("--resume", thread, env=self.model)
        screen = self.terminal.screen()
        self.assertIn("cut off", screen)
        self.assertIn("with DNS.", screen)
        self.leave()
        self.assertEqual(self.questions(thread), [ABOUT_ONE])

    def test_control_c_at_the_prompt_forgets_the_line_only(self):
        self.chat()
        for _ in range(3):
            self.terminal.type("a line that nobody wants")
            self.terminal.wait_for("wants", self.at)
            self.terminal.type("\x03")
            self.until_prompt()
        self.say(ABOUT_ONE)
        self.assertEqual(self.questions(), [ABOUT_ONE])
        self.leave()

    def test_a_request_to_end_is_followed(self):
        self.chat()
        os.kill(self.terminal.pid, signal.SIGTERM)
        self.assertEqual(self.terminal.wait(), 143)


if __name__ == "__main__":
    unittest.main()
