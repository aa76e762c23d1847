# SPDX-License-Identifier: BSD-3-Clause
"""view.py ARGAND [BROWSER.py]: `argand serve --view` with a WebSocket client of hand-written frames. The handshake is RFC 6455's, the
page's pixels are those that the MRD client gets, other hosts, other origins and malformed frames are refused, and the server lives
on. Where a Chromium is installed, it opens the page and draws the frames. Runs in an empty folder."""
import atexit, base64, hashlib, importlib.util, json, os, shutil, socket, struct, subprocess, sys, tempfile, time
import numpy as np

tool = os.path.realpath(sys.argv[1])
folder = tempfile.mkdtemp()
os.chdir(folder)


def http(port, text):
    """Sends bytes, and returns all that the server answers."""
    with socket.create_connection(("127.0.0.1", port), timeout=300) as s:
        s.sendall(text if isinstance(text, bytes) else text.encode())
        answer = b""
        while piece := s.recv(65536): answer += piece
    return answer.decode("latin-1")


def get(port, path="/", host=None, more="", method="GET", version="HTTP/1.1"):
    return http(port, f"{method} {path} {version}\r\nHost: {host or f'127.0.0.1:{port}'}\r\n{more}\r\n")


class Stream:
    """A WebSocket."""

    def __init__(self, port, key=None, buffer=None, **fields):
        key = key or base64.b64encode(os.urandom(16)).decode()
        self.s = socket.socket()
        self.s.settimeout(300)
        if buffer: self.s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.s.connect(("127.0.0.1", port))
        head = {"Host": f"127.0.0.1:{port}", "Origin": f"http://127.0.0.1:{port}", "Upgrade": "websocket", "Connection": "keep-alive, Upgrade",
                "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key, **{k.replace("_", "-"): v for k, v in fields.items()}}
        self.s.sendall(("GET /stream HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in head.items() if v) + "\r\n").encode())
        self.rest, self.head = b"", b""
        while b"\r\n\r\n" not in self.head:
            piece = self.s.recv(65536)
            if not piece: break
            self.head += piece
        self.head, _, self.rest = self.head.partition(b"\r\n\r\n")
        self.head = self.head.decode()
        self.accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()

    def bytes(self, count):
        while len(self.rest) < count:
            piece = self.s.recv(1 << 20)
            if not piece: return None
            self.rest += piece
        piece, self.rest = self.rest[:count], self.rest[count:]
        return piece

    def receive(self):
        """Returns code and bytes of a frame; (None, None): the server has closed."""
        head = self.bytes(2)
        if head is None: return None, None
        assert head[0] & 0xF0 == 0x80 and not head[1] & 0x80, head  # final, no extensions, not masked
        count = head[1]
        if count == 126: count = struct.unpack(">H", self.bytes(2))[0]
        elif count == 127: count = struct.unpack(">Q", self.bytes(8))[0]
        return head[0] & 15, self.bytes(count)

    def send(self, code, data=b"", first=0x80, mask=True, length=None):
        count = len(data) if length is None else length
        head = bytes([first | code]) + (bytes([(0x80 if mask else 0) | count]) if count < 126 else
                                        struct.pack(">BH", 0x80 | 126, count) if count < 65536 else struct.pack(">BQ", 0x80 | 127, count))
        key = os.urandom(4) if mask else b""
        self.s.sendall(head + key + (bytes(b ^ key[i % 4] for i, b in enumerate(data)) if mask else data))

    def next(self, code):
        """Passes over frames of other codes."""
        while True:
            found, data = self.receive()
            if found == code or found is None: return data


def begin(*options):
    server = subprocess.Popen([tool, "serve", "--port", "0", "--view", "0", "--json", "--window", "13", "--coil-maps", "none", "--field-map",
                               "none", "--device", "cpu", "--threads", "1", *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    atexit.register(server.terminate)  # a failed test leaves no server
    event = json.loads(server.stdout.readline())
    assert event["event"] == "listening", event
    return server, event["port"], event["view"]


def play(port, out, loops=1):
    subprocess.run([tool, "stream", "scan.h5", out, "--port", str(port), "--interval", "1", "--loop", str(loops), "-q"], check=True)


def status(answer): return int(answer.split()[1])


subprocess.run([tool, "simulate", "scan.h5", "-x", "64x48", "-c", "4", "--trajectory", "radial", "--golden", "--shots", "130",
                "--field-range", "0", "--snr", "50", "-q"], check=True)
server, port, view = begin()

# The page, and who does not get it.
page = get(view)
assert status(page) == 200 and "<canvas" in page and "Content-Security-Policy: default-src 'none'" in page, page[:500]
assert not any(word in page.partition("\r\n\r\n")[2] for word in ("https:", "src=\"http", "@import")), "the page loads something"
assert status(get(view, host=f"localhost:{view}")) == 200
for host in ("example.com", f"example.com:{view}", "127.0.0.1", f"127.0.0.1:{view + 1}", f"127.0.0.1.example.com:{view}", f"127.0.0.1:{view}0"):
    assert status(get(view, host=host)) == 403, host
for origin in ("http://example.com", f"https://127.0.0.1:{view}", "null", f"http://127.0.0.1:{view}.example.com"):
    assert status(get(view, more=f"Origin: {origin}\r\n")) == 403, origin
    assert Stream(view, Origin=origin).head.split()[1] == "403", origin
assert status(get(view, method="POST")) == 405 and status(get(view, "/other")) == 404 and status(get(view, version="HTTP/1.0")) == 400
assert status(get(view, "/../etc/passwd")) == 404
for malformed in ("GET / HTTP/1.1\r\n\r\n", "GET /\r\n\r\n", "\r\n\r\n", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nHost x\r\n\r\n",
                  f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{view}\r\nHost: 127.0.0.1:{view}\r\n\r\n", b"\0\0\0\0",
                  f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{view}\r\nContent-Length: 5\r\n\r\nabcde", os.urandom(3000) + b"\0"):
    assert status(http(view, malformed)) == 400, malformed
assert status(http(view, "GET /" + "a" * 8187)) == 431
assert Stream(view, Sec_WebSocket_Version="8").head.split()[1] == "426"
for key in ("short", "A" * 24, "A" * 23 + "=", "?" * 22 + "=="): assert Stream(view, key).head.split()[1] == "400", key

# The example of RFC 6455, then frames.
assert "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in Stream(view, "dGhlIHNhbXBsZSBub25jZQ==").head + "\r\n"
good, slow = Stream(view), Stream(view, buffer=2048, Origin=None)  # the second one does not read until the end
assert good.head.startswith("HTTP/1.1 101 ") and f"Sec-WebSocket-Accept: {good.accept}" in good.head, good.head
play(port, "images.npy", 8)
served, shown, about = np.load("images.npy"), [], None
while not about or about["open"]:
    about = json.loads(good.next(1))
    assert about["client"].startswith("127.0.0.1:") and about["connection"] == 1, about
    if about["n"] != [0, 0]: shown.append((about, np.frombuffer(good.next(2), "<f4")))
width, height = about["n"]
assert about["made"] + about["dropped"] == about["frame"] + 1 and about["made"] >= len(served) > 0, (about, served.shape)
for one, pixels in shown:
    assert pixels.size == width * height and pixels.max() > 0
    same = any(np.array_equal(image[0], pixels.reshape(height, width)) for image in served)
    assert same or one["unsent"], (one, served.shape)
assert abs(about["voxel"][0] * width / (about["voxel"][1] * height) - 1) < 0.5 and about["voxel"][0] > 0
frames = [frame for one, _ in shown for frame, ms in one["latencies"] if ms > 0]
assert frames == sorted(set(frames)) and len(frames) <= about["made"]

# Frames that are refused; ping and close.
good.send(9, b"are you there")
assert good.next(10) == b"are you there"
good.send(8, struct.pack(">H", 1000))
assert good.next(8) == struct.pack(">H", 1000) and good.receive() == (None, None)
for reason, frame in ((1002, dict(code=9, mask=False)), (1002, dict(code=3)), (1002, dict(code=11)), (1002, dict(code=9, first=0xC0)),
                      (1002, dict(code=9, first=0)), (1002, dict(code=9, length=126)), (1002, dict(code=8, length=1 << 40)),
                      (1003, dict(code=1, data=b"hello")), (1003, dict(code=2, length=1 << 62)), (1002, dict(code=8, data=b"x"))):
    bad = Stream(view)
    bad.send(**frame)
    assert bad.next(8) == struct.pack(">H", reason), (reason, frame)
half = Stream(view)  # half a frame, then gone
half.s.sendall(b"\x89\x85ab")
half.s.close()
waiting = [socket.create_connection(("127.0.0.1", view)) for _ in range(40)]  # more than there are places
assert status(get(view)) == 200

# A second stream is shown in place of the first one; who read nothing gets the newest.
play(port, "again.npy")
made, seen, about = about["made"], 0, json.loads(slow.next(1))
while about["connection"] != 2 or about["open"]:
    seen += about["connection"] == 1 and about["made"] > 0
    about = json.loads(slow.next(1))
assert about["made"] >= 1 and seen < made, (about, seen, made)

if len(sys.argv) > 2:
    spec = importlib.util.spec_from_file_location("browser", sys.argv[2])
    browser = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(browser)
    program = next((found for name in browser.NAMES if (found := shutil.which(name))), None)
    if program:
        b = browser.Browser(program, folder, ", EXCLUDE 127.0.0.1")
        b.attach()
        b.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
        b.call("Page.navigate", url=f"http://127.0.0.1:{view}/")
        for _ in range(6000):
            if b.js("document.getElementById('image') && document.getElementById('image').width") == width: break
            time.sleep(0.05)
        drawn = b.js("(() => { const c = document.getElementById('image'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                     "return [c.width, c.height, new Set(d).size, document.getElementById('made').textContent]; })()")
        assert drawn[:2] == [width, height] and drawn[2] > 20 and drawn[3] == str(about["made"]), drawn
        wrong = [e for e in b.events if e["method"] == "Runtime.exceptionThrown" or
                 (e["method"] == "Log.entryAdded" and e["params"]["entry"]["level"] == "error")]
        assert not wrong, wrong
        b.close()

server.terminate()
server.wait()
refused = subprocess.run([tool, "serve", "--view", "0"], capture_output=True, text=True)
assert refused.returncode and "give --window N" in refused.stderr, refused
os.chdir("/")
shutil.rmtree(folder)
