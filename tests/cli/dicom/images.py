# SPDX-License-Identifier: BSD-3-Clause
"""images.py ARGAND: DICOM files of argand sense hold the numbers and places of its NIfTI files, read by a parser of our own;
dcm2niix and dciodvfy are asked where they are installed."""
import glob
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

try:
    import h5py
    import nibabel
    import numpy as np
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

tool = os.path.abspath(sys.argv[1])
SUBJECT = ("<subjectInformation><patientName>Doe^Zo\u00eb</patientName><patientWeight_kg>71.5</patientWeight_kg><patientID>p-07</patientID>"
           "<patientBirthdate>1990-02-28</patientBirthdate><patientGender>F</patientGender></subjectInformation>"
           "<studyInformation><studyDate>2026-11-30</studyDate><studyTime>09:05:07</studyTime><studyID>s1</studyID>"
           "<studyInstanceUID>1.2.826.0.1.77</studyInstanceUID></studyInformation>"
           "<measurementInformation><patientPosition>HFS</patientPosition><protocolName>back\\slash</protocolName></measurementInformation>")


# ---- a reader of explicit VR little endian: {tag: value}; sequences are lists of such

def parse(data, at, end):
    found, last = {}, 0
    while at < end:
        group, element = struct.unpack_from("<HH", data, at)
        vr, at, tag = data[at + 4:at + 6].decode(), at + 6, group << 16 | element
        assert tag > last, f"{tag:08x} follows {last:08x}"
        last, wide = tag, vr in ("OB", "OW", "SQ", "UN", "UT")
        size, = struct.unpack_from("<I" if wide else "<H", data, at + 2 * wide)
        at += 6 if wide else 2
        assert size % 2 == 0 and at + size <= end
        found[tag] = items(data, at, at + size) if vr == "SQ" else value(vr, data[at:at + size])
        at += size
    return found


def items(data, at, end):
    every = []
    while at < end:
        group, element, size = struct.unpack_from("<HHI", data, at)
        assert (group, element) == (0xfffe, 0xe000)
        every.append(parse(data, at + 8, at + 8 + size))
        at += 8 + size
    return every


def value(vr, raw):
    if vr in ("US", "SS", "UL", "FD"):
        one = {"US": "H", "SS": "h", "UL": "I", "FD": "d"}[vr]
        return list(struct.unpack(f"<{len(raw) // struct.calcsize(one)}{one}", raw))
    if vr in ("OB", "OW", "AT"):
        return raw
    text = raw.decode().rstrip("\0" if vr == "UI" else " ")
    return [float(x) for x in text.split("\\")] if vr in ("DS", "IS") and text else text


def load(path):
    data = open(path, "rb").read()
    assert data[128:132] == b"DICM" and struct.unpack_from("<HH2sH", data, 132) == (2, 0, b"UL", 4)
    begin = 144 + struct.unpack_from("<I", data, 140)[0]
    meta = parse(data, 144, begin)
    assert meta[0x00020010] == "1.2.840.10008.1.2.1"
    image = parse(data, begin, len(data))
    assert (image[0x00080016], image[0x00080018]) == (meta[0x00020002], meta[0x00020003])
    return image


def pixels(image):
    """Pixels [.., row, column] as they are stored."""
    kind = "<i2" if image[0x00280103][0] else "<u2"
    return np.frombuffer(image[0x7fe00010], kind).reshape(-1, image[0x00280010][0], image[0x00280011][0])


def enhanced(path):
    """Numbers {x, y, z, t}, affine in RAS and the slope of an enhanced image."""
    image = load(path)
    shared, frames = image[0x52009229][0], image[0x52009230]
    assert len(frames) == image[0x00280008][0]
    at = [f[0x00209111][0][0x00209157] for f in frames]
    volumes, slices = max(i[1] for i in at), max(i[2] for i in at)
    slope = shared[0x00289145][0][0x00281053][0]
    numbers = np.zeros((image[0x00280011][0], image[0x00280010][0], slices, volumes))
    for frame, i in zip(pixels(image), at):
        numbers[:, :, i[2] - 1, i[1] - 1] = frame.T * slope
    places = {i[2]: f[0x00209113][0][0x00200032] for i, f in zip(at, frames)}
    return image, numbers, affine(shared[0x00209116][0][0x00200037], shared[0x00289110][0][0x00280030], places, slices), slope


