# SPDX-License-Identifier: BSD-3-Clause
"""derivatives.py ARGAND EPI.py: names, folders and sidecars of argand sense --bids; bids-validator-deno (PyPI) checks each dataset where
it is installed."""
import glob
import json
import os
import shutil
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

tool, make_epi = map(os.path.abspath, sys.argv[1:3])
SUBJECT = "<subjectInformation><patientID>p_07</patientID></subjectInformation>"
STUDY = "<studyInformation><studyID>2</studyID></studyInformation>"
PROTOCOL = "<measurementInformation><patientPosition>HFS</patientPosition><protocolName>func_task-rest_2mm</protocolName></measurementInformation>"


def run(*words, code=0):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stderr


def scan(path, *options, epi=False, about=""):
    run(tool, "simulate", path, "-t", "cartesian", "-q", "-f", 0, "-c", 3, "--tr", 500, "--fineness", 1, *options)
    if epi:
        run(sys.executable, make_epi, path)
    with h5py.File(path, "r+") as file:
        xml = file["dataset/xml"][0].decode()
        at = xml.index("<acquisitionSystemInformation>")
        if epi:
            xml = xml.replace("</sequenceParameters>", "<echo_spacing>0.5</echo_spacing></sequenceParameters>")
        file["dataset/xml"][0] = (xml[:at] + about + xml[at:]).encode()


def every(folder):
    return sorted(os.path.relpath(p, folder) for p in glob.glob(folder + "/**", recursive=True) if os.path.isfile(p))


def conforms(folder):
    """No error of the validator, which would write hidden files, too, into the list."""
    assert not [n for _, folders, names in os.walk(folder) for n in folders + names if n.startswith(".")]
    if not shutil.which("bids-validator-deno"):
        return
    done = subprocess.run(["bids-validator-deno", "--format", "json", folder], capture_output=True, text=True)
    if not done.stdout.startswith("{"):
        return  # it fetches its schema, or a part of itself, and has no network
    issues = json.loads(done.stdout)["issues"]["issues"]
    assert not [i for i in issues if i["severity"] == "error"], issues


def test_echoes():
    """Echoes and parts are entities; the description that is there stays."""
    scan("s.h5", "-x", "20x15", "--slices", 2, "--echoes", 2, "--echo", 12, "--echo-spacing", 9)
    run(tool, "sense", "s.h5", "plain.nii.gz", "-n", 2, "-q", "--part", "magnitude,phase")
    said = run(tool, "sense", "s.h5", "--bids", "d", "--bids-name", "sub-01_ses-a_acq-test", "-n", 2, "--part", "magnitude,phase", "--noise-map", 2)
    assert "named _MEGRE after its echoes" in said, said
    base = "sub-01/ses-a/anat/sub-01_ses-a_acq-test_echo-"
    images = [f"{base}{e}_part-{p}_MEGRE" for e in (1, 2) for p in ("mag", "phase")]
    assert every("d") == sorted(["dataset_description.json", *[i + ".nii.gz" for i in images], *[i + ".json" for i in images],
                                 *[f"{base}{e}_desc-noise_MEGRE.nii.gz" for e in (1, 2)]]), every("d")
    for e in 1, 2:
        assert json.load(open(f"d/{base}{e}_part-mag_MEGRE.json"))["EchoNumber"] == e
        mine, other = (nibabel.load(n) for n in (f"d/{base}{e}_part-mag_MEGRE.nii.gz", f"plain_contrast-{e}_part-mag.nii.gz"))
        assert np.array_equal(mine.get_fdata(), other.get_fdata()) and np.array_equal(mine.affine, other.affine)
    about = json.load(open("d/dataset_description.json"))
    assert about["DatasetType"] == "derivative" and about["GeneratedBy"][0]["Name"] == "Argand"
    for image in glob.glob("d/**/*noise*", recursive=True):
        os.remove(image)  # no sidecar says that its skull is there
    conforms("d")
    open("d/dataset_description.json", "w").write('{"Name": "mine"}')
    run(tool, "sense", "s.h5", "--bids", "d", "--bids-name", "sub-02_T2starw", "-n", 2, "-q", "--part", "phase")
    assert open("d/dataset_description.json").read() == '{"Name": "mine"}'
    assert "sub-02/anat/sub-02_echo-1_part-phase_T2starw.nii.gz" in every("d")


