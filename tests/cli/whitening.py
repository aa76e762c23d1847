# SPDX-License-Identifier: BSD-3-Clause
"""whitening.py make NOISELESS.h5 NOISY.h5 noise.npy: NOISY is the scan with the noise of coils that are 5 times apart and correlated, in
its samples and its noise acquisitions; noise.npy is more of it.
whitening.py check CLEAN.npy IMAGE.npy ...: the noise of each image, its difference from CLEAN, over the least that any linear unbiased
estimate of a fully sampled image can have: the variance of a pixel is 1 / (S^H C^-1 S) over the number of samples (Gauss, Markov, Aitken)."""
import shutil, sys
import h5py, numpy as np

COILS = 6
sigma = 5 ** (np.array([3, 0, 5, 1, 4, 2]) / 5)
apart = np.subtract.outer(range(COILS), range(COILS))
covariance = sigma[:, None] * 0.6 ** abs(apart) * np.exp(0.5j * apart) * sigma


def draw(random, samples, level):
    white = (random.standard_normal((COILS, samples)) + 1j * random.standard_normal((COILS, samples))) / np.sqrt(2)
    return (level * np.linalg.cholesky(covariance) @ white).astype("c8")


if sys.argv[1] == "make":
    shutil.copy(sys.argv[2], sys.argv[3])
    random = np.random.default_rng(1)
    with h5py.File(sys.argv[3], "r+") as file:
        rows = file["dataset/data"][:]
        for row in rows:
            samples = int(row["head"]["number_of_samples"])
            if row["head"]["flags"] >> 18 & 1:  # noise
                row["data"] = draw(random, samples, 1).view("f4").ravel()
            else:
                row["data"] = row["data"] + draw(random, samples, 1).view("f4").ravel()
        file["dataset/data"][:] = rows
        maps = file["dataset/SENSEMap"][:]
        maps = (maps["real"] + 1j * maps["imag"]).reshape(COILS, *maps.shape[-2:])
    np.save(sys.argv[4], draw(random, 3000, 1))
    np.save("least.npy", 1 / np.einsum("cyx,cd,dyx->yx", maps.conj(), np.linalg.inv(covariance), maps).real / maps[0].size)
else:
    images = [np.load(name).squeeze() for name in sys.argv[2:]]
    least = np.load("least.npy").sum()
    for name, image in zip(sys.argv[3:], images[1:]):
        print(f"{name}: {np.sqrt((abs(image - images[0]) ** 2).sum() / least):.4f}")
