# SPDX-License-Identifier: BSD-3-Clause
"""pin.py ARGAND: `argand serve --pin` gives the threads that receive and send one processor and the thread of frames all others; a second
connection has another one. Runs in a folder of its own."""
import json, os, shutil, subprocess, sys, tempfile, time

tool = os.path.realpath(sys.argv[1])
processors = os.sched_getaffinity(0)
folder = tempfile.mkdtemp()
os.chdir(folder)
subprocess.run([tool, "simulate", "s.h5", "-x", "24", "-c", "3", "--trajectory", "radial", "--golden", "--shots", "200", "--field-range", "0",
                "--fineness", "1", "-q"], check=True)
server = subprocess.Popen([tool, "serve", "--port", "0", "--json", "--pin", "--window", "5", "--coil-maps", "none", "--field-map", "none", "--device",
                           "cpu", "--threads", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
port = json.loads(server.stdout.readline())["port"]
clients = [subprocess.Popen([tool, "stream", "s.h5", "--port", str(port), "--interval", "2", "--loop", "1000", "-q"]) for _ in range(2)]


def sets(process):
    """Processors of each thread of a process, as they are."""
    found = []
    for task in os.listdir(f"/proc/{process}/task"):
        try: found.append(os.sched_getaffinity(int(task)))
        except ProcessLookupError: pass
    return found


def pinned(process):
    """The processor of the threads that receive and send, once all are pinned."""
    for one in processors:
        found = sets(process)
        if found.count({one}) >= 2 and processors - {one} in found: return one
    return None


for _ in range(15000):  # five minutes: a guard; the clients send for longer
    workers = open(f"/proc/{server.pid}/task/{server.pid}/children").read().split()
    places = [pinned(w) for w in workers]
    if len(places) == 2 and None not in places or len(processors) == 1: break
    time.sleep(0.02)
if len(processors) > 1: assert len(set(places)) == 2, (places, [sets(w) for w in workers])
said = ""  # with one processor, the first connection tells it
while len(processors) == 1 and "not pinned" not in said and (line := server.stdout.readline()): said += line
for c in clients: c.kill()
for c in clients: c.wait()
server.terminate()
out, err = server.communicate()
assert ("not pinned" in said + out + err) == (len(processors) == 1), (out, err)
os.chdir("/")
shutil.rmtree(folder)
