# SPDX-License-Identifier: BSD-3-Clause
"""phase_terms.py SCAN.h5 OUT.h5 TERMS.npy FIELD.npy TRUTH.npy: a scan of an oblique slice off the isocentre whose samples are the direct
sum in double over a known image, with a field map and phase of all orders to the third, linear and concomitant ones too."""
import shutil, sys, warnings
import ismrmrd, numpy as np

warnings.simplefilter("ignore")
scan, out, terms, field, truth = sys.argv[1:6]
shutil.copy(scan, out)
file = ismrmrd.Dataset(out, "dataset", create_if_needed=False)
maps = file.read_array("SENSEMap", 0)  # [coil, (z,) y, x]
maps = maps.reshape(maps.shape[0], *maps.shape[-2:])
coils, ny, nx = maps.shape
header = ismrmrd.xsd.CreateFromDocument(file.read_xml_header()).encoding[0].encodedSpace
fov = np.array([header.fieldOfView_mm.x, header.fieldOfView_mm.y]) / 1e3
count = file.number_of_acquisitions()

read, phase = np.array([0.8, 0.6, 0.0]), np.array([-0.48, 0.64, 0.6])
position = np.array([12.0, -25.0, 40.0])  # mm
y, x = np.mgrid[:ny, :nx]
u, v = (x - nx // 2) / nx, (y - ny // 2) / ny
place = position[:, None, None] / 1e3 + read[:, None, None] * fov[0] * u + phase[:, None, None] * fov[1] * v
X, Y, Z = place
R = X**2 + Y**2 + Z**2
basis = np.array([np.ones_like(X), X, Y, Z, X * Y, Z * Y, 3 * Z**2 - R, X * Z, X**2 - Y**2, 3 * Y * X**2 - Y**3, X * Y * Z, (5 * Z**2 - R) * Y,
                  5 * Z**3 - 3 * Z * R, (5 * Z**2 - R) * X, Z * (X**2 - Y**2), X**3 - 3 * X * Y**2, Z**2, X**2 + Y**2, X * Z, Y * Z])
image = np.exp(-((u - 0.05) ** 2 + (v + 0.1) ** 2) / 0.03) * np.exp(2j * u) + 0.6 * ((np.abs(u + 0.15) < 0.12) & (np.abs(v - 0.1) < 0.2))
w = 2 * np.pi * 60 * np.cos(5 * u) * np.sin(4 * v + 0.5)

first = file.read_acquisition(0)
samples, total = first.number_of_samples, first.number_of_samples * count
c = np.zeros((20, count, samples))
for shot in range(count):
    s = np.linspace(0, 1, samples) + 0.1 * shot
    for l in range(20):
        order = 0 if l < 1 else 1 if l < 4 else 2 if l < 9 or l > 15 else 3
        c[l, shot] = 0.8 * s * np.sin(3 * s + l) / 0.1**order
for shot in range(count):
    a = file.read_acquisition(shot)
    k, t = a.traj[:, :2].astype(float), a.traj[:, 3].astype(float)
    angle = 2 * np.pi * (k[:, :1] * u.ravel() + k[:, 1:] * v.ravel()) + t[:, None] * w.ravel() + c[:, shot].T @ basis.reshape(20, -1)
    a.data[:] = ((maps * image).reshape(coils, -1) @ np.exp(-1j * angle).T).astype(np.complex64)
    a.position[:], a.read_dir[:], a.phase_dir[:], a.slice_dir[:] = position, read, phase, np.cross(read, phase)
    file.write_acquisition(a, shot)
file.close()
np.save(terms, c)
np.save(field, w.astype(np.float32))
np.save(truth, image)
np.save("short.npy", c[:, :, 1:])
np.save("five.npy", c[:5])
np.save("hertz.npy", 1e5 * c)
