"""The first contentful paint of a page in headless Chromium, over DevTools: paint.py URL prints the median of five cold loads, and all, ms.

Each load has a browser profile of its own kind: a new context without a cache.
"""
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from websockets.sync.client import connect

LOADS = 5


class Browser:
    def __init__(self, line):
        self.line, self.count = line, 0

    def ask(self, method, session=None, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        self.line.send(json.dumps(message))
        while True:
            answer = json.loads(self.line.recv(timeout=20))
            if answer.get("id") == self.count:
                return answer.get("result", {})


def first_paint(browser, url):
    context = browser.ask("Target.createBrowserContext")["browserContextId"]
    target = browser.ask("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
    session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    browser.ask("Page.navigate", session, url=url)
    script = "JSON.stringify(performance.getEntriesByType('paint').map(e => [e.name, e.startTime]))"
    for _ in range(100):
        time.sleep(0.05)
        value = browser.ask("Runtime.evaluate", session, expression=script).get("result", {}).get("value", "[]")
        paints = dict(json.loads(value))
        if "first-contentful-paint" in paints:
            browser.ask("Target.disposeBrowserContext", browserContextId=context)
            return paints["first-contentful-paint"]
    sys.exit("paint.py: the page painted nothing within 5 s")


def main():
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        sys.exit("paint.py: no Chromium; on Debian: apt-get install chromium")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen([program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
                                    f"--user-data-dir={profile}", "about:blank"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        try:
            address = next(line.split()[-1] for line in browser.stderr if line.startswith("DevTools listening on"))
            with connect(address, max_size=None) as line:
                paints = [first_paint(Browser(line), sys.argv[1]) for _ in range(LOADS)]
            print(json.dumps({"first_paint_ms": statistics.median(paints), "paints_ms": paints}))
        finally:
            browser.terminate()
            browser.wait()


if __name__ == "__main__":
    main()
