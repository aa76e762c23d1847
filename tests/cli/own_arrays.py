# SPDX-License-Identifier: BSD-3-Clause
"""own_arrays.py make: an image (20 x 24 pixels) and 3 coil maps, and their samples at 12 x 200 scattered positions by the sum that
defines them, in double: without noise the image is the only solution. Written as NumPy, SigPy and BART order it, and with
repetitions. own_arrays.py cartesian: the same on a grid whose every third line was measured, and times and a field of view beside.
own_arrays.py points: the grid with a third of its points left out at random, 0 in all coils, in several formats and orders; solid.npy in 3-D.
own_arrays.py decay: with a field map in rad/s and an R2* map in 1/s, and times.
own_arrays.py girf: spirals whose gradients a Gaussian response of 12 us (one sigma) smooths and delays by 60 us, by a
fine quadrature in time; t.npy is what was asked for, played_t.npy what was played, girf.npy the response from -40 to 40 kHz in steps of 100 Hz; late_k.npy, late_t.npy: delays of 5 and 20 us.
own_arrays.py noise: what least squares does to correlated noise on that grid: least.npy, sqrt of half the diagonal of (A^H C^-1 A)^-1.
own_arrays.py same LIMIT TRUTH.npy FILE ...: the relative difference of each, a common factor with --scaled."""
import sys
import numpy as np

NY, NX, COILS, SHOTS, SAMPLES = 20, 24, 3, 12, 200


def cfl(name, array):
    """BART's pair: the first dimension of its .hdr is the fastest."""
    dims = list(array.shape[::-1]) + [1] * (16 - array.ndim)
    open(name + ".hdr", "w").write("# Dimensions\n" + " ".join(map(str, dims)) + "\n")
    np.ascontiguousarray(array, "c8").tofile(name + ".cfl")


