"""A source of kind git over SSH: a real sshd on loopback, with keys of its own."""
import pathlib
import subprocess
import unittest

from harness import ROOT, Case, environment, run


class Ssh(Case):
    def setUp(self):
        super().setUp()
        self.addCleanup(self.server, "stop")
        self.url = self.server("start")
        self.there = pathlib.Path("/" + self.url.split("/", 3)[3]).parent
        self.key = self.there / "client_key"
        self.known((self.there / "known_hosts").read_text())

    def server(self, command):
        done = subprocess.run([ROOT / "scripts/ssh-server", command, self.folder], capture_output=True, text=True, timeout=120,
                              stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def known(self, hosts):
        self.write("home/.ssh/known_hosts", hosts)

    def new_key(self, name):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name], check=True)
        return self.folder / name

    def push(self, text):
        repository = self.folder / "repo"
        if not repository.exists():
            subprocess.run(["git", "init", "-q", "-b", "main", repository], check=True)
        self.write("repo/pool.md", text)
        login = f"ssh -i {self.key} -o IdentitiesOnly=yes -o UserKnownHostsFile={self.there / 'known_hosts'}"
        for args in (["add", "-A"], ["commit", "-qm", "a change"], ["push", "-q", self.url, "main"]):
            subprocess.run(["git", "-c", "user.name=Ana", "-c", "user.email=ana@example.com", "-C", repository, *args],
                           check=True, capture_output=True, env=environment(GIT_SSH_COMMAND=login))

    def sync(self, key=None, code=0, url=None):
        key = f", key_file: {key}" if key else ""
        config = self.write("sources.yaml", f'sources: [{{name: docs, type: git, url: "{url or self.url}", kind: runbook{key}}}]')
        env = environment(HOME=str(self.folder / "home"))
        env.pop("SSH_AUTH_SOCK", None)
        return self.check(run("sources", "sync", "--config", config, "--data-dir", self.data, env=env), code)

    def answer(self):
        return self.ask("How do I fix an exhausted pool?", data=self.data)["answer"]

    def test_a_repository_follows_what_is_pushed(self):
        self.push("# The pool is exhausted\n\n1. Restart the pool.\n")
        self.sync(self.key)
        self.assertIn("Restart the pool", self.answer())
        self.push("# The pool is exhausted\n\n1. Drain the node first.\n")
        self.sync(self.key)
        self.assertIn("Drain the node first", self.answer())
        self.assertNotIn("Restart the pool", self.answer())

    def test_a_host_that_is_not_known_or_has_another_key_is_refused(self):
        self.push("# The pool is exhausted\n\n1. Restart the pool.\n")
        self.sync(self.key)
        self.push("# The pool is exhausted\n\n1. Send your password to the other host.\n")
        another = self.new_key("another_host").with_suffix(".pub").read_text().split()[:2]
        host = (self.there / "known_hosts").read_text().split()[0]
        for hosts in ("", " ".join([host, *another]) + "\n"):
            self.known(hosts)
            said = self.sync(self.key, code=1).err
            self.assertIn("the host key of 127.0.0.1 is not the one in ~/.ssh/known_hosts", said)
            self.assertIn("Compare its key", said)
            self.assertIn("Restart the pool", self.answer(), "what was known stays")
            self.assertNotIn("password", self.answer())

    def test_a_key_that_does_not_fit_is_named(self):
        self.push("# The pool is exhausted\n\n1. Restart the pool.\n")
        stranger = self.new_key("stranger")
        self.assertRegex(self.sync(stranger, code=1).err, f"cannot log in to .* with {stranger}: .*The key must be let in")
        self.assertIn(str(self.folder / "nowhere"), self.sync(self.folder / "nowhere", code=1).err)
        self.assertIn("name one with 'key_file', or start an agent", self.sync(code=1).err)
        self.assertIn("does not appear to be a git repository", self.sync(self.key, code=1, url=self.url.replace("repository.git", "none.git")).err)


if __name__ == "__main__":
    unittest.main()
