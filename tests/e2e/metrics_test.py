"""Figures that are not what they look like: of a series that ended, of NaN, of the mean of several, beyond a histogram, of a copy that was cut."""
import datetime
import unittest

from harness import Case, run

END = datetime.datetime(2026, 11, 19, 12, tzinfo=datetime.timezone.utc)
STEP = datetime.timedelta(minutes=1)
POINTS = 2880


def series(name, value):
    """`value(point)` for two days of points up to END; None is no sample."""
    out = []
    for point in range(POINTS + 1):
        number = value(point)
        if number is not None:
            out.append(f"{name} {number} {int((END - STEP * (POINTS - point)).timestamp())}\n")
    return "".join(out)


def snapshot():
    before = POINTS - 540  # nine hours
    text = "# TYPE cutter_wait_seconds gauge\n# UNIT cutter_wait_seconds seconds\n"
    text += series('cutter_wait_seconds{app="cutter"}', lambda p: 0.415 + p % 3 / 1000 if p <= before else None)
    text += "# TYPE map_age_seconds gauge\n# UNIT map_age_seconds seconds\n"
    text += series('map_age_seconds{app="maps"}', lambda p: 223 + p % 7 if p <= before else "NaN")
    text += "# TYPE tank_fill_ratio gauge\n# UNIT tank_fill_ratio ratio\n"
    for tank, fill in (("north", 0.3), ("south", 0.978), ("west", 0.5)):
        text += series(f'tank_fill_ratio{{app="tanks",tank="{tank}"}}', lambda p, fill=fill: fill - p % 2 / 1000)
    text += "# TYPE vat_celsius gauge\n# UNIT vat_celsius celsius\n"
    text += series('vat_celsius{app="vats"}', lambda p: -72.72 if p > POINTS - 45 else -79.37)
    text += "# TYPE press_seconds histogram\n# UNIT press_seconds seconds\n"
    for bound, share in (("0.1", 40), ("6.4", 70), ("+Inf", 100)):
        text += series(f'press_seconds_bucket{{app="press",le="{bound}"}}', lambda p, share=share: share * p)
    text += series('press_seconds_count{app="press"}', lambda p: 100 * p)
    return text + "# EOF\n"


class Figures(Case):
    def setUp(self):
        super().setUp()
        self.write("snap/metrics.om", snapshot())
        self.tools = self.write("tools.yaml", "environment: here\nenvironments: {here: {metrics: {snapshot: snap}}}\n")

    def tell(self, question):
        return self.check(run("ask", question, "--now", END.strftime("%FT%TZ"), "--data-dir", self.shared,
                              "--tools-config", self.tools), 0).out

    def test_a_series_that_ended_was_and_is_not(self):
        out = self.tell("cutter_wait_seconds")
        self.assertRegex(out, r"cutter_wait_seconds was 0\.41\d s at 2026-11-19T03:\d\d:00Z, no values since")
        self.assertNotRegex(out, r"cutter_wait_seconds[^\n]* now|[Mm]uch as in")

    def test_so_was_one_that_is_no_number_any_more(self):
        out = self.tell("map_age_seconds")
        self.assertRegex(out, r"map_age_seconds was 2\d\d s at 2026-11-19T03:00:00Z, no number since")
        self.assertNotRegex(out, r"map_age_seconds[^\n]* now|divide")

    def test_a_mean_says_so_and_names_the_highest(self):
        out = self.tell("tank_fill_ratio")
        self.assertRegex(out, r"tank_fill_ratio \(mean of 3 series\) is 59\.\d+ % now")
        self.assertRegex(out, r"the highest of one was 97\.8 % at \S+ \(\{tank=\"south\"\}\)")
        self.assertNotIn("*(unverified)*", out)

    def test_what_a_histogram_cannot_tell_is_at_least_its_highest_bound(self):
        out = self.tell("press_seconds")
        self.assertRegex(out, r"press_seconds is at least 6\.4 s now[^\n]*6\.4 s is the highest bound of the histogram")
        self.assertNotRegex(out, r"\*\(unverified\)\*[^\n]*press_seconds")

    def test_degrees_below_zero_are_proved_as_they_are(self):
        out = self.tell("vat_celsius")
        self.assertIn("-72.72 celsius now", out)
        self.assertNotIn("*(unverified)*", out)
        self.assertNotRegex(out, r"celsius[^\n]*×")

    def test_a_copy_that_was_cut_is_read_in_seconds_and_named(self):
        whole = snapshot()
        cut = whole[: whole.index('press_seconds_bucket{app="press",le="6.4"}')]
        path = self.write("snap/metrics.om", cut)
        missing = f'{path}: does not end with "# EOF"'
        checked = self.check(run("config", "check", self.tools), 2).out
        self.assertIn(missing, checked)
        for metric in ("tank_fill_ratio", "press_seconds", "no_such_metric"):
            told = self.check(run("tools", "call", "metrics_query", f'{{"query": "metric={metric}"}}', "--now",
                                  END.strftime("%FT%TZ"), "--data-dir", self.shared, "--tools-config", self.tools), 0).out
            self.assertIn(missing, told, metric)
            self.assertNotIn("1970-", told)

    def test_config_check_names_what_could_never_work(self):
        bad = self.write("bad/tools.yaml", """environment: here
environments:
  here:
    metrics:
      snapshot: ../snap
      names:
        all: {statistic: ratio, metric: press_seconds_count}
        busy: {promql: "deg(busy)"}
  live: {metrics: {prometheus: "http://me:s3cret@127.0.0.1:9"}}
changes:
  repositories: [{path: ., tags: "{svc}-{version}"}]
""")
        out = self.check(run("config", "check", bad), 2).out
        for text in (f"{bad}:7: environments.here.metrics.names.all.statistic: is a ratio of all to all",
                     f"{bad}:8: environments.here.metrics.names.busy.promql: the source is a snapshot, and there: PromQL, column 1: 'deg' is no function",
                     f"{bad}:9: environments.live.metrics.prometheus: has a user or a password",
                     f"{bad}:11: changes.repositories[0].tags: has {{svc}}"):
            self.assertIn(text, out)
        self.assertNotIn("s3cret", out)


if __name__ == "__main__":
    unittest.main()
