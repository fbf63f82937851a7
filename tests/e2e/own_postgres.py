"""A PostgreSQL of a test's own."""
import os
import signal
import subprocess
import time

from harness import ROOT


class OwnPostgres:
    """Beside a Case. `start_postgres()` gives its address; what it left is taken away with the test."""

    def start_postgres(self):
        self.addCleanup(self.postgres, "stop")
        url = self.postgres("start")
        self.home = url.split()[0].removeprefix("host=")
        return url

    def postgres(self, command):
        # Of a server that was killed some processes may live for a moment, and hold its memory.
        for _ in range(20):
            done = subprocess.run([ROOT / "scripts/postgres", command, self.folder], capture_output=True, text=True, timeout=120,
                                  stdin=subprocess.DEVNULL, check=False)
            if done.returncode == 0:
                return done.stdout.strip()
            time.sleep(0.5)
        self.fail(done.stderr)

    def kill_server(self):
        """As the kernel does it when memory is short; those it forked end by themselves."""
        with open(f"{self.home}/data/postmaster.pid", encoding="utf-8") as file:
            pid = int(file.readline())
        os.kill(pid, signal.SIGKILL)
        end = time.monotonic() + 60
        while os.path.exists(f"/proc/{pid}") and time.monotonic() < end:
            time.sleep(0.01)
        # What is left of it: the next one must find the socket free.
        for name in ("data/postmaster.pid", ".s.PGSQL.5432", ".s.PGSQL.5432.lock"):
            if os.path.exists(f"{self.home}/{name}"):
                os.unlink(f"{self.home}/{name}")
