"""A page in headless Chromium, spoken to over a pipe (the Chrome DevTools protocol); no packages needed."""
import base64
import fcntl
import json
import os
import shutil
import subprocess
import time


def find_chromium():
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


class Browser:
    """One Chromium with one page. What the page's console, exceptions and requests were, it remembers."""

    def __init__(self, chromium, profile):
        theirs_in, self.out = os.pipe()
        self.input, theirs_out = os.pipe()
        theirs = [fcntl.fcntl(fd, fcntl.F_DUPFD, 20) for fd in (theirs_in, theirs_out)]

        def hand_over():  # Chromium reads from 3 and writes to 4
            os.dup2(theirs[0], 3)
            os.dup2(theirs[1], 4)

        self.process = subprocess.Popen(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={profile}", "--remote-debugging-pipe"],
            preexec_fn=hand_over, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for fd in (theirs_in, theirs_out, *theirs):
            os.close(fd)
        os.set_blocking(self.input, False)
        self.buffer, self.last_id, self.events = b"", 0, []
        self.problems, self.requests = [], []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=20)
        os.close(self.out)
        os.close(self.input)

    def messages(self, seconds=30):
        """What Chromium says, one message at a time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if b"\0" in self.buffer:
                message, self.buffer = self.buffer.split(b"\0", 1)
                yield json.loads(message)
                continue
            try:
                read = os.read(self.input, 1 << 20)
                if not read:
                    raise RuntimeError("Chromium ended")
                self.buffer += read
            except BlockingIOError:
                time.sleep(0.005)
        raise TimeoutError("Chromium does not answer")

    def note(self, message):
        """Keeps of an event what a check asks for."""
        method, values = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.problems.append(f"console.{values['type']}: {[each.get('value') for each in values['args']]}")
        elif method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.problems.append(f"{values['entry']['level']}: {values['entry']['text']}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        self.events.append(method)

    def call(self, method, **values):
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": values}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        for answer in self.messages():
            if answer.get("id") == self.last_id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    def open(self, url, width, height, dark=False):
        self.problems, self.requests, self.events = [], [], []
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=url)
        if "Page.loadEventFired" not in self.events:
            for message in self.messages():
                self.note(message)
                if message.get("method") == "Page.loadEventFired":
                    break
        self.settle()

    def settle(self):
        """Waits until the page has laid itself out and drawn twice."""
        wait = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))"
        self.call("Runtime.evaluate", expression=wait, awaitPromise=True)

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']['text']}")
        return answer["result"].get("value")

    def move_mouse(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.settle()

    def screenshot(self, file, is_whole=True):
        """The whole page, below the window's edge too; or what the window shows."""
        image = self.call("Page.captureScreenshot", captureBeyondViewport=is_whole)["data"]
        file.write_bytes(base64.b64decode(image))

    def print(self, file):
        file.write_bytes(base64.b64decode(self.call("Page.printToPDF", printBackground=False)["data"]))
