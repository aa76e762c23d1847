# SPDX-License-Identifier: BSD-3-Clause
"""bad_inputs.py: arrays for `argand calibrate`, in the current folder: k-space, noise, echoes and trajectories, good ones and each with one
thing wrong."""
import numpy as np

random = np.random.default_rng(1)


def noise(*shape):
    return (random.normal(size=shape) + 1j * random.normal(size=shape)).astype("c8")


def with_one(array, value):
    changed = array.copy()
    changed.flat[3] = value
    return changed


k, n = noise(4, 24, 24), noise(4, 400)
e = np.stack([k, k * np.exp(-0.2j)])
t = np.concatenate([random.uniform(-12, 12, (500, 2)), np.zeros((500, 1))], axis=1).astype("c8")
dead = n.copy()
dead[2] = 0
covariance = n @ n.conj().T / 400
arrays = dict(k=k, k_nan=with_one(k, np.nan), k_zero=0 * k, k_real=k.real, n=n, n_inf=with_one(n, np.inf), n_dead=dead,
              n_square=n[:, :4], n_real=n.real, e=e, e_nan=with_one(e, np.nan), e_zero=0 * e, t=t, t_nan=with_one(t, np.nan),
              t_zero=0 * t, t_far=100 * t, t_near=t / 24, m=np.ones((24, 24)), m_small=np.ones((20, 24)), m_zero=np.zeros((24, 24)),
              m_nan=np.full((24, 24), np.nan), m_complex=1j * np.ones((24, 24)), c=covariance, c_skew=covariance + np.triu(covariance, 1))
for name, array in arrays.items():
    np.save(name + ".npy", np.ascontiguousarray(array))
