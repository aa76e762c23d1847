#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""browser.py SAMPLE [CHROMIUM]: opens the report that SAMPLE writes in headless Chromium, which has no network, and uses it:
no error, no request, sliders and keys change the pixels, windows work, texts of a stranger do nothing. Chromium is driven
through its pipe (--remote-debugging-pipe), so that nothing but Python's own library is needed. Exit code 77: no Chromium."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless_shell"]


class Browser:
    """Messages are JSON with a NUL behind; the browser reads descriptor 3 and writes 4."""

    def __init__(self, program, folder, reach=""):
        """reach: ", EXCLUDE HOST" allows a host."""
        to_read, self.to_write = os.pipe()
        self.to_read, to_write = os.pipe()

        def place_pipes():
            ends = os.dup(to_read), os.dup(to_write)
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.log = open(os.path.join(folder, "chromium.log"), "wb")
        options = ["--headless", "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-dev-shm-usage", "--remote-debugging-pipe",
                   "--host-resolver-rules=MAP * ~NOTFOUND" + reach, "--proxy-server=127.0.0.1:9", "--user-data-dir=" + os.path.join(folder, "profile"),
                   "--window-size=1200,900"]
        if os.getuid() == 0:
            options.append("--no-sandbox")
        self.process = subprocess.Popen([program] + options + ["about:blank"], pass_fds=(3, 4), preexec_fn=place_pipes, stdout=self.log,
                                        stderr=self.log, stdin=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number, self.rest, self.events, self.session = 0, b"", [], None

    def message(self):
        while b"\0" not in self.rest:
            piece = os.read(self.to_read, 1 << 20)
            if not piece:
                raise RuntimeError("Chromium ended")
            self.rest += piece
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to_write, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def attach(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(domain + ".enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)

    def js(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def frame(self):
        """Waits until what was asked for is drawn."""
        self.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def key(self, key):
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=key)
        self.frame()

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except Exception:
            self.process.kill()
            self.process.wait()


failures = []


def check(good, string):
    if not good:
        failures.append(string)
        print("failed: " + string)


def sizes_of(browser, index):
    return browser.js(f"(() => {{ const c = document.querySelectorAll('.viewer')[{index}].querySelector('.stage canvas'); return [c.width, c.height]; }})()")


def pixels(browser, index=0):
    """Red of the pixels of a viewer's canvas, row by row."""
    return browser.js(f"""(() => {{
        const c = document.querySelectorAll('.viewer')[{index}].querySelector('.stage canvas');
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        return Array.from({{length: d.length / 4}}, (_, i) => d[4 * i]); }})()""")


def label(browser, index=0):
    return browser.js(f"document.querySelectorAll('.viewer')[{index}].querySelector('.stage canvas').getAttribute('aria-label')")


def slide(browser, name, value, index=0):
    browser.js(f"""(() => {{
        const row = [...document.querySelectorAll('.viewer')[{index}].querySelectorAll('.row')].find((r) => r.textContent.startsWith('{name}'));
        const input = row.querySelector('input');
        input.value = {value};
        input.dispatchEvent(new Event('input')); }})()""")
    browser.frame()


def press(browser, string, index=0):
    browser.js(f"[...document.querySelectorAll('.viewer')[{index}].querySelectorAll('button, label')].find((b) => b.textContent === '{string}').click()")
    browser.frame()


def greys(low, high, value):
    return min(255, max(0, round(255 * (value - low) / (high - low))))


def test(browser, url):
    browser.attach()
    browser.call("Page.navigate", url=url)
    for _ in range(200):
        if browser.js("document.documentElement?.dataset.ready === 'yes' || document.querySelector('#trouble')?.hidden === false"):
            break
        time.sleep(0.1)
    check(browser.js("document.documentElement.dataset.ready") == "yes", "the page says that it is ready")
    check(browser.js("document.title") == "Sample & <b>test</b>", "the title is what was given")
    check(browser.js("document.querySelectorAll('.viewer').length") == 3, "two images and a map are shown")
    check(browser.js("document.querySelectorAll('#notes li').length") == 1, "the note is one")

    # numbers are where they belong: 20 x 14 pixels, x + 10 slice + 100 volume, black 0, white 300
    check(sizes_of(browser, 0) == [20, 14], "the canvas has the image's pixels")
    first = pixels(browser)
    near = lambda got, expected: all(abs(a - b) <= 1 for a, b in zip(got, expected))
    check(near(first[:20], [greys(0, 300, x + 20) for x in range(20)]), "slice 3 of volume 1 is shown with its numbers")
    ends = browser.js("[...document.querySelectorAll('.viewer')[0].querySelectorAll('.end')].map((e) => e.textContent).join(' ')")
    check(ends == "R L A P", f"letters at the edges: {ends}")

    slide(browser, "Slice", 5)
    check(near(pixels(browser)[:20], [greys(0, 300, x + 40) for x in range(20)]), "the slider shows slice 5")
    check("slice 5 of 5" in label(browser, 2), "the map of the same size follows: " + label(browser, 2))
    slide(browser, "Volume", 3)
    check(near(pixels(browser)[:20], [greys(0, 300, x + 240) for x in range(20)]), "the slider shows volume 3")

    # window: by slider, by keys, by the mouse
    slide(browser, "Window", 100)
    check(near(pixels(browser)[:20], [greys(100, 200, x + 240) for x in range(20)]), "a narrow window cuts off")
    slide(browser, "Level", 250)
    narrow = pixels(browser)
    check(near(narrow[:20], [greys(200, 300, x + 240) for x in range(20)]), "the level moves it")
    press(browser, "Auto window")
    check("window from 0 to 300" in label(browser), "the automatic window comes back: " + label(browser))
    box = browser.js("(() => { const b = document.querySelector('.stage').getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()")
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    before = pixels(browser)
    browser.mouse("mousePressed", x, y, button="left", clickCount=1)
    for step in range(1, 6):
        browser.mouse("mouseMoved", x - 20 * step, y + 10 * step, button="left", buttons=1)
    browser.mouse("mouseReleased", x - 100, y + 50, button="left", clickCount=1)
    browser.frame()
    check(pixels(browser) != before and "window from 0 to 300" not in label(browser), "a drag changes the window")
    check("(" in browser.js("document.querySelector('.cursor').textContent"), "the number under the mouse is told")
    browser.key("a")
    check("window from 0 to 300" in label(browser), "the key A brings it back")
    browser.key("ArrowDown")
    browser.key("ArrowLeft")
    check(near(pixels(browser)[:20], [greys(0, 300, x + 130) for x in range(20)]), "arrows page and turn")
    browser.key("m")
    check(sizes_of(browser, 0)[0] * sizes_of(browser, 0)[1] >= 20 * 14 * 5, "M shows all slices")
    browser.key("m")
    browser.key("o")
    check(sizes_of(browser, 0) == [20, 5], "O turns to the plane x z")
    check(near(pixels(browser)[:20], [greys(0, 300, x + 140) for x in range(20)]), "with z upwards")
    browser.key("o")
    browser.key("o")

    # images side by side
    check("window from 0 to 300" not in label(browser, 1), "windows are apart at first: " + label(browser, 1))
    browser.js("document.getElementById('together').click()")
    browser.frame()
    check("window from 0 to 300" in label(browser, 1) and pixels(browser, 1) == pixels(browser), "one window for all")
    slide(browser, "Window", 100, 1)
    check(pixels(browser, 1) == pixels(browser) and "window from 100 to 200" in label(browser), "whichever changes: " + label(browser))
    check("window from 100 to 200" not in label(browser, 2), "but not the map")

    # the complex map
    magnitude = pixels(browser, 2)
    press(browser, "phase", 2)
    check(pixels(browser, 2) != magnitude and ", phase," in label(browser, 2), "the phase looks different")
    press(browser, "real", 2)
    check(", real," in label(browser, 2), "the real part is shown")
    press(browser, "magnitude", 2)
    check(pixels(browser, 2) != [], "and the magnitude again")

    colour = "getComputedStyle(document.body).backgroundColor"
    light = browser.js(colour)
    browser.js("document.getElementById('theme').click()")
    check(browser.js(colour) != light, "dark and light differ")

    # the string of a stranger
    check(browser.js("document.querySelectorAll('img, main b, main i').length") == 0, "words become no elements")
    check(browser.js("document.title") == "Sample & <b>test</b>", "and no scripts")
    events = list(browser.events)  # what follows is an error on purpose
    blocked = browser.js("""new Promise((done) => {
        const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s);
        setTimeout(() => done(window.ran === undefined), 50); })""")
    check(blocked, "the policy keeps other scripts from running")

    trouble, requests = [], []
    for event in events:
        method, params = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown" or (method == "Log.entryAdded" and params["entry"]["level"] == "error"):
            trouble.append(json.dumps(params)[:300])
        if method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            trouble.append(json.dumps(params)[:300])
        if method == "Network.requestWillBeSent" and not params["request"]["url"].startswith(("file:", "data:", "blob:", "about:")):
            requests.append(params["request"]["url"])
    check(not trouble, f"no errors: {trouble}")
    check(not requests, f"no requests: {requests}")


def main():
    program = sys.argv[2] if len(sys.argv) > 2 else next(filter(None, map(shutil.which, NAMES)), None)
    if not program:
        print("skipped: no Chromium here (Debian package chromium)")
        return 77
    with tempfile.TemporaryDirectory(prefix="argand report ") as folder:
        page = os.path.join(folder, "sample.html")
        subprocess.run([sys.argv[1], page], check=True)
        browser = Browser(program, folder)
        try:
            test(browser, "file://" + page.replace(" ", "%20"))
        finally:
            browser.close()
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
