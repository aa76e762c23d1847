# SPDX-License-Identifier: BSD-3-Clause
"""keep.py ARGAND: a client of `argand serve --window` that is cut off and connects again with the same header needs no calibration: three windows
of readouts give frames. After an orderly end, with another header, another slice or without --keep-calibration they are too few."""
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

tool = os.path.abspath(sys.argv[1])
os.chdir(tempfile.mkdtemp())
CONFIG_FILE, HEADER, CLOSE, TEXT, ACQUISITION, IMAGE = 1, 3, 4, 5, 1008, 1022
WINDOW, PIXELS = 16, 24
subprocess.run([tool, "simulate", "s.h5", "-x", str(PIXELS), "-c", "4", "--trajectory", "radial", "--golden", "--shots", "400", "--field-range", "0", "--fineness", "1",
                "--snr", "0", "-q"], check=True)
with h5py.File("s.h5") as file:
    header = file["dataset/xml"][0].decode()
    data = file["dataset/data"][:]


def messages():
    return [struct.pack("<H", ACQUISITION) + r["head"].tobytes() + r["traj"].tobytes() + r["data"].tobytes() for r in data]


rows = messages()
data["head"]["position"][:, 2] += 5
elsewhere = messages()


def answer(stream):
    """The next image, the text of an error, or None for the close."""
    number = struct.unpack("<H", stream.read(2))[0]
    if number == CLOSE:
        return None
    if number == TEXT:
        return stream.read(struct.unpack("<I", stream.read(4))[0]).decode()
    assert number == IMAGE, number
    stream.read(198)
    stream.read(struct.unpack("<Q", stream.read(8))[0])
    return np.frombuffer(stream.read(4 * PIXELS * PIXELS), "<f4").reshape(PIXELS, PIXELS)


def connect(port, xml):
    connection = socket.create_connection(("127.0.0.1", port))
    data = xml.encode() + b"\0"
    connection.sendall(struct.pack("<H1024s", CONFIG_FILE, b"argand") + struct.pack("<HI", HEADER, len(data)) + data)
    return connection, connection.makefile("rb")


def cut_off(port):
    """Sends readouts until an image comes, and resets the connection. Returns that image."""
    connection, back = connect(port, header)
    stop = threading.Event()

    def play():  # a scan goes on while the server calibrates
        for i in range(100000):
            if stop.wait(0 if i < 6 * WINDOW else 0.005):
                return
            connection.sendall(rows[i % len(rows)])

    sender = threading.Thread(target=play)
    sender.start()
    image = answer(back)
    stop.set()
    sender.join()
    assert isinstance(image, np.ndarray), image
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    back.close()
    connection.close()
    return image


def three_windows(port, xml=header, scan=rows):
    connection, back = connect(port, xml)
    connection.sendall(b"".join(scan[200: 200 + 3 * WINDOW]) + struct.pack("<H", CLOSE))
    answers = []
    while (found := answer(back)) is not None:
        answers.append(found)
    connection.close()
    return answers


def serve(*words):
    server = subprocess.Popen([tool, "serve", "--port", "0", "--json", "--device", "cpu", "--threads", "1", "--window", str(WINDOW), "--coil-maps", "none",
                               "--field-map", "none", *words], stdout=subprocess.PIPE, text=True)
    return server, json.loads(server.stdout.readline())["port"]


few = f"fewer than the {6 * WINDOW} that calibrate"
server, port = serve()
before = cut_off(port)
images = three_windows(port, header + "<!-- another scan -->")
assert few in images[-1], images
images = three_windows(port, scan=elsewhere)
assert few in images[-1], images
images = three_windows(port)
assert images and all(isinstance(i, np.ndarray) for i in images), images
assert np.linalg.norm(images[-1] - before) < 0.2 * np.linalg.norm(before), np.linalg.norm(images[-1] - before) / np.linalg.norm(before)
images = three_windows(port)  # the connection before ended as it should
assert few in images[-1], images
server.terminate()
said = server.communicate()[0]
assert said.count("goes on with the coil maps, compression and delays of the connection that was cut off") == 1, said

server, port = serve("--keep-calibration", "0")
cut_off(port)
images = three_windows(port)
assert few in images[-1], images
server.terminate()
server.communicate()
print("passed")
