# SPDX-License-Identifier: BSD-3-Clause
"""retry.py ARGAND: `argand stream --retry` finds a server that starts later, and goes on when its connection is lost: the frames of the
second connection match the readouts that were due then. Without --retry the loss is an error. Runs in a folder of its own."""
import json, os, shutil, signal, socket, subprocess, sys, tempfile, time
import numpy as np

tool = os.path.realpath(sys.argv[1])
folder = tempfile.mkdtemp()
os.chdir(folder)
subprocess.run([tool, "simulate", "s.h5", "-x", "24", "-c", "3", "--trajectory", "radial", "--golden", "--shots", "200", "--field-range", "0",
                "--fineness", "1", "-q"], check=True)


def serve(port=0):
    server = subprocess.Popen([tool, "serve", "--port", str(port), "--json", "--window", "5", "--coil-maps", "none", "--field-map", "none", "--device",
                               "cpu", "--threads", "1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return server, json.loads(server.stdout.readline())["port"]


def play(port, *options):
    return subprocess.Popen([tool, "stream", "s.h5", "out.npy", "--port", str(port), "--interval", "4", "--json", *options], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def result(client):
    out, err = client.communicate(timeout=200)
    assert client.returncode == 0, (out, err)
    return [json.loads(line) for line in out.splitlines() if '"event":"result"' in line][-1], out


def workers(server): return open(f"/proc/{server.pid}/task/{server.pid}/children").read().split()


def worker(server, *options):
    """Plays the scan; returns the client and the process of its connection."""
    while workers(server): time.sleep(0.01)
    client = play(port, "--loop", "15", *options)
    while not workers(server): time.sleep(0.01)
    return client, int(workers(server)[0])


with socket.socket() as s:  # a port that is free
    s.bind(("127.0.0.1", 0))
    port = s.getsockname()[1]
client = play(port, "--retry", "100")
line = client.stdout.readline()
while "connecting again" not in line: line = client.stdout.readline()
server, _ = serve(port)
found, _ = result(client)
assert found["retries"] >= 1 and found["frames"] >= 1, found

# A connection that dies after some readouts. The scan of 12 s is long enough for the next one, which begins a second later and
# calibrates again, on a machine that is busy too.
client, victim = worker(server, "--retry", "5")
time.sleep(0.5)
os.kill(victim, signal.SIGKILL)
found, out = result(client)
assert found["retries"] == 1 and "connecting again in a second (1 of 5)" in out, (found, out)
assert found["frames"] >= 1 and found["images"] == len(np.load("out.npy").reshape(-1, 24, 24)), found
assert "could not be matched" not in out, out
assert found["start_up_frames"] <= found["frames"] and found["start_up_lost"] <= found["lost"], found

# Without --retry.
client, victim = worker(server)
os.kill(victim, signal.SIGKILL)
out, err = client.communicate(timeout=200)
assert client.returncode and "closed the connection" in out + err, (client.returncode, out, err)
server.terminate()
server.wait()
os.chdir("/")
shutil.rmtree(folder)