def scene():
    random = np.random.default_rng(5)
    y, x = np.meshgrid((np.arange(NY) - NY // 2) / NY, (np.arange(NX) - NX // 2) / NX, indexing="ij")
    image = random.standard_normal((NY, NX)) + 1j * random.standard_normal((NY, NX))
    at = 2 * np.pi * np.arange(COILS) / COILS
    maps = np.array([np.exp(-((x - .4 * np.cos(a)) ** 2 + (y - .4 * np.sin(a)) ** 2) * 2 + 1j * (a + x - y)) for a in at])
    maps /= np.sqrt((abs(maps) ** 2).sum(0))
    return random, x, y, image.astype("c8"), maps.astype("c8")


def samples_of(image, maps, x, y, kx, ky):
    phases = np.exp(-2j * np.pi * (kx.ravel()[:, None] * x.ravel() + ky.ravel()[:, None] * y.ravel()))
    return (phases @ (maps.astype(complex) * image).reshape(len(maps), -1).T).T.reshape(len(maps), *kx.shape)


if sys.argv[1] == "make":
    random, x, y, image, maps = scene()
    k = ((random.random((SHOTS, SAMPLES, 2)) - .5) * (NX, NY)).astype("f4")
    k[0, 0] = -NX / 2, -NY / 2
    data = samples_of(image, maps, x, y, k[..., 0].astype(float), k[..., 1].astype(float)).astype("c8")
    np.save("truth.npy", image)
    np.save("maps.npy", maps)
    np.save("k.npy", data)
    yx = k[..., ::-1].copy()  # the order of NumPy's image axes
    np.save("t.npy", yx)
    np.save("flat_k.npy", data.reshape(COILS, -1))
    np.save("flat_t.npy", yx.reshape(-1, 2))
    np.save("swapped_k.npy", np.asfortranarray(data.transpose(1, 0, 2)))
    np.save("swapped_t.npy", yx.transpose(2, 0, 1).copy())
    np.save("xyz_t.npy", k)
    np.save("normalised_t.npy", (yx.astype(float) / (NY, NX)).astype("f4"))
    np.save("gaps_k.npy", data * (np.arange(SHOTS) % 4 > 0)[:, None])
    np.save("inner_t.npy", yx / 2)
    np.save("radians_t.npy", (2 * np.pi * yx.astype(float) / (NY, NX)).astype("f4"))
    np.save("series_k.npy", np.array([data, 2j * data]))
    cfl("k", data[..., None])
    cfl("t", np.concatenate([k, 0 * k[..., :1]], -1))
    cfl("maps", maps[:, None])
    cfl("series_k", np.array([data, 2j * data])[:, None, None, None, None, None, None, ..., None])
elif sys.argv[1] == "units":
    # sys.argv[2]: a scan of a radial trajectory whose header says no unit; its positions in others, and as arrays
    import h5py, shutil
    with h5py.File(sys.argv[2]) as scan: rows = scan["dataset/data"][:]
    fov, n = 240., 48
    factors = dict(normalised=1 / n, radians=2 * np.pi / n, mm=1 / fov, m=1000 / fov, rad_m=2000 * np.pi / fov, short=.6 / fov)
    for name, factor in factors.items():
        shutil.copy(sys.argv[2], name + ".h5")
        own = []
        with h5py.File(name + ".h5", "r+") as scan:
            changed = rows.copy()
            for i in range(len(rows)):
                k = rows["traj"][i].reshape(-1, rows["head"]["trajectory_dimensions"][i]).copy()
                k[:, :3] *= factor
                own.append(k[:, 1::-1])
                changed["traj"][i] = k.ravel()
            scan["dataset/data"][...] = changed
            scan["dataset/xml"][0] = scan["dataset/xml"][0].replace(b"cycles_per_fov", b"no_unit")
        np.save(name + "_t.npy", np.array(own, "f4"))
elif sys.argv[1] == "axes":
    # an object in its coils, whose k-space has its energy in the middle, in orders that are not [coil, y, x]
    def transform(images, axes): return np.fft.fftshift(np.fft.fftn(np.fft.ifftshift(images, axes), axes=axes), axes).astype("c8")
    z, y, x = np.meshgrid(*(np.linspace(-1, 1, n) for n in (12, 32, 40)), indexing="ij")
    body = ((x / .7) ** 2 + (y / .8) ** 2 + (z / .7) ** 2 < 1) * (1 + .4 * np.sin(7 * x + 3 * y))
    coils = np.array([np.exp(-((x - np.cos(a)) ** 2 + (y - np.sin(a)) ** 2 + (z - .6 * np.cos(2 * a)) ** 2)) for a in np.arange(6)])
    flat, solid = transform((coils * body)[:, 6], (-2, -1)), transform(coils * body, (-3, -2, -1))
    for name, a in dict(flat=flat, last=flat.transpose(1, 2, 0), between=flat.transpose(1, 0, 2), solid=solid, solid_last=solid.transpose(1, 2, 3, 0),
                        slices=np.array([flat, flat[:, ::-1]]), one_coil=solid[0], stack=transform(coils * body, (-2, -1))[:, 2:-2], pair=transform(coils * body, (-2, -1))[:, 4:6],
                        shots=solid[:1, 6].transpose(1, 0, 2), same=np.array([flat[0], 2j * flat[0]]), white=np.random.default_rng(1).standard_normal((4, 12, 16, 2)).view(complex)[..., 0],
                        scattered=flat.reshape(6, -1)[:, np.random.default_rng(2).permutation(1280)].reshape(6, 32, 40), unshifted=np.fft.ifftshift(flat, (1, 2))).items():
        np.save(name + ".npy", np.ascontiguousarray(a, "c8"))
    cfl("last", flat.transpose(1, 2, 0))
elif sys.argv[1] == "strays":
    # positions of spokes; in one file each, one of them far away
    random = np.random.default_rng(2)
    at = np.arange(20) * np.pi / 20
    d = np.linspace(-12, 11.5, 48)
    spokes = np.stack([d * np.cos(at)[:, None], d * np.sin(at)[:, None]], -1).astype("f4")
    np.save("k.npy", (random.standard_normal((3, 20, 48)) + 1j * random.standard_normal((3, 20, 48))).astype("c8"))
    for value in sys.argv[2:]:
        stray = spokes.copy()
        stray[3, 4, 1] = float(value)
        np.save(value + ".npy", stray[..., ::-1])
    several = spokes.copy()
    several[::4, 5, 0] = 300
    np.save("several.npy", several[..., ::-1])
    np.save("all.npy", spokes[..., ::-1] * 1e19)
elif sys.argv[1] == "cartesian":
    random, x, y, image, maps = scene()
    ky, kx = np.meshgrid(np.arange(NY) - NY // 2, np.arange(NX) - NX // 2, indexing="ij")
    data = samples_of(image, maps, x, y, kx, ky).astype("c8")
    kept = np.isin(np.arange(NY), list(range(0, NY, 2)) + [9, 11])
    data[:, ~kept] = 0
    np.save("truth.npy", image)
    np.save("maps.npy", maps)
    np.save("grid.npy", data)
    np.save("grid3.npy", data[:, None])
    cfl("maps", maps[:, None])
    cfl("grid", data[:, None])
elif sys.argv[1] == "points":
    import nibabel
    random, x, y, image, maps = scene()
    ky, kx = np.meshgrid(np.arange(NY) - NY // 2, np.arange(NX) - NX // 2, indexing="ij")
    data = samples_of(image, maps, x, y, kx, ky).astype("c8")
    whole = data.copy()
    data[:, random.random((NY, NX)) < .35] = 0
    assert (abs(data).sum(0) > 0).any(0).all() and (abs(data).sum(0) > 0).any(1).all()
    for name, a in dict(truth=image, maps=maps, grid=data).items(): np.save(name + ".npy", a)
    np.save("turned.npy", np.ascontiguousarray(data.transpose(2, 0, 1)))
    np.save("series.npy", np.array([data, 2j * whole * (random.random((NY, NX)) < .65)]).astype("c8"))
    cfl("grid", data[:, None])
    cfl("thin", data[..., None])
    nibabel.save(nibabel.Nifti1Image(data.T[:, :, None], np.eye(4)), "grid.nii")
    volume = image[None] * np.array([1, 2j, -1, 1j])[:, None, None]
    kz = np.arange(4) - 2
    solid = np.einsum("cyx,kz->ckyx", samples_of(image, maps, x, y, kx, ky), np.exp(-2j * np.pi * np.outer(kz, kz) / 4) * np.array([1, 2j, -1, 1j]))
    solid[:, random.random((4, NY, NX)) < .35] = 0
    for name, a in dict(solid=solid.astype("c8"), solid_truth=volume, solid_maps=np.repeat(maps[:, None], 4, 1)).items(): np.save(name + ".npy", a)
elif sys.argv[1] == "decay":
    random, x, y, image, maps = scene()
    k = ((random.random((SHOTS, SAMPLES, 2)) - .5) * (NX, NY)).astype("f4")
    t = np.broadcast_to(np.linspace(.002, .012, SAMPLES, dtype="f4"), k.shape[:2])
    field, decay = 300 * np.sin(5 * x + 1) * np.cos(4 * y), 20 + 60 * np.exp(-8 * (x ** 2 + y ** 2))
    phases = np.exp(-2j * np.pi * (k[..., :1].reshape(-1, 1).astype(float) * x.ravel() + k[..., 1:].reshape(-1, 1) * y.ravel())
                    - t.reshape(-1, 1).astype(float) * (1j * field.astype("f4").ravel() + decay.astype("f4").ravel()))
    data = (phases @ (maps.astype(complex) * image).reshape(COILS, -1).T).T.reshape(COILS, SHOTS, SAMPLES)
    for name, a in dict(truth=image, maps=maps, k=data.astype("c8"), t=k[..., ::-1], times=np.array(t), field=field.astype("f4"), decay=decay.astype("f4")).items():
        np.save(name + ".npy", a)
elif sys.argv[1] == "girf":
    random, x, y, image, maps = scene()
    shots, samples, dt = 8, 500, 8e-6

    def nominal(time, shot):
        """At rest before 0 and after the end."""
        u = np.clip(time / (samples * dt), 0, 1)
        u = u * u * (3 - 2 * u)
        phase_factor = np.exp(2j * np.pi * (4 * u + shot / shots))
        return 12 * u * phase_factor.real, 10 * u * phase_factor.imag

    time = np.arange(samples) * dt
    lags = np.arange(-60, 61) * 1e-6
    weights = np.exp(-lags ** 2 / (2 * 12e-6 ** 2))
    weights /= weights.sum()
    asked, played, late = [], [], []
    for shot in range(shots):
        asked.append(nominal(time, shot))
        played.append(sum(w * np.array(nominal(time - 60e-6 - l, shot)) for w, l in zip(weights, lags)))
        late.append([nominal(time - 5e-6, shot)[0], nominal(time - 20e-6, shot)[1]])
    asked, played, late = [np.array(a).transpose(0, 2, 1) for a in (asked, played, late)]
    for name, k in dict(k=played, late_k=late).items(): np.save(name + ".npy", samples_of(image, maps, x, y, k[..., 0], k[..., 1]).astype("c8"))
    f = np.arange(-400, 401) * 100.
    np.save("girf.npy", np.array([np.exp(-2 * (np.pi * f * 12e-6) ** 2 - 2j * np.pi * f * 60e-6)] * 3).astype("c8"))
    np.save("maps.npy", maps)
    for name, a in dict(t=asked, played_t=played, late_t=late).items(): np.save(name + ".npy", a[..., ::-1].astype("f4"))
elif sys.argv[1] == "noise":
    random, x, y, image, maps = scene()
    apart = np.subtract.outer(range(COILS), range(COILS))
    size = np.array([1, 2, .7])
    covariance = size[:, None] * .5 ** abs(apart) * np.exp(.4j * apart) * size
    white = (random.standard_normal((COILS, 20000)) + 1j * random.standard_normal((COILS, 20000))) / np.sqrt(2)
    np.save("noise.npy", (np.linalg.cholesky(covariance) @ white).astype("c8"))
    grid = np.load("grid.npy")
    ky, kx = np.meshgrid(np.arange(NY) - NY // 2, np.arange(NX) - NX // 2, indexing="ij")
    kept = abs(grid).sum(0) > 0
    phases = np.exp(-2j * np.pi * (kx[kept][:, None] * x.ravel() + ky[kept][:, None] * y.ravel()))
    for name, c in ("least.npy", covariance), ("unit.npy", np.eye(COILS)):
        whitener = np.linalg.inv(np.linalg.cholesky(c))
        a = np.concatenate([phases * m.ravel() for m in np.einsum("vc,cyx->vyx", whitener, maps.astype(complex))])
        np.save(name, np.sqrt(np.diag(np.linalg.inv(a.conj().T @ a)).real / 2).reshape(NY, NX))
else:
    scaled = "--scaled" in sys.argv
    truth = np.load(sys.argv[3]).squeeze()
    for name in [a for a in sys.argv[4:] if a != "--scaled"]:
        if name.endswith(".npy"): found = np.load(name)
        else:
            dims = [int(d) for d in open(name[:-4] + ".hdr").read().split("\n")[1].split()]
            found = np.fromfile(name, "c8").reshape(dims[::-1])
        found = found.squeeze()
        if scaled: found = found * (np.vdot(found, truth) / np.vdot(found, found))
        error = np.linalg.norm(found - truth) / np.linalg.norm(truth)
        print(f"{name}: {error:.2e}")
        if not error <= float(sys.argv[2]): sys.exit(1)
