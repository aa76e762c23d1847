# SPDX-License-Identifier: BSD-3-Clause
"""eager.py ARGAND SCAN.h5: a client that reads nothing before it has sent all, of more repetitions than sockets hold in either
direction: neither side waits for the other for good."""
import json, shutil, socket, subprocess, sys, warnings
import ismrmrd

warnings.simplefilter("ignore")
tool, path = sys.argv[1:3]
shutil.copy(path, "sent.h5")
file = ismrmrd.Dataset("sent.h5", "dataset", create_if_needed=False)
acquisitions = [file.read_acquisition(i) for i in range(file.number_of_acquisitions())]
server = subprocess.Popen([tool, "serve", "--port", "0", "--json", "--once", "-n", "1", "--device", "cpu", "-q", "--limit", "200", "--patience", "20",
                           "--part", "magnitude,phase,real,imaginary,complex"], stdout=subprocess.PIPE)
port = json.loads(server.stdout.readline())["port"]
SENT = 30
connection = socket.socket()
connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
connection.connect(("127.0.0.1", port))
to, back = connection.makefile("wb"), connection.makefile("rb")
with ismrmrd.ProtocolSerializer(to) as serializer:
    serializer.serialize(ismrmrd.xsd.CreateFromDocument(file.read_xml_header()))
    for r in range(SENT):
        for a in acquisitions:
            a.idx.repetition = r
            serializer.serialize(a)
answers = list(ismrmrd.ProtocolDeserializer(back).deserialize())
server.communicate()
assert server.returncode == 0, (server.returncode, [a for a in answers if isinstance(a, str)])
assert [(i.repetition, i.image_type) for i in answers] == [(r, t) for r in range(SENT) for t in range(1, 6)]
print("all", len(answers), "images")