def classic(folder):
    """The same of a folder of classic images."""
    images = [load(path) for path in sorted(glob.glob(folder + "/*.dcm"))]
    assert [i[0x00200013][0] for i in images] == list(range(1, len(images) + 1))
    slices = len(images) // int(images[0][0x00200105][0])
    numbers = np.zeros((images[0][0x00280011][0], images[0][0x00280010][0], slices, len(images) // slices))
    slope, = {i[0x00281053][0] for i in images}
    assert len({i[0x00080018] for i in images}) == len(images) and len({i[0x0020000e] for i in images}) == 1
    for n, image in enumerate(images):
        numbers[:, :, n % slices, n // slices] = pixels(image)[0].T * slope
    places = {n + 1: images[n][0x00200032] for n in range(slices)}
    return images[0], numbers, affine(images[0][0x00200037], images[0][0x00280030], places, slices), slope


def affine(axes, spacing, places, slices):
    a = np.eye(4)
    a[:3, 0], a[:3, 1] = np.array(axes[:3]) * spacing[1], np.array(axes[3:]) * spacing[0]
    a[:3, 3] = places[1]
    if slices > 1:
        a[:3, 2] = (np.array(places[slices]) - places[1]) / (slices - 1)
        for s, place in places.items():
            assert np.allclose(place, a[:3, 3] + (s - 1) * a[:3, 2], atol=1e-5)
    return np.diag([-1, -1, 1, 1]) @ a


# ---- scans

def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stderr


def rotation(a, b):
    turn = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    return turn @ np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])


def scan(path, *options, gap=1.0, subject="", order=1):
    """A simulated scan with oblique slices, some of them with gaps, and a patient."""
    run(tool, "simulate", path, "-t", "cartesian", "-q", "-f", 0, *options)
    with h5py.File(path, "r+") as file:
        data = file["dataset/data"]
        rows, axes = data[:], rotation(.3, -.4)
        head = rows["head"]
        head["read_dir"], head["phase_dir"], head["slice_dir"] = axes.T
        head["position"] = [12, -7, 31] + order * gap * head["idx"]["slice"].astype(int)[:, None] * axes[:, 2]
        rows["head"] = head
        data[:] = rows
        xml = file["dataset/xml"][0].decode()
        at = xml.index("<acquisitionSystemInformation>")
        xml = xml.replace("<sequenceParameters>", "<sequenceParameters><TR>321</TR>")
        xml = xml.replace("</sequenceParameters>", "<flipAngle_deg>12</flipAngle_deg></sequenceParameters>")
        file["dataset/xml"][0] = (xml[:at] + subject + xml[at:]).encode()


def same(numbers, place, nifti, slope):
    """The numbers differ by at most half a step of the slope, the places by nothing that shows."""
    image = nibabel.load(nifti)
    data = np.asarray(image.dataobj)
    data = data.reshape(data.shape + (1,) * (4 - data.ndim))
    assert numbers.shape == data.shape, (numbers.shape, data.shape)
    assert np.abs(numbers - data).max() <= slope / 2 * (1 + 1e-5), (nifti, slope, np.abs(numbers - data).max(), np.abs(data).max())
    ends = np.array(np.meshgrid(*[[0, n - 1] for n in data.shape[:3]], [1])).reshape(4, -1)
    assert np.abs((place - image.affine) @ ends).max() < 1e-3, (place, image.affine)


def converted(folder, names, frames=False):
    """dcm2niix agrees, once its rows are turned round. Before 2024 it sorted frames of volumes wrongly where it did not know the maker."""
    if not shutil.which("dcm2niix"):
        return
    version = re.search(r"v1\.0\.(\d{4})", subprocess.run(["dcm2niix", "-v"], capture_output=True, text=True).stdout)
    if frames and int(version[1]) < 2024:
        return
    os.mkdir("converted")
    run("dcm2niix", "-f", "%s", "-b", "n", "-o", "converted", folder)
    every = glob.glob("converted/*.nii")
    assert len(every) == len(names), (every, names)
    for path in every:
        image = nibabel.load(path)
        data = np.asarray(image.dataobj)[:, ::-1]
        place = image.affine @ np.array([[1, 0, 0, 0], [0, -1, 0, data.shape[1] - 1], [0, 0, 1, 0], [0, 0, 0, 1]])
        name, slope = names[int(re.match(r"\d+", os.path.basename(path))[0])]
        same(data.reshape(data.shape + (1,) * (4 - data.ndim)), place, name, slope * 1.01)
    shutil.rmtree("converted")


def conforms(path):
    if shutil.which("dciodvfy"):
        said = subprocess.run(["dciodvfy", path], capture_output=True, text=True).stderr
        assert "Error" not in said, said


def test_enhanced():
    """Echoes and parts are files, slices and repetitions frames."""
    scan("s.h5", "-x", "37x50", "--slices", 3, "-r", 2, "--echoes", 2, "-c", 4, gap=7.5, subject=SUBJECT)
    run(tool, "sense", "s.h5", "out.nii.gz", "-n", 3, "-q", "--part", "magnitude,phase", "--noise-map", 2)
    said = run(tool, "sense", "s.h5", "out.dcm", "-n", 3, "--part", "magnitude,phase", "--noise-map", 2)
    assert "patient" not in said and "1900" not in said
    names, uids = {}, set()
    for path in sorted(glob.glob("out_*.dcm")):
        image, numbers, place, slope = enhanced(path)
        same(numbers, place, path[:-4] + ".nii.gz", slope)
        conforms(path)
        names[int(image[0x00200011][0])] = path[:-4] + ".nii.gz", slope
        uids |= {image[0x00080018], image[0x0020000e]}
        shared, phase = image[0x52009229][0], "phase" in path
        echo = image[0x52009230][0][0x00189114][0][0x00189082][0]
        assert abs(echo - (2 if "contrast-2" in path else 1) - .0) < 5 and image[0x0020000d] == "1.2.826.0.1.77"
        assert image[0x00180080] == [321] and image[0x00181314] == [12]
        assert (image[0x00100010], image[0x00100020], image[0x00100030], image[0x00100040]) == ("Doe^Zo\u00eb", "p-07", "19900228", "F")
        assert image[0x00080023] == "20261130" and image[0x00080033] == "090507" and image[0x00181030] == "back/slash"
        assert image[0x00089208] == ("PHASE" if phase else "MAGNITUDE") and (0x00409096 in shared) == phase
        if phase:
            mapping = shared[0x00409096][0]
            assert mapping[0x004008ea][0][0x00080100] == "rad" and mapping[0x00409225] == [slope]
    assert len(names) == 6 and len(uids) == 12
    converted(".", names, True)


def test_same_bytes():
    """The same input gives the same file, whatever its name and the time."""
    scan("s.h5", "-x", "17x12", "-c", 2)
    said = run(tool, "sense", "s.h5", "a.dcm", "-n", 2)
    assert "patient name and ID" in said and "1900-01-01" in said
    os.mkdir("b")
    run(tool, "sense", "s.h5", "b/b.dcm", "-n", 2)
    assert open("a.dcm", "rb").read() == open("b/b.dcm", "rb").read()
    image = load("a.dcm")
    assert all(re.fullmatch(r"2\.25\.[1-9]\d{30,38}", image[tag]) for tag in (0x00080018, 0x0020000d, 0x0020000e, 0x00200052))
    run(tool, "sense", "s.h5", "c.dcm", "-n", 1)
    other = load("c.dcm")
    assert other[0x0020000d] == image[0x0020000d] and other[0x00080018] != image[0x00080018] and other[0x0020000e] != image[0x0020000e]


def test_classic():
    """A folder for each echo and part; what an enhanced image says, too."""
    scan("s.h5", "-x", "37x50", "--slices", 3, "-r", 2, "--echoes", 2, "-c", 4, gap=-7.5, subject=SUBJECT)
    run(tool, "sense", "s.h5", "out.nii.gz", "-n", 3, "-q", "--part", "magnitude,phase")
    run(tool, "sense", "s.h5", "out.dcm", "-n", 3, "--part", "magnitude,phase", "--dicom", "classic")
    names = {}
    assert not glob.glob("*.dcm") and not [name for name in os.listdir(".") if name.startswith(".")]
    for folder in ("out_contrast-1_part-mag", "out_contrast-2_part-mag", "out_contrast-1_part-phase", "out_contrast-2_part-phase"):
        image, numbers, place, slope = classic(folder)
        same(numbers, place, folder + ".nii.gz", slope)
        conforms(folder + "/00006.dcm")
        names[int(image[0x00200011][0])] = folder + ".nii.gz", slope
        assert image[0x0020000d] == "1.2.826.0.1.77" and image[0x00100010] == "Doe^Zo\u00eb"
        assert image[0x00180086][0] == (2 if "contrast-2" in folder else 1) and (0x00409096 in image) == ("phase" in folder)
    converted(".", names)
    done = subprocess.run([tool, "sense", "s.h5", "out.dcm", "--part", "magnitude,phase", "--dicom", "classic"], capture_output=True, text=True)
    assert done.returncode == 1 and "holds files already" in done.stderr, done.stderr
    done = subprocess.run([tool, "sense", "s.h5", "out.npy", "--dicom", "classic"], capture_output=True, text=True)
    assert done.returncode == 1 and "is no DICOM file" in done.stderr, done.stderr


def test_converted():
    """A map in DICOM has its unit; patient and study come from a scan."""
    scan("s.h5", "-x", "14x9", "--slices", 3, "-c", 2, gap=8, subject=SUBJECT)
    run(tool, "sense", "s.h5", "i.nii.gz", "-n", 2, "-q")
    image = nibabel.load("i.nii.gz")
    nibabel.save(nibabel.Nifti1Image(np.random.default_rng(1).uniform(-40, 60, image.shape).astype("f4"), image.affine), "r2star.nii.gz")
    open("r2star.json", "w").write('{"Units": "1/s"}')
    said = run(tool, "convert", "r2star.nii.gz", "a.dcm", "--header", "s.h5")
    assert "no patient" not in said
    said = run(tool, "convert", "r2star.nii.gz", "b.dcm", "--dicom", "classic")
    assert "no patient and is dated 1900-01-01; --header" in said, said
    for first, numbers, place, slope in enhanced("a.dcm"), classic("b"):
        same(numbers, place, "r2star.nii.gz", slope)
        named = 0x52009229 in first
        mapping = (first[0x52009229][0] if named else first)[0x00409096][0]
        assert mapping[0x004008ea][0][0x00080100] == "/s" and mapping[0x00409225] == [slope] and mapping[0x00409210] == "r2star"
        assert first[0x00100010] == ("Doe^Zo\u00eb" if named else "") and (first[0x0020000d] == "1.2.826.0.1.77") == named
    conforms("a.dcm")
    conforms("b/00001.dcm")
    done = subprocess.run([tool, "convert", "r2star.nii.gz", "b.dcm", "--dicom", "classic"], capture_output=True, text=True)
    assert done.returncode == 6 and "holds files already" in done.stderr, done.stderr


def test_refused():
    """Complex images, and scans without directions: before anything is computed."""
    scan("s.h5", "-x", "12x10", "-c", 2)
    with h5py.File("s.h5", "r+") as file:
        rows = file["dataset/data"][:]
        rows["head"]["read_dir"] = 0
        file["dataset/data"][:] = rows
    for words, text in (["--part", "complex"], "DICOM holds real numbers"), ([], "states its position and orientation"):
        done = subprocess.run([tool, "sense", "s.h5", "r.dcm", *words], capture_output=True, text=True)
        assert done.returncode == 1 and text in done.stderr and not glob.glob("r*"), done.stderr


def test_volume():
    """3-D, and slices that were counted against the slice direction."""
    scan("v.h5", "-x", "12x10x7", "-c", 3)
    scan("w.h5", "-x", "12x10", "--slices", 3, "-c", 3, gap=9, order=-1)
    for name in "vw":
        run(tool, "sense", f"{name}.h5", f"{name}.nii.gz", "-n", 2, "-q")
        run(tool, "sense", f"{name}.h5", f"{name}.dcm", "-n", 2, "-q")
        image, numbers, place, slope = enhanced(f"{name}.dcm")
        same(numbers, place, f"{name}.nii.gz", slope)
        conforms(f"{name}.dcm")
        shutil.rmtree(name, ignore_errors=True)
        os.mkdir(name)
        os.rename(f"{name}.dcm", f"{name}/{name}.dcm")
        converted(name, {1: (f"{name}.nii.gz", slope)})


for name, test in list(globals().items()):
    if name.startswith("test_"):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            test()
            os.chdir("/")
        print("passed", name)
