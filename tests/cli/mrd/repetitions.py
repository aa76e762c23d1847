# SPDX-License-Identifier: BSD-3-Clause
"""repetitions.py ARGAND SCAN.h5 SENSE.npy [options of serve]: one server and clients of the ismrmrd package. They hold the next
repetition back until the images of the one before have come, by flags or by the counter alone; send all before they read anything; die
between repetitions; send shots before repetitions, and what comes too late. SENSE.npy: complex images of argand sense, [repetition, z, y, x]."""
import json, shutil, socket, subprocess, sys, warnings
import ismrmrd, numpy as np

warnings.simplefilter("ignore")
tool, path, truth, *options = sys.argv[1:]
truth = np.load(truth).reshape(-1, *np.load(truth).shape[-3:])
shutil.copy(path, "sent.h5")  # the package opens files for writing
file = ismrmrd.Dataset("sent.h5", "dataset", create_if_needed=False)
header = ismrmrd.xsd.CreateFromDocument(file.read_xml_header())
acquisitions = [file.read_acquisition(i) for i in range(file.number_of_acquisitions())]
repetitions = max(a.idx.repetition for a in acquisitions) + 1
slices = truth.shape[1]
by_repetition = [[a for a in acquisitions if a.idx.repetition == r] for r in range(repetitions)]
bytes_of_one = max(sum(a.data.nbytes + a.traj.nbytes + 340 for a in part) for part in by_repetition)


def start(*more):
    server = subprocess.Popen([tool, "serve", "--port", "0", "--json", *options, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return server, json.loads(server.stdout.readline())["port"]


class Client:
    def __init__(self, port):
        self.connection = socket.create_connection(("127.0.0.1", port))
        self.connection.settimeout(300)  # a server that waits for more is a failure, not a hang
        self.to, self.back = self.connection.makefile("wb"), self.connection.makefile("rb")
        self.answers = ismrmrd.ProtocolDeserializer(self.back).deserialize()
        self.serializer = ismrmrd.ProtocolSerializer(self.to)
        self.send(ismrmrd.ConfigFile("default.xml"))
        self.send(header)

    def send(self, *what):
        for one in what: self.serializer.serialize(one)
        self.to.flush()

    def images(self, count):
        return [next(self.answers) for _ in range(count)]

    def end(self):
        self.serializer.close()
        self.to.flush()
        return list(self.answers)


def check(images, expected=range(repetitions)):
    images = [i for i in images if i.image_type == ismrmrd.IMTYPE_COMPLEX]
    assert len(images) == len(expected) * slices, len(images)
    for number, image in enumerate(images):
        r, s = expected[number // slices], number % slices
        assert (image.repetition, image.slice, image.image_index) == (r, s, number + 1)
        assert np.array_equal(image.data[0].reshape(truth.shape[2:]), truth[r, s]), (r, s)


def flagged(part, flag):
    part[-1].set_flag(flag)
    return part


def held_back(port, flags):
    client, images = Client(port), []
    for r, part in enumerate(by_repetition):
        last = r == repetitions - 1
        if flags:
            client.send(*flagged(part, ismrmrd.ACQ_LAST_IN_MEASUREMENT if last else ismrmrd.ACQ_LAST_IN_REPETITION))
            images += client.images(slices)  # nothing of the next repetition was sent
        else:
            client.send(*part[0 if r == 0 else 1:], *([] if last else by_repetition[r + 1][:1]))
            if not last: images += client.images(slices)
    images += client.end()
    for part in by_repetition: part[-1].clear_all_flags()
    check(images)


server, port = start("--part", "complex", "--patience", "60", "--connections", "2")
try:
    held_back(port, flags=False)
    held_back(port, flags=True)
    dying = Client(port)  # between repetitions, while another one is served
    dying.send(*by_repetition[0], *by_repetition[1][:2])
    other = Client(port)
    check(dying.images(slices), [0])
    dying.connection.shutdown(socket.SHUT_RDWR)
    other.send(*acquisitions)
    check(other.end())
    shuffled = Client(port)  # shots before repetitions: no repetition ends before all have ended
    shuffled.send(*sorted(acquisitions, key=lambda a: (a.idx.kspace_encode_step_1, a.idx.repetition, a.idx.slice)))
    check(shuffled.end())
    late = Client(port)
    late.send(*flagged(by_repetition[0], ismrmrd.ACQ_LAST_IN_REPETITION))
    check(late.images(slices), [0])
    late.send(by_repetition[0][-1])
    words = [a for a in late.end() if isinstance(a, str)]
    assert "came after its image was sent: start the server with --whole" in words[0], words
finally:
    by_repetition[0][-1].clear_all_flags()
    server.terminate()
    errors = server.communicate()[1].decode()
assert "closed the connection before the scan was complete" in errors, errors

# many more repetitions than there is memory for
limit = max(1, -(-(bytes_of_one * 2) // 2**20))
server, port = start("--part", "complex", "--once", "--limit", str(limit))
client, images, sent, number = Client(port), [], 0, 0
while sent < 2 * limit * 2**20:
    for part in by_repetition:
        for a in part: a.idx.repetition = number
        client.send(*flagged(part, ismrmrd.ACQ_LAST_IN_REPETITION))
        images += client.images(slices)
        sent, number = sent + sum(a.data.nbytes + a.traj.nbytes + 340 for a in part), number + 1
assert not client.end() and server.wait() == 0
assert [(i.repetition, i.slice) for i in images] == [(r, s) for r in range(number) for s in range(slices)]
for r, part in enumerate(by_repetition):
    part[-1].clear_all_flags()
    for a in part: a.idx.repetition = r

whole = start("--part", "complex", "--once", "--whole")
client = Client(whole[1])
client.send(*acquisitions)
check(client.end())
print(repetitions, "repetitions of", slices, "slices")
