#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""head_picture.py FOLDER OUT: makes the README's picture, and its numbers, from a measured head and its measured field map.

FOLDER holds mag128.fld and fieldmap128.fld of https://github.com/JeffFessler/MIRTdata (mri/2001-phase-data, commit a494440, MIT
licence; measured by D. Noll). The data are an image and a field map, without samples. The samples of a spiral scan are computed from
both on a grid twice as fine, with eight coils and noise, by the exact field-corrected DFT. The tool then reconstructs the scan without
and with the field map. Needs the Python package (PYTHONPATH=python) and the tool (ARGAND, default build/release/argand)."""
import os
import subprocess
import sys

import argand
import numpy as np

N, FINE, COILS, SNR = 128, 256, 8, 40


def read_fld(path):
    """Returns the numbers of an AVS field file: a header in ASCII, two form feeds, big-endian floats."""
    data = open(path, "rb").read()
    return np.frombuffer(data[data.index(b"\f\f") + 2 :], ">f4").reshape(N, N).astype(float)


def finer(image):
    """Returns the image on the finer grid, by cubic convolution along both axes; element N/2 stays the centre."""
    place = (np.arange(FINE) - FINE / 2) * N / FINE + N / 2
    first = np.floor(place).astype(int)
    matrix = np.zeros((FINE, N))
    for tap in range(-1, 3):
        t = abs(place - first - tap)
        weight = np.where(t < 1, (1.5 * t - 2.5) * t * t + 1, np.where(t < 2, ((-0.5 * t + 2.5) * t - 4) * t + 2, 0))
        np.add.at(matrix, (np.arange(FINE), np.clip(first + tap, 0, N - 1)), weight)
    return matrix @ image @ matrix.T


def main():
    folder, out = sys.argv[1:3]
    tool = os.path.abspath(os.environ.get("ARGAND", os.path.join(os.path.dirname(__file__), "../build/release/argand")))
    head = read_fld(os.path.join(folder, "mag128.fld"))
    field = 2 * np.pi * read_fld(os.path.join(folder, "fieldmap128.fld"))  # Hz to rad/s
    head /= np.percentile(head, 99.7)
    trajectory, times = argand.trajectory.spiral((N, N), readout_s=0.03)
    points, times = np.asarray(trajectory), np.asarray(times)
    coils = argand.birdcage((COILS, FINE, FINE))
    kspace = argand.field_dft(np.maximum(finer(head), 0) * coils, points, times, finer(field)) * (N / FINE) ** 2
    random = np.random.default_rng(0)
    noise = head[head > 0.1].mean() / SNR * N / np.sqrt(2)
    kspace = kspace + noise * (random.standard_normal(kspace.shape) + 1j * random.standard_normal(kspace.shape))
    os.makedirs(out, exist_ok=True)
    os.chdir(out)
    maps = argand.birdcage((COILS, N, N))
    argand.write_scan("head.h5", kspace.astype(np.complex64), points, times, shape=(N, N), maps=maps, field_map=field)
    np.save("truth.npy", head.astype(np.float32))
    images = ["plain.nii.gz", "corrected.nii.gz", "truth.npy"]
    for image, options in zip(images, (["--field-map", "none"], [])):
        subprocess.run([tool, "sense", "head.h5", image, "--quiet", *options], check=True)
    captions = "without the field map|with the field map|the head itself"
    layout = ["--captions", captions, "--zoom", "3", "--columns", "3"]
    subprocess.run([tool, "convert", "--quiet", *images, "head.png", *layout], check=True)
    print(f"{points.shape[0]} spirals of {1000 * (times.max() - times.min()):.1f} ms")
    subprocess.run([tool, "compare", *images], check=True)


if __name__ == "__main__":
    main()
