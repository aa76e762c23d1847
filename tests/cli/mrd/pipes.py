# SPDX-License-Identifier: BSD-3-Clause
"""pipes.py ARGAND SCAN.h5: the ismrmrd package sends the scan as it is stored to `argand sense - -` and reads the images; they are those of
the file. It reads `argand convert SCAN.h5 -`, too: the acquisitions are those of the file, in its order."""
import io, shutil, subprocess, sys, warnings
import ismrmrd, numpy as np

warnings.simplefilter("ignore")
tool, path = sys.argv[1:3]
OPTIONS = ["-q", "-n", "3", "--part", "complex", "--coil-maps", "none", "--field-map", "none"]
shutil.copy(path, "sent.h5")  # the package opens files for writing
scan = ismrmrd.Dataset("sent.h5", "dataset", create_if_needed=False)
stored = [scan.read_acquisition(i) for i in range(scan.number_of_acquisitions())]
sent = io.BytesIO()
with ismrmrd.ProtocolSerializer(sent) as serializer:
    serializer.serialize(ismrmrd.ConfigFile("default.xml"))
    serializer.serialize(ismrmrd.xsd.CreateFromDocument(scan.read_xml_header()))
    for a in stored: serializer.serialize(a)
    serializer.serialize("a text")
    serializer.serialize(np.ones((2, 3), np.float32))


def run(arguments, given=b""):
    done = subprocess.run([tool, *arguments], input=given, stdout=subprocess.PIPE, check=True)
    return list(ismrmrd.ProtocolDeserializer(io.BytesIO(done.stdout)).deserialize())


header, *images = run(["sense", "-", "-", *OPTIONS], sent.getvalue())
assert header.encoding[0].encodedSpace.matrixSize.x == 24
assert all(isinstance(i, ismrmrd.Image) and i.image_type == ismrmrd.IMTYPE_COMPLEX and i.image_series_index == 5 for i in images)
assert [i.image_index for i in images] == [1, 2] and [i.slice for i in images] == [0, 1]
subprocess.run([tool, "sense", path, "file.npy", *OPTIONS], check=True)
assert np.array_equal(np.array([i.data[0, 0] for i in images]), np.load("file.npy")[0])

header, *acquisitions = run(["convert", path, "-", "-q"])
assert len(acquisitions) == len(stored)
for a, b in zip(acquisitions, stored):
    assert np.array_equal(a.data, b.data) and np.array_equal(a.traj, b.traj) and a.flags == b.flags and list(a.position) == list(b.position)
    assert [getattr(a.idx, n) for n in ("slice", "kspace_encode_step_1", "repetition")] == [getattr(b.idx, n) for n in ("slice", "kspace_encode_step_1", "repetition")]
print("the same images")
