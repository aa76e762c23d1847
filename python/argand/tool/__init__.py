# SPDX-License-Identifier: BSD-3-Clause
"""The commands of the tool `argand` as functions: the same names, options, defaults, notes and refusals.

An option --coil-maps is the argument `coil_maps`. None means: not given. Where the tool takes a file, an array may be given: in Python's order of
axes, as everywhere in this package. Sequences are in the order of an array's axes, (z, y, x) or (y, x); a text is what the tool would take.
Without `output` nothing is left on disk, and arrays come back. Notes are in the result. Each call runs the program `argand`, which is installed with
this package; arrays reach it through a private folder, in memory
where possible.

Made by tools/python_commands.py from the tables of `argand help --json`; a test compares them. Edit those, not this file.
"""

# fmt: off
from __future__ import annotations

import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from .._errors import hinted

if TYPE_CHECKING:
    from .._device import Device
    from .._io import Geometry, Path
    from .._progress import Callback
    from .._regularize import Regularizer
    from .._types import ArrayLike
    from ._commands import Outcome, Server, Values
    from ._scans import Scan
else:

    def __getattr__(name: str) -> Any:
        # The classes of results, imported when they are first named: importing argand stays fast.
        if name not in ("Outcome", "Server", "Values"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from . import _commands

        return getattr(_commands, name)


__all__ = [
    "Outcome", "Server", "Values", "array", "basis", "bloom", "calibrate_coils", "calibrate_compress", "calibrate_delays",
    "calibrate_density", "calibrate_field_map", "calibrate_motion", "calibrate_noise", "compare", "convert", "convolve", "deconvolve",
    "fetch_example", "fft", "gather", "grappa", "grid", "info", "map_match", "map_t2star", "map_water_fat", "nufft", "pack", "pcsense",
    "report", "resample", "sense", "serve", "simulate", "stream", "unwarp",
]

Operation = Literal[
    "add", "subtract", "multiply", "divide", "scale", "abs", "phase", "real", "imag", "conj", "complex", "rss", "sum",
    "mean", "slice", "resize", "fftshift", "ifftshift", "roll", "flip", "transpose", "reshape", "squeeze", "concatenate", "stack",
    "compare", "png",
]


@hinted
def sense(
    scan: Scan | Path | None = None, output: Path | None = None, *,
    transform: Literal["auto", "nufft", "dft", "dft-gradients", "segmented"] = "auto", iterations: int | None = None,
    tolerance: float = 0.0, nufft_tolerance: float = 0.0, segments: int | str | None = None, segment_tolerance: float = 0.0,
    interpolator: Literal["auto", "linear", "hann", "min-max", "svd"] = "auto", frequency_segments: bool = False,
    regularize: Regularizer = None, denoiser: Path | None = None, denoiser_noise: float = 0.0, denoiser_weight: float = 0.0,
    denoiser_scale: float = 0.0, solver: Literal["auto", "cg", "half-quadratic", "fista", "pogm", "admm"] = "auto",
    toeplitz: Literal["auto", "on", "off"] = "auto", precondition: bool = False, joint: bool = False,
    basis: ArrayLike | Path | None = None, subspace: ArrayLike | Path | None = None, rank: int = 0,
    density: ArrayLike | Path | None = None, density_power: float = 0.0, weights: ArrayLike | Path | None = None,
    precision: Literal["single", "double"] = "single", partial_fourier: float = 0.0, pocs: int = 0,
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
    motion_by: Literal["auto", "shot", "repetition", "segment"] = "auto", motion_group: int = 0, kspace: ArrayLike | Path | None = None,
    trajectory: ArrayLike | Path | None = None, times: ArrayLike | Path | None = None, axes: str | Sequence[str | int] | None = None,
    trajectory_axes: str | Sequence[str | int] | None = None, k_order: Literal["auto", "xyz", "zyx"] = "auto",
    fov: float | Sequence[float] | str | None = None, like: tuple[ArrayLike, Geometry] | Path | None = None, sample_time: float = 0.0,
    echo_time: float = 0.0, part: Literal["magnitude", "phase", "real", "imaginary", "complex"] | Sequence[str] | None = None,
    dicom: Literal["auto", "enhanced", "classic"] = "auto", report: Path | bool = False, save_maps: Path | bool = False,
    task: tuple[int, int] | str | None = None, resume: bool = False, ranks: int = 0, group: str | None = None,
    k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto", y_fastest: bool = False,
    time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
    full: bool = False, callback: Callback | None = None, progress: bool = False
) -> Outcome:
    """Reconstruct images from raw multi-coil data.

    Returns the images (repetitions, nz, ny, nx): complex, or the parts that `part` names.

    scan                a scan (argand.Scan), or its file; a folder of scans, if output is a folder for their images
    output              a file to write, as the tool does (default None: nothing is left on disk)
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
                        image, or two images
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
    precision           precision of all computation: "single", "double" (default "single")
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
    kspace              k-space samples from FILE instead of a scan: .npy [coil, shot, sample], or .cfl in BART's order. An array: (coils,
                        shots, samples), or ([repetitions,] coils, [nz,] ny, nx) on a grid
    trajectory          k-space positions of the samples: .npy [shot, sample, 2 or 3] or .cfl {3, sample, shot}. Without a trajectory the
                        samples form a Cartesian grid, and points that are 0 in all coils count as unmeasured. An array: (shots, samples, 2
                        or 3), (y, x) or (z, y, x), cycles per field of view
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
    callback            is given an argand.Progress after each iteration; if it returns False, the call raises argand.errors.Stopped, and
                        nothing is written
    progress            show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.image(sense, given)


@hinted
def pcsense(
    scan: Scan | Path | None = None, output: Path | None = None, *,
    transform: Literal["auto", "nufft", "dft", "dft-gradients", "segmented"] = "auto", iterations: int | None = None,
    tolerance: float = 0.0, nufft_tolerance: float = 0.0, segments: int | str | None = None, segment_tolerance: float = 0.0,
    interpolator: Literal["auto", "linear", "hann", "min-max", "svd"] = "auto", frequency_segments: bool = False,
    regularize: Regularizer = None, denoiser: Path | None = None, denoiser_noise: float = 0.0, denoiser_weight: float = 0.0,
    denoiser_scale: float = 0.0, solver: Literal["auto", "cg", "half-quadratic", "fista", "pogm", "admm"] = "auto",
    toeplitz: Literal["auto", "on", "off"] = "auto", precondition: bool = False, joint: bool = False,
    basis: ArrayLike | Path | None = None, subspace: ArrayLike | Path | None = None, rank: int = 0,
    density: ArrayLike | Path | None = None, density_power: float = 0.0, weights: ArrayLike | Path | None = None,
    precision: Literal["single", "double"] = "single", partial_fourier: float = 0.0, pocs: int = 0,
    homodyne: Literal["none", "ramp", "step"] = "none", phase_maps: ArrayLike | Path | None = None,
    field_map: ArrayLike | Path | None = None, field_unit: Literal["auto", "rad/s", "hz", "tesla", "ppm"] = "auto",
    keep_field_zeros: bool = False, coil_maps: ArrayLike | Path | None = None,
    coils: Literal["auto", "adaptive", "espirit", "joint"] = "auto", sets: int = 1, compress: int | ArrayLike | Path | None = None,
    whiten: bool = False, no_whiten: bool = False, noise: ArrayLike | Path | None = None, whitener: ArrayLike | Path | None = None,
    noise_covariance: ArrayLike | Path | None = None, calibration: float = 0.0, calibration_scan: Path | None = None,
    mask: ArrayLike | Path | None = None, matrix: int | Sequence[int] | str | None = None,
    image_fov: float | Sequence[float] | str | None = None, encoding: int = 0, epi: Literal["auto", "off", "ramps", "ghosts"] = "auto",
    r2star: ArrayLike | Path | None = None, phase_terms: ArrayLike | Path | None = None, concomitant: float | str | None = None,
    noise_map: int = 0, sequence: Path | None = None, girf: ArrayLike | Path | None = None, girf_step: float = 0.0,
    delay: float | Sequence[float] | str | None = None, motion: ArrayLike | Path | None = None,
    motion_by: Literal["auto", "shot", "repetition", "segment"] = "auto", motion_group: int = 0, kspace: ArrayLike | Path | None = None,
    trajectory: ArrayLike | Path | None = None, times: ArrayLike | Path | None = None, axes: str | Sequence[str | int] | None = None,
    trajectory_axes: str | Sequence[str | int] | None = None, k_order: Literal["auto", "xyz", "zyx"] = "auto",
    fov: float | Sequence[float] | str | None = None, like: tuple[ArrayLike, Geometry] | Path | None = None, sample_time: float = 0.0,
    echo_time: float = 0.0, part: Literal["magnitude", "phase", "real", "imaginary", "complex"] | Sequence[str] | None = None,
    dicom: Literal["auto", "enhanced", "classic"] = "auto", report: Path | bool = False, save_maps: Path | bool = False,
    task: tuple[int, int] | str | None = None, resume: bool = False, ranks: int = 0, group: str | None = None,
    k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto", y_fastest: bool = False,
    time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
    full: bool = False, callback: Callback | None = None, progress: bool = False
) -> Outcome:
    """Reconstruct multi-shot data with a phase map for each shot.

    Returns the images (repetitions, nz, ny, nx): complex, or the parts that `part` names.

    scan                a scan (argand.Scan), or its file; a folder of scans, if output is a folder for their images
    output              a file to write, as the tool does (default None: nothing is left on disk)
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
                        image, or two images
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
    precision           precision of all computation: "single", "double" (default "single")
    partial_fourier     weight of the phase constraint for partial Fourier and asymmetric echoes; 0 switches the constraint off; try 0.3
    pocs                complete images of partial Fourier scans by N iterations of POCS, which give the image the phase of the symmetric
                        part of k-space and keep the acquired part; 0: none; try 10
    homodyne            complete images of partial Fourier scans by homodyne detection: samples that were acquired on one side only count
                        twice, and the image gets the phase of the symmetric part of k-space, whose samples are weighted by a ramp or by 1
                        (step): "none", "ramp", "step" (default "none")
    phase_maps          phase map of each shot: a map, navigators, shots or none (see above). Default: PhaseMaps of the scan. An array:
                        (shots, [nz,] ny, nx)
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
    kspace              k-space samples from FILE instead of a scan: .npy [coil, shot, sample], or .cfl in BART's order. An array: (coils,
                        shots, samples), or ([repetitions,] coils, [nz,] ny, nx) on a grid
    trajectory          k-space positions of the samples: .npy [shot, sample, 2 or 3] or .cfl {3, sample, shot}. Without a trajectory the
                        samples form a Cartesian grid, and points that are 0 in all coils count as unmeasured. An array: (shots, samples, 2
                        or 3), (y, x) or (z, y, x), cycles per field of view
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
    callback            is given an argand.Progress after each iteration; if it returns False, the call raises argand.errors.Stopped, and
                        nothing is written
    progress            show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.image(pcsense, given)


