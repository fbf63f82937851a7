"""A terminal for the tests: a program on it, what is typed, and what a person would see afterwards."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

# Wide and high enough that nothing wraps or scrolls: then a screen is a list of lines.
ROWS, COLUMNS = 1000, 400

CONTROL = re.compile(r"\x1b\[([?\d;]*)([A-Za-z@])|\x1b[()][A-Z0-9]|\x1b[=>78]|\x1b\][^\x07]*\x07")


class Screen:
    """What remains visible of an output: cursor movements and erasures as xterm does them."""

    def __init__(self, output):
        self.lines, self.row, self.column = [[]], 0, 0
        at = 0
        while at < len(output):
            control = CONTROL.match(output, at)
            if control:
                self.control(control.group(1) or "", control.group(2) or "")
                at = control.end()
            else:
                self.character(output[at])
                at += 1

    def line(self):
        while len(self.lines) <= self.row:
            self.lines.append([])
        line = self.lines[self.row]
        line.extend(" " * (self.column - len(line)))
        return line

    def character(self, c):
        if c == "\r":
            self.column = 0
        elif c == "\n":
            self.row += 1
        elif c == "\b":
            self.column = max(0, self.column - 1)
        elif c == "\t":
            self.column += 8 - self.column % 8
        elif c >= " ":
            line = self.line()
            line[self.column:self.column + 1] = [c]
            self.column += 1

    def control(self, arguments, what):
        if arguments.startswith("?"):
            return
        count = int(arguments) if arguments.isdigit() else 0
        step = max(1, count)
        if what == "A":
            self.row = max(0, self.row - step)
        elif what == "B":
            self.row += step
        elif what == "C":
            self.column += step
        elif what == "D":
            self.column = max(0, self.column - step)
        elif what == "G":
            self.column = step - 1
        elif what == "K":
            del self.line()[self.column:]
        elif what == "J":
            del self.line()[self.column:]
            del self.lines[self.row + 1:]
        elif what == "P":
            del self.line()[self.column:self.column + step]
        elif what == "@":
            self.line()[self.column:self.column] = [" "] * step

    def text(self):
        return "\n".join("".join(line).rstrip() for line in self.lines)


class Terminal:
    """A program whose three standard streams are a terminal of its own."""

    def __init__(self, command, env, timeout=60):
        self.timeout = timeout
        self.output = ""
        self.pid, self.leader = pty.fork()
        if self.pid == 0:
            os.execve(command[0], command, env)
        fcntl.ioctl(self.leader, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.code = None

    def type(self, text):
        os.write(self.leader, text.encode())

    def paste(self, text):
        """As terminals do it for a program that asked for bracketed paste: a line break arrives as Return."""
        self.type("\x1b[200~" + text.replace("\n", "\r") + "\x1b[201~")

    def read(self, until):
        """Reads on until until() is true or the program has closed the terminal; whether until() came true."""
        end = time.monotonic() + self.timeout
        while not until():
            ready, _, _ = select.select([self.leader], [], [], max(0, end - time.monotonic()))
            try:
                chunk = os.read(self.leader, 65536) if ready else b""
            except OSError:  # the other side is closed
                chunk = b""
            if not chunk:
                return until()
            self.output += chunk.decode("utf-8", "replace")
        return True

    def wait_for(self, text, since=0):
        """Until `text` was written after the position `since`; the position behind it."""
        if not self.read(lambda: text in self.output[since:]):
            raise AssertionError(f"no {text!r} came; the output is {self.output[since:]!r}")
        return self.output.index(text, since) + len(text)

    def screen(self, since=0):
        return Screen(self.output[since:]).text()

    def wait(self):
        """Until the program has ended; its exit code."""
        if not self.read(lambda: False) and self.code is None:
            end = time.monotonic() + self.timeout
            while self.code is None and time.monotonic() < end:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                if pid:
                    self.code = os.waitstatus_to_exitcode(status)
                else:
                    time.sleep(0.01)
        return self.code

    def close(self):
        if self.code is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
        os.close(self.leader)
