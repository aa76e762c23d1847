# SPDX-License-Identifier: BSD-3-Clause
"""argand.sense and argand.pcsense: of arrays, scans and files, with all options of the tool.

Made by tools/python_commands.py from the tables of `argand help --json`; a test compares them. Edit those, not this file.
"""

# fmt: off
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from .._errors import hinted

if TYPE_CHECKING:
    from .._comm import Comm
    from .._device import Device
    from .._io import Geometry, Path
    from .._progress import Callback
    from .._regularize import Denoiser, Regularizer
    from .._result import Result
    from .._types import ArrayLike
    from ._scans import Scan


@hinted
def sense(
    kspace: Scan | Path | ArrayLike, trajectory: ArrayLike | Path | None = None, maps: ArrayLike | Path | None = None, *,
    shape: int | Sequence[int] | None = None, gradient_delay: float | Sequence[float] = 0.0, comm: Comm | None = None,
    transform: Literal["auto", "nufft", "dft", "dft-gradients", "segmented"] = "auto", iterations: int | None = None,
    tolerance: float = 0.0, nufft_tolerance: float = 0.0, segments: int | str | None = None, segment_tolerance: float = 0.0,
    interpolator: Literal["auto", "linear", "hann", "min-max", "svd"] = "auto", frequency_segments: bool = False,
    regularize: Regularizer = None, denoiser: Path | None | Denoiser = None, denoiser_noise: float = 0.0, denoiser_weight: float = 0.0,
    denoiser_scale: float = 0.0, solver: Literal["auto", "cg", "half-quadratic", "fista", "pogm", "admm"] = "auto",
    toeplitz: Literal["auto", "on", "off"] | bool | None = "auto", precondition: bool = False, joint: bool = False,
    basis: ArrayLike | Path | None = None, subspace: ArrayLike | Path | None = None, rank: int = 0,
    density: ArrayLike | Path | None = None, density_power: float = 0.0, weights: ArrayLike | Path | None = None,
    precision: Literal["single", "double"] | None = None, partial_fourier: float = 0.0, pocs: int = 0,
    homodyne: Literal["none", "ramp", "step"] = "none", spirit: float = 0.0, combine: Literal["sense", "rss"] = "sense",
    field_map: ArrayLike | Path | None = None, field_unit: Literal["auto", "rad/s", "hz", "tesla", "ppm"] = "auto",
    keep_field_zeros: bool = False, coil_maps: ArrayLike | Path | None = None,
    coils: Literal["auto", "adaptive", "espirit", "joint"] = "auto", sets: int = 1, compress: int | ArrayLike | Path | None = None,
    whiten: bool = False, no_whiten: bool = False, noise: ArrayLike | Path | None = None, whitener: ArrayLike | Path | None = None,
    noise_covariance: ArrayLike | Path | None = None, calibration: float = 0.0, calibration_scan: Path | None = None,
    mask: ArrayLike | Path | None = None, matrix: int | Sequence[int] | str | None = None,
    image_fov: float | Sequence[float] | str | None = None, encoding: int = 0, epi: Literal["auto", "off", "ramps", "ghosts"] = "auto",
    r2star: ArrayLike | Path | None = None, phase_terms: ArrayLike | Path | None = None, concomitant: float | str | None = None,
    noise_map: int = 0, gfactor_map: bool = False, sequence: Path | None = None, girf: ArrayLike | Path | None = None,
    girf_step: float = 0.0, delay: float | Sequence[float] | str | None = None, motion: ArrayLike | Path | None = None,
    motion_by: Literal["auto", "shot", "repetition", "segment"] = "auto", motion_group: int = 0, times: ArrayLike | Path | None = None,
    axes: str | Sequence[str | int] | None = None, trajectory_axes: str | Sequence[str | int] | None = None,
    k_order: Literal["auto", "xyz", "zyx"] = "auto", fov: float | Sequence[float] | str | None = None,
    like: tuple[ArrayLike, Geometry] | Path | None = None, sample_time: float = 0.0, echo_time: float = 0.0,
    part: Literal["magnitude", "phase", "real", "imaginary", "complex"] | Sequence[str] | None = None,
    dicom: Literal["auto", "enhanced", "classic"] = "auto", report: Path | bool = False, save_maps: Path | bool = False,
    task: tuple[int, int] | str | None = None, resume: bool = False, ranks: int = 0, group: str | None = None,
    k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto", y_fastest: bool = False,
    time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
    full: bool = False, callback: Callback | None = None, progress: bool = False
) -> Result:
    """SENSE: the image x that minimises 1/2 |W^1/2 (y_c - F(S_c x))|^2 + regularizers over all coils c.

    kspace      a scan or its file: `argand.tool.sense`. Or samples (coils, ...), complex; without a trajectory (coils, [nz,] ny, nx) on the grid,
                centre at floor(n/2), 0 where not measured. A further first axis counts repetitions
    trajectory  (..., 2 or 3) cycles per field of view, the last axis in the order of the image's axes (y, x) or (z, y, x); the axis before it
                counts the samples of a shot
    maps        (coils, [nz,] ny, nx) sensitivities, another name of coil_maps; None: estimated, `shape` is needed then

    Of arrays it computes in this process, on their device: in single precision for complex64 and in double for complex128 data (samples are kept in
    single precision). Options that only the tool has, such as noise_map or basis, are computed by it. Returns an argand.Result: the array
    ([nz,] ny, nx), which prints how it came about.

    >>> maps = argand.birdcage((4, 16, 16))
    >>> kspace = argand.fftn(argand.phantom((16, 16)) * maps, axes=(1, 2), centred=True)
    >>> argand.sense(kspace, maps=maps).shape
    (16, 16)

    shape               size of the image ([nz,] ny, nx), another name of matrix
    gradient_delay      gradient delays in seconds, one or an axis each; delay says them in microseconds
    comm                arrays: an argand.Comm whose ranks share the coils, or the shots if they have phase maps. All ranks give the same
                        arguments and get the image
    How the image is found:
    transform           transform from image to k-space. auto: without a field map the NUFFT; with one the exact DFT or the segmented NUFFT,
                        whichever is predicted to be faster: "auto", "nufft", "dft", "dft-gradients", "segmented" (default "auto")
    iterations          stop after N iterations; 0 writes the density-weighted adjoint without iterating. Default: stop before noise grows
                        faster than signal, at the latest after 50
    tolerance           stop when the relative gradient falls below E
    nufft_tolerance     relative error of the NUFFT. Default: 1e-5 in single precision, 1e-9 in double precision
    segments            number of time segments; auto (default) uses as many as segment_tolerance requires
    segment_tolerance   relative error of the off-resonance phase factor with transform segmented. Default: 1e-3 in single precision, 1e-6
                        in double precision
    interpolator        temporal interpolator between segments: "auto", "linear", "hann", "min-max", "svd" (default "auto")
    frequency_segments  segment the off-resonance frequency instead of time
    regularize          penalties KIND:WEIGHT,... Try auto, tikhonov:0.01, quadratic:0.01, hyperbola:0.05, tv:0.015, tv-anisotropic:0.015,
                        wavelet:0.02 or llr:0.05. A number alone means quadratic:NUMBER. WEIGHT does not depend on the scale of the data;
                        auto computes it from the noise; auto alone means tv:auto
    denoiser            use a neural network as penalty (plug-and-play): ADMM or FISTA denoise the image once an iteration. ONNX Runtime
                        runs it in this process: use only files that you trust. Real and imaginary part are two channels of the network's
                        image, or two images. Or a function of an image and its level of noise, of arrays in this process
    denoiser_noise      standard deviation of the noise that the denoiser is told to remove, relative to the bright parts of the image.
                        Default (0): 0.05. Denoisers without an input for it ignore it
    denoiser_weight     weight of the denoiser against the data. Default (0): 1
    denoiser_scale      value that the bright parts of the image have in the denoiser's input. Default (0): 0.5, for networks that were
                        trained on images from 0 to 1
    solver              iterative solver: "auto", "cg", "half-quadratic", "fista", "pogm", "admm" (default "auto")
    toeplitz            apply A^H A as a convolution on a grid of twice the size (Toeplitz embedding); auto does so if this is predicted to
                        be faster: "auto", "on", "off" (default "auto")
    precondition        use a circulant preconditioner, computed from the Toeplitz kernels. CG then needs about half of the iterations
    joint               solve all repetitions as one problem. regularize llr and basis imply this
    basis               temporal basis {repetitions, columns} for a subspace reconstruction: all repetitions are linear combinations of a
                        few images. An array: (columns, repetitions)
    subspace            temporal basis {times, columns}, as argand basis writes it: write the coefficient image of each column, from all
                        samples together. The times are the scan's contrasts, phases, repetitions, sets, segments or (not Cartesian) shots,
                        whichever are as many as the rows of the basis. An array: (columns, times)
    rank                number of columns of the basis to use; 0 uses all
    density             density weights: auto, none, pipe, deconvolve (without iteration), file (those of the scan), or a file name as with
                        weights. auto: none on a Cartesian grid, otherwise those of the scan, otherwise pipe. An array: (shots, samples)
    density_power       raise the density weights to the power P. Default (0): 0.5 with density auto, otherwise 1
    weights             read the density weights of one volume from FILE, sample fastest, then shot, as argand calibrate density writes
                        them. An array: (shots, samples)
    precision           precision of all computation: "single", "double". Default: that of the arrays; single for files
    partial_fourier     weight of the phase constraint for partial Fourier and asymmetric echoes; 0 switches the constraint off; try 0.3
    pocs                complete images of partial Fourier scans by N iterations of POCS, which give the image the phase of the symmetric
                        part of k-space and keep the acquired part; 0: none; try 10
    homodyne            complete images of partial Fourier scans by homodyne detection: samples that were acquired on one side only count
                        twice, and the image gets the phase of the symmetric part of k-space, whose samples are weighted by a ramp or by 1
                        (step): "none", "ramp", "step" (default "none")
    spirit              weight of SPIRiT's consistency: solve for the images of all coils, each of which is predicted by all others through
                        kernels from the calibration lines, then combine them; 0 (default) solves for one image by SENSE; try 1
    combine             combine the coil images of spirit by coil maps (sense) or by the root of the sum of squares (rss): "sense", "rss"
                        (default "sense")
    Maps, channels, the grid:
    field_map           field map; none switches field correction off. Default: FieldMap of the scan. An array: ([nz,] ny, nx), rad/s
    field_unit          unit of the field map in a file; auto reads the unit from the sidecar (.json), otherwise rad/s. ppm is of the scan's
                        main field: "auto", "rad/s", "hz", "tesla", "ppm" (default "auto")
    keep_field_zeros    keep zeros in the field map as measured values. By default, regions of exact zeros count as unmeasured and are
                        filled smoothly
    coil_maps           coil sensitivity maps; none estimates them. Default: SENSEMap of the scan, otherwise an estimate. An array: (coils,
                        [nz,] ny, nx)
    coils               method that estimates coil maps. auto: ESPIRiT if its maps explain the data, otherwise the best of all methods.
                        joint: maps and an image together, for scans with too few calibration samples: "auto", "adaptive", "espirit",
                        "joint" (default "auto")
    sets                number of sets of coil maps, given or by ESPIRiT, for objects larger than the field of view. Each set has an image;
                        the output is the root of the sum of squares of these images (default 1)
    compress            compress the channels to N virtual coils, or by the matrix {virtual coils, channels} of a file. An array: (virtual
                        coils, channels) as argand.compress makes it
    whiten              whiten the channels by the noise acquisitions of the scan; fail if there are too few. Default: whiten if there are
                        enough
    no_whiten           do not whiten, even if the scan has noise acquisitions
    noise               whiten the channels by the noise samples of FILE: .npy or .cfl {samples, channels}, or the noise acquisitions of
                        another scan (.h5). An array: (channels, samples)
    whitener            whiten the channels by the matrix {channels, channels} of FILE, as argand calibrate noise writes it. An array:
                        (channels, channels) as argand.whiten makes it
    noise_covariance    whiten the channels by the noise covariance matrix {channels, channels} of FILE. An array: (channels, channels)
    calibration         estimate coil maps from the samples within R times the radius of k-space, fully sampled or not; 0 uses the fully
                        sampled centre
    calibration_scan    estimate coil maps from the images of another scan (.h5) with the same coils and orientation, such as the single-
                        band reference of simultaneous slices. Slices are matched by their places
    mask                reconstruct only the pixels where MAP is not 0. An array: ([nz,] ny, nx)
    matrix              image size in pixels; one number is for all axes. Default: the encoded matrix
    image_fov           field of view of the image in mm; one number is for x and y. The pixel size stays the same. A larger field of view
                        shows objects that reach beyond the scan's. Default: the scan's
    encoding            number of the encoding space to reconstruct, from 0
    EPI, decay, measured phase, gradients, noise:
    epi                 regrid ramp samples by the header's trapezoid (ramps), and remove echo shift and phase of reversed lines (ghosts) by
                        the scan's reference lines, or by the entropy of the image if there are none. auto does what the scan allows:
                        "auto", "off", "ramps", "ghosts" (default "auto")
    r2star              R2* map in 1/s, to model the decay of the signal during the readout. An array: ([nz,] ny, nx)
    phase_terms         phase coefficients [term, shot, sample], sample fastest, measured by a field camera, in addition to trajectory and
                        field map. 1, 4, 9, 16 or 20 terms: spherical harmonics of order 0 to 3, then concomitant fields; in rad, rad/m,
                        rad/m^2, rad/m^3. An array: (terms, shots, samples)
    concomitant         model the phase of concomitant fields (Maxwell terms) of the readout's gradients at a main field of TESLA; auto: the
                        field strength of the scan's header
    noise_map           also write OUT_noise: the standard deviation of each pixel, from N pseudo-replicas. 100 replicas give it to about 7
                        %; 0 writes none
    gfactor_map         also write OUT_gfactor: the g-factor of each pixel by formula, for regularly undersampled Cartesian scans
    sequence            take the positions and times of samples from a Pulseq sequence: acquisition n of the scan, whatever its flags, is
                        ADC event n; noise acquisitions are skipped if the sequence has as many events without them
    girf                correct the trajectory by the gradient impulse response function of FILE: complex [axis, frequency], 0 Hz in the
                        middle; axes x, y, z, in .npy z, y, x. An array: (axes, frequencies), axes in the order of the image's
    girf_step           frequency spacing of the girf samples, in Hz
    delay               gradient delays of x, y and z in microseconds; the trajectory is shifted by them
    motion              take rigid motion out of the scan: a row for each shot, segment or repetition, tx ty tz in mm and rx ry rz in
                        degrees, as text (.tsv) or array (.npy). auto estimates it from the samples and writes OUT-motion.tsv. An array:
                        (shots or repetitions, 6), mm and degrees
    motion_by           what the rows of motion count. auto compares their number; with motion auto, the first of repetition, segment, shot
                        of which there are several: "auto", "shot", "repetition", "segment" (default "auto")
    motion_group        let N consecutive shots or segments share a position of motion auto; 0 takes 1, or as many as leave 32 positions
    Own arrays in place of a scan:
    times               time of each sample in seconds, [shot, sample] or [sample]. An array: ([shots,] samples)
    axes                name the axes of kspace in the order of the file (NumPy's shape, BART's .hdr): 1, sample, shot, partition, coil,
                        slice, repetition, contrast, average, set. Default: recognised from the sizes
    trajectory_axes     name the axes of trajectory in the order of the file, as in axes; k is the axis of the components (kx, ky, kz)
    k_order             order of the components of trajectory: kx first (BART), or kx last, as x is the last of NumPy's image axes
                        (argand.trajectory, SigPy, mri-nufft). auto: kx last in .npy, first in other files: "auto", "xyz", "zyx" (default
                        "auto")
    fov                 encoded field of view of kspace in mm (image_fov sets that of the image). Default: voxels of 1 mm
    like                take field of view, matrix, position and orientation of kspace from this image. An array: (array, argand.Geometry)
    sample_time         dwell time of kspace in seconds, if times is not given
    echo_time           echo time of kspace in seconds: the time at the centre of k-space
    What is written:
    part                write these parts of the image (magnitude), a file each: "magnitude", "phase", "real", "imaginary", "complex".
                        Default: complex without `output`, else magnitude
    dicom               kind of DICOM that OUT.dcm is. enhanced: one file; classic: a folder OUT with a file for each slice. auto: enhanced:
                        "auto", "enhanced", "classic" (default "auto")
    report              also write a report as one HTML file, readable offline. Default name: OUT.html. True: in the result's `arrays`
    save_maps           also write the coil maps in use to FILE (.nii.gz, .npy, .cfl), for a later coil_maps. True: in the result's `arrays`
    Job arrays and interrupted runs:
    task                reconstruct the I-th of N parts of the volumes (I from 1) and leave them in OUT.parts; argand gather OUT then writes
                        the images. For job arrays: task $SLURM_ARRAY_TASK_ID/8. part I/N is the same
    resume              keep each volume in OUT.parts when it is finished, and take those that an interrupted run left there. OUT.parts is
                        removed when OUT is written
    ranks               ranks or devices that share a volume, by its coils or shots, if there are more of them than volumes; 0: as many as
                        are predicted to be fastest
    How the scan is read:
    group               group of the HDF5 file that holds the scan; in a Siemens raw file, the number of the measurement (by default the
                        last)
    k_unit              unit of the trajectory; auto takes the unit in which the trajectory reaches the edge of the matrix: "auto",
                        "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m" (default "auto")
    y_fastest           read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
    time_from_echo      count sample times from the echo. Default: from the excitation
    bands               number of simultaneously excited slices (multiband factor); 0 reads it from the header
    blips               blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other
                        side if N is negative. Default 0: kz of the file
    Where it runs, and what it says:
    device              device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                        ARGAND_DEVICE, else the first of argand devices
    threads             number of CPU threads; 0 uses all
    Progress:
    full                keep the coil maps with the result (result.maps)
    callback            is given an argand.Progress after each iteration. False ends the iterations: arrays in this process give the image
                        so far; where the tool computes, the call raises argand.errors.Stopped and nothing is written
    progress            show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _sense

    return _sense.reconstruct(sense, given)


@hinted
def pcsense(
    kspace: Scan | Path | ArrayLike, trajectory: ArrayLike | Path | None = None, maps: ArrayLike | Path | None = None, phase_maps: ArrayLike | Path | None = None, *,
    shape: int | Sequence[int] | None = None, gradient_delay: float | Sequence[float] = 0.0, comm: Comm | None = None,
    transform: Literal["auto", "nufft", "dft", "dft-gradients", "segmented"] = "auto", iterations: int | None = None,
    tolerance: float = 0.0, nufft_tolerance: float = 0.0, segments: int | str | None = None, segment_tolerance: float = 0.0,
    interpolator: Literal["auto", "linear", "hann", "min-max", "svd"] = "auto", frequency_segments: bool = False,
    regularize: Regularizer = None, denoiser: Path | None | Denoiser = None, denoiser_noise: float = 0.0, denoiser_weight: float = 0.0,
    denoiser_scale: float = 0.0, solver: Literal["auto", "cg", "half-quadratic", "fista", "pogm", "admm"] = "auto",
    toeplitz: Literal["auto", "on", "off"] | bool | None = "auto", precondition: bool = False, joint: bool = False,
    basis: ArrayLike | Path | None = None, subspace: ArrayLike | Path | None = None, rank: int = 0,
    density: ArrayLike | Path | None = None, density_power: float = 0.0, weights: ArrayLike | Path | None = None,
    precision: Literal["single", "double"] | None = None, partial_fourier: float = 0.0, pocs: int = 0,
    homodyne: Literal["none", "ramp", "step"] = "none", field_map: ArrayLike | Path | None = None,
    field_unit: Literal["auto", "rad/s", "hz", "tesla", "ppm"] = "auto", keep_field_zeros: bool = False,
    coil_maps: ArrayLike | Path | None = None, coils: Literal["auto", "adaptive", "espirit", "joint"] = "auto", sets: int = 1,
    compress: int | ArrayLike | Path | None = None, whiten: bool = False, no_whiten: bool = False, noise: ArrayLike | Path | None = None,
    whitener: ArrayLike | Path | None = None, noise_covariance: ArrayLike | Path | None = None, calibration: float = 0.0,
    calibration_scan: Path | None = None, mask: ArrayLike | Path | None = None, matrix: int | Sequence[int] | str | None = None,
    image_fov: float | Sequence[float] | str | None = None, encoding: int = 0, epi: Literal["auto", "off", "ramps", "ghosts"] = "auto",
    r2star: ArrayLike | Path | None = None, phase_terms: ArrayLike | Path | None = None, concomitant: float | str | None = None,
    noise_map: int = 0, sequence: Path | None = None, girf: ArrayLike | Path | None = None, girf_step: float = 0.0,
    delay: float | Sequence[float] | str | None = None, motion: ArrayLike | Path | None = None,
    motion_by: Literal["auto", "shot", "repetition", "segment"] = "auto", motion_group: int = 0, times: ArrayLike | Path | None = None,
    axes: str | Sequence[str | int] | None = None, trajectory_axes: str | Sequence[str | int] | None = None,
    k_order: Literal["auto", "xyz", "zyx"] = "auto", fov: float | Sequence[float] | str | None = None,
    like: tuple[ArrayLike, Geometry] | Path | None = None, sample_time: float = 0.0, echo_time: float = 0.0,
    part: Literal["magnitude", "phase", "real", "imaginary", "complex"] | Sequence[str] | None = None,
    dicom: Literal["auto", "enhanced", "classic"] = "auto", report: Path | bool = False, save_maps: Path | bool = False,
    task: tuple[int, int] | str | None = None, resume: bool = False, ranks: int = 0, group: str | None = None,
    k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto", y_fastest: bool = False,
    time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
    full: bool = False, callback: Callback | None = None, progress: bool = False
) -> Result:
    """SENSE of shots with a phase map P_s each (diffusion, elastography): y_cs = F_s(S_c exp(i P_s) x).

    kspace      a scan or its file: `argand.tool.pcsense`. Or samples (coils, shots, samples), complex
    trajectory  (shots, samples, 2 or 3) cycles per field of view, the last axis in the order of the image's axes (y, x) or (z, y, x)
    maps        (coils, [nz,] ny, nx) sensitivities, another name of coil_maps; None: estimated, `shape` is needed then
    phase_maps  (shots, [nz,] ny, nx) in rad; or "shots", as of arrays by default: estimated from each shot's own central samples; "navigators"
                and "none" of scans

    Everything else as argand.sense.

    shape               size of the image ([nz,] ny, nx), another name of matrix
    gradient_delay      gradient delays in seconds, one or an axis each; delay says them in microseconds
    comm                arrays: an argand.Comm whose ranks share the coils, or the shots if they have phase maps. All ranks give the same
                        arguments and get the image
    How the image is found:
    transform           transform from image to k-space. auto: without a field map the NUFFT; with one the exact DFT or the segmented NUFFT,
                        whichever is predicted to be faster: "auto", "nufft", "dft", "dft-gradients", "segmented" (default "auto")
    iterations          stop after N iterations; 0 writes the density-weighted adjoint without iterating. Default: stop before noise grows
                        faster than signal, at the latest after 50
    tolerance           stop when the relative gradient falls below E
    nufft_tolerance     relative error of the NUFFT. Default: 1e-5 in single precision, 1e-9 in double precision
    segments            number of time segments; auto (default) uses as many as segment_tolerance requires
    segment_tolerance   relative error of the off-resonance phase factor with transform segmented. Default: 1e-3 in single precision, 1e-6
                        in double precision
    interpolator        temporal interpolator between segments: "auto", "linear", "hann", "min-max", "svd" (default "auto")
    frequency_segments  segment the off-resonance frequency instead of time
    regularize          penalties KIND:WEIGHT,... Try auto, tikhonov:0.01, quadratic:0.01, hyperbola:0.05, tv:0.015, tv-anisotropic:0.015,
                        wavelet:0.02 or llr:0.05. A number alone means quadratic:NUMBER. WEIGHT does not depend on the scale of the data;
                        auto computes it from the noise; auto alone means tv:auto
    denoiser            use a neural network as penalty (plug-and-play): ADMM or FISTA denoise the image once an iteration. ONNX Runtime
                        runs it in this process: use only files that you trust. Real and imaginary part are two channels of the network's
                        image, or two images. Or a function of an image and its level of noise, of arrays in this process
    denoiser_noise      standard deviation of the noise that the denoiser is told to remove, relative to the bright parts of the image.
                        Default (0): 0.05. Denoisers without an input for it ignore it
    denoiser_weight     weight of the denoiser against the data. Default (0): 1
    denoiser_scale      value that the bright parts of the image have in the denoiser's input. Default (0): 0.5, for networks that were
                        trained on images from 0 to 1
    solver              iterative solver: "auto", "cg", "half-quadratic", "fista", "pogm", "admm" (default "auto")
    toeplitz            apply A^H A as a convolution on a grid of twice the size (Toeplitz embedding); auto does so if this is predicted to
                        be faster: "auto", "on", "off" (default "auto")
    precondition        use a circulant preconditioner, computed from the Toeplitz kernels. CG then needs about half of the iterations
    joint               solve all repetitions as one problem. regularize llr and basis imply this
    basis               temporal basis {repetitions, columns} for a subspace reconstruction: all repetitions are linear combinations of a
                        few images. An array: (columns, repetitions)
    subspace            temporal basis {times, columns}, as argand basis writes it: write the coefficient image of each column, from all
                        samples together. The times are the scan's contrasts, phases, repetitions, sets, segments or (not Cartesian) shots,
                        whichever are as many as the rows of the basis. An array: (columns, times)
    rank                number of columns of the basis to use; 0 uses all
    density             density weights: auto, none, pipe, deconvolve (without iteration), file (those of the scan), or a file name as with
                        weights. auto: none on a Cartesian grid, otherwise those of the scan, otherwise pipe. An array: (shots, samples)
    density_power       raise the density weights to the power P. Default (0): 0.5 with density auto, otherwise 1
    weights             read the density weights of one volume from FILE, sample fastest, then shot, as argand calibrate density writes
                        them. An array: (shots, samples)
    precision           precision of all computation: "single", "double". Default: that of the arrays; single for files
    partial_fourier     weight of the phase constraint for partial Fourier and asymmetric echoes; 0 switches the constraint off; try 0.3
    pocs                complete images of partial Fourier scans by N iterations of POCS, which give the image the phase of the symmetric
                        part of k-space and keep the acquired part; 0: none; try 10
    homodyne            complete images of partial Fourier scans by homodyne detection: samples that were acquired on one side only count
                        twice, and the image gets the phase of the symmetric part of k-space, whose samples are weighted by a ramp or by 1
                        (step): "none", "ramp", "step" (default "none")
    Maps, channels, the grid:
    field_map           field map; none switches field correction off. Default: FieldMap of the scan. An array: ([nz,] ny, nx), rad/s
    field_unit          unit of the field map in a file; auto reads the unit from the sidecar (.json), otherwise rad/s. ppm is of the scan's
                        main field: "auto", "rad/s", "hz", "tesla", "ppm" (default "auto")
    keep_field_zeros    keep zeros in the field map as measured values. By default, regions of exact zeros count as unmeasured and are
                        filled smoothly
    coil_maps           coil sensitivity maps; none estimates them. Default: SENSEMap of the scan, otherwise an estimate. An array: (coils,
                        [nz,] ny, nx)
    coils               method that estimates coil maps. auto: ESPIRiT if its maps explain the data, otherwise the best of all methods.
                        joint: maps and an image together, for scans with too few calibration samples: "auto", "adaptive", "espirit",
                        "joint" (default "auto")
    sets                number of sets of coil maps, given or by ESPIRiT, for objects larger than the field of view. Each set has an image;
                        the output is the root of the sum of squares of these images (default 1)
    compress            compress the channels to N virtual coils, or by the matrix {virtual coils, channels} of a file. An array: (virtual
                        coils, channels) as argand.compress makes it
    whiten              whiten the channels by the noise acquisitions of the scan; fail if there are too few. Default: whiten if there are
                        enough
    no_whiten           do not whiten, even if the scan has noise acquisitions
    noise               whiten the channels by the noise samples of FILE: .npy or .cfl {samples, channels}, or the noise acquisitions of
                        another scan (.h5). An array: (channels, samples)
    whitener            whiten the channels by the matrix {channels, channels} of FILE, as argand calibrate noise writes it. An array:
                        (channels, channels) as argand.whiten makes it
    noise_covariance    whiten the channels by the noise covariance matrix {channels, channels} of FILE. An array: (channels, channels)
    calibration         estimate coil maps from the samples within R times the radius of k-space, fully sampled or not; 0 uses the fully
                        sampled centre
    calibration_scan    estimate coil maps from the images of another scan (.h5) with the same coils and orientation, such as the single-
                        band reference of simultaneous slices. Slices are matched by their places
    mask                reconstruct only the pixels where MAP is not 0. An array: ([nz,] ny, nx)
    matrix              image size in pixels; one number is for all axes. Default: the encoded matrix
    image_fov           field of view of the image in mm; one number is for x and y. The pixel size stays the same. A larger field of view
                        shows objects that reach beyond the scan's. Default: the scan's
    encoding            number of the encoding space to reconstruct, from 0
    EPI, decay, measured phase, gradients, noise:
    epi                 regrid ramp samples by the header's trapezoid (ramps), and remove echo shift and phase of reversed lines (ghosts) by
                        the scan's reference lines, or by the entropy of the image if there are none. auto does what the scan allows:
                        "auto", "off", "ramps", "ghosts" (default "auto")
    r2star              R2* map in 1/s, to model the decay of the signal during the readout. An array: ([nz,] ny, nx)
    phase_terms         phase coefficients [term, shot, sample], sample fastest, measured by a field camera, in addition to trajectory and
                        field map. 1, 4, 9, 16 or 20 terms: spherical harmonics of order 0 to 3, then concomitant fields; in rad, rad/m,
                        rad/m^2, rad/m^3. An array: (terms, shots, samples)
    concomitant         model the phase of concomitant fields (Maxwell terms) of the readout's gradients at a main field of TESLA; auto: the
                        field strength of the scan's header
    noise_map           also write OUT_noise: the standard deviation of each pixel, from N pseudo-replicas. 100 replicas give it to about 7
                        %; 0 writes none
    sequence            take the positions and times of samples from a Pulseq sequence: acquisition n of the scan, whatever its flags, is
                        ADC event n; noise acquisitions are skipped if the sequence has as many events without them
    girf                correct the trajectory by the gradient impulse response function of FILE: complex [axis, frequency], 0 Hz in the
                        middle; axes x, y, z, in .npy z, y, x. An array: (axes, frequencies), axes in the order of the image's
    girf_step           frequency spacing of the girf samples, in Hz
    delay               gradient delays of x, y and z in microseconds; the trajectory is shifted by them
    motion              take rigid motion out of the scan: a row for each shot, segment or repetition, tx ty tz in mm and rx ry rz in
                        degrees, as text (.tsv) or array (.npy). auto estimates it from the samples and writes OUT-motion.tsv. An array:
                        (shots or repetitions, 6), mm and degrees
    motion_by           what the rows of motion count. auto compares their number; with motion auto, the first of repetition, segment, shot
                        of which there are several: "auto", "shot", "repetition", "segment" (default "auto")
    motion_group        let N consecutive shots or segments share a position of motion auto; 0 takes 1, or as many as leave 32 positions
    Own arrays in place of a scan:
    times               time of each sample in seconds, [shot, sample] or [sample]. An array: ([shots,] samples)
    axes                name the axes of kspace in the order of the file (NumPy's shape, BART's .hdr): 1, sample, shot, partition, coil,
                        slice, repetition, contrast, average, set. Default: recognised from the sizes
    trajectory_axes     name the axes of trajectory in the order of the file, as in axes; k is the axis of the components (kx, ky, kz)
    k_order             order of the components of trajectory: kx first (BART), or kx last, as x is the last of NumPy's image axes
                        (argand.trajectory, SigPy, mri-nufft). auto: kx last in .npy, first in other files: "auto", "xyz", "zyx" (default
                        "auto")
    fov                 encoded field of view of kspace in mm (image_fov sets that of the image). Default: voxels of 1 mm
    like                take field of view, matrix, position and orientation of kspace from this image. An array: (array, argand.Geometry)
    sample_time         dwell time of kspace in seconds, if times is not given
    echo_time           echo time of kspace in seconds: the time at the centre of k-space
    What is written:
    part                write these parts of the image (magnitude), a file each: "magnitude", "phase", "real", "imaginary", "complex".
                        Default: complex without `output`, else magnitude
    dicom               kind of DICOM that OUT.dcm is. enhanced: one file; classic: a folder OUT with a file for each slice. auto: enhanced:
                        "auto", "enhanced", "classic" (default "auto")
    report              also write a report as one HTML file, readable offline. Default name: OUT.html. True: in the result's `arrays`
    save_maps           also write the coil maps in use to FILE (.nii.gz, .npy, .cfl), for a later coil_maps. True: in the result's `arrays`
    Job arrays and interrupted runs:
    task                reconstruct the I-th of N parts of the volumes (I from 1) and leave them in OUT.parts; argand gather OUT then writes
                        the images. For job arrays: task $SLURM_ARRAY_TASK_ID/8. part I/N is the same
    resume              keep each volume in OUT.parts when it is finished, and take those that an interrupted run left there. OUT.parts is
                        removed when OUT is written
    ranks               ranks or devices that share a volume, by its coils or shots, if there are more of them than volumes; 0: as many as
                        are predicted to be fastest
    How the scan is read:
    group               group of the HDF5 file that holds the scan; in a Siemens raw file, the number of the measurement (by default the
                        last)
    k_unit              unit of the trajectory; auto takes the unit in which the trajectory reaches the edge of the matrix: "auto",
                        "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m" (default "auto")
    y_fastest           read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
    time_from_echo      count sample times from the echo. Default: from the excitation
    bands               number of simultaneously excited slices (multiband factor); 0 reads it from the header
    blips               blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other
                        side if N is negative. Default 0: kz of the file
    Where it runs, and what it says:
    device              device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                        ARGAND_DEVICE, else the first of argand devices
    threads             number of CPU threads; 0 uses all
    Progress:
    full                keep the coil maps with the result (result.maps)
    callback            is given an argand.Progress after each iteration. False ends the iterations: arrays in this process give the image
                        so far; where the tool computes, the call raises argand.errors.Stopped and nothing is written
    progress            show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _sense

    return _sense.reconstruct(pcsense, given)
