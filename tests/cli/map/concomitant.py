# SPDX-License-Identifier: BSD-3-Clause
"""concomitant.py SCAN.h5 OUT.h5 TRUTH.npy TESLA: a scan of an oblique slice off the isocentre, whose samples are the direct sum in
double over a known image, with the phase of Bernstein's concomitant field. The spirals are a formula; the field is integrated over time by
Simpson's rule at each pixel, from the gradient that the formula's derivative gives."""
import shutil, sys, warnings
import ismrmrd, numpy as np

warnings.simplefilter("ignore")
scan, out, truth, B0 = *sys.argv[1:4], float(sys.argv[4])
shutil.copy(scan, out)
file = ismrmrd.Dataset(out, "dataset", create_if_needed=False)
maps = file.read_array("SENSEMap", 0)
maps = maps.reshape(maps.shape[0], *maps.shape[-2:])
coils, ny, nx = maps.shape
header = ismrmrd.xsd.CreateFromDocument(file.read_xml_header()).encoding[0].encodedSpace
fov = np.array([header.fieldOfView_mm.x, header.fieldOfView_mm.y]) / 1e3
count = file.number_of_acquisitions()
GAMMA, TURNS, FINE = 42.577478518e6, 6, 4

read, phase = np.array([0.8, 0.6, 0.0]), np.array([-0.48, 0.64, 0.6])
position = np.array([12.0, -25.0, 110.0])  # mm
y, x = np.mgrid[:ny, :nx]
u, v = ((x - nx // 2) / nx).ravel(), ((y - ny // 2) / ny).ravel()
X, Y, Z = position[:, None] / 1e3 + read[:, None] * fov[0] * u + phase[:, None] * fov[1] * v
image = np.exp(-((u - 0.05) ** 2 + (v + 0.1) ** 2) / 0.03) * np.exp(2j * u) + 0.6 * ((np.abs(u + 0.15) < 0.12) & (np.abs(v - 0.1) < 0.2))
flat = (maps.reshape(coils, -1) * image).T


def spiral(t, shot):  # cycles per field of view, and their derivative by t; t from 0 to 1
    e = np.exp(2j * np.pi * (TURNS * t + shot / count)) * nx / 2
    return t * e, e + 2j * np.pi * TURNS * t * e


def field(G):  # tesla at each pixel, of gradients in T/m {3, times}
    gx, gy, gz = G[:, :, None]
    return ((gx * Z - gz * X / 2) ** 2 + (gy * Z - gz * Y / 2) ** 2) / (2 * B0)


most = 0
for shot in range(count):
    a = file.read_acquisition(shot)
    n = a.number_of_samples
    T = (n - 1) * 1e-6 * a.sample_time_us
    fine, rate = spiral(np.linspace(0, 1, (n - 1) * FINE + 1), shot)
    G = (read[:, None] * rate.real / fov[0] + phase[:, None] * rate.imag / fov[1]) / T / GAMMA
    k, dt = fine[::FINE], T / (n - 1) / FINE
    bc, total, y = np.zeros(nx * ny), 0, np.zeros((coils, n), complex)
    for i in range(n):
        if i:
            b = field(G[:, (i - 1) * FINE : i * FINE + 1])
            bc += dt / 3 * (b[0] + 4 * b[1] + 2 * b[2] + 4 * b[3] + b[4])
        angle = 2 * np.pi * (k[i].real * u + k[i].imag * v + GAMMA * bc)
        y[:, i] = np.exp(-1j * angle) @ flat
    most = max(most, 2 * np.pi * GAMMA * bc.max())
    a.traj[:, 0], a.traj[:, 1] = k.real, k.imag
    a.traj[:, 3] = 0.002 + np.arange(n) * 1e-6 * a.sample_time_us
    a.data[:] = y
    a.position[:], a.read_dir[:], a.phase_dir[:], a.slice_dir[:] = position, read, phase, np.cross(read, phase)
    file.write_acquisition(a, shot)
file.close()
np.save(truth, image.reshape(ny, nx))
print("largest", most)
