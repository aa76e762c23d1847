# SPDX-License-Identifier: BSD-3-Clause
"""fire.py ARGAND LABEL.json: a client of FIRE and OpenRecon, which sends the name of a configuration, the header, options as JSON in a text
message, acquisitions and a close. The images that come back are those of argand sense with these options; the server says which options it
does not know, and refuses wrong values. Each parameter of the label of the container is one that the server takes."""
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

tool, label = os.path.abspath(sys.argv[1]), json.load(open(sys.argv[2]))
os.chdir(tempfile.mkdtemp())
CONFIG_FILE, CONFIG_TEXT, HEADER, CLOSE, TEXT, ACQUISITION, IMAGE = 1, 2, 3, 4, 5, 1008, 1022


def text(number, string):
    data = string.encode() + b"\0"
    return struct.pack("<HI", number, len(data)) + data


def acquisitions(path):
    with h5py.File(path) as file:
        for row in file["dataset/data"]:
            yield struct.pack("<H", ACQUISITION) + row["head"].tobytes() + row["traj"].tobytes() + row["data"].tobytes()


def answers(stream):
    """Images [channel, z, y, x] of complex floats and of floats, and texts, up to the close."""
    images, texts = [], []
    while (number := struct.unpack("<H", stream.read(2))[0]) != CLOSE:
        if number == TEXT:
            texts.append(stream.read(struct.unpack("<I", stream.read(4))[0]).decode().rstrip("\0"))
            continue
        assert number == IMAGE, number
        head = stream.read(198)
        kind, sizes = struct.unpack_from("<H", head, 2)[0], (*struct.unpack_from("<3H", head, 16), *struct.unpack_from("<H", head, 34))
        stream.read(struct.unpack("<Q", stream.read(8))[0])  # attributes
        dtype = {5: "<f4", 7: "<c8"}[kind]
        images.append(np.frombuffer(stream.read(np.dtype(dtype).itemsize * int(np.prod(sizes))), dtype).reshape(sizes[::-1]))
    return images, texts


def ask(path, *first, words=()):
    """Serves one connection. Returns images, texts and what the server printed."""
    server = subprocess.Popen([tool, "serve", "--once", "--port", "0", "--json", "--device", "cpu", *words], stdout=subprocess.PIPE, text=True)
    port = json.loads(server.stdout.readline())["port"]
    with h5py.File(path) as file:
        header = file["dataset/xml"][0].decode()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        back = connection.makefile("rb")
        connection.sendall(struct.pack("<H1024s", CONFIG_FILE, b"argand") + text(HEADER, header) + b"".join(first))
        try:
            for message in acquisitions(path):
                connection.sendall(message)
            connection.sendall(struct.pack("<H", CLOSE))
        except OSError:
            pass  # refused already
        found = answers(back)
    events = [json.loads(line) for line in server.communicate()[0].splitlines()]
    return *found, "\n".join(e.get("text", e.get("message", "")) for e in events)


def parameters(**values):
    return text(TEXT, json.dumps({"version": "1.1.0", "parameters": values}))


def reference(name, *words):
    subprocess.run([tool, "sense", "scan.h5", name, "--device", "cpu", "-q", "--coil-maps", "none", *words], check=True)
    return np.load(name)


subprocess.run([tool, "simulate", "scan.h5", "-x", "24x20", "-c", "4", "-f", "0", "-t", "cartesian", "--partial-fourier", "0.7", "-q"], check=True)
wanted = reference("wanted.npy", "-n", "4", "--partial-fourier", "0.3", "--part", "complex", "--regularize", "quadratic:0.01")
images, texts, said = ask("scan.h5", parameters(config="argand", iterations=4, partialfourier="0.3", part="complex", regularize="quadratic:0.01", imagefov="",
                                                  precondition=False, sendOriginal="False"))
