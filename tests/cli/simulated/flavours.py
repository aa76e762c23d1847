# SPDX-License-Identifier: BSD-3-Clause
"""flavours.py FOLDER [NAME...]: a Cartesian scan in the forms in which converters write scans, a file for each function below that is registered;
flavours.py check NAME...: NAME.npy is the image of direct sums. Files: also
plain.h5. All hold samples of the same object, so that their images are that of plain.h5 (of volume.h5 for 3-D)."""
import os
import sys

import ismrmrd
import numpy as np

NX, NY, NZ, COILS, OVER = 32, 25, 6, 3, 2
XML = """<?xml version="1.0"?>
<ismrmrdHeader xmlns="http://www.ismrm.org/ISMRMRD">
 <experimentalConditions><H1resonanceFrequency_Hz>123200000</H1resonanceFrequency_Hz></experimentalConditions>
 <encoding><encodedSpace><matrixSize><x>{nx}</x><y>{ny}</y><z>{nz}</z></matrixSize>
  <fieldOfView_mm><x>{fx}</x><y>{fy}</y><z>{fz}</z></fieldOfView_mm></encodedSpace>
  <reconSpace><matrixSize><x>32</x><y>25</y><z>{rz}</z></matrixSize>
  <fieldOfView_mm><x>256</x><y>200</y><z>{frz}</z></fieldOfView_mm></reconSpace>
  <encodingLimits>{limits}</encodingLimits><trajectory>cartesian</trajectory>{parallel}</encoding>{tail}
</ismrmrdHeader>"""
LIMIT = "<{0}><minimum>{1}</minimum><maximum>{2}</maximum><center>{3}</center></{0}>"
STEP1, STEP2 = "kspace_encoding_step_1", "kspace_encoding_step_2"
rng = np.random.default_rng(3)
FLAVOURS = {}


def flavour(function):
    FLAVOURS[function.__name__] = function
    return function


def coil_images(nz):
    z, y, x = np.meshgrid(*(np.linspace(-1, 1, n) for n in (nz, NY, NX)), indexing="ij")
    image = ((x / 0.75) ** 2 + (y / 0.8) ** 2 < 1) * (1 + 0.5 * np.cos(5 * x + 3 * y + z)) * np.exp(0.8j * x + 0.4j * y)
    angles = 2 * np.pi * np.arange(COILS) / COILS
    return np.stack([image * np.exp(1j * a) / (0.4 + (x - np.cos(a)) ** 2 + (y - np.sin(a)) ** 2) for a in angles])


