# SPDX-License-Identifier: BSD-3-Clause
"""client.py ARGAND SCAN.h5 OUT.npy [options of serve]: starts `argand serve --once`, sends the scan's acquisitions as they are stored
with the ismrmrd package, and keeps the complex images that come back, [image, z, y, x]."""
import json, shutil, socket, subprocess, sys, warnings
import ismrmrd, numpy as np

warnings.simplefilter("ignore")
tool, path, out = sys.argv[1:4]
server = subprocess.Popen([tool, "serve", "--once", "--port", "0", "--json", "--part", "complex", *sys.argv[4:]], stdout=subprocess.PIPE)
port = json.loads(server.stdout.readline())["port"]
shutil.copy(path, "sent.h5")  # the package opens files for writing
scan = ismrmrd.Dataset("sent.h5", "dataset", create_if_needed=False)
with socket.create_connection(("127.0.0.1", port)) as connection:
    to, back = connection.makefile("wb"), connection.makefile("rb")
    with ismrmrd.ProtocolSerializer(to) as serializer:
        serializer.serialize(ismrmrd.ConfigFile("default.xml"))
        serializer.serialize(ismrmrd.xsd.CreateFromDocument(scan.read_xml_header()))
        for i in range(scan.number_of_acquisitions()): serializer.serialize(scan.read_acquisition(i))
    answers = list(ismrmrd.ProtocolDeserializer(back).deserialize())
server.communicate()
texts = [a for a in answers if isinstance(a, str)]
images = [a for a in answers if isinstance(a, ismrmrd.Image)]
if texts or server.returncode: sys.exit(f"exit code {server.returncode}: {texts}")
for image in images:
    assert image.image_type == ismrmrd.IMTYPE_COMPLEX and image.data.dtype == np.complex64 and image.channels == 1
    assert list(image.matrix_size) == list(image.data.shape[:0:-1]) or list(image.matrix_size) == list(image.data.shape[1:]), (list(image.matrix_size), image.data.shape)
    assert "Argand" in image.attribute_string
print(len(images), "images of", images[0].data.shape, "at", [round(float(p), 3) for p in images[0].position], "mm, index", [i.image_index for i in images][:4])
np.save(out, np.array([i.data[0] for i in images]))