@hinted
def grappa(
    scan: Scan | Path | None = None, output: Path | None = None, *,
    transform: Literal["auto", "nufft", "dft", "dft-gradients", "segmented"] = "auto", iterations: int | None = None,
    tolerance: float = 0.0, nufft_tolerance: float = 0.0, segments: int | str | None = None, segment_tolerance: float = 0.0,
    interpolator: Literal["auto", "linear", "hann", "min-max", "svd"] = "auto", frequency_segments: bool = False,
    regularize: Regularizer = None, denoiser: Path | None = None, denoiser_noise: float = 0.0, denoiser_weight: float = 0.0,
    denoiser_scale: float = 0.0, solver: Literal["auto", "cg", "half-quadratic", "fista", "pogm", "admm"] = "auto",
    toeplitz: Literal["auto", "on", "off"] = "auto", precondition: bool = False, joint: bool = False,
    basis: ArrayLike | Path | None = None, subspace: ArrayLike | Path | None = None, rank: int = 0,
    density: ArrayLike | Path | None = None, density_power: float = 0.0, weights: ArrayLike | Path | None = None,
    precision: Literal["single", "double"] = "single", partial_fourier: float = 0.0, pocs: int = 0,
    homodyne: Literal["none", "ramp", "step"] = "none", kernel: int | Sequence[int] | str | None = None,
    kernel_regularization: float = 0.0, combine: Literal["sense", "rss"] = "sense", field_map: ArrayLike | Path | None = None,
    field_unit: Literal["auto", "rad/s", "hz", "tesla", "ppm"] = "auto", keep_field_zeros: bool = False,
    coil_maps: ArrayLike | Path | None = None, coils: Literal["auto", "adaptive", "espirit", "joint"] = "auto", sets: int = 1,
    compress: int | ArrayLike | Path | None = None, whiten: bool = False, no_whiten: bool = False, noise: ArrayLike | Path | None = None,
    whitener: ArrayLike | Path | None = None, noise_covariance: ArrayLike | Path | None = None, calibration: float = 0.0,
    calibration_scan: Path | None = None, mask: ArrayLike | Path | None = None, matrix: int | Sequence[int] | str | None = None,
    image_fov: float | Sequence[float] | str | None = None, encoding: int = 0, epi: Literal["auto", "off", "ramps", "ghosts"] = "auto",
    r2star: ArrayLike | Path | None = None, phase_terms: ArrayLike | Path | None = None, concomitant: float | str | None = None,
    gfactor_map: bool = False, sequence: Path | None = None, girf: ArrayLike | Path | None = None, girf_step: float = 0.0,
    delay: float | Sequence[float] | str | None = None, motion: ArrayLike | Path | None = None,
    motion_by: Literal["auto", "shot", "repetition", "segment"] = "auto", motion_group: int = 0, kspace: ArrayLike | Path | None = None,
    trajectory: ArrayLike | Path | None = None, times: ArrayLike | Path | None = None, axes: str | Sequence[str | int] | None = None,
    trajectory_axes: str | Sequence[str | int] | None = None, k_order: Literal["auto", "xyz", "zyx"] = "auto",
    fov: float | Sequence[float] | str | None = None, like: tuple[ArrayLike, Geometry] | Path | None = None, sample_time: float = 0.0,
    echo_time: float = 0.0, part: Literal["magnitude", "phase", "real", "imaginary", "complex"] | Sequence[str] | None = None,
    dicom: Literal["auto", "enhanced", "classic"] = "auto", report: Path | bool = False, save_maps: Path | bool = False,
    task: tuple[int, int] | str | None = None, resume: bool = False, ranks: int = 0, group: str | None = None,
    k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto", y_fastest: bool = False,
    time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
    full: bool = False, callback: Callback | None = None, progress: bool = False
) -> Outcome:
    """Reconstruct undersampled Cartesian scans by GRAPPA.

    Returns the images (repetitions, nz, ny, nx): complex, or the parts that `part` names.

    scan                   a scan (argand.Scan), or its file; a folder of scans, if output is a folder for their images
    output                 a file to write, as the tool does (default None: nothing is left on disk)
    How the image is found:
    transform              transform from image to k-space. auto: without a field map the NUFFT; with one the exact DFT or the segmented
                           NUFFT, whichever is predicted to be faster: "auto", "nufft", "dft", "dft-gradients", "segmented" (default "auto")
    iterations             stop after N iterations; 0 writes the density-weighted adjoint without iterating. Default: stop before noise
                           grows faster than signal, at the latest after 50
    tolerance              stop when the relative gradient falls below E
    nufft_tolerance        relative error of the NUFFT. Default: 1e-5 in single precision, 1e-9 in double precision
    segments               number of time segments; auto (default) uses as many as segment_tolerance requires
    segment_tolerance      relative error of the off-resonance phase factor with transform segmented. Default: 1e-3 in single precision,
                           1e-6 in double precision
    interpolator           temporal interpolator between segments: "auto", "linear", "hann", "min-max", "svd" (default "auto")
    frequency_segments     segment the off-resonance frequency instead of time
    regularize             penalties KIND:WEIGHT,... Try auto, tikhonov:0.01, quadratic:0.01, hyperbola:0.05, tv:0.015, tv-
                           anisotropic:0.015, wavelet:0.02 or llr:0.05. A number alone means quadratic:NUMBER. WEIGHT does not depend on the
                           scale of the data; auto computes it from the noise; auto alone means tv:auto
    denoiser               use a neural network as penalty (plug-and-play): ADMM or FISTA denoise the image once an iteration. ONNX Runtime
                           runs it in this process: use only files that you trust. Real and imaginary part are two channels of the network's
                           image, or two images
    denoiser_noise         standard deviation of the noise that the denoiser is told to remove, relative to the bright parts of the image.
                           Default (0): 0.05. Denoisers without an input for it ignore it
    denoiser_weight        weight of the denoiser against the data. Default (0): 1
    denoiser_scale         value that the bright parts of the image have in the denoiser's input. Default (0): 0.5, for networks that were
                           trained on images from 0 to 1
    solver                 iterative solver: "auto", "cg", "half-quadratic", "fista", "pogm", "admm" (default "auto")
    toeplitz               apply A^H A as a convolution on a grid of twice the size (Toeplitz embedding); auto does so if this is predicted
                           to be faster: "auto", "on", "off" (default "auto")
    precondition           use a circulant preconditioner, computed from the Toeplitz kernels. CG then needs about half of the iterations
    joint                  solve all repetitions as one problem. regularize llr and basis imply this
    basis                  temporal basis {repetitions, columns} for a subspace reconstruction: all repetitions are linear combinations of a
                           few images. An array: (columns, repetitions)
    subspace               temporal basis {times, columns}, as argand basis writes it: write the coefficient image of each column, from all
                           samples together. The times are the scan's contrasts, phases, repetitions, sets, segments or (not Cartesian)
                           shots, whichever are as many as the rows of the basis. An array: (columns, times)
    rank                   number of columns of the basis to use; 0 uses all
    density                density weights: auto, none, pipe, deconvolve (without iteration), file (those of the scan), or a file name as
                           with weights. auto: none on a Cartesian grid, otherwise those of the scan, otherwise pipe. An array: (shots,
                           samples)
    density_power          raise the density weights to the power P. Default (0): 0.5 with density auto, otherwise 1
    weights                read the density weights of one volume from FILE, sample fastest, then shot, as argand calibrate density writes
                           them. An array: (shots, samples)
    precision              precision of all computation: "single", "double" (default "single")
    partial_fourier        weight of the phase constraint for partial Fourier and asymmetric echoes; 0 switches the constraint off; try 0.3
    pocs                   complete images of partial Fourier scans by N iterations of POCS, which give the image the phase of the symmetric
                           part of k-space and keep the acquired part; 0: none; try 10
    homodyne               complete images of partial Fourier scans by homodyne detection: samples that were acquired on one side only count
                           twice, and the image gets the phase of the symmetric part of k-space, whose samples are weighted by a ramp or by
                           1 (step): "none", "ramp", "step" (default "none")
    How missing samples are found:
    kernel                 window around a missing sample whose acquired samples are its sources: odd numbers of samples along the readout
                           and the phase-encode directions. Default: chosen by the distance of the acquired lines and the number of
                           calibration lines
    kernel_regularization  Tikhonov regularization of the weights, relative to the norm of the calibration data; -1: none. Default (0): 0.01
    combine                combine coils by coil maps (sense) or by the root of the sum of squares (rss): "sense", "rss" (default "sense")
    Maps, channels, the grid:
    field_map              field map; none switches field correction off. Default: FieldMap of the scan. An array: ([nz,] ny, nx), rad/s
    field_unit             unit of the field map in a file; auto reads the unit from the sidecar (.json), otherwise rad/s. ppm is of the
                           scan's main field: "auto", "rad/s", "hz", "tesla", "ppm" (default "auto")
    keep_field_zeros       keep zeros in the field map as measured values. By default, regions of exact zeros count as unmeasured and are
                           filled smoothly
    coil_maps              coil sensitivity maps; none estimates them. Default: SENSEMap of the scan, otherwise an estimate. An array:
                           (coils, [nz,] ny, nx)
    coils                  method that estimates coil maps. auto: ESPIRiT if its maps explain the data, otherwise the best of all methods.
                           joint: maps and an image together, for scans with too few calibration samples: "auto", "adaptive", "espirit",
                           "joint" (default "auto")
    sets                   number of sets of coil maps, given or by ESPIRiT, for objects larger than the field of view. Each set has an
                           image; the output is the root of the sum of squares of these images (default 1)
    compress               compress the channels to N virtual coils, or by the matrix {virtual coils, channels} of a file. An array:
                           (virtual coils, channels) as argand.compress makes it
    whiten                 whiten the channels by the noise acquisitions of the scan; fail if there are too few. Default: whiten if there
                           are enough
    no_whiten              do not whiten, even if the scan has noise acquisitions
    noise                  whiten the channels by the noise samples of FILE: .npy or .cfl {samples, channels}, or the noise acquisitions of
                           another scan (.h5). An array: (channels, samples)
    whitener               whiten the channels by the matrix {channels, channels} of FILE, as argand calibrate noise writes it. An array:
                           (channels, channels) as argand.whiten makes it
    noise_covariance       whiten the channels by the noise covariance matrix {channels, channels} of FILE. An array: (channels, channels)
    calibration            estimate coil maps from the samples within R times the radius of k-space, fully sampled or not; 0 uses the fully
                           sampled centre
    calibration_scan       estimate coil maps from the images of another scan (.h5) with the same coils and orientation, such as the single-
                           band reference of simultaneous slices. Slices are matched by their places
    mask                   reconstruct only the pixels where MAP is not 0. An array: ([nz,] ny, nx)
    matrix                 image size in pixels; one number is for all axes. Default: the encoded matrix
    image_fov              field of view of the image in mm; one number is for x and y. The pixel size stays the same. A larger field of
                           view shows objects that reach beyond the scan's. Default: the scan's
    encoding               number of the encoding space to reconstruct, from 0
    EPI, decay, measured phase, gradients, noise:
    epi                    regrid ramp samples by the header's trapezoid (ramps), and remove echo shift and phase of reversed lines (ghosts)
                           by the scan's reference lines, or by the entropy of the image if there are none. auto does what the scan allows:
                           "auto", "off", "ramps", "ghosts" (default "auto")
    r2star                 R2* map in 1/s, to model the decay of the signal during the readout. An array: ([nz,] ny, nx)
    phase_terms            phase coefficients [term, shot, sample], sample fastest, measured by a field camera, in addition to trajectory
                           and field map. 1, 4, 9, 16 or 20 terms: spherical harmonics of order 0 to 3, then concomitant fields; in rad,
                           rad/m, rad/m^2, rad/m^3. An array: (terms, shots, samples)
    concomitant            model the phase of concomitant fields (Maxwell terms) of the readout's gradients at a main field of TESLA; auto:
                           the field strength of the scan's header
    gfactor_map            also write OUT_gfactor: the g-factor of each pixel by formula, for regularly undersampled Cartesian scans
    sequence               take the positions and times of samples from a Pulseq sequence: acquisition n of the scan, whatever its flags, is
                           ADC event n; noise acquisitions are skipped if the sequence has as many events without them
    girf                   correct the trajectory by the gradient impulse response function of FILE: complex [axis, frequency], 0 Hz in the
                           middle; axes x, y, z, in .npy z, y, x. An array: (axes, frequencies), axes in the order of the image's
    girf_step              frequency spacing of the girf samples, in Hz
    delay                  gradient delays of x, y and z in microseconds; the trajectory is shifted by them
    motion                 take rigid motion out of the scan: a row for each shot, segment or repetition, tx ty tz in mm and rx ry rz in
                           degrees, as text (.tsv) or array (.npy). auto estimates it from the samples and writes OUT-motion.tsv. An array:
                           (shots or repetitions, 6), mm and degrees
    motion_by              what the rows of motion count. auto compares their number; with motion auto, the first of repetition, segment,
                           shot of which there are several: "auto", "shot", "repetition", "segment" (default "auto")
    motion_group           let N consecutive shots or segments share a position of motion auto; 0 takes 1, or as many as leave 32 positions
    Own arrays in place of a scan:
    kspace                 k-space samples from FILE instead of a scan: .npy [coil, shot, sample], or .cfl in BART's order. An array:
                           (coils, shots, samples), or ([repetitions,] coils, [nz,] ny, nx) on a grid
    trajectory             k-space positions of the samples: .npy [shot, sample, 2 or 3] or .cfl {3, sample, shot}. Without a trajectory the
                           samples form a Cartesian grid, and points that are 0 in all coils count as unmeasured. An array: (shots, samples,
                           2 or 3), (y, x) or (z, y, x), cycles per field of view
    times                  time of each sample in seconds, [shot, sample] or [sample]. An array: ([shots,] samples)
    axes                   name the axes of kspace in the order of the file (NumPy's shape, BART's .hdr): 1, sample, shot, partition, coil,
                           slice, repetition, contrast, average, set. Default: recognised from the sizes
    trajectory_axes        name the axes of trajectory in the order of the file, as in axes; k is the axis of the components (kx, ky, kz)
    k_order                order of the components of trajectory: kx first (BART), or kx last, as x is the last of NumPy's image axes
                           (argand.trajectory, SigPy, mri-nufft). auto: kx last in .npy, first in other files: "auto", "xyz", "zyx" (default
                           "auto")
    fov                    encoded field of view of kspace in mm (image_fov sets that of the image). Default: voxels of 1 mm
    like                   take field of view, matrix, position and orientation of kspace from this image. An array: (array,
                           argand.Geometry)
    sample_time            dwell time of kspace in seconds, if times is not given
    echo_time              echo time of kspace in seconds: the time at the centre of k-space
    What is written:
    part                   write these parts of the image (magnitude), a file each: "magnitude", "phase", "real", "imaginary", "complex".
                           Default: complex without `output`, else magnitude
    dicom                  kind of DICOM that OUT.dcm is. enhanced: one file; classic: a folder OUT with a file for each slice. auto:
                           enhanced: "auto", "enhanced", "classic" (default "auto")
    report                 also write a report as one HTML file, readable offline. Default name: OUT.html. True: in the result's `arrays`
    save_maps              also write the coil maps in use to FILE (.nii.gz, .npy, .cfl), for a later coil_maps. True: in the result's
                           `arrays`
    Job arrays and interrupted runs:
    task                   reconstruct the I-th of N parts of the volumes (I from 1) and leave them in OUT.parts; argand gather OUT then
                           writes the images. For job arrays: task $SLURM_ARRAY_TASK_ID/8. part I/N is the same
    resume                 keep each volume in OUT.parts when it is finished, and take those that an interrupted run left there. OUT.parts
                           is removed when OUT is written
    ranks                  ranks or devices that share a volume, by its coils or shots, if there are more of them than volumes; 0: as many
                           as are predicted to be fastest
    How the scan is read:
    group                  group of the HDF5 file that holds the scan; in a Siemens raw file, the number of the measurement (by default the
                           last)
    k_unit                 unit of the trajectory; auto takes the unit in which the trajectory reaches the edge of the matrix: "auto",
                           "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m" (default "auto")
    y_fastest              read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
    time_from_echo         count sample times from the echo. Default: from the excitation
    bands                  number of simultaneously excited slices (multiband factor); 0 reads it from the header
    blips                  blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other
                           side if N is negative. Default 0: kz of the file
    Where it runs, and what it says:
    device                 device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3).
                           Default: ARGAND_DEVICE, else the first of argand devices
    threads                number of CPU threads; 0 uses all
    Progress:
    full                   keep the coil maps with the result (result.maps)
    callback               is given an argand.Progress after each iteration; if it returns False, the call raises argand.errors.Stopped, and
                           nothing is written
    progress               show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.image(grappa, given)


@hinted
def grid(
    scan: Scan | Path | None = None, output: Path | None = None, *,
    transform: Literal["auto", "nufft", "dft", "dft-gradients", "segmented"] = "auto", nufft_tolerance: float = 0.0,
    segments: int | str | None = None, segment_tolerance: float = 0.0,
    interpolator: Literal["auto", "linear", "hann", "min-max", "svd"] = "auto", frequency_segments: bool = False,
    subspace: ArrayLike | Path | None = None, density: ArrayLike | Path | None = None, density_power: float = 0.0,
    weights: ArrayLike | Path | None = None, precision: Literal["single", "double"] = "single", pocs: int = 0,
    homodyne: Literal["none", "ramp", "step"] = "none", combine: Literal["rss", "sense"] = "rss",
    field_map: ArrayLike | Path | None = None, field_unit: Literal["auto", "rad/s", "hz", "tesla", "ppm"] = "auto",
    keep_field_zeros: bool = False, coil_maps: ArrayLike | Path | None = None,
    coils: Literal["auto", "adaptive", "espirit", "joint"] = "auto", sets: int = 1, compress: int | ArrayLike | Path | None = None,
    whiten: bool = False, no_whiten: bool = False, noise: ArrayLike | Path | None = None, whitener: ArrayLike | Path | None = None,
    noise_covariance: ArrayLike | Path | None = None, calibration: float = 0.0, calibration_scan: Path | None = None,
    mask: ArrayLike | Path | None = None, matrix: int | Sequence[int] | str | None = None,
    image_fov: float | Sequence[float] | str | None = None, encoding: int = 0, epi: Literal["auto", "off", "ramps", "ghosts"] = "auto",
    r2star: ArrayLike | Path | None = None, phase_terms: ArrayLike | Path | None = None, concomitant: float | str | None = None,
    noise_map: int = 0, sequence: Path | None = None, girf: ArrayLike | Path | None = None, girf_step: float = 0.0,
    delay: float | Sequence[float] | str | None = None, motion: ArrayLike | Path | None = None,
    motion_by: Literal["auto", "shot", "repetition", "segment"] = "auto", motion_group: int = 0, kspace: ArrayLike | Path | None = None,
    trajectory: ArrayLike | Path | None = None, times: ArrayLike | Path | None = None, axes: str | Sequence[str | int] | None = None,
    trajectory_axes: str | Sequence[str | int] | None = None, k_order: Literal["auto", "xyz", "zyx"] = "auto",
    fov: float | Sequence[float] | str | None = None, like: tuple[ArrayLike, Geometry] | Path | None = None, sample_time: float = 0.0,
    echo_time: float = 0.0, part: Literal["magnitude", "phase", "real", "imaginary", "complex"] | Sequence[str] | None = None,
    dicom: Literal["auto", "enhanced", "classic"] = "auto", report: Path | bool = False, save_maps: Path | bool = False,
    task: tuple[int, int] | str | None = None, resume: bool = False, ranks: int = 0, group: str | None = None,
    k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto", y_fastest: bool = False,
    time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
    full: bool = False, callback: Callback | None = None, progress: bool = False
) -> Outcome:
    """Reconstruct images by gridding: the density-weighted adjoint without iteration.

    Returns the images (repetitions, nz, ny, nx): complex, or the parts that `part` names.

    scan                a scan (argand.Scan), or its file; a folder of scans, if output is a folder for their images
    output              a file to write, as the tool does (default None: nothing is left on disk)
    How the image is found:
    transform           transform from image to k-space. auto: without a field map the NUFFT; with one the exact DFT or the segmented NUFFT,
                        whichever is predicted to be faster: "auto", "nufft", "dft", "dft-gradients", "segmented" (default "auto")
    nufft_tolerance     relative error of the NUFFT. Default: 1e-5 in single precision, 1e-9 in double precision
    segments            number of time segments; auto (default) uses as many as segment_tolerance requires
    segment_tolerance   relative error of the off-resonance phase factor with transform segmented. Default: 1e-3 in single precision, 1e-6
                        in double precision
    interpolator        temporal interpolator between segments: "auto", "linear", "hann", "min-max", "svd" (default "auto")
    frequency_segments  segment the off-resonance frequency instead of time
    subspace            temporal basis {times, columns}, as argand basis writes it: write the coefficient image of each column, from all
                        samples together. The times are the scan's contrasts, phases, repetitions, sets, segments or (not Cartesian) shots,
                        whichever are as many as the rows of the basis. An array: (columns, times)
    density             density weights: auto, none, pipe, deconvolve (without iteration), file (those of the scan), or a file name as with
                        weights. auto: none on a Cartesian grid, otherwise those of the scan, otherwise pipe. An array: (shots, samples)
    density_power       raise the density weights to the power P. Default (0): 0.5 with density auto, otherwise 1
    weights             read the density weights of one volume from FILE, sample fastest, then shot, as argand calibrate density writes
                        them. An array: (shots, samples)
    precision           precision of all computation: "single", "double" (default "single")
    pocs                complete images of partial Fourier scans by N iterations of POCS, which give the image the phase of the symmetric
                        part of k-space and keep the acquired part; 0: none; try 10
    homodyne            complete images of partial Fourier scans by homodyne detection: samples that were acquired on one side only count
                        twice, and the image gets the phase of the symmetric part of k-space, whose samples are weighted by a ramp or by 1
                        (step): "none", "ramp", "step" (default "none")
    combine             combine coils by the root of the sum of squares (rss) or by coil maps (sense): "rss", "sense" (default "rss")
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
    kspace              k-space samples from FILE instead of a scan: .npy [coil, shot, sample], or .cfl in BART's order. An array: (coils,
                        shots, samples), or ([repetitions,] coils, [nz,] ny, nx) on a grid
    trajectory          k-space positions of the samples: .npy [shot, sample, 2 or 3] or .cfl {3, sample, shot}. Without a trajectory the
                        samples form a Cartesian grid, and points that are 0 in all coils count as unmeasured. An array: (shots, samples, 2
                        or 3), (y, x) or (z, y, x), cycles per field of view
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
    callback            is given an argand.Progress after each iteration; if it returns False, the call raises argand.errors.Stopped, and
                        nothing is written
    progress            show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.image(grid, given)