def sample(kx, ky, kz=0.0, nz=1, _known={}):
    """Direct sums, in cycles per 256 x 200 mm."""
    images = _known.setdefault(nz, coil_images(nz))
    waves = [np.exp(-2j * np.pi * np.multiply.outer(np.atleast_1d(k), np.arange(n) - n // 2) / n) for k, n in ((kx, NX), (ky, NY), (kz, nz))]
    return np.einsum("czyx,kx,y,z->ck", images, waves[0], waves[1][0], waves[2][0])


class Scan:
    """Lines of a file in the order in which they are added."""

    def __init__(self, nx=NX * OVER, ny=NY, nz=1, fy=200.0, limits=None, center=NY // 2, parallel="", tail="", slices=6.0, rz=None):
        text = LIMIT.format(STEP1, 0, ny - 1, center) + LIMIT.format(STEP2, 0, nz - 1, nz // 2)
        self.nx, self.nz, self.ny, self.center, self.lines = nx, nz, ny, center, []
        self.header = XML.format(nx=nx, ny=ny, nz=nz, fx=256 * nx // NX, fy=fy, fz=slices * nz, rz=rz or nz, frz=slices * (rz or nz),
                                 limits=text if limits is None else limits, parallel=parallel, tail=tail)

    def line(self, step, partition=0, data=None, flags=(), centre=None, pre=0, post=0, reverse=False, ky=None, first=None, last=None, **counters):
        """first, last: range of samples of the whole line of nx samples."""
        first, last = first or 0, self.nx if last is None else last
        kx = (np.arange(first, last) - self.nx // 2) * NX / self.nx
        if data is None:
            data = sample(kx, step - self.center if ky is None else ky, partition - self.nz // 2, self.nz)
        junk = 1e3 * rng.standard_normal((COILS, max(pre, post, 1)))
        data = np.concatenate([junk[:, :pre], data, junk[:, :post]], axis=1).astype(np.complex64)
        a = ismrmrd.Acquisition.from_array(np.ascontiguousarray(data[:, ::-1] if reverse else data))
        a.center_sample = self.nx // 2 - first + pre if centre is None else centre
        a.discard_pre, a.discard_post = (post, pre) if reverse else (pre, post)
        if reverse:
            a.center_sample = data.shape[1] - 1 - a.center_sample
        a.sample_time_us, a.scan_counter = 5.0, len(self.lines)
        a.read_dir[:], a.phase_dir[:], a.slice_dir[:] = (1, 0, 0), (0, 1, 0), (0, 0, 1)
        a.idx.kspace_encode_step_1, a.idx.kspace_encode_step_2 = step % 65536, partition % 65536
        for name, value in counters.items():
            setattr(a.idx, name, value)
        for flag in flags:
            a.set_flag(flag)
        if reverse:
            a.set_flag(ismrmrd.ACQ_IS_REVERSE)
        self.lines.append(a)
        return self

    def all(self, order=None, **more):
        for step in range(NY) if order is None else order:
            self.line(step, **more)
        return self

    def write(self, path):
        if os.path.exists(path):
            os.remove(path)
        with ismrmrd.Dataset(path, "dataset", True) as file:
            file.write_xml_header(self.header.encode())
            for a in self.lines:
                file.append_acquisition(a)


@flavour
def plain():
    return Scan().all()


@flavour
def critical():
    """No readout oversampling."""
    return Scan(nx=NX).all()


@flavour
def reordered():
    return Scan().all(rng.permutation(NY))


@flavour
def interleaved_segments():
    scan = Scan()
    for segment in range(4):
        scan.all(range(segment, NY, 4), segment=segment)
    return scan


@flavour
def discarded():
    """Samples to discard at both ends, as siemens_to_ismrmrd marks them."""
    return Scan().all(pre=3, post=5)


@flavour
def reversed_lines():
    scan = Scan()
    for step in range(NY):
        scan.line(step, reverse=step % 2 == 1, pre=2, post=1)
    return scan


@flavour
def no_limits():
    return Scan(limits="").all()


@flavour
def no_centre_sample():
    """Bruker's and others' zeros: the centre is not given."""
    return Scan().all(centre=0)


@flavour
def signed_steps():
    """philips_to_ismrmrd stores profile numbers from -N/2 on in 16 bits without a sign."""
    limits = LIMIT.format(STEP1, 0, NY - 1, (NY - 1) // 2) + LIMIT.format(STEP2, 0, 0, 0)
    scan = Scan(limits=limits, center=0, tail="<sequenceParameters><TR>ETH</TR><TE>3.5</TE></sequenceParameters>")
    for step in range(-(NY // 2), NY - NY // 2):
        scan.line(step)
    return scan


@flavour
def bare_heads():
    """ge_to_ismrmrd and bruker_to_ismrmrd: no dwell time; P-files have no directions either."""
    scan = Scan().all()
    for a in scan.lines:
        a.sample_time_us = 0
        a.read_dir[:], a.phase_dir[:], a.slice_dir[:] = (0, 0, 0), (0, 0, 0), (0, 0, 0)
    return scan


@flavour
def averages():
    """Two averages: an image each."""
    return Scan().all(average=0).all(average=1)


@flavour
def cut_asymmetric():
    """An asymmetric echo: 12 samples before the echo are missing."""
    return Scan().all(first=12)


@flavour
def cut_asymmetric_zeros():
    """The same, filled with zeros."""
    scan = Scan()
    for step in range(NY):
        kx = (np.arange(scan.nx) - scan.nx // 2) * NX / scan.nx
        scan.line(step, data=sample(kx, step - scan.center) * (np.arange(scan.nx) >= 12))
    return scan


@flavour
def cut_interrupted():
    """The scan ended before its last 7 lines."""
    return Scan().all(range(NY - 7))


@flavour
def cut_repetitions():
    """The last of three repetitions ended early."""
    return Scan().all(repetition=0).all(repetition=1).all(range(17), repetition=2)


@flavour
def cut_line():
    """A line was rejected."""
    return Scan().all([step for step in range(NY) if step != 15])


def is_in_ellipse(step, partition):
    return ((step - NY // 2) / (NY / 2)) ** 2 + ((partition - NZ // 2) / (NZ / 2)) ** 2 <= 1


@flavour
def cut_elliptical():
    scan = Scan(nz=NZ)
    for partition in range(NZ):
        scan.all([step for step in range(NY) if is_in_ellipse(step, partition)], partition=partition)
    return scan


@flavour
def cut_elliptical_zeros():
    """The same, filled with lines of zeros."""
    scan = Scan(nz=NZ)
    for partition in range(NZ):
        for step in range(NY):
            scan.line(step, partition, data=None if is_in_ellipse(step, partition) else np.zeros((COILS, scan.nx)))
    return scan


@flavour
def rejected_lines():
    """Dummies, feedback, navigators, phase correction and phase stabilisation between the lines."""
    scan = Scan()
    others = [ismrmrd.ACQ_IS_DUMMYSCAN_DATA, ismrmrd.ACQ_IS_RTFEEDBACK_DATA, ismrmrd.ACQ_IS_HPFEEDBACK_DATA,
              ismrmrd.ACQ_IS_SURFACECOILCORRECTIONSCAN_DATA, ismrmrd.ACQ_IS_NAVIGATION_DATA, ismrmrd.ACQ_IS_PHASECORR_DATA,
              ismrmrd.ACQ_IS_PHASE_STABILIZATION_REFERENCE, ismrmrd.ACQ_IS_PHASE_STABILIZATION]
    for step in range(NY):
        junk = 1e3 * rng.standard_normal((COILS, 40 if step % 2 else scan.nx))
        scan.line(step, data=junk, flags=[others[step % len(others)]])
        scan.line(step)
    return scan


@flavour
def noise_adjust():
    """Noise of another bandwidth and length first, as siemens_to_ismrmrd joins it."""
    scan = Scan()
    for i in range(2):
        scan.line(0, data=rng.standard_normal((COILS, 256)) + 1j * rng.standard_normal((COILS, 256)), flags=[ismrmrd.ACQ_IS_NOISE_MEASUREMENT], centre=0)
        scan.lines[-1].sample_time_us = 10.0
    return scan.all()


@flavour
def last_flags():
    """A line after the last one in the measurement, and flags of all firsts and lasts."""
    scan = Scan()
    for step in range(NY):
        scan.line(step, flags=[ismrmrd.ACQ_FIRST_IN_SLICE] if step == 0 else
                  [ismrmrd.ACQ_LAST_IN_SLICE, ismrmrd.ACQ_LAST_IN_MEASUREMENT, ismrmrd.ACQ_LAST_IN_REPETITION] if step == NY - 1 else [])
    return scan


@flavour
def phase_oversampled():
    """Twice the lines of the image's field of view."""
    scan = Scan(ny=2 * NY, fy=400.0, center=NY)
    for step in range(2 * NY):
        scan.line(step, ky=(step - NY) / 2)
    return scan


@flavour
def own_centre():
    """The centre of k-space is not in the middle of the steps (partial Fourier without zeros; here complete)."""
    scan = Scan(limits=LIMIT.format(STEP1, 3, NY + 2, NY // 2 + 3), center=NY // 2 + 3)
    return scan.all(range(3, NY + 3))


@flavour
def calibration_flags():
    """Lines in the middle have flag 21, or are repeated with flag 20 as a separate reference."""
    scan = Scan(parallel="<parallelImaging><accelerationFactor><kspace_encoding_step_1>1</kspace_encoding_step_1><kspace_encoding_step_2>1"
                "</kspace_encoding_step_2></accelerationFactor><calibrationMode>separate</calibrationMode></parallelImaging>")
    for step in range(6, 19):
        scan.line(step, flags=[ismrmrd.ACQ_IS_PARALLEL_CALIBRATION])
    for step in range(NY):
        scan.line(step, flags=[ismrmrd.ACQ_IS_PARALLEL_CALIBRATION_AND_IMAGING] if 6 <= step < 19 else [])
    return scan


PARALLEL = ("<parallelImaging><accelerationFactor><kspace_encoding_step_1>2</kspace_encoding_step_1><kspace_encoding_step_2>1"
            "</kspace_encoding_step_2></accelerationFactor><calibrationMode>{}</calibrationMode></parallelImaging>")


@flavour
def half_separate():
    """R = 2 after 15 reference lines with flag 20, which are no image lines."""
    scan = Scan(parallel=PARALLEL.format("separate"))
    for step in range(5, 20):
        scan.line(step, flags=[ismrmrd.ACQ_IS_PARALLEL_CALIBRATION])
    return scan.all(range(0, NY, 2))


@flavour
def half_own_encoding():
    """R = 2 after 15 reference lines of another readout, in an encoding space of their own: twice the field of view, 24 cells wide."""
    space = "<matrixSize><x>48</x><y>30</y><z>1</z></matrixSize><fieldOfView_mm><x>512</x><y>400</y><z>6</z></fieldOfView_mm>"
    tail = (f"<encoding><encodedSpace>{space}</encodedSpace><reconSpace>{space}</reconSpace><encodingLimits>{LIMIT.format(STEP1, 0, 29, 15)}"
            "</encodingLimits><trajectory>cartesian</trajectory></encoding>")  # fmt: skip
    scan = Scan(parallel=PARALLEL.format("separate"), tail=tail)
    for step in range(30):
        data = sample((np.arange(48) - 24) / 2, (step - 15) / 2)
        scan.line(step, data=data, centre=24, flags=[ismrmrd.ACQ_IS_PARALLEL_CALIBRATION])
        scan.lines[-1].encoding_space_ref = 1
    return scan.all(range(0, NY, 2))


@flavour
def half_flash_reference():
    """R = 2 after 15 reference lines of the same steps with a readout of their own, as siemens_to_ismrmrd --flashPatRef writes them."""
    space = "<matrixSize><x>32</x><y>25</y><z>1</z></matrixSize><fieldOfView_mm><x>256</x><y>200</y><z>6</z></fieldOfView_mm>"
    tail = (f"<encoding><encodedSpace>{space}</encodedSpace><reconSpace>{space}</reconSpace><encodingLimits>{LIMIT.format(STEP1, 0, 24, 12)}"
            "</encodingLimits><trajectory>cartesian</trajectory></encoding>")  # fmt: skip
    scan = Scan(nx=NX, parallel=PARALLEL.format("separate"), tail=tail)
    for step in range(5, 20):
        scan.line(step, flags=[ismrmrd.ACQ_IS_PARALLEL_CALIBRATION])
        scan.lines[-1].encoding_space_ref = 1
    return scan.all(range(0, NY, 2))


@flavour
def half_embedded():
    """R = 2 with 15 lines in the middle: those of the pattern have flag 21, those between flag 20 (siemens_to_ismrmrd)."""
    scan = Scan(parallel=PARALLEL.format("embedded"))
    for step in range(NY):
        inside = 5 <= step < 20
        if step % 2 == 0:
            scan.line(step, flags=[ismrmrd.ACQ_IS_PARALLEL_CALIBRATION_AND_IMAGING] if inside else [])
        elif inside:
            scan.line(step, flags=[ismrmrd.ACQ_IS_PARALLEL_CALIBRATION])
    return scan


@flavour
def half_unflagged():
    """The same without flags and without parallelImaging in the header, in any order (ge_to_ismrmrd, Bruker)."""
    return Scan().all(rng.permutation([step for step in range(NY) if step % 2 == 0 or 5 <= step < 20]))


@flavour
def slices():
    """Three slices in interleaved order; each holds the same object."""
    scan = Scan()
    for which in (0, 2, 1):
        scan.all(slice=which)
    for a in scan.lines:
        a.position[2] = 6.0 * a.idx.slice
    return scan


@flavour
def cut_low_resolution():
    """17 of 25 lines around the centre, counted from 0 (Siemens's phase resolution below 100 %)."""
    scan = Scan(limits=LIMIT.format(STEP1, 0, 16, 8) + LIMIT.format(STEP2, 0, 0, 0), center=8)
    return scan.all(range(17))


@flavour
def cut_low_resolution_zeros():
    scan = Scan()
    for step in range(NY):
        scan.line(step, data=None if 4 <= step < 21 else np.zeros((COILS, scan.nx)))
    return scan


@flavour
def cut_partial():
    """Partial Fourier: the first 8 lines are missing, steps count from 0, and the centre is told."""
    scan = Scan(limits=LIMIT.format(STEP1, 0, NY - 9, NY // 2 - 8) + LIMIT.format(STEP2, 0, 0, 0), center=NY // 2 - 8)
    return scan.all(range(NY - 8))


@flavour
def cut_partial_zeros():
    scan = Scan()
    for step in range(NY):
        scan.line(step, data=None if step >= 8 else np.zeros((COILS, scan.nx)))
    return scan


@flavour
def cut_zero_filled():
    """A volume with 4 of its 6 partitions (slice resolution below 100 %)."""
    scan = Scan(nz=NZ, limits=LIMIT.format(STEP1, 0, NY - 1, NY // 2) + LIMIT.format(STEP2, 0, 3, 2))
    for partition in range(4):
        for step in range(NY):
            kx = (np.arange(scan.nx) - scan.nx // 2) * NX / scan.nx
            scan.line(step, partition, data=sample(kx, step - NY // 2, partition - 2, NZ))
    return scan


@flavour
def cut_zero_filled_zeros():
    scan = Scan(nz=NZ)
    for partition in range(NZ):
        for step in range(NY):
            scan.line(step, partition, data=None if 1 <= partition < 5 else np.zeros((COILS, scan.nx)))
    return scan


@flavour
def volume():
    scan = Scan(nz=NZ)
    for partition in range(NZ):
        scan.all(partition=partition)
    return scan


@flavour
def volume_slice_oversampled():
    """Partitions beyond the slab that is kept."""
    scan = Scan(nz=2 * NZ, slices=6.0, rz=NZ)
    for partition in range(2 * NZ):
        for step in range(NY):
            kx = (np.arange(scan.nx) - scan.nx // 2) * NX / scan.nx
            scan.line(step, partition, data=sample(kx, step - scan.center, (partition - NZ) / 2, NZ))
    return scan


@flavour
def volume_shuffled():
    scan = Scan(nz=NZ)
    for index in rng.permutation(NY * NZ):
        scan.line(index % NY, index // NY, segment=int(index % 3))
    return scan


# Largest difference from the plain image, or from that of the file with zeros in the place of what is missing. Whitening by
# noise of unequal coils changes the brightness of the combined coils, which is the root of the sum of squares.
LIMITS = {"half_separate": 5e-3, "half_own_encoding": 5e-3, "half_flash_reference": 5e-3, "half_embedded": 2e-3, "half_unflagged": 2e-3, "calibration_flags": 1e-4, "noise_adjust": 0.03, "cut_line": 0.04, "cut_interrupted": 0.05}


def check(name):
    """NAME.npy, the image by `argand sense NAME.h5 NAME.npy`, averages and slices one by one."""
    got = np.load(name + ".npy").squeeze()
    truth = np.sqrt((np.abs(coil_images(NZ if name.startswith("volume") else 1)) ** 2).sum(0)).squeeze()
    want = np.load(name + "_zeros.npy").squeeze() if os.path.exists(name + "_zeros.npy") else truth
    for image in got if got.ndim > want.ndim else [got]:
        difference = np.linalg.norm(image - want) / np.linalg.norm(want)
        print(f"{name}: {difference:.1e}")
        assert difference < LIMITS.get(name, 1e-5), name


if sys.argv[1] == "check":
    for name in sys.argv[2:]:
        check(name)
else:
    os.makedirs(sys.argv[1], exist_ok=True)
    for name in sys.argv[2:] or FLAVOURS:
        FLAVOURS[name]().write(os.path.join(sys.argv[1], name + ".h5"))
