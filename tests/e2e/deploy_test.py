"""deploy/compose.yaml without containers: that it says what it must, and its parts, run by hand with the commands and settings in it."""
import os
import pathlib
import re
import socket
import stat
import subprocess
import unittest

import yaml
from harness import BINARY, EXAMPLES, ROOT, Case, environment, run
from store_test import Store

COMPOSE = ROOT / "deploy/compose.yaml"


def services():
    return yaml.safe_load(COMPOSE.read_text())["services"]


class Compose(Case):
    def test_versions_are_pinned_and_everything_is_checked(self):
        for name, service in services().items():
            with self.subTest(service=name):
                self.assertRegex(service["image"], r":v?\d+\.\d+|:local$")
                self.assertEqual(service["healthcheck"]["test"][0], "CMD")
        waits = services()["precedent"]["depends_on"]
        self.assertEqual(waits, {name: {"condition": "service_healthy"} for name in ("postgres", "qdrant")})

    def test_no_password_stands_in_it_and_no_database_is_published(self):
        whole = yaml.safe_load(COMPOSE.read_text())
        for name, service in whole["services"].items():
            for variable, value in service["environment"].items():
                self.assertFalse(re.search("PASSWORD|KEY|URL", variable) and not variable.endswith("_FILE")
                                 and "QDRANT_URL" not in variable, f"{name}: {variable}={value}")
        for name in ("postgres", "qdrant"):
            self.assertNotIn("ports", whole["services"][name])
            self.assertEqual(whole["services"][name]["networks"], ["inside"])
        self.assertTrue(whole["networks"]["inside"]["internal"])
        for port in whole["services"]["precedent"]["ports"]:
            self.assertTrue(port.startswith("127.0.0.1:"), port)

    def test_secrets_are_random_and_stay(self):
        def make(folder):
            subprocess.run([ROOT / "deploy/make-secrets", folder], check=True, capture_output=True, timeout=60)
            return (folder / "postgres_password").read_text(), (folder / "store_url").read_text()

        first, other = self.folder / "first", self.folder / "other"
        password, url = make(first)
        self.assertGreaterEqual(len(password), 32)
        self.assertEqual(url, f"postgresql://precedent:{password}@postgres/precedent\n")
        self.assertEqual(make(first), (password, url))
        self.assertNotEqual(make(other)[0], password)
        self.assertEqual(stat.S_IMODE(os.stat(first).st_mode), 0o700)
        files = yaml.safe_load(COMPOSE.read_text())["secrets"]
        self.assertEqual({secret["file"] for secret in files.values()}, {"./secrets/postgres_password", "./secrets/store_url"})


class ByHand(Store):
    def check_of(self, service, **replaced):
        command = services()[service]["healthcheck"]["test"][1:]
        # `$$` is compose's way to write `$`.
        command = [word.replace("$$", "$") for word in command]
        for old, new in replaced.items():
            command = [word.replace(old.removeprefix("port"), str(new)) for word in command]
        return command

    def healthy(self, command, env=None):
        return subprocess.run(command, env=env, capture_output=True, timeout=60, check=False).returncode == 0

    def test_postgres(self):
        bindir = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        command = self.check_of("postgres")
        env = {**os.environ, "PATH": f"{bindir}:{os.environ['PATH']}", "PGHOST": self.home}
        self.assertTrue(self.healthy(command, env))
        self.kill_server()
        self.assertFalse(self.healthy(command, env))

    def test_precedent(self):
        service = services()["precedent"]
        # The settings as they are in it, with what compose mounts in a folder of ours.
        (self.folder / "secrets").mkdir()
        (self.folder / "secrets/store_url").write_text(self.url + "\n")
        settings = {name: value.replace("/run/secrets", str(self.folder / "secrets")) for name, value in service["environment"].items()}
        self.assertIn("PRECEDENT_QDRANT_URL", settings)
        # There is no Qdrant here: its part is tested in docs/qdrant.md's ways.
        del settings["PRECEDENT_QDRANT_URL"]
        env = environment(**settings)
        self.check(run("ingest", EXAMPLES / "runbooks", "--data-dir", self.data, env=env), 0)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        arguments = [word.replace("8080", str(port)) for word in service["command"]]
        # Beyond this machine it serves only those who sign in.
        refused = run(*arguments, "--data-dir", self.data, env=env)
        self.assertNotEqual(refused.code, 0)
        self.assertIn("token", refused.err)
        self.check(run("tokens", "create", "ann", "--data-dir", self.data, env=env), 0)
        server = subprocess.Popen([BINARY, *arguments, "--data-dir", self.data], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        command = self.check_of("precedent", port8080=port)
        self.until(lambda: self.healthy(command))
        server.kill()
        server.wait(30)
        self.assertFalse(self.healthy(command))


if __name__ == "__main__":
    unittest.main()