@hinted
def gather(
    output: Path, *, device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> Outcome:
    """Write the images of a reconstruction that ran in tasks.

    Returns the images (repetitions, nz, ny, nx): complex, or the parts that `part` names.

    output    the file whose volumes the tasks left
    device    device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
              ARGAND_DEVICE, else the first of argand devices
    threads   number of CPU threads; 0 uses all
    progress  show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.image(gather, given)


@hinted
def serve(
    *, transform: Literal["auto", "nufft", "dft", "dft-gradients", "segmented"] = "auto", iterations: int | None = None,
    tolerance: float = 0.0, nufft_tolerance: float = 0.0, segments: int | str | None = None, segment_tolerance: float = 0.0,
    interpolator: Literal["auto", "linear", "hann", "min-max", "svd"] = "auto", frequency_segments: bool = False,
    regularize: Regularizer = None, denoiser: Path | None = None, denoiser_noise: float = 0.0, denoiser_weight: float = 0.0,
    denoiser_scale: float = 0.0, solver: Literal["auto", "cg", "half-quadratic", "fista", "pogm", "admm"] = "auto",
    toeplitz: Literal["auto", "on", "off"] = "auto", precondition: bool = False, joint: bool = False,
    basis: ArrayLike | Path | None = None, subspace: ArrayLike | Path | None = None, rank: int = 0,
    density: ArrayLike | Path | None = None, density_power: float = 0.0, weights: ArrayLike | Path | None = None,
    precision: Literal["single", "double"] = "single", partial_fourier: float = 0.0, pocs: int = 0,
    homodyne: Literal["none", "ramp", "step"] = "none", host: str = "127.0.0.1", port: int = 9002, whole: bool = False,
    measure: bool = False, once: bool = False, limit: int = 4096, patience: int = 60, connections: int = 4, window: int = 0, step: int = 0,
    late: Literal["drop", "merge"] = "drop", calibration_readouts: int = 0, refresh: int = 0, keep_calibration: int = 60,
    temporal: float = 0.02, temporal_tv: float = 0.0, tv_frames: int = 1, find_delays: bool = False, pin: bool = False, view: int = -1,
    field_map: ArrayLike | Path | None = None, field_unit: Literal["auto", "rad/s", "hz", "tesla", "ppm"] = "auto",
    keep_field_zeros: bool = False, coil_maps: ArrayLike | Path | None = None,
    coils: Literal["auto", "adaptive", "espirit", "joint"] = "auto", sets: int = 1, compress: int | ArrayLike | Path | None = None,
    whiten: bool = False, no_whiten: bool = False, noise: ArrayLike | Path | None = None, whitener: ArrayLike | Path | None = None,
    noise_covariance: ArrayLike | Path | None = None, calibration: float = 0.0, calibration_scan: Path | None = None,
    mask: ArrayLike | Path | None = None, matrix: int | Sequence[int] | str | None = None,
    image_fov: float | Sequence[float] | str | None = None, encoding: int = 0, epi: Literal["auto", "off", "ramps", "ghosts"] = "auto",
    r2star: ArrayLike | Path | None = None, phase_terms: ArrayLike | Path | None = None, concomitant: float | str | None = None,
    noise_map: int = 0, girf: ArrayLike | Path | None = None, girf_step: float = 0.0, delay: float | Sequence[float] | str | None = None,
    kspace: ArrayLike | Path | None = None, trajectory: ArrayLike | Path | None = None, times: ArrayLike | Path | None = None,
    axes: str | Sequence[str | int] | None = None, trajectory_axes: str | Sequence[str | int] | None = None,
    k_order: Literal["auto", "xyz", "zyx"] = "auto", fov: float | Sequence[float] | str | None = None,
    like: tuple[ArrayLike, Geometry] | Path | None = None, sample_time: float = 0.0, echo_time: float = 0.0,
    part: Literal["magnitude", "phase", "real", "imaginary", "complex"] | Sequence[str] | None = None,
    dicom: Literal["auto", "enhanced", "classic"] = "auto", report: Path | bool = False, save_maps: Path | bool = False, ranks: int = 0,
    group: str | None = None, k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto",
    y_fastest: bool = False, time_from_echo: bool = False, bands: int = 0, blips: int = 0,
    device: Device | str | Sequence[str] | None = None, threads: int = 0
) -> Server:
    """Reconstruct the data that a scanner streams (MRD over TCP).

    Returns an argand.tool.Server that runs until its `stop()`, or the end of a `with` block.

    How the image is found:
    transform             transform from image to k-space. auto: without a field map the NUFFT; with one the exact DFT or the segmented
                          NUFFT, whichever is predicted to be faster: "auto", "nufft", "dft", "dft-gradients", "segmented" (default "auto")
    iterations            stop after N iterations; 0 writes the density-weighted adjoint without iterating. Default: stop before noise grows
                          faster than signal, at the latest after 50
    tolerance             stop when the relative gradient falls below E
    nufft_tolerance       relative error of the NUFFT. Default: 1e-5 in single precision, 1e-9 in double precision
    segments              number of time segments; auto (default) uses as many as segment_tolerance requires
    segment_tolerance     relative error of the off-resonance phase factor with transform segmented. Default: 1e-3 in single precision, 1e-6
                          in double precision
    interpolator          temporal interpolator between segments: "auto", "linear", "hann", "min-max", "svd" (default "auto")
    frequency_segments    segment the off-resonance frequency instead of time
    regularize            penalties KIND:WEIGHT,... Try auto, tikhonov:0.01, quadratic:0.01, hyperbola:0.05, tv:0.015, tv-anisotropic:0.015,
                          wavelet:0.02 or llr:0.05. A number alone means quadratic:NUMBER. WEIGHT does not depend on the scale of the data;
                          auto computes it from the noise; auto alone means tv:auto
    denoiser              use a neural network as penalty (plug-and-play): ADMM or FISTA denoise the image once an iteration. ONNX Runtime
                          runs it in this process: use only files that you trust. Real and imaginary part are two channels of the network's
                          image, or two images
    denoiser_noise        standard deviation of the noise that the denoiser is told to remove, relative to the bright parts of the image.
                          Default (0): 0.05. Denoisers without an input for it ignore it
    denoiser_weight       weight of the denoiser against the data. Default (0): 1
    denoiser_scale        value that the bright parts of the image have in the denoiser's input. Default (0): 0.5, for networks that were
                          trained on images from 0 to 1
    solver                iterative solver: "auto", "cg", "half-quadratic", "fista", "pogm", "admm" (default "auto")
    toeplitz              apply A^H A as a convolution on a grid of twice the size (Toeplitz embedding); auto does so if this is predicted
                          to be faster: "auto", "on", "off" (default "auto")
    precondition          use a circulant preconditioner, computed from the Toeplitz kernels. CG then needs about half of the iterations
    joint                 solve all repetitions as one problem. regularize llr and basis imply this
    basis                 temporal basis {repetitions, columns} for a subspace reconstruction: all repetitions are linear combinations of a
                          few images. An array: (columns, repetitions)
    subspace              temporal basis {times, columns}, as argand basis writes it: write the coefficient image of each column, from all
                          samples together. The times are the scan's contrasts, phases, repetitions, sets, segments or (not Cartesian)
                          shots, whichever are as many as the rows of the basis. An array: (columns, times)
    rank                  number of columns of the basis to use; 0 uses all
    density               density weights: auto, none, pipe, deconvolve (without iteration), file (those of the scan), or a file name as
                          with weights. auto: none on a Cartesian grid, otherwise those of the scan, otherwise pipe. An array: (shots,
                          samples)
    density_power         raise the density weights to the power P. Default (0): 0.5 with density auto, otherwise 1
    weights               read the density weights of one volume from FILE, sample fastest, then shot, as argand calibrate density writes
                          them. An array: (shots, samples)
    precision             precision of all computation: "single", "double" (default "single")
    partial_fourier       weight of the phase constraint for partial Fourier and asymmetric echoes; 0 switches the constraint off; try 0.3
    pocs                  complete images of partial Fourier scans by N iterations of POCS, which give the image the phase of the symmetric
                          part of k-space and keep the acquired part; 0: none; try 10
    homodyne              complete images of partial Fourier scans by homodyne detection: samples that were acquired on one side only count
                          twice, and the image gets the phase of the symmetric part of k-space, whose samples are weighted by a ramp or by 1
                          (step): "none", "ramp", "step" (default "none")
    host                  address to listen on (default "127.0.0.1")
    port                  TCP port to listen on; 0 takes a free port and prints its number (default 9002)
    whole                 reconstruct when the scan is complete. Default: reconstruct each repetition as soon as it is complete
    measure               print how long each stage of an image took, at the end of a connection: median, 99th percentile and largest
    once                  serve one connection, then exit with its exit code
    limit                 largest size in MB of the data of a connection, and of an image with its coil maps (default 4096)
    patience              close a connection after S seconds without data (default 60)
    connections           number of connections to reconstruct at the same time; four times as many may be open (default 4)
    window                make an image of each N readouts of a continuous stream (spokes, interleaves). Default 0: of each repetition
    step                  number of readouts from frame to frame; 0: those of a window
    late                  drop does not make a frame if a newer one is complete; merge gives its readouts to the newer one. Both count it:
                          "drop", "merge" (default "drop")
    calibration_readouts  number of readouts before the first frame, from which maps, weights and plans are made; 0: six windows
    refresh               estimate new coil maps after each N frames, without a pause; 0: never
    keep_calibration      if a client is cut off and connects again within S seconds with the same header and slice position, keep its coil
                          maps, compression and delays; 0: calibrate anew (default 60)
    temporal              weight of the difference to the frame before, relative to the data; 0: none (default 0.02)
    temporal_tv           weight of the total variation over time: parts that do not change stay as in earlier frames. For few readouts,
                          such as 13 of 256 x 256 pixels, try 4. Default 0: none
    tv_frames             number of earlier frames of temporal_tv (default 1)
    find_delays           estimate gradient delays from the first readouts, which are spokes, and correct all positions
    pin                   let the threads that receive and send frames run on one processor, and those that make frames on the others
    view                  show frames, latencies and counts in a browser on this computer, at http://127.0.0.1:PORT; 0 takes a free port and
                          prints its number; -1: no page (default -1)
    Maps, channels, the grid:
    field_map             field map; none switches field correction off. Default: FieldMap of the scan. An array: ([nz,] ny, nx), rad/s
    field_unit            unit of the field map in a file; auto reads the unit from the sidecar (.json), otherwise rad/s. ppm is of the
                          scan's main field: "auto", "rad/s", "hz", "tesla", "ppm" (default "auto")
    keep_field_zeros      keep zeros in the field map as measured values. By default, regions of exact zeros count as unmeasured and are
                          filled smoothly
    coil_maps             coil sensitivity maps; none estimates them. Default: SENSEMap of the scan, otherwise an estimate. An array:
                          (coils, [nz,] ny, nx)
    coils                 method that estimates coil maps. auto: ESPIRiT if its maps explain the data, otherwise the best of all methods.
                          joint: maps and an image together, for scans with too few calibration samples: "auto", "adaptive", "espirit",
                          "joint" (default "auto")
    sets                  number of sets of coil maps, given or by ESPIRiT, for objects larger than the field of view. Each set has an
                          image; the output is the root of the sum of squares of these images (default 1)
    compress              compress the channels to N virtual coils, or by the matrix {virtual coils, channels} of a file. An array: (virtual
                          coils, channels) as argand.compress makes it
    whiten                whiten the channels by the noise acquisitions of the scan; fail if there are too few. Default: whiten if there are
                          enough
    no_whiten             do not whiten, even if the scan has noise acquisitions
    noise                 whiten the channels by the noise samples of FILE: .npy or .cfl {samples, channels}, or the noise acquisitions of
                          another scan (.h5). An array: (channels, samples)
    whitener              whiten the channels by the matrix {channels, channels} of FILE, as argand calibrate noise writes it. An array:
                          (channels, channels) as argand.whiten makes it
    noise_covariance      whiten the channels by the noise covariance matrix {channels, channels} of FILE. An array: (channels, channels)
    calibration           estimate coil maps from the samples within R times the radius of k-space, fully sampled or not; 0 uses the fully
                          sampled centre
    calibration_scan      estimate coil maps from the images of another scan (.h5) with the same coils and orientation, such as the single-
                          band reference of simultaneous slices. Slices are matched by their places
    mask                  reconstruct only the pixels where MAP is not 0. An array: ([nz,] ny, nx)
    matrix                image size in pixels; one number is for all axes. Default: the encoded matrix
    image_fov             field of view of the image in mm; one number is for x and y. The pixel size stays the same. A larger field of view
                          shows objects that reach beyond the scan's. Default: the scan's
    encoding              number of the encoding space to reconstruct, from 0
    EPI, decay, measured phase, gradients, noise:
    epi                   regrid ramp samples by the header's trapezoid (ramps), and remove echo shift and phase of reversed lines (ghosts)
                          by the scan's reference lines, or by the entropy of the image if there are none. auto does what the scan allows:
                          "auto", "off", "ramps", "ghosts" (default "auto")
    r2star                R2* map in 1/s, to model the decay of the signal during the readout. An array: ([nz,] ny, nx)
    phase_terms           phase coefficients [term, shot, sample], sample fastest, measured by a field camera, in addition to trajectory and
                          field map. 1, 4, 9, 16 or 20 terms: spherical harmonics of order 0 to 3, then concomitant fields; in rad, rad/m,
                          rad/m^2, rad/m^3. An array: (terms, shots, samples)
    concomitant           model the phase of concomitant fields (Maxwell terms) of the readout's gradients at a main field of TESLA; auto:
                          the field strength of the scan's header
    noise_map             also write OUT_noise: the standard deviation of each pixel, from N pseudo-replicas. 100 replicas give it to about
                          7 %; 0 writes none
    girf                  correct the trajectory by the gradient impulse response function of FILE: complex [axis, frequency], 0 Hz in the
                          middle; axes x, y, z, in .npy z, y, x. An array: (axes, frequencies), axes in the order of the image's
    girf_step             frequency spacing of the girf samples, in Hz
    delay                 gradient delays of x, y and z in microseconds; the trajectory is shifted by them
    Own arrays in place of a scan:
    kspace                k-space samples from FILE instead of a scan: .npy [coil, shot, sample], or .cfl in BART's order. An array: (coils,
                          shots, samples), or ([repetitions,] coils, [nz,] ny, nx) on a grid
    trajectory            k-space positions of the samples: .npy [shot, sample, 2 or 3] or .cfl {3, sample, shot}. Without a trajectory the
                          samples form a Cartesian grid, and points that are 0 in all coils count as unmeasured. An array: (shots, samples,
                          2 or 3), (y, x) or (z, y, x), cycles per field of view
    times                 time of each sample in seconds, [shot, sample] or [sample]. An array: ([shots,] samples)
    axes                  name the axes of kspace in the order of the file (NumPy's shape, BART's .hdr): 1, sample, shot, partition, coil,
                          slice, repetition, contrast, average, set. Default: recognised from the sizes
    trajectory_axes       name the axes of trajectory in the order of the file, as in axes; k is the axis of the components (kx, ky, kz)
    k_order               order of the components of trajectory: kx first (BART), or kx last, as x is the last of NumPy's image axes
                          (argand.trajectory, SigPy, mri-nufft). auto: kx last in .npy, first in other files: "auto", "xyz", "zyx" (default
                          "auto")
    fov                   encoded field of view of kspace in mm (image_fov sets that of the image). Default: voxels of 1 mm
    like                  take field of view, matrix, position and orientation of kspace from this image. An array: (array, argand.Geometry)
    sample_time           dwell time of kspace in seconds, if times is not given
    echo_time             echo time of kspace in seconds: the time at the centre of k-space
    What is written:
    part                  write these parts of the image (magnitude), a file each: "magnitude", "phase", "real", "imaginary", "complex".
                          Default: complex without `output`, else magnitude
    dicom                 kind of DICOM that OUT.dcm is. enhanced: one file; classic: a folder OUT with a file for each slice. auto:
                          enhanced: "auto", "enhanced", "classic" (default "auto")
    report                also write a report as one HTML file, readable offline. Default name: OUT.html. True: in the result's `arrays`
    save_maps             also write the coil maps in use to FILE (.nii.gz, .npy, .cfl), for a later coil_maps. True: in the result's
                          `arrays`
    Job arrays and interrupted runs:
    ranks                 ranks or devices that share a volume, by its coils or shots, if there are more of them than volumes; 0: as many as
                          are predicted to be fastest
    How the scan is read:
    group                 group of the HDF5 file that holds the scan; in a Siemens raw file, the number of the measurement (by default the
                          last)
    k_unit                unit of the trajectory; auto takes the unit in which the trajectory reaches the edge of the matrix: "auto",
                          "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m" (default "auto")
    y_fastest             read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
    time_from_echo        count sample times from the echo. Default: from the excitation
    bands                 number of simultaneously excited slices (multiband factor); 0 reads it from the header
    blips                 blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other
                          side if N is negative. Default 0: kz of the file
    Where it runs, and what it says:
    device                device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                          ARGAND_DEVICE, else the first of argand devices
    threads               number of CPU threads; 0 uses all
    """
    given = locals()
    from . import _commands

    return _commands.serve(serve, given)


@hinted
def stream(
    scan: Scan | Path, output: Path | None = None, *, host: str = "127.0.0.1", port: int = 9002, rate: float | str = "real",
    tick: float = 2.5, interval: float = 0.0, loop: int = 1, config: str | None = None, patience: int = 600, retry: int = 0,
    group: str | None = "dataset", k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto",
    y_fastest: bool = False, time_from_echo: bool = False, bands: int = 0, blips: int = 0,
    device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> Values:
    """Send a scan to a server and measure the latency of its images.

    Returns the figures that the tool prints, in seconds, a dict.

    scan            a scan (argand.Scan), or its file; a folder of scans, if output is a folder for their images
    output          a file for the images that come back, .npy (default None: they are not kept)
    host            address of the server (default "127.0.0.1")
    port            TCP port of the server (default 9002)
    rate            real sends each acquisition at the time of its time stamp; N sends N times faster; max sends without waiting (default
                    "real")
    tick            length in ms of a tick of the time stamps; 2.5 on Siemens scanners (default 2.5)
    interval        time in ms from acquisition to acquisition; 0 uses the time stamps, or the header's TR if there are none
    loop            send the acquisitions N times; the repetition counter goes on (default 1)
    config          name of a configuration to send first, for servers that need one
    patience        end after S seconds without a byte from the server (default 600)
    retry           connect again up to N times, a second later each, if there is no server or the connection is lost; acquisitions that
                    were due meanwhile are not sent
    group           group of the HDF5 file that holds the scan; in a Siemens raw file, the number of the measurement (by default the last)
                    (default "dataset")
    k_unit          unit of the trajectory; auto takes the unit in which the trajectory reaches the edge of the matrix: "auto", "cycles",
                    "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m" (default "auto")
    y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
    time_from_echo  count sample times from the echo. Default: from the excitation
    bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
    blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other side if
                    N is negative. Default 0: kz of the file
    device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                    ARGAND_DEVICE, else the first of argand devices
    threads         number of CPU threads; 0 uses all
    progress        show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.values(stream, given, "scan")