assert len(images) == 1 and not texts and np.allclose(images[0].squeeze(), wanted.squeeze(), rtol=1e-5), (len(images), texts, said)
assert "does not know, and ignores: config, sendOriginal" in said and "sets iterations 4, partial-fourier 0.3" in said, said

plain = reference("plain.npy", "-n", "3")
images, texts, said = ask("scan.h5", words=("-n", "3"))
assert len(images) == 1 and np.allclose(images[0].squeeze(), plain.squeeze(), rtol=1e-5), texts
images, texts, said = ask("scan.h5", text(CONFIG_TEXT, '{"parameters": {"iterations": "3"}}'))
assert len(images) == 1 and np.allclose(images[0].squeeze(), plain.squeeze(), rtol=1e-5), texts

for values, expected in (({"iterations": "many"}, "parameter iterations many"), ({"solver": "none"}, "parameter solver none"), ({"regularize": "tv:x"}, "wrong value"),
                         ({"matrix": "x" * 300}, "parameter matrix"), ({"compress": "file.npy"}, "parameter compress")):
    images, texts, said = ask("scan.h5", parameters(**values))
    assert not images and len(texts) == 1 and expected in texts[0], (values, texts)
images, texts, said = ask("scan.h5", text(TEXT, '{"parameters": {"iterations": 3'))
assert not images and "no JSON" in texts[0], texts
images, texts, said = ask("scan.h5", parameters(fieldmap="/etc/passwd", host="0.0.0.0"), text(TEXT, "hello"), words=("-n", "3"))
assert np.allclose(images[0].squeeze(), plain.squeeze(), rtol=1e-5) and "ignores: fieldmap, host" in said, said

# repetitions that are solved together, and a scan that is reconstructed when it is complete
subprocess.run([tool, "simulate", "dynamic.h5", "-x", "16", "-c", "2", "-f", "0", "-t", "radial", "--repetitions", "3", "-q"], check=True)
subprocess.run([tool, "sense", "dynamic.h5", "joint.npy", "--device", "cpu", "-q", "--coil-maps", "none", "-n", "3", "--joint"], check=True)
images, texts, said = ask("dynamic.h5", parameters(joint=True), words=("-n", "3"))
assert len(images) == 3 and not texts and "sets joint true" in said, (len(images), texts, said)
together = np.load("joint.npy").squeeze()
assert np.allclose(np.stack([i.squeeze() for i in images]), together.reshape(3, 16, 16), rtol=1e-4), together.shape
images, texts, said = ask("dynamic.h5", parameters(whole=True), words=("-n", "3"))
assert len(images) == 3 and not texts and "sets whole true" in said, (len(images), texts, said)

# what a scanner sends if nobody changes the label's fields
offered = {p["id"]: p.get("default", "") for p in label["parameters"]}
images, texts, said = ask("scan.h5", parameters(**offered))
default = reference("default.npy")
assert "does not know" not in said and np.allclose(images[0].squeeze(), default.squeeze(), rtol=1e-5), said
for p in label["parameters"]:
    for value in p.get("values", []):
        _, texts, said = ask("scan.h5", parameters(**{p["id"]: value["id"]}), words=("-n", "1"))
        assert not any("parameter" in t for t in texts) and "does not know" not in said, (p["id"], value, texts)

# frames have one model: a penalty is refused, options of other models are named
subprocess.run([tool, "simulate", "spokes.h5", "-x", "16", "-c", "2", "--trajectory", "radial", "--golden", "--shots", "64", "--field-range", "0", "-q"], check=True)
frames = ("--window", "8", "--coil-maps", "none", "--field-map", "none")
images, texts, said = ask("spokes.h5", parameters(regularize="tv:0.01", iterations=3), words=frames)
assert not images and "frames (--window) take no penalty" in texts[0], texts
images, texts, said = ask("spokes.h5", parameters(solver="cg", iterations=3, regularize=""), words=frames)
assert images and not texts and "sets solver cg, which frames (--window) do not use" in said and "sets iterations 3." in said, (texts, said)
print("passed")