def test_bold():
    """EPI over time: subject, session and task are the header's; times and directions are the train's."""
    scan("e.h5", "-x", "24x18", "-r", 3, epi=True, about=SUBJECT + STUDY + PROTOCOL)
    said = run(tool, "sense", "e.h5", "--bids", "d", "-n", 3)
    base = "sub-p07/ses-2/func/sub-p07_ses-2_task-rest_bold"
    assert every("d") == ["dataset_description.json", base + ".json", base + ".nii.gz"], every("d")
    assert 'patientID "p_07" becomes sub-p07: BIDS' in said and 'studyID "2" becomes ses-2.' in said and 'protocol "func_task-rest_2mm": task-rest' in said and "_bold" in said, said
    sidecar, image = json.load(open(f"d/{base}.json")), nibabel.load(f"d/{base}.nii.gz")
    assert sidecar["TaskName"] == "rest" and sidecar["PhaseEncodingDirection"] == "j" and sidecar["SkullStripped"] is False
    assert abs(sidecar["EffectiveEchoSpacing"] - 5e-4) < 1e-9 and abs(sidecar["TotalReadoutTime"] - 17 * 5e-4) < 1e-9
    assert image.shape == (24, 18, 1, 3) and abs(image.header["pixdim"][4] - sidecar["RepetitionTime"]) < 1e-6
    conforms("d")


def test_refused():
    """Names and options that BIDS does not have: before anything is made."""
    scan("s.h5", "-x", "12x10", about="<subjectInformation><patientID>__</patientID></subjectInformation>")
    scan("e.h5", "-x", "12x10", epi=True)
    os.mkdir("folder")
    for words, text in ((["s.h5", "--bids-name", "sub-1_2_T1w"], "is no part of a name"), (["s.h5", "--bids-name", "sub-a+b"], "letters and digits"),
                        (["s.h5", "--bids-name", "sub-1_sub-2"], "given twice"), (["s.h5", "--bids-name", "sub-1_scan"], "is none of bold"),
                        (["s.h5", "--bids-name", "sub-1"], "kind of image is not known"), (["s.h5", "--bids-name", "T1w"], "no patientID"),
                        (["e.h5", "--bids-name", "sub-1"], "give the task"), (["s.h5", "--part", "complex"], "no complex images"),
                        (["s.h5", "--report"], "no place for a report"), (["s.h5", "x.nii.gz"], "one name too many"),
                        (["s.h5", "--resume"], "leave out --bids"), (["folder"], "folder of scans")):
        said = run(tool, "sense", *words, "--bids", "d", "-q", code=1)
        assert text in said and not os.path.exists("d"), (words, said)
    assert "give the folder" in run(tool, "sense", "s.h5", "x.nii.gz", "--bids-name", "sub-1", code=1)
    open("file", "w").close()
    assert "is not a folder" in run(tool, "sense", "s.h5", "--bids", "file", "--bids-name", "sub-1_T1w", code=6)


def test_failure():
    """A folder that cannot be made, in the middle: nothing stays behind."""
    scan("s.h5", "-x", "12x10")
    os.makedirs("d/sub-1")
    open("d/sub-1/anat", "w").close()
    said = run(tool, "sense", "s.h5", "--bids", "d", "--bids-name", "sub-1_T1w", "-n", 1, code=6)
    assert every("d") == ["sub-1/anat"], (every("d"), said)
    said = run(tool, "sense", "s.h5", "--bids", "file/d", "--bids-name", "sub-1_T1w", "-n", 1, code=6)
    assert "file/d: the folder cannot be made" in said, said


for name, test in list(globals().items()):
    if name.startswith("test_"):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            test()
            os.chdir("/")
        print("passed", name)