@hinted
def calibrate_coils(
    source: Scan | Path | ArrayLike, output: Path | None = None, *, method: Literal["espirit", "adaptive"] = "espirit", region: int = 0,
    kernel: int = 0, threshold: float = 0.0, crop: float = 0.8, soft: bool = False, sets: int = 1, eigenvalues: Path | bool = False,
    sigma: float = 0.0, images: bool = False, encoding: int = 0, slice: int = -1, matrix: int | Sequence[int] | str | None = None,
    group: str | None = None, k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto",
    y_fastest: bool = False, time_from_echo: bool = False, bands: int = 0, blips: int = 0,
    device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> Outcome:
    """Compute coil sensitivity maps, by ESPIRiT or adaptive combination.

    Returns the maps ([sets,] coils, [nz,] ny, nx).

    source          a scan or its file, or k-space (coils, [nz,] ny, nx), or with images=True coil images
    output          a file to write, as the tool does (default None: nothing is left on disk)
    method          method: "espirit", "adaptive" (default "espirit")
    region          size of the calibration region along each axis; 0 uses the fully sampled centre, at most 24
    kernel          kernel size along each axis; 0 uses 6, or less in a small calibration region
    threshold       treat singular vectors with an energy below T times the largest as noise; 0 finds T from the data. BART's value is 0.001
    crop            set the maps to 0 where the eigenvalue is below C; a negative C sets nothing to 0 (default 0.8)
    soft            let the maps fall off smoothly towards crop
    sets            number of sets of coil maps (default 1)
    eigenvalues     also write the eigenvalue of each pixel; a value near 1 means that the maps explain the data. True: in the result's
                    `arrays`
    sigma           width of the Gaussian window in pixels (adaptive); 0 uses 3
    images          IN holds coil images instead of k-space
    encoding        number of the encoding space, from 0
    slice           process this slice alone, from 0; -1 processes all (default -1)
    matrix          size of the maps in pixels. Default: the encoded matrix
    group           group of the HDF5 file that holds the scan; in a Siemens raw file, the number of the measurement (by default the last)
    k_unit          unit of the trajectory; auto takes the unit in which the trajectory reaches the edge of the matrix: "auto", "cycles",
                    "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m" (default "auto")
    y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
    time_from_echo  count sample times from the echo. Default: from the excitation
    bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
    blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other side if
                    N is negative. Default 0: kz of the file
    device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                    ARGAND_DEVICE, else the first of argand devices
    threads         number of CPU threads; 0 uses all
    progress        show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(calibrate_coils, given, "source")


@hinted
def calibrate_field_map(
    source: Scan | Path | ArrayLike, output: Path | None = None, *, echo_times: Sequence[float] | str | None = None,
    opposite: ArrayLike | Path | None = None, echo_spacing: float = 0.0, mask: ArrayLike | Path | None = None, threshold: float = 0.1,
    beta: float = 0.05, iterations: int = 30, unit: Literal["rad/s", "hz"] = "rad/s", zero_outside: bool = False, encoding: int = 0,
    slice: int = -1, matrix: int | Sequence[int] | str | None = None, group: str | None = None,
    k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto", y_fastest: bool = False,
    time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
    progress: bool = False
) -> Outcome:
    """Compute a field map from two or more echoes.

    Returns the map ([nz,] ny, nx).

    source          a scan or its file, or images (echoes, coils, [nz,] ny, nx) with echo_times
    output          a file to write, as the tool does (default None: nothing is left on disk)
    echo_times      echo times in seconds. Default: those of the scan
    opposite        image of the opposite direction of phase encoding: ky falls in time in FILE and rises in IN, unless the sidecars say
                    otherwise. An array: ([nz,] ny, nx)
    echo_spacing    seconds between neighbouring ky of an opposite pair: the echo spacing over the acceleration. Default:
                    EffectiveEchoSpacing of the sidecar
    mask            mask of the pixels to fit. Default: pixels with signal. An array: ([nz,] ny, nx)
    threshold       fit pixels above this fraction of the largest signal, if mask is not given (default 0.1)
    beta            weight of the roughness penalty, relative to the data of a mean pixel; a negative B switches the penalty off (default
                    0.05)
    iterations      maximum number of iterations for each echo spacing (default 30)
    unit            unit of the written map: "rad/s", "hz" (default "rad/s")
    zero_outside    write 0 outside the mask. Default: continue the map smoothly
    encoding        number of the encoding space, from 0
    slice           process this slice alone, from 0; -1 processes all (default -1)
    matrix          size of the maps in pixels. Default: the encoded matrix
    group           group of the HDF5 file that holds the scan; in a Siemens raw file, the number of the measurement (by default the last)
    k_unit          unit of the trajectory; auto takes the unit in which the trajectory reaches the edge of the matrix: "auto", "cycles",
                    "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m" (default "auto")
    y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
    time_from_echo  count sample times from the echo. Default: from the excitation
    bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
    blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other side if
                    N is negative. Default 0: kz of the file
    device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                    ARGAND_DEVICE, else the first of argand devices
    threads         number of CPU threads; 0 uses all
    progress        show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(calibrate_field_map, given, "source")


@hinted
def calibrate_noise(
    source: Scan | Path | ArrayLike, output: Path | None = None, *, factor: float = 0.0, covariance: Path | bool = False,
    group: str | None = None, k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto",
    y_fastest: bool = False, time_from_echo: bool = False, bands: int = 0, blips: int = 0,
    device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> Outcome:
    """Compute the matrix that whitens the noise of the channels.

    Returns the matrix, whose rows are the new channels, as `whitener` and `compress` take it.

    source          a scan or its file, or samples (coils, ...)
    output          a file to write, as the tool does (default None: nothing is left on disk)
    factor          multiply the noise variance by F; 0 computes F from the scan (see above), otherwise 1
    covariance      also write the covariance matrix. True: in the result's `arrays`
    group           group of the HDF5 file that holds the scan; in a Siemens raw file, the number of the measurement (by default the last)
    k_unit          unit of the trajectory; auto takes the unit in which the trajectory reaches the edge of the matrix: "auto", "cycles",
                    "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m" (default "auto")
    y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
    time_from_echo  count sample times from the echo. Default: from the excitation
    bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
    blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other side if
                    N is negative. Default 0: kz of the file
    device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                    ARGAND_DEVICE, else the first of argand devices
    threads         number of CPU threads; 0 uses all
    progress        show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(calibrate_noise, given, "source")


@hinted
def calibrate_compress(
    source: Scan | Path | ArrayLike, output: Path | None = None, *, kind: Literal["svd", "gcc"] = "svd", coils: int = 0,
    energy: float = 0.99, data: Path | bool = False, whitener: ArrayLike | Path | None = None, encoding: int = 0, slice: int = -1,
    matrix: int | Sequence[int] | str | None = None, group: str | None = None,
    k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto", y_fastest: bool = False,
    time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
    progress: bool = False
) -> Outcome:
    """Compute the matrix that compresses the channels to fewer virtual coils.

    Returns the matrix, whose rows are the new channels, as `whitener` and `compress` take it.

    source          a scan or its file, or samples (coils, ...)
    output          a file to write, as the tool does (default None: nothing is left on disk)
    kind            method: "svd", "gcc" (default "svd")
    coils           number of virtual coils; 0 takes as many as energy needs
    energy          fraction of the energy to keep (default 0.99)
    data            also write the compressed data (if IN is a file of samples). True: in the result's `arrays`
    whitener        first whiten the channels by the matrix of FILE, as argand calibrate noise writes it. Give the same whitener to argand
                    sense. An array: (channels, channels) as argand.whiten makes it
    encoding        number of the encoding space, from 0
    slice           process this slice alone, from 0; -1 processes all (default -1)
    matrix          size of the maps in pixels. Default: the encoded matrix
    group           group of the HDF5 file that holds the scan; in a Siemens raw file, the number of the measurement (by default the last)
    k_unit          unit of the trajectory; auto takes the unit in which the trajectory reaches the edge of the matrix: "auto", "cycles",
                    "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m" (default "auto")
    y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
    time_from_echo  count sample times from the echo. Default: from the excitation
    bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
    blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other side if
                    N is negative. Default 0: kz of the file
    device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                    ARGAND_DEVICE, else the first of argand devices
    threads         number of CPU threads; 0 uses all
    progress        show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(calibrate_compress, given, "source")


@hinted
def calibrate_density(
    source: Scan | Path | ArrayLike, output: Path | None = None, *, method: Literal["pipe", "voronoi", "deconvolve"] = "pipe",
    encoding: int = 0, slice: int = -1, matrix: int | Sequence[int] | str | None = None, group: str | None = None,
    k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto", y_fastest: bool = False,
    time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
    progress: bool = False
) -> Outcome:
    """Compute the density weights of the samples.

    Returns an array.

    source          a scan or its file, or points (..., 2 or 3) with matrix
    output          a file to write, as the tool does (default None: nothing is left on disk)
    method          method: "pipe", "voronoi", "deconvolve" (default "pipe")
    encoding        number of the encoding space, from 0
    slice           process this slice alone, from 0; -1 processes all (default -1)
    matrix          size of the maps in pixels. Default: the encoded matrix
    group           group of the HDF5 file that holds the scan; in a Siemens raw file, the number of the measurement (by default the last)
    k_unit          unit of the trajectory; auto takes the unit in which the trajectory reaches the edge of the matrix: "auto", "cycles",
                    "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m" (default "auto")
    y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
    time_from_echo  count sample times from the echo. Default: from the excitation
    bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
    blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other side if
                    N is negative. Default 0: kz of the file
    device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                    ARGAND_DEVICE, else the first of argand devices
    threads         number of CPU threads; 0 uses all
    progress        show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(calibrate_density, given, "source")


@hinted
def calibrate_delays(
    scan: Scan | Path, output: Path | None = None, *, kind: Literal["auto", "radial", "epi"] = "auto", encoding: int = 0, slice: int = -1,
    matrix: int | Sequence[int] | str | None = None, group: str | None = None,
    k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto", y_fastest: bool = False,
    time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
    progress: bool = False
) -> Values:
    """Estimate gradient delays from the scan itself.

    Returns the figures that the tool prints, a dict.

    scan            a scan (argand.Scan), or its file; a folder of scans, if output is a folder for their images
    output          a file to write, as the tool does (default None: nothing is left on disk)
    kind            kind of trajectory; see above: "auto", "radial", "epi" (default "auto")
    encoding        number of the encoding space, from 0
    slice           process this slice alone, from 0; -1 processes all (default -1)
    matrix          size of the maps in pixels. Default: the encoded matrix
    group           group of the HDF5 file that holds the scan; in a Siemens raw file, the number of the measurement (by default the last)
    k_unit          unit of the trajectory; auto takes the unit in which the trajectory reaches the edge of the matrix: "auto", "cycles",
                    "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m" (default "auto")
    y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
    time_from_echo  count sample times from the echo. Default: from the excitation
    bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
    blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other side if
                    N is negative. Default 0: kz of the file
    device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                    ARGAND_DEVICE, else the first of argand devices
    threads         number of CPU threads; 0 uses all
    progress        show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.values(calibrate_delays, given, "scan")


@hinted
def calibrate_motion(
    scan: Scan | Path, output: Path | None = None, *, motion_by: Literal["auto", "shot", "repetition", "segment"] = "auto",
    motion_group: int = 0, cycles: float = 0.0, encoding: int = 0, group: str | None = None,
    k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto", y_fastest: bool = False,
    time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
    progress: bool = False
) -> Outcome:
    """Estimate rigid motion between shots, segments or repetitions from the samples.

    Returns the table (rows, 6), tx, ty, tz in mm and rx, ry, rz in degrees, as `motion` takes it.

    scan            a scan (argand.Scan), or its file; a folder of scans, if output is a folder for their images
    output          a file to write, as the tool does (default None: nothing is left on disk)
    motion_by       what the rows of the table count. auto: repetitions if there are several, otherwise segments if there are several,
                    otherwise shots: "auto", "shot", "repetition", "segment" (default "auto")
    motion_group    let N consecutive shots or segments share a position; 0 takes 1, or as many as leave 32 positions
    cycles          use the samples within N cycles per field of view of the centre of k-space; 0: 20
    encoding        number of the encoding space, from 0
    group           group of the HDF5 file that holds the scan; in a Siemens raw file, the number of the measurement (by default the last)
    k_unit          unit of the trajectory; auto takes the unit in which the trajectory reaches the edge of the matrix: "auto", "cycles",
                    "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m" (default "auto")
    y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
    time_from_echo  count sample times from the echo. Default: from the excitation
    bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
    blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other side if
                    N is negative. Default 0: kz of the file
    device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                    ARGAND_DEVICE, else the first of argand devices
    threads         number of CPU threads; 0 uses all
    progress        show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(calibrate_motion, given, "scan")


@hinted
def basis(
    kind: Literal["t2", "t1", "dictionary"], *inputs: Path | ArrayLike, output: Path | None = None,
    time_points: Sequence[float] | str | None = None, values: tuple[float, float] | str | None = None, step: float = 1.0, rank: int = 4,
    angle: float = 0.0, t1: float = 0.0, repetition: float = 0.0, efficiency: float = 0.0, names: str | Sequence[str | int] | None = None,
    device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> Outcome:
    """Compute the temporal basis of T1 or T2 signals for subspace images.

    Returns the basis (columns, times). `arrays` of the result has "dictionary" (atoms, times) and "parameters" (atoms, parameters).

    kind         the signal model: "t2", "t1", or "dictionary" with inputs
    inputs       for "dictionary": signals (atoms, times) and parameters (atoms, parameters), or files
    output       a file to write, as the tool does (default None: nothing is left on disk)
    time_points  echo times, or times after the inversion, in seconds: a list, or FIRST:LAST:STEP. t2 and t1 need them
    values       least and largest T2 or T1 in seconds. Default: 0.01:2 for t2, 0.05:5 for t1
    step         distance between the T2 or T1 of neighbouring atoms, in percent (default 1.0)
    rank         number of columns of the basis (default 4)
    angle        flip angle in degrees: of the refocusing pulses (t2), or of the readout pulses (t1). Default (0): 180 for t2, no readout
                 pulses for t1
    t1           T1 in seconds with which stimulated echoes decay (t2 with angle). Default (0): they do not decay
    repetition   time in seconds from readout pulse to readout pulse; t1 with angle needs it
    efficiency   part of the magnetisation that is inverted (t1). Default (0): 1
    names        names and units of the parameters of a dictionary: T1:s,T2:s
    device       device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                 ARGAND_DEVICE, else the first of argand devices
    threads      number of CPU threads; 0 uses all
    progress     show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(basis, given, "kind", "inputs")


@hinted
def map_t2star(
    source: Path | ArrayLike, output: Path | None = None, *, echo_times: Sequence[float] | str | None = None,
    mask: ArrayLike | Path | None = None, threshold: float = 0.05, noise: float = 0.0, device: Device | str | Sequence[str] | None = None,
    threads: int = 0, progress: bool = False
) -> Outcome:
    """Compute R2*, T2* and the signal without decay from several echoes.

    Returns R2* ([nz,] ny, nx) in 1/s; `arrays` of the result has "t2star" in s, "s0" and "r2star-error", too.

    source      images (echoes, [nz,] ny, nx), complex or magnitudes, with echo_times, or a file of them
    output      a file to write, as the tool does (default None: nothing is left on disk)
    echo_times  echo times in seconds. Default: EchoTime of the sidecars
    mask        mask of the pixels to fit. Default: pixels with signal. An array: ([nz,] ny, nx)
    threshold   fit pixels above this fraction of the largest signal, if mask is not given (default 0.05)
    noise       standard deviation of the noise in the real and in the imaginary part of an image; 0 estimates it from the residual of the
                fit; -1 fits magnitudes without a noise floor
    device      device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                ARGAND_DEVICE, else the first of argand devices
    threads     number of CPU threads; 0 uses all
    progress    show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.maps(map_t2star, given, "r2star")


@hinted
def map_water_fat(
    source: Path | ArrayLike, output: Path | None = None, *, field_strength: float = 0.0,
    fat_peaks: str | Sequence[str | int] | None = None, conjugate: bool = False, ignore_readout: bool = False, smoothness: float = 0.05,
    echo_times: Sequence[float] | str | None = None, mask: ArrayLike | Path | None = None, threshold: float = 0.05, noise: float = 0.0,
    device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> Outcome:
    """Separate water and fat, with R2* and field, from three or more complex echoes.

    Returns the fat fraction ([nz,] ny, nx); `arrays` of the result has "water", "fat", "r2star" in 1/s, "b0" in Hz and the errors, too.

    source          complex images (echoes, [nz,] ny, nx) with echo_times and field_strength, or a file of them
    output          a file to write, as the tool does (default None: nothing is left on disk)
    field_strength  field strength in tesla; 0 takes ImagingFrequency or MagneticFieldStrength of the sidecars
    fat_peaks       peaks of fat as SHIFT:AMPLITUDE,..., shifts in ppm from water, for example -3.4:0.9,0.6:0.1. Default: six peaks of the
                    liver
    conjugate       take the phase of the echoes as exp(+i w t). Default: exp(-i w t), as argand sense writes it
    ignore_readout  take all samples of an echo of a scan as acquired at the echo time, as images are
    smoothness      weight of the smoothness of the field from pixel to pixel, when its first value is chosen (default 0.05)
    echo_times      echo times in seconds. Default: EchoTime of the sidecars
    mask            mask of the pixels to fit. Default: pixels with signal. An array: ([nz,] ny, nx)
    threshold       fit pixels above this fraction of the largest signal, if mask is not given (default 0.05)
    noise           standard deviation of the noise in the real and in the imaginary part of an image; 0 estimates it from the residual of
                    the fit; -1 fits magnitudes without a noise floor
    device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                    ARGAND_DEVICE, else the first of argand devices
    threads         number of CPU threads; 0 uses all
    progress        show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.maps(map_water_fat, given, "fat-fraction")


@hinted
def map_match(
    source: Path | ArrayLike, basis: Path, output: Path | None = None, *, threshold: float = 0.05,
    device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> Outcome:
    """Compute T1, T2 and proton density from coefficient images and a dictionary.

    `arrays` of the result has all maps ([nz,] ny, nx): "t2" in s, "t2-error", "pd", "misfit".

    source     coefficient images (columns, [nz,] ny, nx), or a file of them
    basis      the file that argand basis wrote; the dictionary and its parameters are next to it
    output     a file to write, as the tool does (default None: nothing is left on disk)
    threshold  leave out pixels below this fraction of the largest signal (default 0.05)
    device     device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
               ARGAND_DEVICE, else the first of argand devices
    threads    number of CPU threads; 0 uses all
    progress   show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(map_match, given, "source", "basis")


@hinted
def info(
    file: Scan | Path, *, group: str | None = "dataset",
    k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto", y_fastest: bool = False,
    time_from_echo: bool = False, bands: int = 0, blips: int = 0, progress: bool = False
) -> Values:
    """Print the contents of a scan, image or array file.

    Returns the figures that the tool prints, a dict.

    file            a scan (argand.Scan), or a file of any kind that the tool reads
    group           group of the HDF5 file that holds the scan; in a Siemens raw file, the number of the measurement (by default the last)
                    (default "dataset")
    k_unit          unit of the trajectory; auto takes the unit in which the trajectory reaches the edge of the matrix: "auto", "cycles",
                    "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m" (default "auto")
    y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
    time_from_echo  count sample times from the echo. Default: from the excitation
    bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
    blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other side if
                    N is negative. Default 0: kz of the file
    progress        show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.values(info, given, "file")


@hinted
def simulate(
    output: Path | None = None, *, matrix: int | Sequence[int] | str | None = None, coils: int = 8,
    trajectory: Literal["cartesian", "radial", "spiral", "stack-of-spirals", "stack-of-stars"] = "spiral", shots: int = 0,
    samples: int = 0, readout: float = 0.0, echo: float = 0.0, acceleration: float = 1.0, golden: bool = False,
    partial_fourier: float = 1.0, calibration: int = 0,
    calibration_flags: Literal["standard", "imaging", "calibration", "separate", "none"] = "standard", bands: int = 1, noise_scan: int = 0,
    field_range: float = 150.0, phase_range: float = 0.0, navigators: bool = False, echoes: int = 1, echo_spacing: float = 1.0,
    snr: float = 40.0, noise: float = -1.0, repetitions: int = 1, tr: float = 0.0, slices: int = 1, fineness: int = 2, fov: float = 240.0,
    seed: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> Scan:
    """Simulate a scan of a head phantom.

    Returns the scan. Without `output` its file is temporary and lives as long as the scan.

    output             a file to write, as the tool does (default None: nothing is left on disk)
    matrix             image size in pixels; one number is for all encoded axes. Default: 128x128
    coils              number of coils on a ring around the head (default 8)
    trajectory         k-space trajectory: "cartesian", "radial", "spiral", "stack-of-spirals", "stack-of-stars" (default "spiral")
    shots              number of interleaves, spokes or lines per partition; 0 takes as many as full sampling needs
    samples            number of samples per shot; 0 takes as many as the matrix needs
    readout            readout duration of a shot in ms; 0 uses 20 for spirals and 5 otherwise
    echo               echo time in ms; 0 uses the shortest: the readout begins 1 ms after the excitation
    acceleration       undersampling factor: acquire 1/R of the shots (default 1.0)
    golden             order radial spokes by the golden angle
    partial_fourier    acquire only this fraction of the phase-encode lines; the first lines are left out (cartesian) (default 1.0)
    calibration        number of central lines that acceleration does not skip, for calibration (cartesian)
    calibration_flags  ISMRMRD flags of the calibration lines. standard: 21 (calibration and imaging) on lines that the image also uses, 20
                       (calibration) on the others; imaging: 21 on all; calibration: 20 on lines that the image does not use; separate: a
                       separate calibration scan with 20 on all lines; none: no flags: "standard", "imaging", "calibration", "separate",
                       "none" (default "standard")
    bands              number of simultaneously excited slices (multiband factor), shifted against each other by FOV/N (default 1)
    noise_scan         number of noise acquisitions at the start, for whitening
    field_range        range of the field map: -HZ to HZ; 0 simulates no off-resonance (default 150.0)
    phase_range        give each shot a smooth random phase map between -RAD and RAD, as in diffusion imaging; 0: no phase
    navigators         write a low-resolution navigator with each shot
    echoes             number of echoes, each a contrast of the scan (default 1)
    echo_spacing       time from echo to echo in ms (default 1.0)
    snr                signal-to-noise ratio: mean signal of the head over the noise of a fully sampled image; 0: no noise (default 40.0)
    noise              standard deviation of the noise in the real and the imaginary part of each sample, instead of snr; -1 uses snr
                       (default -1.0)
    repetitions        number of repetitions; only their noise differs (default 1)
    tr                 time from shot to shot (TR) in ms, for the header and the time stamps of acquisitions, whose ticks are 2.5 ms; 0:
                       neither
    slices             number of 2-D slices through the 3-D head (default 1)
    fineness           simulate on a grid N times finer along each axis (default 2)
    fov                field of view along the longest axis (default 240.0)
    seed               seed of the random numbers
    device             device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                       ARGAND_DEVICE, else the first of argand devices
    threads            number of CPU threads; 0 uses all
    progress           show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.scan(simulate, given)


@hinted
def fetch_example(
    name: str, output: Path | None = None, *, from_: Path | None = None, device: Device | str | Sequence[str] | None = None,
    threads: int = 0, progress: bool = False
) -> Scan:
    """Download or simulate an example scan.

    Returns the scan. Without `output` its file is temporary and lives as long as the scan.

    name      the example's name
    output    a file to write, as the tool does (default None: nothing is left on disk)
    from_     take the file from this https address, file or folder. Default: the known mirrors
    device    device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
              ARGAND_DEVICE, else the first of argand devices
    threads   number of CPU threads; 0 uses all
    progress  show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.scan(fetch_example, given, "name")


@hinted
def pack(
    output: Path | None = None, *, kspace: ArrayLike | Path | None = None, trajectory: ArrayLike | Path | None = None,
    times: ArrayLike | Path | None = None, axes: str | Sequence[str | int] | None = None,
    trajectory_axes: str | Sequence[str | int] | None = None, k_order: Literal["auto", "xyz", "zyx"] = "auto",
    fov: float | Sequence[float] | str | None = None, like: tuple[ArrayLike, Geometry] | Path | None = None, sample_time: float = 0.0,
    echo_time: float = 0.0, matrix: int | Sequence[int] | str | None = None,
    k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto",
    noise: ArrayLike | Path | None = None, coil_maps: ArrayLike | Path | None = None, field_map: ArrayLike | Path | None = None,
    field_unit: Literal["rad/s", "hz"] = "rad/s", weights: ArrayLike | Path | None = None,
    device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> Scan:
    """Write arrays (npy, cfl) as an ISMRMRD scan.

    Returns the scan. Without `output` its file is temporary and lives as long as the scan.

    output           a file to write, as the tool does (default None: nothing is left on disk)
    kspace           k-space samples from FILE instead of a scan: .npy [coil, shot, sample], or .cfl in BART's order. An array: (coils,
                     shots, samples), or ([repetitions,] coils, [nz,] ny, nx) on a grid
    trajectory       k-space positions of the samples: .npy [shot, sample, 2 or 3] or .cfl {3, sample, shot}. Without a trajectory the
                     samples form a Cartesian grid, and points that are 0 in all coils count as unmeasured. An array: (shots, samples, 2 or
                     3), (y, x) or (z, y, x), cycles per field of view
    times            time of each sample in seconds, [shot, sample] or [sample]. An array: ([shots,] samples)
    axes             name the axes of kspace in the order of the file (NumPy's shape, BART's .hdr): 1, sample, shot, partition, coil, slice,
                     repetition, contrast, average, set. Default: recognised from the sizes
    trajectory_axes  name the axes of trajectory in the order of the file, as in axes; k is the axis of the components (kx, ky, kz)
    k_order          order of the components of trajectory: kx first (BART), or kx last, as x is the last of NumPy's image axes
                     (argand.trajectory, SigPy, mri-nufft). auto: kx last in .npy, first in other files: "auto", "xyz", "zyx" (default
                     "auto")
    fov              encoded field of view of kspace in mm (image_fov sets that of the image). Default: voxels of 1 mm
    like             take field of view, matrix, position and orientation of kspace from this image. An array: (array, argand.Geometry)
    sample_time      dwell time of kspace in seconds, if times is not given
    echo_time        echo time of kspace in seconds: the time at the centre of k-space
    matrix           image size in pixels; one number is for all axes. Default: the size that the extent of the trajectory gives
    k_unit           unit of the trajectory; auto takes the unit in which the trajectory reaches the edge of the matrix: "auto", "cycles",
                     "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m" (default "auto")
    noise            noise samples [channel, sample] to store with the scan. An array: (channels, samples)
    coil_maps        coil sensitivity maps to store with the scan (array SENSEMap). An array: (coils, [nz,] ny, nx)
    field_map        field map to store with the scan (array FieldMap). An array: ([nz,] ny, nx), rad/s
    field_unit       unit of field_map: "rad/s", "hz" (default "rad/s")
    weights          density weights [shot, sample] to store with the scan (array DensityCompensation). An array: (shots, samples)
    device           device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                     ARGAND_DEVICE, else the first of argand devices
    threads          number of CPU threads; 0 uses all
    progress         show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.scan(pack, given)


@hinted
def convert(
    *inputs: Scan | Path | ArrayLike, output: Path | None = None, magnitude: bool = False, phase: bool = False, real: bool = False,
    imag: bool = False, slice: int = -1, volume: int = -1, list: bool = False, array: str | None = None, group: str | None = None,
    k_unit: Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"] = "auto", y_fastest: bool = False,
    time_from_echo: bool = False, bands: int = 0, blips: int = 0, low: float = 0.0, high: float = 0.0, zoom: int = 0, columns: int = 0,
    nearest: bool = False, like: tuple[ArrayLike, Geometry] | Path | None = None, dicom: Literal["auto", "enhanced", "classic"] = "auto",
    header: Path | None = None, captions: str | Sequence[str] | None = None, device: Device | str | Sequence[str] | None = None,
    threads: int = 0, progress: bool = False
) -> Outcome:
    """Convert images and arrays between NIfTI, npy, cfl, ISMRMRD, DICOM and PNG.

    Returns an array.

    inputs          arrays (..., ny, nx), or files
    output          a file to write, as the tool does (default None: nothing is left on disk)
    magnitude       write the magnitude (the default of PNG)
    phase           write the phase in radians, -pi to pi
    real            write the real part
    imag            write the imaginary part
    slice           write this slice alone, counted from 0 along the third axis from the fastest; -1 writes all (default -1)
    volume          write this volume or coil alone, counted from 0 along the fourth axis from the fastest; -1 writes all (default -1)
    list            write the k-space of a Cartesian scan as a list of acquisitions, in the order of :trajectory and :times
    array           name of the array in a scan, as in SCAN.h5:NAME
    group           group of the HDF5 file that holds the scan; in a Siemens raw file, the number of the measurement (by default the last)
    k_unit          unit of the trajectory; auto takes the unit in which the trajectory reaches the edge of the matrix: "auto", "cycles",
                    "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m" (default "auto")
    y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
    time_from_echo  count sample times from the echo. Default: from the excitation
    bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
    blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other side if
                    N is negative. Default 0: kz of the file
    low             PNG: value to show as black. Default: from the image
    high            PNG: value to show as white. Default: from the image
    zoom            PNG: picture pixels per voxel; 0 makes the longer side about 768 pixels
    columns         PNG: number of slices side by side; 0 makes the picture nearly square
    nearest         PNG: show voxels as squares. Default: interpolate
    like            NIfTI, DICOM: copy position and orientation from this image. An array: (array, argand.Geometry)
    dicom           kind of DICOM that OUT.dcm is. enhanced: one file; classic: a folder OUT with a file for each slice. auto: enhanced:
                    "auto", "enhanced", "classic" (default "auto")
    header          DICOM: take patient, study and scanner from the header of the scan FILE
    captions        PNG: captions above the images, separated by |
    device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                    ARGAND_DEVICE, else the first of argand devices
    threads         number of CPU threads; 0 uses all
    progress        show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(convert, given, "inputs")


@hinted
def array(
    operation: Operation, *inputs: Path | ArrayLike, output: Path | None = None, axes: int | Sequence[int] | str | None = None,
    size: int | Sequence[int] | str | None = None, range: tuple[int, int] | str | None = None, by: complex | str | None = None,
    plus: complex | str | None = None, like: tuple[ArrayLike, Geometry] | Path | None = None,
    device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> Outcome:
    """Add, multiply, slice, resize, rss, shift ... array files.

    Returns an array.

    operation  what to do with the arrays; `argand help array` explains each
    inputs     arrays (..., ny, nx), or files
    output     a file to write, as the tool does (default None: nothing is left on disk)
    axes       axes of the operation. Default: all
    size       sizes in the order of axes; without axes, in the order of the file's shape
    range      elements FROM to TO - 1; a negative number counts from the end
    by         factor RE or RE,IM (scale), or number of elements (roll)
    plus       constant RE or RE,IM to add (scale)
    like       copy position and orientation of a NIfTI output from this image. An array: (array, argand.Geometry)
    device     device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
               ARGAND_DEVICE, else the first of argand devices
    threads    number of CPU threads; 0 uses all
    progress   show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(array, given, "operation", "inputs")


@hinted
def resample(
    image: Path | tuple[ArrayLike, Geometry], output: Path | None = None, *, like: tuple[ArrayLike, Geometry] | Path | None = None,
    nearest: bool = False, device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> Outcome:
    """Interpolate an image or map to the grid of another.

    Returns an array.

    image     (array, argand.Geometry), or a NIfTI file
    output    a file to write, as the tool does (default None: nothing is left on disk)
    like      image whose grid the output has. An array: (array, argand.Geometry)
    nearest   take the nearest voxel, for masks and labels. Default: linear interpolation
    device    device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
              ARGAND_DEVICE, else the first of argand devices
    threads   number of CPU threads; 0 uses all
    progress  show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(resample, given, "image", ending=".nii")


@hinted
def unwarp(
    image: Path | tuple[ArrayLike, Geometry], output: Path | None = None, *, gradient_coefficients: Path | None = None,
    patient_position: Literal["auto", "hfs", "hfp", "ffs", "ffp"] = "auto", interpolation: Literal["cubic", "linear", "nearest"] = "cubic",
    keep_intensity: bool = False, in_plane: bool = False, device: Device | str | Sequence[str] | None = None, threads: int = 0,
    progress: bool = False
) -> Outcome:
    """Correct an image for the nonlinearity of the gradients.

    Returns an array.

    image                  (array, argand.Geometry), or a NIfTI file
    output                 a file to write, as the tool does (default None: nothing is left on disk)
    gradient_coefficients  spherical harmonic coefficients of the gradient coil, in Siemens's format (coeff.grad)
    patient_position       position of the patient: head first (hf) or feet first (ff), supine (s) or prone (p). auto: PatientPosition of
                           the sidecar, otherwise hfs, with a note: "auto", "hfs", "hfp", "ffs", "ffp" (default "auto")
    interpolation          interpolate by cubic B-splines, linearly, or take the nearest voxel (for masks): "cubic", "linear", "nearest"
                           (default "cubic")
    keep_intensity         do not multiply by the change of volume: for maps and masks, whose values are not signal
    in_plane               correct within the slices only. Default: along all three axes; a single slice within its plane
    device                 device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3).
                           Default: ARGAND_DEVICE, else the first of argand devices
    threads                number of CPU threads; 0 uses all
    progress               show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(unwarp, given, "image", ending=".nii")


@hinted
def report(
    *images: Path | ArrayLike, output: Path, maps: str | Sequence[str] | None = None, captions: str | Sequence[str] | None = None,
    title: str | None = None, device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> pathlib.Path:
    """Show images and maps in one HTML file.

    Returns the path of the page.

    images    images (..., ny, nx), or files
    output    the page to write, .html
    maps      files to show as maps, separated by |
    captions  captions above the images, separated by |
    title     title of the page
    device    device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
              ARGAND_DEVICE, else the first of argand devices
    threads   number of CPU threads; 0 uses all
    progress  show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.page(report, given)


@hinted
def compare(
    *images: Path | ArrayLike, mask: ArrayLike | Path | None = None, scale: bool = False, limit: float | None = None,
    device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> Values:
    """Print the error of images relative to a reference.

    Returns the figures of the last comparison, a dict; `.each` has all.

    images    images (..., ny, nx) or files: one or more, and the reference last
    mask      compare only the pixels where FILE is not 0. An array: ([nz,] ny, nx)
    scale     first multiply each image by the factor that minimises its difference from the reference
    limit     exit with code 8 if a relative error is larger than E
    device    device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
              ARGAND_DEVICE, else the first of argand devices
    threads   number of CPU threads; 0 uses all
    progress  show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.values(compare, given, "images")


@hinted
def fft(
    x: Path | ArrayLike, output: Path | None = None, *, inverse: bool = False, axes: str | Sequence[str | int] | None = None,
    centred: bool = False, scale: Literal["none", "inverse", "unitary"] = "none", size: int | Sequence[int] | str | None = None,
    real: bool = False, half_packed: bool = False, odd: bool = False, precision: Literal["auto", "single", "double"] = "auto",
    batch: int = 1, explain: bool = False, measure: bool = False, measure_seconds: float = 10.0, wisdom: Path | None = None,
    device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> Outcome | Values:
    """Compute Fourier transforms of arrays; explain and time plans.

    Returns an array; with explain or measure the figures of the plan.

    x                an array (..., nx), or a file; with explain or measure a text of sizes such as "256x256"
    output           a file to write, as the tool does (default None: nothing is left on disk)
    inverse          compute the inverse transform
    axes             axes to transform, 0,1 or x,y; 0 or x is the fastest (NumPy's last). Default: the first three
    centred          put index 0 at the centre, floor(N/2), of input and output
    scale            scaling. inverse: 1/N on the inverse; unitary: 1/sqrt(N) on both: "none", "inverse", "unitary" (default "none")
    size             first zero-pad or crop the transformed axes to this size, such as 256x256
    real             transform real numbers to half of their spectrum, or back with inverse
    half_packed      store N/2 complex numbers for N reals, with real. Default: N/2 + 1
    odd              the number of reals is odd, with real inverse
    precision        precision; auto takes that of the file, single with explain and measure: "auto", "single", "double" (default "auto")
    batch            number of transforms in one call, with explain and measure (default 1)
    explain          print the passes of the plan and the other candidates
    measure          time all candidates and keep the fastest as wisdom
    measure_seconds  start no further candidate after T seconds (default 10.0)
    wisdom           wisdom file to read and to add to
    device           device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                     ARGAND_DEVICE, else the first of argand devices
    threads          number of CPU threads; 0 uses all
    progress         show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.fft(fft, given)


@hinted
def nufft(
    x: Path | ArrayLike, output: Path | None = None, *, type: Literal["auto", "1", "2", "3"] = "auto",
    points: ArrayLike | Path | None = None, targets: ArrayLike | Path | None = None, size: int | Sequence[int] | str | None = None,
    real: bool = False, tolerance: float = 0.0, sign: Literal["auto", "minus", "plus"] = "auto",
    units: Literal["cycles", "radians"] = "cycles", order: Literal["centred", "fft"] = "centred",
    k_order: Literal["auto", "xyz", "zyx"] = "auto", precision: Literal["auto", "single", "double"] = "auto", oversampling: float = 0.0,
    every_pixel: bool = False, device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> Outcome:
    """Compute nonuniform Fourier transforms of types 1, 2 and 3.

    Returns an array.

    x             type 2: images (..., [nz,] [ny,] nx); types 1 and 3: samples (..., points); or a file
    output        a file to write, as the tool does (default None: nothing is left on disk)
    type          type of the transform; see above: "auto", "1", "2", "3" (default "auto")
    points        positions of the samples, or of the sources of type 3. An array: (..., 1 to 3), the last axis in the order of the image's
                  axes, cycles per field of view
    targets       positions of the results of type 3. An array: (..., 1 to 3), cycles
    size          size of the image of type 1, x first
    real          type 1: compute the real part of the image alone, with half of the FFT. Type 2 does so by itself if IN is real
    tolerance     relative l2 error of the result, if the sums do not cancel; 0 means 1e-5 in single precision and 1e-9 in double
    sign          sign of the exponent; auto means minus for types 2 and 3, plus for type 1: "auto", "minus", "plus" (default "auto")
    units         unit of the positions; see above: "cycles", "radians" (default "cycles")
    order         order of the pixels: index 0 at the centre, or first as in an FFT: "centred", "fft" (default "centred")
    k_order       order of the components of a position: x first (BART), or x last, as in NumPy's axes (argand.trajectory, SigPy, mri-
                  nufft). auto: x last in .npy, first in other files: "auto", "xyz", "zyx" (default "auto")
    precision     precision; auto takes that of IN: "auto", "single", "double" (default "auto")
    oversampling  oversampling factor of the grid; 0 takes the fastest for the tolerance
    every_pixel   keep the tolerance for each single pixel. Default: the error of edge pixels may be up to 6 times the tolerance
    device        device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                  ARGAND_DEVICE, else the first of argand devices
    threads       number of CPU threads; 0 uses all
    progress      show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(nufft, given, "x")


@hinted
def convolve(
    x: Path | ArrayLike, kernel: Path | ArrayLike, output: Path | None = None, *, mode: Literal["same", "full", "valid"] = "same",
    border: Literal["zero", "constant", "wrap", "clamp", "mirror"] = "zero", constant: float = 0.0,
    centre: Sequence[int] | str | None = None, normalise: Literal["none", "channel", "luminance"] = "none", correlate: bool = False,
    sharpen: float = 0.0, compare: Path | bool = False, exposure: float = 0.0, part: int = 0, memory: int | str | None = None,
    dynamic_range: Literal["auto", "narrow", "wide"] = "auto", explain: bool = False, device: Device | str | Sequence[str] | None = None,
    threads: int = 0, progress: bool = False
) -> Outcome:
    """Convolve pictures, signals and volumes with a kernel of any size.

    Returns an array.

    x              an array (..., ny, nx), whose last axes are the kernel's, or a file
    kernel         an array of one to three axes ([nz,] [ny,] nx), or a file
    output         a file to write, as the tool does (default None: nothing is left on disk)
    mode           extent of the result; see above: "same", "full", "valid" (default "same")
    border         values outside IN: "zero", "constant", "wrap", "clamp", "mirror" (default "zero")
    constant       value outside IN with border constant
    centre         centre of the kernel: middle (element floor(k/2)), brightest, or x,y,... Default: middle
    normalise      divide the kernel by its sum: of each channel, or the luminance of all channels: "none", "channel", "luminance" (default
                   "none")
    correlate      correlate instead: y[i] = sum_j conj(h[j]) x[i - c + j]
    sharpen        write (1 - T) result + T IN; needs mode same
    compare        also write a picture of IN and OUT side by side. True: in the result's `arrays`
    exposure       multiply the compare picture by 2^EV
    part           part of an EXR file to filter: 1 is the first, 0 the first that is not deep
    memory         use at most this much memory, such as 500M or 2G. Default: half of the memory
    dynamic_range  precision for a high dynamic range. auto: double where dark parts of the image need it; narrow: never; wide: always:
                   "auto", "narrow", "wide" (default "auto")
    explain        also print kernel, padding and plan
    device         device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                   ARGAND_DEVICE, else the first of argand devices
    threads        number of CPU threads; 0 uses all
    progress       show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(convolve, given, "x", "kernel")


@hinted
def deconvolve(
    x: Path | ArrayLike, kernel: Path | ArrayLike, output: Path | None = None, *, method: Literal["wiener", "richardson-lucy"] = "wiener",
    noise: float = 0.0, exact_noise: bool = False, iterations: int = 0, background: float = 0.0, total_variation: float = 0.0,
    border: Literal["zero", "constant", "wrap", "clamp", "mirror"] = "mirror", centre: Sequence[int] | str | None = None,
    normalise: Literal["none", "channel", "luminance"] = "channel", compare: Path | bool = False, exposure: float = 0.0, part: int = 0,
    memory: int | str | None = None, explain: bool = False, device: Device | str | Sequence[str] | None = None, threads: int = 0,
    progress: bool = False
) -> Outcome:
    """Sharpen a picture or array blurred by a known kernel.

    Returns an array.

    x                an array (..., ny, nx), whose last axes are the kernel's, or a file
    kernel           an array of one to three axes ([nz,] [ny,] nx), or a file
    output           a file to write, as the tool does (default None: nothing is left on disk)
    method           method: "wiener", "richardson-lucy" (default "wiener")
    noise            power of the noise relative to that of the image (wiener); 0 means 1e-3
    exact_noise      use noise as given, even below the floor that borders and rounding require (wiener)
    iterations       number of richardson-lucy iterations; 0 means 30
    background       constant background counts to model (richardson-lucy)
    total_variation  weight of total variation, which suppresses noise grains (richardson-lucy)
    border           values outside IN (wiener): "zero", "constant", "wrap", "clamp", "mirror" (default "mirror")
    centre           centre of the kernel: middle (element floor(k/2)), brightest, or x,y,... Default: middle
    normalise        divide the kernel by its sum: of each channel, or the luminance of all channels: "none", "channel", "luminance"
                     (default "channel")
    compare          also write a picture of IN and OUT side by side. True: in the result's `arrays`
    exposure         multiply the compare picture by 2^EV
    part             part of an EXR file to filter: 1 is the first, 0 the first that is not deep
    memory           use at most this much memory, such as 500M or 2G (richardson-lucy: for arrays)
    explain          also print kernel and plan
    device           device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                     ARGAND_DEVICE, else the first of argand devices
    threads          number of CPU threads; 0 uses all
    progress         show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(deconvolve, given, "x", "kernel")


@hinted
def bloom(
    picture: Path | ArrayLike, output: Path | None = None, *, psf: ArrayLike | Path | None = None,
    psf_model: Literal["glare", "gaussian", "disc", "heart"] = "glare", strength: float = 1.0, threshold: float = 0.0, scale: float = 1.0,
    sharpen: float = 0.0, border: Literal["zero", "constant", "wrap", "clamp", "mirror"] = "mirror", constant: float = 0.0,
    centre: Sequence[int] | str | None = None, compare: Path | bool = False, exposure: float = 0.0, part: int = 0,
    memory: int | str | None = None, dynamic_range: Literal["auto", "narrow", "wide"] = "auto", explain: bool = False,
    device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
) -> Outcome:
    """Spread the light of a picture by a point spread function.

    Returns an array.

    picture        an array (ny, nx), (channels, ny, nx) or (ny, nx, channels) of linear light, or a file
    output         a file to write, as the tool does (default None: nothing is left on disk)
    psf            point spread function (PSF): a picture or an array. An array: (ny, nx) or (channels, ny, nx)
    psf_model      model of the PSF, if psf is not given: "glare", "gaussian", "disc", "heart" (default "glare")
    strength       fraction of the light that spreads (default 1.0)
    threshold      spread only light above T
    scale          scale factor of the size of the PSF (default 1.0)
    sharpen        blend the PSF with the identity: 0 keeps the PSF, 1 makes the identity
    border         values outside the picture: "zero", "constant", "wrap", "clamp", "mirror" (default "mirror")
    constant       value outside the picture with border constant
    centre         centre of the PSF: middle, brightest, or x,y. Default: middle
    compare        also write a picture of IN and OUT side by side. True: in the result's `arrays`
    exposure       multiply the compare picture by 2^EV
    part           part of an EXR file to filter: 1 is the first, 0 the first that is not deep
    memory         use at most this much memory, such as 500M or 2G. Default: half of the memory
    dynamic_range  precision for a high dynamic range. auto: double where dark parts of the image need it; narrow: never; wide: always:
                   "auto", "narrow", "wide" (default "auto")
    explain        also print kernel, padding and plan
    device         device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                   ARGAND_DEVICE, else the first of argand devices
    threads        number of CPU threads; 0 uses all
    progress       show how far the iterations are: a plot, a bar or a line
    """
    given = locals()
    from . import _commands

    return _commands.array(bloom, given, "picture")


class ScanMethods:
    """The commands that take a scan, as methods of argand.Scan."""

    @hinted
    def sense(
        self, output: Path | None = None, *, transform: Literal["auto", "nufft", "dft", "dft-gradients", "segmented"] = "auto",
        iterations: int | None = None, tolerance: float = 0.0, nufft_tolerance: float = 0.0, segments: int | str | None = None,
        segment_tolerance: float = 0.0, interpolator: Literal["auto", "linear", "hann", "min-max", "svd"] = "auto",
        frequency_segments: bool = False, regularize: Regularizer = None, denoiser: Path | None = None, denoiser_noise: float = 0.0,
        denoiser_weight: float = 0.0, denoiser_scale: float = 0.0,
        solver: Literal["auto", "cg", "half-quadratic", "fista", "pogm", "admm"] = "auto", toeplitz: Literal["auto", "on", "off"] = "auto",
        precondition: bool = False, joint: bool = False, basis: ArrayLike | Path | None = None, subspace: ArrayLike | Path | None = None,
        rank: int = 0, density: ArrayLike | Path | None = None, density_power: float = 0.0, weights: ArrayLike | Path | None = None,
        precision: Literal["single", "double"] = "single", partial_fourier: float = 0.0, pocs: int = 0,
        homodyne: Literal["none", "ramp", "step"] = "none", spirit: float = 0.0, combine: Literal["sense", "rss"] = "sense",
        field_map: ArrayLike | Path | None = None, field_unit: Literal["auto", "rad/s", "hz", "tesla", "ppm"] = "auto",
        keep_field_zeros: bool = False, coil_maps: ArrayLike | Path | None = None,
        coils: Literal["auto", "adaptive", "espirit", "joint"] = "auto", sets: int = 1, compress: int | ArrayLike | Path | None = None,
        whiten: bool = False, no_whiten: bool = False, noise: ArrayLike | Path | None = None, whitener: ArrayLike | Path | None = None,
        noise_covariance: ArrayLike | Path | None = None, calibration: float = 0.0, calibration_scan: Path | None = None,
        mask: ArrayLike | Path | None = None, matrix: int | Sequence[int] | str | None = None,
        image_fov: float | Sequence[float] | str | None = None, encoding: int = 0, epi: Literal["auto", "off", "ramps", "ghosts"] = "auto",
        r2star: ArrayLike | Path | None = None, phase_terms: ArrayLike | Path | None = None, concomitant: float | str | None = None,
        noise_map: int = 0, gfactor_map: bool = False, girf: ArrayLike | Path | None = None, girf_step: float = 0.0,
        delay: float | Sequence[float] | str | None = None, motion: ArrayLike | Path | None = None,
        motion_by: Literal["auto", "shot", "repetition", "segment"] = "auto", motion_group: int = 0,
        part: Literal["magnitude", "phase", "real", "imaginary", "complex"] | Sequence[str] | None = None,
        dicom: Literal["auto", "enhanced", "classic"] = "auto", report: Path | bool = False, save_maps: Path | bool = False,
        task: tuple[int, int] | str | None = None, resume: bool = False, ranks: int = 0, y_fastest: bool = False,
        time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
        full: bool = False, callback: Callback | None = None, progress: bool = False
    ) -> Outcome:
        """Reconstruct images from raw multi-coil data: argand.tool.sense of this scan.

        Returns the images (repetitions, nz, ny, nx): complex, or the parts that `part` names.

        output              a file to write, as the tool does (default None: nothing is left on disk)
        How the image is found:
        transform           transform from image to k-space. auto: without a field map the NUFFT; with one the exact DFT or the segmented
                            NUFFT, whichever is predicted to be faster: "auto", "nufft", "dft", "dft-gradients", "segmented" (default
                            "auto")
        iterations          stop after N iterations; 0 writes the density-weighted adjoint without iterating. Default: stop before noise
                            grows faster than signal, at the latest after 50
        tolerance           stop when the relative gradient falls below E
        nufft_tolerance     relative error of the NUFFT. Default: 1e-5 in single precision, 1e-9 in double precision
        segments            number of time segments; auto (default) uses as many as segment_tolerance requires
        segment_tolerance   relative error of the off-resonance phase factor with transform segmented. Default: 1e-3 in single precision,
                            1e-6 in double precision
        interpolator        temporal interpolator between segments: "auto", "linear", "hann", "min-max", "svd" (default "auto")
        frequency_segments  segment the off-resonance frequency instead of time
        regularize          penalties KIND:WEIGHT,... Try auto, tikhonov:0.01, quadratic:0.01, hyperbola:0.05, tv:0.015, tv-
                            anisotropic:0.015, wavelet:0.02 or llr:0.05. A number alone means quadratic:NUMBER. WEIGHT does not depend on
                            the scale of the data; auto computes it from the noise; auto alone means tv:auto
        denoiser            use a neural network as penalty (plug-and-play): ADMM or FISTA denoise the image once an iteration. ONNX Runtime
                            runs it in this process: use only files that you trust. Real and imaginary part are two channels of the
                            network's image, or two images
        denoiser_noise      standard deviation of the noise that the denoiser is told to remove, relative to the bright parts of the image.
                            Default (0): 0.05. Denoisers without an input for it ignore it
        denoiser_weight     weight of the denoiser against the data. Default (0): 1
        denoiser_scale      value that the bright parts of the image have in the denoiser's input. Default (0): 0.5, for networks that were
                            trained on images from 0 to 1
        solver              iterative solver: "auto", "cg", "half-quadratic", "fista", "pogm", "admm" (default "auto")
        toeplitz            apply A^H A as a convolution on a grid of twice the size (Toeplitz embedding); auto does so if this is predicted
                            to be faster: "auto", "on", "off" (default "auto")
        precondition        use a circulant preconditioner, computed from the Toeplitz kernels. CG then needs about half of the iterations
        joint               solve all repetitions as one problem. regularize llr and basis imply this
        basis               temporal basis {repetitions, columns} for a subspace reconstruction: all repetitions are linear combinations of
                            a few images. An array: (columns, repetitions)
        subspace            temporal basis {times, columns}, as argand basis writes it: write the coefficient image of each column, from all
                            samples together. The times are the scan's contrasts, phases, repetitions, sets, segments or (not Cartesian)
                            shots, whichever are as many as the rows of the basis. An array: (columns, times)
        rank                number of columns of the basis to use; 0 uses all
        density             density weights: auto, none, pipe, deconvolve (without iteration), file (those of the scan), or a file name as
                            with weights. auto: none on a Cartesian grid, otherwise those of the scan, otherwise pipe. An array: (shots,
                            samples)
        density_power       raise the density weights to the power P. Default (0): 0.5 with density auto, otherwise 1
        weights             read the density weights of one volume from FILE, sample fastest, then shot, as argand calibrate density writes
                            them. An array: (shots, samples)
        precision           precision of all computation: "single", "double" (default "single")
        partial_fourier     weight of the phase constraint for partial Fourier and asymmetric echoes; 0 switches the constraint off; try 0.3
        pocs                complete images of partial Fourier scans by N iterations of POCS, which give the image the phase of the
                            symmetric part of k-space and keep the acquired part; 0: none; try 10
        homodyne            complete images of partial Fourier scans by homodyne detection: samples that were acquired on one side only
                            count twice, and the image gets the phase of the symmetric part of k-space, whose samples are weighted by a ramp
                            or by 1 (step): "none", "ramp", "step" (default "none")
        spirit              weight of SPIRiT's consistency: solve for the images of all coils, each of which is predicted by all others
                            through kernels from the calibration lines, then combine them; 0 (default) solves for one image by SENSE; try 1
        combine             combine the coil images of spirit by coil maps (sense) or by the root of the sum of squares (rss): "sense",
                            "rss" (default "sense")
        Maps, channels, the grid:
        field_map           field map; none switches field correction off. Default: FieldMap of the scan. An array: ([nz,] ny, nx), rad/s
        field_unit          unit of the field map in a file; auto reads the unit from the sidecar (.json), otherwise rad/s. ppm is of the
                            scan's main field: "auto", "rad/s", "hz", "tesla", "ppm" (default "auto")
        keep_field_zeros    keep zeros in the field map as measured values. By default, regions of exact zeros count as unmeasured and are
                            filled smoothly
        coil_maps           coil sensitivity maps; none estimates them. Default: SENSEMap of the scan, otherwise an estimate. An array:
                            (coils, [nz,] ny, nx)
        coils               method that estimates coil maps. auto: ESPIRiT if its maps explain the data, otherwise the best of all methods.
                            joint: maps and an image together, for scans with too few calibration samples: "auto", "adaptive", "espirit",
                            "joint" (default "auto")
        sets                number of sets of coil maps, given or by ESPIRiT, for objects larger than the field of view. Each set has an
                            image; the output is the root of the sum of squares of these images (default 1)
        compress            compress the channels to N virtual coils, or by the matrix {virtual coils, channels} of a file. An array:
                            (virtual coils, channels) as argand.compress makes it
        whiten              whiten the channels by the noise acquisitions of the scan; fail if there are too few. Default: whiten if there
                            are enough
        no_whiten           do not whiten, even if the scan has noise acquisitions
        noise               whiten the channels by the noise samples of FILE: .npy or .cfl {samples, channels}, or the noise acquisitions of
                            another scan (.h5). An array: (channels, samples)
        whitener            whiten the channels by the matrix {channels, channels} of FILE, as argand calibrate noise writes it. An array:
                            (channels, channels) as argand.whiten makes it
        noise_covariance    whiten the channels by the noise covariance matrix {channels, channels} of FILE. An array: (channels, channels)
        calibration         estimate coil maps from the samples within R times the radius of k-space, fully sampled or not; 0 uses the fully
                            sampled centre
        calibration_scan    estimate coil maps from the images of another scan (.h5) with the same coils and orientation, such as the
                            single-band reference of simultaneous slices. Slices are matched by their places
        mask                reconstruct only the pixels where MAP is not 0. An array: ([nz,] ny, nx)
        matrix              image size in pixels; one number is for all axes. Default: the encoded matrix
        image_fov           field of view of the image in mm; one number is for x and y. The pixel size stays the same. A larger field of
                            view shows objects that reach beyond the scan's. Default: the scan's
        encoding            number of the encoding space to reconstruct, from 0
        EPI, decay, measured phase, gradients, noise:
        epi                 regrid ramp samples by the header's trapezoid (ramps), and remove echo shift and phase of reversed lines
                            (ghosts) by the scan's reference lines, or by the entropy of the image if there are none. auto does what the
                            scan allows: "auto", "off", "ramps", "ghosts" (default "auto")
        r2star              R2* map in 1/s, to model the decay of the signal during the readout. An array: ([nz,] ny, nx)
        phase_terms         phase coefficients [term, shot, sample], sample fastest, measured by a field camera, in addition to trajectory
                            and field map. 1, 4, 9, 16 or 20 terms: spherical harmonics of order 0 to 3, then concomitant fields; in rad,
                            rad/m, rad/m^2, rad/m^3. An array: (terms, shots, samples)
        concomitant         model the phase of concomitant fields (Maxwell terms) of the readout's gradients at a main field of TESLA; auto:
                            the field strength of the scan's header
        noise_map           also write OUT_noise: the standard deviation of each pixel, from N pseudo-replicas. 100 replicas give it to
                            about 7 %; 0 writes none
        gfactor_map         also write OUT_gfactor: the g-factor of each pixel by formula, for regularly undersampled Cartesian scans
        girf                correct the trajectory by the gradient impulse response function of FILE: complex [axis, frequency], 0 Hz in the
                            middle; axes x, y, z, in .npy z, y, x. An array: (axes, frequencies), axes in the order of the image's
        girf_step           frequency spacing of the girf samples, in Hz
        delay               gradient delays of x, y and z in microseconds; the trajectory is shifted by them
        motion              take rigid motion out of the scan: a row for each shot, segment or repetition, tx ty tz in mm and rx ry rz in
                            degrees, as text (.tsv) or array (.npy). auto estimates it from the samples and writes OUT-motion.tsv. An array:
                            (shots or repetitions, 6), mm and degrees
        motion_by           what the rows of motion count. auto compares their number; with motion auto, the first of repetition, segment,
                            shot of which there are several: "auto", "shot", "repetition", "segment" (default "auto")
        motion_group        let N consecutive shots or segments share a position of motion auto; 0 takes 1, or as many as leave 32 positions
        What is written:
        part                write these parts of the image (magnitude), a file each: "magnitude", "phase", "real", "imaginary", "complex".
                            Default: complex without `output`, else magnitude
        dicom               kind of DICOM that OUT.dcm is. enhanced: one file; classic: a folder OUT with a file for each slice. auto:
                            enhanced: "auto", "enhanced", "classic" (default "auto")
        report              also write a report as one HTML file, readable offline. Default name: OUT.html. True: in the result's `arrays`
        save_maps           also write the coil maps in use to FILE (.nii.gz, .npy, .cfl), for a later coil_maps. True: in the result's
                            `arrays`
        Job arrays and interrupted runs:
        task                reconstruct the I-th of N parts of the volumes (I from 1) and leave them in OUT.parts; argand gather OUT then
                            writes the images. For job arrays: task $SLURM_ARRAY_TASK_ID/8. part I/N is the same
        resume              keep each volume in OUT.parts when it is finished, and take those that an interrupted run left there. OUT.parts
                            is removed when OUT is written
        ranks               ranks or devices that share a volume, by its coils or shots, if there are more of them than volumes; 0: as many
                            as are predicted to be fastest
        How the scan is read:
        y_fastest           read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
        time_from_echo      count sample times from the echo. Default: from the excitation
        bands               number of simultaneously excited slices (multiband factor); 0 reads it from the header
        blips               blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other
                            side if N is negative. Default 0: kz of the file
        Where it runs, and what it says:
        device              device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3).
                            Default: ARGAND_DEVICE, else the first of argand devices
        threads             number of CPU threads; 0 uses all
        Progress:
        full                keep the coil maps with the result (result.maps)
        callback            is given an argand.Progress after each iteration; if it returns False, the call raises argand.errors.Stopped,
                            and nothing is written
        progress            show how far the iterations are: a plot, a bar or a line
        """
        given = locals()
        from . import _commands

        return _commands.method(sense, given)

    @hinted
    def pcsense(
        self, output: Path | None = None, *, transform: Literal["auto", "nufft", "dft", "dft-gradients", "segmented"] = "auto",
        iterations: int | None = None, tolerance: float = 0.0, nufft_tolerance: float = 0.0, segments: int | str | None = None,
        segment_tolerance: float = 0.0, interpolator: Literal["auto", "linear", "hann", "min-max", "svd"] = "auto",
        frequency_segments: bool = False, regularize: Regularizer = None, denoiser: Path | None = None, denoiser_noise: float = 0.0,
        denoiser_weight: float = 0.0, denoiser_scale: float = 0.0,
        solver: Literal["auto", "cg", "half-quadratic", "fista", "pogm", "admm"] = "auto", toeplitz: Literal["auto", "on", "off"] = "auto",
        precondition: bool = False, joint: bool = False, basis: ArrayLike | Path | None = None, subspace: ArrayLike | Path | None = None,
        rank: int = 0, density: ArrayLike | Path | None = None, density_power: float = 0.0, weights: ArrayLike | Path | None = None,
        precision: Literal["single", "double"] = "single", partial_fourier: float = 0.0, pocs: int = 0,
        homodyne: Literal["none", "ramp", "step"] = "none", phase_maps: ArrayLike | Path | None = None,
        field_map: ArrayLike | Path | None = None, field_unit: Literal["auto", "rad/s", "hz", "tesla", "ppm"] = "auto",
        keep_field_zeros: bool = False, coil_maps: ArrayLike | Path | None = None,
        coils: Literal["auto", "adaptive", "espirit", "joint"] = "auto", sets: int = 1, compress: int | ArrayLike | Path | None = None,
        whiten: bool = False, no_whiten: bool = False, noise: ArrayLike | Path | None = None, whitener: ArrayLike | Path | None = None,
        noise_covariance: ArrayLike | Path | None = None, calibration: float = 0.0, calibration_scan: Path | None = None,
        mask: ArrayLike | Path | None = None, matrix: int | Sequence[int] | str | None = None,
        image_fov: float | Sequence[float] | str | None = None, encoding: int = 0, epi: Literal["auto", "off", "ramps", "ghosts"] = "auto",
        r2star: ArrayLike | Path | None = None, phase_terms: ArrayLike | Path | None = None, concomitant: float | str | None = None,
        noise_map: int = 0, girf: ArrayLike | Path | None = None, girf_step: float = 0.0,
        delay: float | Sequence[float] | str | None = None, motion: ArrayLike | Path | None = None,
        motion_by: Literal["auto", "shot", "repetition", "segment"] = "auto", motion_group: int = 0,
        part: Literal["magnitude", "phase", "real", "imaginary", "complex"] | Sequence[str] | None = None,
        dicom: Literal["auto", "enhanced", "classic"] = "auto", report: Path | bool = False, save_maps: Path | bool = False,
        task: tuple[int, int] | str | None = None, resume: bool = False, ranks: int = 0, y_fastest: bool = False,
        time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
        full: bool = False, callback: Callback | None = None, progress: bool = False
    ) -> Outcome:
        """Reconstruct multi-shot data with a phase map for each shot: argand.tool.pcsense of this scan.

        Returns the images (repetitions, nz, ny, nx): complex, or the parts that `part` names.

        output              a file to write, as the tool does (default None: nothing is left on disk)
        How the image is found:
        transform           transform from image to k-space. auto: without a field map the NUFFT; with one the exact DFT or the segmented
                            NUFFT, whichever is predicted to be faster: "auto", "nufft", "dft", "dft-gradients", "segmented" (default
                            "auto")
        iterations          stop after N iterations; 0 writes the density-weighted adjoint without iterating. Default: stop before noise
                            grows faster than signal, at the latest after 50
        tolerance           stop when the relative gradient falls below E
        nufft_tolerance     relative error of the NUFFT. Default: 1e-5 in single precision, 1e-9 in double precision
        segments            number of time segments; auto (default) uses as many as segment_tolerance requires
        segment_tolerance   relative error of the off-resonance phase factor with transform segmented. Default: 1e-3 in single precision,
                            1e-6 in double precision
        interpolator        temporal interpolator between segments: "auto", "linear", "hann", "min-max", "svd" (default "auto")
        frequency_segments  segment the off-resonance frequency instead of time
        regularize          penalties KIND:WEIGHT,... Try auto, tikhonov:0.01, quadratic:0.01, hyperbola:0.05, tv:0.015, tv-
                            anisotropic:0.015, wavelet:0.02 or llr:0.05. A number alone means quadratic:NUMBER. WEIGHT does not depend on
                            the scale of the data; auto computes it from the noise; auto alone means tv:auto
        denoiser            use a neural network as penalty (plug-and-play): ADMM or FISTA denoise the image once an iteration. ONNX Runtime
                            runs it in this process: use only files that you trust. Real and imaginary part are two channels of the
                            network's image, or two images
        denoiser_noise      standard deviation of the noise that the denoiser is told to remove, relative to the bright parts of the image.
                            Default (0): 0.05. Denoisers without an input for it ignore it
        denoiser_weight     weight of the denoiser against the data. Default (0): 1
        denoiser_scale      value that the bright parts of the image have in the denoiser's input. Default (0): 0.5, for networks that were
                            trained on images from 0 to 1
        solver              iterative solver: "auto", "cg", "half-quadratic", "fista", "pogm", "admm" (default "auto")
        toeplitz            apply A^H A as a convolution on a grid of twice the size (Toeplitz embedding); auto does so if this is predicted
                            to be faster: "auto", "on", "off" (default "auto")
        precondition        use a circulant preconditioner, computed from the Toeplitz kernels. CG then needs about half of the iterations
        joint               solve all repetitions as one problem. regularize llr and basis imply this
        basis               temporal basis {repetitions, columns} for a subspace reconstruction: all repetitions are linear combinations of
                            a few images. An array: (columns, repetitions)
        subspace            temporal basis {times, columns}, as argand basis writes it: write the coefficient image of each column, from all
                            samples together. The times are the scan's contrasts, phases, repetitions, sets, segments or (not Cartesian)
                            shots, whichever are as many as the rows of the basis. An array: (columns, times)
        rank                number of columns of the basis to use; 0 uses all
        density             density weights: auto, none, pipe, deconvolve (without iteration), file (those of the scan), or a file name as
                            with weights. auto: none on a Cartesian grid, otherwise those of the scan, otherwise pipe. An array: (shots,
                            samples)
        density_power       raise the density weights to the power P. Default (0): 0.5 with density auto, otherwise 1
        weights             read the density weights of one volume from FILE, sample fastest, then shot, as argand calibrate density writes
                            them. An array: (shots, samples)
        precision           precision of all computation: "single", "double" (default "single")
        partial_fourier     weight of the phase constraint for partial Fourier and asymmetric echoes; 0 switches the constraint off; try 0.3
        pocs                complete images of partial Fourier scans by N iterations of POCS, which give the image the phase of the
                            symmetric part of k-space and keep the acquired part; 0: none; try 10
        homodyne            complete images of partial Fourier scans by homodyne detection: samples that were acquired on one side only
                            count twice, and the image gets the phase of the symmetric part of k-space, whose samples are weighted by a ramp
                            or by 1 (step): "none", "ramp", "step" (default "none")
        phase_maps          phase map of each shot: a map, navigators, shots or none (see above). Default: PhaseMaps of the scan. An array:
                            (shots, [nz,] ny, nx)
        Maps, channels, the grid:
        field_map           field map; none switches field correction off. Default: FieldMap of the scan. An array: ([nz,] ny, nx), rad/s
        field_unit          unit of the field map in a file; auto reads the unit from the sidecar (.json), otherwise rad/s. ppm is of the
                            scan's main field: "auto", "rad/s", "hz", "tesla", "ppm" (default "auto")
        keep_field_zeros    keep zeros in the field map as measured values. By default, regions of exact zeros count as unmeasured and are
                            filled smoothly
        coil_maps           coil sensitivity maps; none estimates them. Default: SENSEMap of the scan, otherwise an estimate. An array:
                            (coils, [nz,] ny, nx)
        coils               method that estimates coil maps. auto: ESPIRiT if its maps explain the data, otherwise the best of all methods.
                            joint: maps and an image together, for scans with too few calibration samples: "auto", "adaptive", "espirit",
                            "joint" (default "auto")
        sets                number of sets of coil maps, given or by ESPIRiT, for objects larger than the field of view. Each set has an
                            image; the output is the root of the sum of squares of these images (default 1)
        compress            compress the channels to N virtual coils, or by the matrix {virtual coils, channels} of a file. An array:
                            (virtual coils, channels) as argand.compress makes it
        whiten              whiten the channels by the noise acquisitions of the scan; fail if there are too few. Default: whiten if there
                            are enough
        no_whiten           do not whiten, even if the scan has noise acquisitions
        noise               whiten the channels by the noise samples of FILE: .npy or .cfl {samples, channels}, or the noise acquisitions of
                            another scan (.h5). An array: (channels, samples)
        whitener            whiten the channels by the matrix {channels, channels} of FILE, as argand calibrate noise writes it. An array:
                            (channels, channels) as argand.whiten makes it
        noise_covariance    whiten the channels by the noise covariance matrix {channels, channels} of FILE. An array: (channels, channels)
        calibration         estimate coil maps from the samples within R times the radius of k-space, fully sampled or not; 0 uses the fully
                            sampled centre
        calibration_scan    estimate coil maps from the images of another scan (.h5) with the same coils and orientation, such as the
                            single-band reference of simultaneous slices. Slices are matched by their places
        mask                reconstruct only the pixels where MAP is not 0. An array: ([nz,] ny, nx)
        matrix              image size in pixels; one number is for all axes. Default: the encoded matrix
        image_fov           field of view of the image in mm; one number is for x and y. The pixel size stays the same. A larger field of
                            view shows objects that reach beyond the scan's. Default: the scan's
        encoding            number of the encoding space to reconstruct, from 0
        EPI, decay, measured phase, gradients, noise:
        epi                 regrid ramp samples by the header's trapezoid (ramps), and remove echo shift and phase of reversed lines
                            (ghosts) by the scan's reference lines, or by the entropy of the image if there are none. auto does what the
                            scan allows: "auto", "off", "ramps", "ghosts" (default "auto")
        r2star              R2* map in 1/s, to model the decay of the signal during the readout. An array: ([nz,] ny, nx)
        phase_terms         phase coefficients [term, shot, sample], sample fastest, measured by a field camera, in addition to trajectory
                            and field map. 1, 4, 9, 16 or 20 terms: spherical harmonics of order 0 to 3, then concomitant fields; in rad,
                            rad/m, rad/m^2, rad/m^3. An array: (terms, shots, samples)
        concomitant         model the phase of concomitant fields (Maxwell terms) of the readout's gradients at a main field of TESLA; auto:
                            the field strength of the scan's header
        noise_map           also write OUT_noise: the standard deviation of each pixel, from N pseudo-replicas. 100 replicas give it to
                            about 7 %; 0 writes none
        girf                correct the trajectory by the gradient impulse response function of FILE: complex [axis, frequency], 0 Hz in the
                            middle; axes x, y, z, in .npy z, y, x. An array: (axes, frequencies), axes in the order of the image's
        girf_step           frequency spacing of the girf samples, in Hz
        delay               gradient delays of x, y and z in microseconds; the trajectory is shifted by them
        motion              take rigid motion out of the scan: a row for each shot, segment or repetition, tx ty tz in mm and rx ry rz in
                            degrees, as text (.tsv) or array (.npy). auto estimates it from the samples and writes OUT-motion.tsv. An array:
                            (shots or repetitions, 6), mm and degrees
        motion_by           what the rows of motion count. auto compares their number; with motion auto, the first of repetition, segment,
                            shot of which there are several: "auto", "shot", "repetition", "segment" (default "auto")
        motion_group        let N consecutive shots or segments share a position of motion auto; 0 takes 1, or as many as leave 32 positions
        What is written:
        part                write these parts of the image (magnitude), a file each: "magnitude", "phase", "real", "imaginary", "complex".
                            Default: complex without `output`, else magnitude
        dicom               kind of DICOM that OUT.dcm is. enhanced: one file; classic: a folder OUT with a file for each slice. auto:
                            enhanced: "auto", "enhanced", "classic" (default "auto")
        report              also write a report as one HTML file, readable offline. Default name: OUT.html. True: in the result's `arrays`
        save_maps           also write the coil maps in use to FILE (.nii.gz, .npy, .cfl), for a later coil_maps. True: in the result's
                            `arrays`
        Job arrays and interrupted runs:
        task                reconstruct the I-th of N parts of the volumes (I from 1) and leave them in OUT.parts; argand gather OUT then
                            writes the images. For job arrays: task $SLURM_ARRAY_TASK_ID/8. part I/N is the same
        resume              keep each volume in OUT.parts when it is finished, and take those that an interrupted run left there. OUT.parts
                            is removed when OUT is written
        ranks               ranks or devices that share a volume, by its coils or shots, if there are more of them than volumes; 0: as many
                            as are predicted to be fastest
        How the scan is read:
        y_fastest           read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
        time_from_echo      count sample times from the echo. Default: from the excitation
        bands               number of simultaneously excited slices (multiband factor); 0 reads it from the header
        blips               blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other
                            side if N is negative. Default 0: kz of the file
        Where it runs, and what it says:
        device              device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3).
                            Default: ARGAND_DEVICE, else the first of argand devices
        threads             number of CPU threads; 0 uses all
        Progress:
        full                keep the coil maps with the result (result.maps)
        callback            is given an argand.Progress after each iteration; if it returns False, the call raises argand.errors.Stopped,
                            and nothing is written
        progress            show how far the iterations are: a plot, a bar or a line
        """
        given = locals()
        from . import _commands

        return _commands.method(pcsense, given)

    @hinted
    def grappa(
        self, output: Path | None = None, *, transform: Literal["auto", "nufft", "dft", "dft-gradients", "segmented"] = "auto",
        iterations: int | None = None, tolerance: float = 0.0, nufft_tolerance: float = 0.0, segments: int | str | None = None,
        segment_tolerance: float = 0.0, interpolator: Literal["auto", "linear", "hann", "min-max", "svd"] = "auto",
        frequency_segments: bool = False, regularize: Regularizer = None, denoiser: Path | None = None, denoiser_noise: float = 0.0,
        denoiser_weight: float = 0.0, denoiser_scale: float = 0.0,
        solver: Literal["auto", "cg", "half-quadratic", "fista", "pogm", "admm"] = "auto", toeplitz: Literal["auto", "on", "off"] = "auto",
        precondition: bool = False, joint: bool = False, basis: ArrayLike | Path | None = None, subspace: ArrayLike | Path | None = None,
        rank: int = 0, density: ArrayLike | Path | None = None, density_power: float = 0.0, weights: ArrayLike | Path | None = None,
        precision: Literal["single", "double"] = "single", partial_fourier: float = 0.0, pocs: int = 0,
        homodyne: Literal["none", "ramp", "step"] = "none", kernel: int | Sequence[int] | str | None = None,
        kernel_regularization: float = 0.0, combine: Literal["sense", "rss"] = "sense", field_map: ArrayLike | Path | None = None,
        field_unit: Literal["auto", "rad/s", "hz", "tesla", "ppm"] = "auto", keep_field_zeros: bool = False,
        coil_maps: ArrayLike | Path | None = None, coils: Literal["auto", "adaptive", "espirit", "joint"] = "auto", sets: int = 1,
        compress: int | ArrayLike | Path | None = None, whiten: bool = False, no_whiten: bool = False,
        noise: ArrayLike | Path | None = None, whitener: ArrayLike | Path | None = None, noise_covariance: ArrayLike | Path | None = None,
        calibration: float = 0.0, calibration_scan: Path | None = None, mask: ArrayLike | Path | None = None,
        matrix: int | Sequence[int] | str | None = None, image_fov: float | Sequence[float] | str | None = None, encoding: int = 0,
        epi: Literal["auto", "off", "ramps", "ghosts"] = "auto", r2star: ArrayLike | Path | None = None,
        phase_terms: ArrayLike | Path | None = None, concomitant: float | str | None = None, gfactor_map: bool = False,
        girf: ArrayLike | Path | None = None, girf_step: float = 0.0, delay: float | Sequence[float] | str | None = None,
        motion: ArrayLike | Path | None = None, motion_by: Literal["auto", "shot", "repetition", "segment"] = "auto",
        motion_group: int = 0, part: Literal["magnitude", "phase", "real", "imaginary", "complex"] | Sequence[str] | None = None,
        dicom: Literal["auto", "enhanced", "classic"] = "auto", report: Path | bool = False, save_maps: Path | bool = False,
        task: tuple[int, int] | str | None = None, resume: bool = False, ranks: int = 0, y_fastest: bool = False,
        time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
        full: bool = False, callback: Callback | None = None, progress: bool = False
    ) -> Outcome:
        """Reconstruct undersampled Cartesian scans by GRAPPA: argand.tool.grappa of this scan.

        Returns the images (repetitions, nz, ny, nx): complex, or the parts that `part` names.

        output                 a file to write, as the tool does (default None: nothing is left on disk)
        How the image is found:
        transform              transform from image to k-space. auto: without a field map the NUFFT; with one the exact DFT or the segmented
                               NUFFT, whichever is predicted to be faster: "auto", "nufft", "dft", "dft-gradients", "segmented" (default
                               "auto")
        iterations             stop after N iterations; 0 writes the density-weighted adjoint without iterating. Default: stop before noise
                               grows faster than signal, at the latest after 50
        tolerance              stop when the relative gradient falls below E
        nufft_tolerance        relative error of the NUFFT. Default: 1e-5 in single precision, 1e-9 in double precision
        segments               number of time segments; auto (default) uses as many as segment_tolerance requires
        segment_tolerance      relative error of the off-resonance phase factor with transform segmented. Default: 1e-3 in single precision,
                               1e-6 in double precision
        interpolator           temporal interpolator between segments: "auto", "linear", "hann", "min-max", "svd" (default "auto")
        frequency_segments     segment the off-resonance frequency instead of time
        regularize             penalties KIND:WEIGHT,... Try auto, tikhonov:0.01, quadratic:0.01, hyperbola:0.05, tv:0.015, tv-
                               anisotropic:0.015, wavelet:0.02 or llr:0.05. A number alone means quadratic:NUMBER. WEIGHT does not depend on
                               the scale of the data; auto computes it from the noise; auto alone means tv:auto
        denoiser               use a neural network as penalty (plug-and-play): ADMM or FISTA denoise the image once an iteration. ONNX
                               Runtime runs it in this process: use only files that you trust. Real and imaginary part are two channels of
                               the network's image, or two images
        denoiser_noise         standard deviation of the noise that the denoiser is told to remove, relative to the bright parts of the
                               image. Default (0): 0.05. Denoisers without an input for it ignore it
        denoiser_weight        weight of the denoiser against the data. Default (0): 1
        denoiser_scale         value that the bright parts of the image have in the denoiser's input. Default (0): 0.5, for networks that
                               were trained on images from 0 to 1
        solver                 iterative solver: "auto", "cg", "half-quadratic", "fista", "pogm", "admm" (default "auto")
        toeplitz               apply A^H A as a convolution on a grid of twice the size (Toeplitz embedding); auto does so if this is
                               predicted to be faster: "auto", "on", "off" (default "auto")
        precondition           use a circulant preconditioner, computed from the Toeplitz kernels. CG then needs about half of the
                               iterations
        joint                  solve all repetitions as one problem. regularize llr and basis imply this
        basis                  temporal basis {repetitions, columns} for a subspace reconstruction: all repetitions are linear combinations
                               of a few images. An array: (columns, repetitions)
        subspace               temporal basis {times, columns}, as argand basis writes it: write the coefficient image of each column, from
                               all samples together. The times are the scan's contrasts, phases, repetitions, sets, segments or (not
                               Cartesian) shots, whichever are as many as the rows of the basis. An array: (columns, times)
        rank                   number of columns of the basis to use; 0 uses all
        density                density weights: auto, none, pipe, deconvolve (without iteration), file (those of the scan), or a file name
                               as with weights. auto: none on a Cartesian grid, otherwise those of the scan, otherwise pipe. An array:
                               (shots, samples)
        density_power          raise the density weights to the power P. Default (0): 0.5 with density auto, otherwise 1
        weights                read the density weights of one volume from FILE, sample fastest, then shot, as argand calibrate density
                               writes them. An array: (shots, samples)
        precision              precision of all computation: "single", "double" (default "single")
        partial_fourier        weight of the phase constraint for partial Fourier and asymmetric echoes; 0 switches the constraint off; try
                               0.3
        pocs                   complete images of partial Fourier scans by N iterations of POCS, which give the image the phase of the
                               symmetric part of k-space and keep the acquired part; 0: none; try 10
        homodyne               complete images of partial Fourier scans by homodyne detection: samples that were acquired on one side only
                               count twice, and the image gets the phase of the symmetric part of k-space, whose samples are weighted by a
                               ramp or by 1 (step): "none", "ramp", "step" (default "none")
        How missing samples are found:
        kernel                 window around a missing sample whose acquired samples are its sources: odd numbers of samples along the
                               readout and the phase-encode directions. Default: chosen by the distance of the acquired lines and the number
                               of calibration lines
        kernel_regularization  Tikhonov regularization of the weights, relative to the norm of the calibration data; -1: none. Default (0):
                               0.01
        combine                combine coils by coil maps (sense) or by the root of the sum of squares (rss): "sense", "rss" (default
                               "sense")
        Maps, channels, the grid:
        field_map              field map; none switches field correction off. Default: FieldMap of the scan. An array: ([nz,] ny, nx), rad/s
        field_unit             unit of the field map in a file; auto reads the unit from the sidecar (.json), otherwise rad/s. ppm is of the
                               scan's main field: "auto", "rad/s", "hz", "tesla", "ppm" (default "auto")
        keep_field_zeros       keep zeros in the field map as measured values. By default, regions of exact zeros count as unmeasured and
                               are filled smoothly
        coil_maps              coil sensitivity maps; none estimates them. Default: SENSEMap of the scan, otherwise an estimate. An array:
                               (coils, [nz,] ny, nx)
        coils                  method that estimates coil maps. auto: ESPIRiT if its maps explain the data, otherwise the best of all
                               methods. joint: maps and an image together, for scans with too few calibration samples: "auto", "adaptive",
                               "espirit", "joint" (default "auto")
        sets                   number of sets of coil maps, given or by ESPIRiT, for objects larger than the field of view. Each set has an
                               image; the output is the root of the sum of squares of these images (default 1)
        compress               compress the channels to N virtual coils, or by the matrix {virtual coils, channels} of a file. An array:
                               (virtual coils, channels) as argand.compress makes it
        whiten                 whiten the channels by the noise acquisitions of the scan; fail if there are too few. Default: whiten if
                               there are enough
        no_whiten              do not whiten, even if the scan has noise acquisitions
        noise                  whiten the channels by the noise samples of FILE: .npy or .cfl {samples, channels}, or the noise acquisitions
                               of another scan (.h5). An array: (channels, samples)
        whitener               whiten the channels by the matrix {channels, channels} of FILE, as argand calibrate noise writes it. An
                               array: (channels, channels) as argand.whiten makes it
        noise_covariance       whiten the channels by the noise covariance matrix {channels, channels} of FILE. An array: (channels,
                               channels)
        calibration            estimate coil maps from the samples within R times the radius of k-space, fully sampled or not; 0 uses the
                               fully sampled centre
        calibration_scan       estimate coil maps from the images of another scan (.h5) with the same coils and orientation, such as the
                               single-band reference of simultaneous slices. Slices are matched by their places
        mask                   reconstruct only the pixels where MAP is not 0. An array: ([nz,] ny, nx)
        matrix                 image size in pixels; one number is for all axes. Default: the encoded matrix
        image_fov              field of view of the image in mm; one number is for x and y. The pixel size stays the same. A larger field of
                               view shows objects that reach beyond the scan's. Default: the scan's
        encoding               number of the encoding space to reconstruct, from 0
        EPI, decay, measured phase, gradients, noise:
        epi                    regrid ramp samples by the header's trapezoid (ramps), and remove echo shift and phase of reversed lines
                               (ghosts) by the scan's reference lines, or by the entropy of the image if there are none. auto does what the
                               scan allows: "auto", "off", "ramps", "ghosts" (default "auto")
        r2star                 R2* map in 1/s, to model the decay of the signal during the readout. An array: ([nz,] ny, nx)
        phase_terms            phase coefficients [term, shot, sample], sample fastest, measured by a field camera, in addition to
                               trajectory and field map. 1, 4, 9, 16 or 20 terms: spherical harmonics of order 0 to 3, then concomitant
                               fields; in rad, rad/m, rad/m^2, rad/m^3. An array: (terms, shots, samples)
        concomitant            model the phase of concomitant fields (Maxwell terms) of the readout's gradients at a main field of TESLA;
                               auto: the field strength of the scan's header
        gfactor_map            also write OUT_gfactor: the g-factor of each pixel by formula, for regularly undersampled Cartesian scans
        girf                   correct the trajectory by the gradient impulse response function of FILE: complex [axis, frequency], 0 Hz in
                               the middle; axes x, y, z, in .npy z, y, x. An array: (axes, frequencies), axes in the order of the image's
        girf_step              frequency spacing of the girf samples, in Hz
        delay                  gradient delays of x, y and z in microseconds; the trajectory is shifted by them
        motion                 take rigid motion out of the scan: a row for each shot, segment or repetition, tx ty tz in mm and rx ry rz in
                               degrees, as text (.tsv) or array (.npy). auto estimates it from the samples and writes OUT-motion.tsv. An
                               array: (shots or repetitions, 6), mm and degrees
        motion_by              what the rows of motion count. auto compares their number; with motion auto, the first of repetition,
                               segment, shot of which there are several: "auto", "shot", "repetition", "segment" (default "auto")
        motion_group           let N consecutive shots or segments share a position of motion auto; 0 takes 1, or as many as leave 32
                               positions
        What is written:
        part                   write these parts of the image (magnitude), a file each: "magnitude", "phase", "real", "imaginary",
                               "complex". Default: complex without `output`, else magnitude
        dicom                  kind of DICOM that OUT.dcm is. enhanced: one file; classic: a folder OUT with a file for each slice. auto:
                               enhanced: "auto", "enhanced", "classic" (default "auto")
        report                 also write a report as one HTML file, readable offline. Default name: OUT.html. True: in the result's
                               `arrays`
        save_maps              also write the coil maps in use to FILE (.nii.gz, .npy, .cfl), for a later coil_maps. True: in the result's
                               `arrays`
        Job arrays and interrupted runs:
        task                   reconstruct the I-th of N parts of the volumes (I from 1) and leave them in OUT.parts; argand gather OUT then
                               writes the images. For job arrays: task $SLURM_ARRAY_TASK_ID/8. part I/N is the same
        resume                 keep each volume in OUT.parts when it is finished, and take those that an interrupted run left there.
                               OUT.parts is removed when OUT is written
        ranks                  ranks or devices that share a volume, by its coils or shots, if there are more of them than volumes; 0: as
                               many as are predicted to be fastest
        How the scan is read:
        y_fastest              read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
        time_from_echo         count sample times from the echo. Default: from the excitation
        bands                  number of simultaneously excited slices (multiband factor); 0 reads it from the header
        blips                  blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the
                               other side if N is negative. Default 0: kz of the file
        Where it runs, and what it says:
        device                 device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3).
                               Default: ARGAND_DEVICE, else the first of argand devices
        threads                number of CPU threads; 0 uses all
        Progress:
        full                   keep the coil maps with the result (result.maps)
        callback               is given an argand.Progress after each iteration; if it returns False, the call raises argand.errors.Stopped,
                               and nothing is written
        progress               show how far the iterations are: a plot, a bar or a line
        """
        given = locals()
        from . import _commands

        return _commands.method(grappa, given)

    @hinted
    def grid(
        self, output: Path | None = None, *, transform: Literal["auto", "nufft", "dft", "dft-gradients", "segmented"] = "auto",
        nufft_tolerance: float = 0.0, segments: int | str | None = None, segment_tolerance: float = 0.0,
        interpolator: Literal["auto", "linear", "hann", "min-max", "svd"] = "auto", frequency_segments: bool = False,
        subspace: ArrayLike | Path | None = None, density: ArrayLike | Path | None = None, density_power: float = 0.0,
        weights: ArrayLike | Path | None = None, precision: Literal["single", "double"] = "single", pocs: int = 0,
        homodyne: Literal["none", "ramp", "step"] = "none", combine: Literal["rss", "sense"] = "rss",
        field_map: ArrayLike | Path | None = None, field_unit: Literal["auto", "rad/s", "hz", "tesla", "ppm"] = "auto",
        keep_field_zeros: bool = False, coil_maps: ArrayLike | Path | None = None,
        coils: Literal["auto", "adaptive", "espirit", "joint"] = "auto", sets: int = 1, compress: int | ArrayLike | Path | None = None,
        whiten: bool = False, no_whiten: bool = False, noise: ArrayLike | Path | None = None, whitener: ArrayLike | Path | None = None,
        noise_covariance: ArrayLike | Path | None = None, calibration: float = 0.0, calibration_scan: Path | None = None,
        mask: ArrayLike | Path | None = None, matrix: int | Sequence[int] | str | None = None,
        image_fov: float | Sequence[float] | str | None = None, encoding: int = 0, epi: Literal["auto", "off", "ramps", "ghosts"] = "auto",
        r2star: ArrayLike | Path | None = None, phase_terms: ArrayLike | Path | None = None, concomitant: float | str | None = None,
        noise_map: int = 0, girf: ArrayLike | Path | None = None, girf_step: float = 0.0,
        delay: float | Sequence[float] | str | None = None, motion: ArrayLike | Path | None = None,
        motion_by: Literal["auto", "shot", "repetition", "segment"] = "auto", motion_group: int = 0,
        part: Literal["magnitude", "phase", "real", "imaginary", "complex"] | Sequence[str] | None = None,
        dicom: Literal["auto", "enhanced", "classic"] = "auto", report: Path | bool = False, save_maps: Path | bool = False,
        task: tuple[int, int] | str | None = None, resume: bool = False, ranks: int = 0, y_fastest: bool = False,
        time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
        full: bool = False, callback: Callback | None = None, progress: bool = False
    ) -> Outcome:
        """Reconstruct images by gridding: the density-weighted adjoint without iteration: argand.tool.grid of this scan.

        Returns the images (repetitions, nz, ny, nx): complex, or the parts that `part` names.

        output              a file to write, as the tool does (default None: nothing is left on disk)
        How the image is found:
        transform           transform from image to k-space. auto: without a field map the NUFFT; with one the exact DFT or the segmented
                            NUFFT, whichever is predicted to be faster: "auto", "nufft", "dft", "dft-gradients", "segmented" (default
                            "auto")
        nufft_tolerance     relative error of the NUFFT. Default: 1e-5 in single precision, 1e-9 in double precision
        segments            number of time segments; auto (default) uses as many as segment_tolerance requires
        segment_tolerance   relative error of the off-resonance phase factor with transform segmented. Default: 1e-3 in single precision,
                            1e-6 in double precision
        interpolator        temporal interpolator between segments: "auto", "linear", "hann", "min-max", "svd" (default "auto")
        frequency_segments  segment the off-resonance frequency instead of time
        subspace            temporal basis {times, columns}, as argand basis writes it: write the coefficient image of each column, from all
                            samples together. The times are the scan's contrasts, phases, repetitions, sets, segments or (not Cartesian)
                            shots, whichever are as many as the rows of the basis. An array: (columns, times)
        density             density weights: auto, none, pipe, deconvolve (without iteration), file (those of the scan), or a file name as
                            with weights. auto: none on a Cartesian grid, otherwise those of the scan, otherwise pipe. An array: (shots,
                            samples)
        density_power       raise the density weights to the power P. Default (0): 0.5 with density auto, otherwise 1
        weights             read the density weights of one volume from FILE, sample fastest, then shot, as argand calibrate density writes
                            them. An array: (shots, samples)
        precision           precision of all computation: "single", "double" (default "single")
        pocs                complete images of partial Fourier scans by N iterations of POCS, which give the image the phase of the
                            symmetric part of k-space and keep the acquired part; 0: none; try 10
        homodyne            complete images of partial Fourier scans by homodyne detection: samples that were acquired on one side only
                            count twice, and the image gets the phase of the symmetric part of k-space, whose samples are weighted by a ramp
                            or by 1 (step): "none", "ramp", "step" (default "none")
        combine             combine coils by the root of the sum of squares (rss) or by coil maps (sense): "rss", "sense" (default "rss")
        Maps, channels, the grid:
        field_map           field map; none switches field correction off. Default: FieldMap of the scan. An array: ([nz,] ny, nx), rad/s
        field_unit          unit of the field map in a file; auto reads the unit from the sidecar (.json), otherwise rad/s. ppm is of the
                            scan's main field: "auto", "rad/s", "hz", "tesla", "ppm" (default "auto")
        keep_field_zeros    keep zeros in the field map as measured values. By default, regions of exact zeros count as unmeasured and are
                            filled smoothly
        coil_maps           coil sensitivity maps; none estimates them. Default: SENSEMap of the scan, otherwise an estimate. An array:
                            (coils, [nz,] ny, nx)
        coils               method that estimates coil maps. auto: ESPIRiT if its maps explain the data, otherwise the best of all methods.
                            joint: maps and an image together, for scans with too few calibration samples: "auto", "adaptive", "espirit",
                            "joint" (default "auto")
        sets                number of sets of coil maps, given or by ESPIRiT, for objects larger than the field of view. Each set has an
                            image; the output is the root of the sum of squares of these images (default 1)
        compress            compress the channels to N virtual coils, or by the matrix {virtual coils, channels} of a file. An array:
                            (virtual coils, channels) as argand.compress makes it
        whiten              whiten the channels by the noise acquisitions of the scan; fail if there are too few. Default: whiten if there
                            are enough
        no_whiten           do not whiten, even if the scan has noise acquisitions
        noise               whiten the channels by the noise samples of FILE: .npy or .cfl {samples, channels}, or the noise acquisitions of
                            another scan (.h5). An array: (channels, samples)
        whitener            whiten the channels by the matrix {channels, channels} of FILE, as argand calibrate noise writes it. An array:
                            (channels, channels) as argand.whiten makes it
        noise_covariance    whiten the channels by the noise covariance matrix {channels, channels} of FILE. An array: (channels, channels)
        calibration         estimate coil maps from the samples within R times the radius of k-space, fully sampled or not; 0 uses the fully
                            sampled centre
        calibration_scan    estimate coil maps from the images of another scan (.h5) with the same coils and orientation, such as the
                            single-band reference of simultaneous slices. Slices are matched by their places
        mask                reconstruct only the pixels where MAP is not 0. An array: ([nz,] ny, nx)
        matrix              image size in pixels; one number is for all axes. Default: the encoded matrix
        image_fov           field of view of the image in mm; one number is for x and y. The pixel size stays the same. A larger field of
                            view shows objects that reach beyond the scan's. Default: the scan's
        encoding            number of the encoding space to reconstruct, from 0
        EPI, decay, measured phase, gradients, noise:
        epi                 regrid ramp samples by the header's trapezoid (ramps), and remove echo shift and phase of reversed lines
                            (ghosts) by the scan's reference lines, or by the entropy of the image if there are none. auto does what the
                            scan allows: "auto", "off", "ramps", "ghosts" (default "auto")
        r2star              R2* map in 1/s, to model the decay of the signal during the readout. An array: ([nz,] ny, nx)
        phase_terms         phase coefficients [term, shot, sample], sample fastest, measured by a field camera, in addition to trajectory
                            and field map. 1, 4, 9, 16 or 20 terms: spherical harmonics of order 0 to 3, then concomitant fields; in rad,
                            rad/m, rad/m^2, rad/m^3. An array: (terms, shots, samples)
        concomitant         model the phase of concomitant fields (Maxwell terms) of the readout's gradients at a main field of TESLA; auto:
                            the field strength of the scan's header
        noise_map           also write OUT_noise: the standard deviation of each pixel, from N pseudo-replicas. 100 replicas give it to
                            about 7 %; 0 writes none
        girf                correct the trajectory by the gradient impulse response function of FILE: complex [axis, frequency], 0 Hz in the
                            middle; axes x, y, z, in .npy z, y, x. An array: (axes, frequencies), axes in the order of the image's
        girf_step           frequency spacing of the girf samples, in Hz
        delay               gradient delays of x, y and z in microseconds; the trajectory is shifted by them
        motion              take rigid motion out of the scan: a row for each shot, segment or repetition, tx ty tz in mm and rx ry rz in
                            degrees, as text (.tsv) or array (.npy). auto estimates it from the samples and writes OUT-motion.tsv. An array:
                            (shots or repetitions, 6), mm and degrees
        motion_by           what the rows of motion count. auto compares their number; with motion auto, the first of repetition, segment,
                            shot of which there are several: "auto", "shot", "repetition", "segment" (default "auto")
        motion_group        let N consecutive shots or segments share a position of motion auto; 0 takes 1, or as many as leave 32 positions
        What is written:
        part                write these parts of the image (magnitude), a file each: "magnitude", "phase", "real", "imaginary", "complex".
                            Default: complex without `output`, else magnitude
        dicom               kind of DICOM that OUT.dcm is. enhanced: one file; classic: a folder OUT with a file for each slice. auto:
                            enhanced: "auto", "enhanced", "classic" (default "auto")
        report              also write a report as one HTML file, readable offline. Default name: OUT.html. True: in the result's `arrays`
        save_maps           also write the coil maps in use to FILE (.nii.gz, .npy, .cfl), for a later coil_maps. True: in the result's
                            `arrays`
        Job arrays and interrupted runs:
        task                reconstruct the I-th of N parts of the volumes (I from 1) and leave them in OUT.parts; argand gather OUT then
                            writes the images. For job arrays: task $SLURM_ARRAY_TASK_ID/8. part I/N is the same
        resume              keep each volume in OUT.parts when it is finished, and take those that an interrupted run left there. OUT.parts
                            is removed when OUT is written
        ranks               ranks or devices that share a volume, by its coils or shots, if there are more of them than volumes; 0: as many
                            as are predicted to be fastest
        How the scan is read:
        y_fastest           read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
        time_from_echo      count sample times from the echo. Default: from the excitation
        bands               number of simultaneously excited slices (multiband factor); 0 reads it from the header
        blips               blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other
                            side if N is negative. Default 0: kz of the file
        Where it runs, and what it says:
        device              device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3).
                            Default: ARGAND_DEVICE, else the first of argand devices
        threads             number of CPU threads; 0 uses all
        Progress:
        full                keep the coil maps with the result (result.maps)
        callback            is given an argand.Progress after each iteration; if it returns False, the call raises argand.errors.Stopped,
                            and nothing is written
        progress            show how far the iterations are: a plot, a bar or a line
        """
        given = locals()
        from . import _commands

        return _commands.method(grid, given)

    @hinted
    def calibrate_coils(
        self, output: Path | None = None, *, method: Literal["espirit", "adaptive"] = "espirit", region: int = 0, kernel: int = 0,
        threshold: float = 0.0, crop: float = 0.8, soft: bool = False, sets: int = 1, eigenvalues: Path | bool = False, sigma: float = 0.0,
        images: bool = False, encoding: int = 0, slice: int = -1, matrix: int | Sequence[int] | str | None = None, y_fastest: bool = False,
        time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
        progress: bool = False
    ) -> Outcome:
        """Compute coil sensitivity maps, by ESPIRiT or adaptive combination: argand.tool.calibrate_coils of this scan.

        Returns the maps ([sets,] coils, [nz,] ny, nx).

        output          a file to write, as the tool does (default None: nothing is left on disk)
        method          method: "espirit", "adaptive" (default "espirit")
        region          size of the calibration region along each axis; 0 uses the fully sampled centre, at most 24
        kernel          kernel size along each axis; 0 uses 6, or less in a small calibration region
        threshold       treat singular vectors with an energy below T times the largest as noise; 0 finds T from the data. BART's value is
                        0.001
        crop            set the maps to 0 where the eigenvalue is below C; a negative C sets nothing to 0 (default 0.8)
        soft            let the maps fall off smoothly towards crop
        sets            number of sets of coil maps (default 1)
        eigenvalues     also write the eigenvalue of each pixel; a value near 1 means that the maps explain the data. True: in the result's
                        `arrays`
        sigma           width of the Gaussian window in pixels (adaptive); 0 uses 3
        images          IN holds coil images instead of k-space
        encoding        number of the encoding space, from 0
        slice           process this slice alone, from 0; -1 processes all (default -1)
        matrix          size of the maps in pixels. Default: the encoded matrix
        y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
        time_from_echo  count sample times from the echo. Default: from the excitation
        bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
        blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other
                        side if N is negative. Default 0: kz of the file
        device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                        ARGAND_DEVICE, else the first of argand devices
        threads         number of CPU threads; 0 uses all
        progress        show how far the iterations are: a plot, a bar or a line
        """
        given = locals()
        from . import _commands

        return _commands.method(calibrate_coils, given)

    @hinted
    def calibrate_field_map(
        self, output: Path | None = None, *, echo_times: Sequence[float] | str | None = None, opposite: ArrayLike | Path | None = None,
        echo_spacing: float = 0.0, mask: ArrayLike | Path | None = None, threshold: float = 0.1, beta: float = 0.05, iterations: int = 30,
        unit: Literal["rad/s", "hz"] = "rad/s", zero_outside: bool = False, encoding: int = 0, slice: int = -1,
        matrix: int | Sequence[int] | str | None = None, y_fastest: bool = False, time_from_echo: bool = False, bands: int = 0,
        blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
    ) -> Outcome:
        """Compute a field map from two or more echoes: argand.tool.calibrate_field_map of this scan.

        Returns the map ([nz,] ny, nx).

        output          a file to write, as the tool does (default None: nothing is left on disk)
        echo_times      echo times in seconds. Default: those of the scan
        opposite        image of the opposite direction of phase encoding: ky falls in time in FILE and rises in IN, unless the sidecars say
                        otherwise. An array: ([nz,] ny, nx)
        echo_spacing    seconds between neighbouring ky of an opposite pair: the echo spacing over the acceleration. Default:
                        EffectiveEchoSpacing of the sidecar
        mask            mask of the pixels to fit. Default: pixels with signal. An array: ([nz,] ny, nx)
        threshold       fit pixels above this fraction of the largest signal, if mask is not given (default 0.1)
        beta            weight of the roughness penalty, relative to the data of a mean pixel; a negative B switches the penalty off
                        (default 0.05)
        iterations      maximum number of iterations for each echo spacing (default 30)
        unit            unit of the written map: "rad/s", "hz" (default "rad/s")
        zero_outside    write 0 outside the mask. Default: continue the map smoothly
        encoding        number of the encoding space, from 0
        slice           process this slice alone, from 0; -1 processes all (default -1)
        matrix          size of the maps in pixels. Default: the encoded matrix
        y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
        time_from_echo  count sample times from the echo. Default: from the excitation
        bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
        blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other
                        side if N is negative. Default 0: kz of the file
        device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                        ARGAND_DEVICE, else the first of argand devices
        threads         number of CPU threads; 0 uses all
        progress        show how far the iterations are: a plot, a bar or a line
        """
        given = locals()
        from . import _commands

        return _commands.method(calibrate_field_map, given)

    @hinted
    def calibrate_noise(
        self, output: Path | None = None, *, factor: float = 0.0, covariance: Path | bool = False, y_fastest: bool = False,
        time_from_echo: bool = False, bands: int = 0, blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0,
        progress: bool = False
    ) -> Outcome:
        """Compute the matrix that whitens the noise of the channels: argand.tool.calibrate_noise of this scan.

        Returns the matrix, whose rows are the new channels, as `whitener` and `compress` take it.

        output          a file to write, as the tool does (default None: nothing is left on disk)
        factor          multiply the noise variance by F; 0 computes F from the scan (see above), otherwise 1
        covariance      also write the covariance matrix. True: in the result's `arrays`
        y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
        time_from_echo  count sample times from the echo. Default: from the excitation
        bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
        blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other
                        side if N is negative. Default 0: kz of the file
        device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                        ARGAND_DEVICE, else the first of argand devices
        threads         number of CPU threads; 0 uses all
        progress        show how far the iterations are: a plot, a bar or a line
        """
        given = locals()
        from . import _commands

        return _commands.method(calibrate_noise, given)

    @hinted
    def calibrate_compress(
        self, output: Path | None = None, *, kind: Literal["svd", "gcc"] = "svd", coils: int = 0, energy: float = 0.99,
        data: Path | bool = False, whitener: ArrayLike | Path | None = None, encoding: int = 0, slice: int = -1,
        matrix: int | Sequence[int] | str | None = None, y_fastest: bool = False, time_from_echo: bool = False, bands: int = 0,
        blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
    ) -> Outcome:
        """Compute the matrix that compresses the channels to fewer virtual coils: argand.tool.calibrate_compress of this scan.

        Returns the matrix, whose rows are the new channels, as `whitener` and `compress` take it.

        output          a file to write, as the tool does (default None: nothing is left on disk)
        kind            method: "svd", "gcc" (default "svd")
        coils           number of virtual coils; 0 takes as many as energy needs
        energy          fraction of the energy to keep (default 0.99)
        data            also write the compressed data (if IN is a file of samples). True: in the result's `arrays`
        whitener        first whiten the channels by the matrix of FILE, as argand calibrate noise writes it. Give the same whitener to
                        argand sense. An array: (channels, channels) as argand.whiten makes it
        encoding        number of the encoding space, from 0
        slice           process this slice alone, from 0; -1 processes all (default -1)
        matrix          size of the maps in pixels. Default: the encoded matrix
        y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
        time_from_echo  count sample times from the echo. Default: from the excitation
        bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
        blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other
                        side if N is negative. Default 0: kz of the file
        device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                        ARGAND_DEVICE, else the first of argand devices
        threads         number of CPU threads; 0 uses all
        progress        show how far the iterations are: a plot, a bar or a line
        """
        given = locals()
        from . import _commands

        return _commands.method(calibrate_compress, given)

    @hinted
    def calibrate_density(
        self, output: Path | None = None, *, method: Literal["pipe", "voronoi", "deconvolve"] = "pipe", encoding: int = 0, slice: int = -1,
        matrix: int | Sequence[int] | str | None = None, y_fastest: bool = False, time_from_echo: bool = False, bands: int = 0,
        blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
    ) -> Outcome:
        """Compute the density weights of the samples: argand.tool.calibrate_density of this scan.

        Returns an array.

        output          a file to write, as the tool does (default None: nothing is left on disk)
        method          method: "pipe", "voronoi", "deconvolve" (default "pipe")
        encoding        number of the encoding space, from 0
        slice           process this slice alone, from 0; -1 processes all (default -1)
        matrix          size of the maps in pixels. Default: the encoded matrix
        y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
        time_from_echo  count sample times from the echo. Default: from the excitation
        bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
        blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other
                        side if N is negative. Default 0: kz of the file
        device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                        ARGAND_DEVICE, else the first of argand devices
        threads         number of CPU threads; 0 uses all
        progress        show how far the iterations are: a plot, a bar or a line
        """
        given = locals()
        from . import _commands

        return _commands.method(calibrate_density, given)

    @hinted
    def calibrate_delays(
        self, output: Path | None = None, *, kind: Literal["auto", "radial", "epi"] = "auto", encoding: int = 0, slice: int = -1,
        matrix: int | Sequence[int] | str | None = None, y_fastest: bool = False, time_from_echo: bool = False, bands: int = 0,
        blips: int = 0, device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
    ) -> Values:
        """Estimate gradient delays from the scan itself: argand.tool.calibrate_delays of this scan.

        Returns the figures that the tool prints, a dict.

        output          a file to write, as the tool does (default None: nothing is left on disk)
        kind            kind of trajectory; see above: "auto", "radial", "epi" (default "auto")
        encoding        number of the encoding space, from 0
        slice           process this slice alone, from 0; -1 processes all (default -1)
        matrix          size of the maps in pixels. Default: the encoded matrix
        y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
        time_from_echo  count sample times from the echo. Default: from the excitation
        bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
        blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other
                        side if N is negative. Default 0: kz of the file
        device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                        ARGAND_DEVICE, else the first of argand devices
        threads         number of CPU threads; 0 uses all
        progress        show how far the iterations are: a plot, a bar or a line
        """
        given = locals()
        from . import _commands

        return _commands.method(calibrate_delays, given)

    @hinted
    def calibrate_motion(
        self, output: Path | None = None, *, motion_by: Literal["auto", "shot", "repetition", "segment"] = "auto", motion_group: int = 0,
        cycles: float = 0.0, encoding: int = 0, y_fastest: bool = False, time_from_echo: bool = False, bands: int = 0, blips: int = 0,
        device: Device | str | Sequence[str] | None = None, threads: int = 0, progress: bool = False
    ) -> Outcome:
        """Estimate rigid motion between shots, segments or repetitions from the samples: argand.tool.calibrate_motion of this scan.

        Returns the table (rows, 6), tx, ty, tz in mm and rx, ry, rz in degrees, as `motion` takes it.

        output          a file to write, as the tool does (default None: nothing is left on disk)
        motion_by       what the rows of the table count. auto: repetitions if there are several, otherwise segments if there are several,
                        otherwise shots: "auto", "shot", "repetition", "segment" (default "auto")
        motion_group    let N consecutive shots or segments share a position; 0 takes 1, or as many as leave 32 positions
        cycles          use the samples within N cycles per field of view of the centre of k-space; 0: 20
        encoding        number of the encoding space, from 0
        y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
        time_from_echo  count sample times from the echo. Default: from the excitation
        bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
        blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other
                        side if N is negative. Default 0: kz of the file
        device          device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take lists (cuda:0-3). Default:
                        ARGAND_DEVICE, else the first of argand devices
        threads         number of CPU threads; 0 uses all
        progress        show how far the iterations are: a plot, a bar or a line
        """
        given = locals()
        from . import _commands

        return _commands.method(calibrate_motion, given)

    @hinted
    def info(
        self, *, y_fastest: bool = False, time_from_echo: bool = False, bands: int = 0, blips: int = 0, progress: bool = False
    ) -> Values:
        """Print the contents of a scan, image or array file: argand.tool.info of this scan.

        Returns the figures that the tool prints, a dict.

        y_fastest       read the maps in the scan file with y as the fastest axis, as forge and PowerGrid write them
        time_from_echo  count sample times from the echo. Default: from the excitation
        bands           number of simultaneously excited slices (multiband factor); 0 reads it from the header
        blips           blips shift simultaneous slices by 1/N of the field of view from slice to slice (blipped CAIPI), or to the other
                        side if N is negative. Default 0: kz of the file
        progress        show how far the iterations are: a plot, a bar or a line
        """
        given = locals()
        from . import _commands

        return _commands.method(info, given)
