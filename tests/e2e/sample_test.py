"""The sample company's systems: made the same everywhere, and telling the same story as its documents."""
import json
import re
import subprocess
import unittest

from harness import ROOT, Case, run

SYSTEMS = ROOT / "sample-systems"
STORY = "2026-11-18T09:30:00Z"
DEPLOY = "2026-11-17T15:40:00Z"


def lines(name):
    return [json.loads(line) for line in (SYSTEMS / name).read_text(encoding="utf-8").splitlines()]


class Repository(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.repository = cls.folder_of_class / "platform"
        subprocess.run([ROOT / "scripts/sample-repository", cls.repository], check=True)

    def git(self, *args):
        return subprocess.run(["git", "-C", self.repository, *args], capture_output=True, text=True, check=True).stdout

    def test_is_made_once_and_never_over_something_else(self):
        script = ROOT / "scripts/sample-repository"
        self.assertEqual(subprocess.run([script, self.repository], check=False).returncode, 0)
        other = self.folder / "other"
        other.mkdir()
        (other / "mine").write_text("x")
        done = subprocess.run([script, other], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("is something else", done.stderr)
        self.assertEqual((other / "mine").read_text(), "x")

    def test_every_commit_of_the_deploy_log_exists(self):
        commits = set(self.git("log", "--all", "--format=%H").split())
        named = {entry["commit"] for entry in lines("deploys.jsonl") if "commit" in entry}
        self.assertGreaterEqual(len(named), 30)
        self.assertEqual(named - commits, set())

    def test_tags_are_the_versions_that_were_deployed(self):
        deployed = {f"{e['service']}/v{e['version']}" for e in lines("deploys.jsonl") if e.get("version")}
        self.assertEqual(set(self.git("tag").split()) - deployed, set())

    def test_recent_changes_finds_the_story(self):
        config = self.write("tools.yaml", (SYSTEMS / "tools.yaml").read_text().replace(
            "../build/sample/platform", str(self.repository)).replace("[deploys.jsonl, flags.jsonl]", json.dumps(
                [str(SYSTEMS / "deploys.jsonl"), str(SYSTEMS / "flags.jsonl")])))
        result = self.check(run("tools", "call", "recent_changes", '{"service": "search-service"}', "--json", "--now", STORY,
                                "--data-dir", self.shared, "--tools-config", config), 0).json()["result"]
        self.assertEqual((result["lastDeploy"]["version"], result["lastDeploy"]["time"]), ("2.31.0", DEPLOY))
        self.assertEqual([s["name"] for s in result["asked"]], ["deploys.jsonl", "flags.jsonl", "git:platform", "build info"])
        files = {file for change in result["changes"] for file in change.get("files", [])}
        self.assertIn("search-service/search_service.py", files)


class Metrics(Case):
    def made(self, name, *more):
        folder = self.folder / name
        subprocess.run([ROOT / "scripts/sample-metrics", folder, *more], check=True)
        return (folder / "metrics.om").read_text()

    def test_are_the_same_bytes_again(self):
        self.assertEqual(self.made("a", "--step", "3600"), self.made("b", "--step", "3600"))

    def test_counters_never_fall_and_times_only_grow(self):
        last = {}
        text = self.made("a")
        self.assertTrue(text.endswith("# EOF\n"))
        counters = set(re.findall(r"# TYPE (\S+) counter", text))
        for line in text.splitlines():
            if line.startswith("#"):
                continue
            series, value, time = line.rsplit(" ", 2)
            before = last.get(series)
            if before:
                self.assertGreater(int(time), before[1], series)
                if series.split("{")[0].removesuffix("_total") in counters or "_bucket{" in series:
                    self.assertGreaterEqual(float(value), before[0], series)
            last[series] = (float(value), int(time))

    def test_alerts_are_those_of_the_rules(self):
        stream = (SYSTEMS / "repository.fast-import").read_text(encoding="utf-8")
        for alert in json.loads((SYSTEMS / "alerts.json").read_text()):
            name = alert["labels"]["alertname"]
            self.assertTrue(name == "Watchdog" or f"alert: {name}\n" in stream, name)


if __name__ == "__main__":
    unittest.main()
