# SPDX-License-Identifier: BSD-3-Clause
"""How BART solves the cases: its library inside bartorch, whose NUFFT is FINUFFT (cuFINUFFT) and whose FFT is PyTorch's MKL."""

import os

import numpy as np

STEPS = (5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 1000)


def version():
    import bartorch
    import torch

    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    bartorch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    return f"BART {bartorch.bart_version().lstrip('v')} (bartorch {bartorch.__version__})"


def ways(c, device):
    import bartorch

    if device != "cpu" and not bartorch.cuda_available():
        raise RuntimeError("bartorch has no CUDA library here (bartorch-cuda13)")
    return {
        "grid": grid, "sense": sense, "field": field, "exact": missing, "tv": penalty, "tv-anisotropic": penalty, "wavelet": penalty, "forward": transform,
        "adjoint": transform, "normal": normal, "espirit": espirit, "subspace": subspace,
    }[c.kind](c, device)  # fmt: skip


def missing(c, device):
    raise NotImplementedError("there is no exact DFT")


def tensor(x, device, dtype=np.complex64):
    import torch

    return torch.from_numpy(np.ascontiguousarray(x, dtype)).to("cuda" if device != "cpu" else "cpu")


def trajectory(c, device):
    """(shots, samples, 3), x first."""
    k = c.points.reshape(-1, *c.points.shape[-2:])[..., ::-1]
    return tensor(np.concatenate([k, np.zeros((*k.shape[:-1], 3 - k.shape[-1]))], -1), device, np.float32)


def accuracies():
    """Settings of FINUFFT: bartorch's own, then tighter ones."""
    from bartorch import _finufft

    for tolerance, upsampling in ((1e-3, 1.25), (3e-4, 1.25), (1e-4, 1.25), (3e-5, 1.25), (1e-4, 2.0), (3e-5, 2.0), (1e-5, 2.0)):

        def use(t=tolerance, u=upsampling):
            _finufft.use_in_tools(True, t, u)

        yield f"FINUFFT {tolerance:g}, oversampling {upsampling:g}", use


def root(c):
    return np.sqrt(c.weights)


def scale(c):
    """BART's transforms are unitary on a grid: 1/sqrt(N) here."""
    return np.float32(np.sqrt(np.prod(c.shape)))


def encoding(c, device, batch):
    from bartorch import linop

    weights = None if c.weights is None else tensor(root(c), device, np.float32)
    return linop.NoncartesianSense(tensor(c.maps, device), c.shape, traj=trajectory(c, device), weights=weights, coil_batch=batch)


def weighted(c, device):
    return tensor(c.data * (1 if c.weights is None else root(c)), device)


def grid(c, device):
    from bartorch import linop, optim

    def solve(batch):
        e = linop.CartesianSense(tensor(c.maps, device), c.shape, pattern=tensor(c.mask, device, np.float32), coil_batch=batch)
        return optim.CG(maxiter=c.iterations)(tensor(c.data, device), e).cpu().numpy()

    for batch in (len(c.maps), 1):
        yield f"coil batch {batch}", lambda b=batch: lambda: solve(b), batch


def sense(c, device):
    from bartorch import optim

    def make(use, batch):
        use()
        return lambda: optim.CG(maxiter=c.iterations)(weighted(c, device), encoding(c, device, batch)).cpu().numpy() / scale(c)

    for batch in (len(c.maps), 1):
        for name, use in accuracies():
            yield f"Toeplitz, coil batch {batch}, {name}", lambda u=use, b=batch: make(u, b), batch


def field(c, device):
    """The factors that are given to SigPy; its own, which are mri-nufft's."""
    import cases
    from bartorch import linop, optim

    def make(use, batch, segments, own):
        use()

        def run():
            if own:
                hz, t = tensor(-c.field / (2 * np.pi), device, np.float32), tensor(c.times, device, np.float32)
                a = linop.FieldCorrected(encoding(c, device, batch), hz, t, segments=segments)
            else:
                b, f = cases.segments(c.times, c.field, segments)
                factors = tensor(b[:, None], device), tensor(f, device)
                a = linop.FieldCorrected(encoding(c, device, batch), coefficients=factors)
            return optim.CG(maxiter=c.iterations)(weighted(c, device), a).cpu().numpy() / scale(c)

        return run

    for own in (False, True):
        for batch in (len(c.maps), 1):
            for name, use in list(accuracies())[:6]:
                for segments in (7, 9, 11):
                    words = f"{segments} segments by {'mri-nufft' if own else 'least squares'}, coil batch {batch}, {name}"
                    yield words, lambda u=use, b=batch, s=segments, o=own: make(u, b, s, o), (own, batch)


def penalty(c, device):
    """Weights count in units of data divided by `unit`, and of unitary transforms. The wavelets' grid does not move, as in SigPy."""
    import penalties
    from bartorch import apps, priors

    if c.kind == "tv-anisotropic":
        raise NotImplementedError("its total variation is isotropic")
    c.rule = penalties.Differences(True, True, after=True) if c.kind == "tv" else penalties.Wavelet(penalties.levels(c.shape[0]), True, "symmetric")
    unit = float(abs(c.data).max())
    weight = c.weight / (unit * float(scale(c)))
    term = priors.TotalVariation((-1, -2), weight) if c.kind == "tv" else priors.Wavelet((-1, -2), weight, randshift=False)
    eigen = {"eigen_step": True} if c.kind == "wavelet" else {}

    def solve(steps):
        traj, y, maps = trajectory(c, device), tensor(c.data, device), tensor(c.maps, device)
        x = apps.pics(y, maps, traj=traj, regularizers=term, maxiter=steps, scaling=unit, **eigen)
        return x.cpu().numpy() / scale(c)

    for steps in STEPS:
        yield f"{'ADMM' if c.kind == 'tv' else 'FISTA'}, {steps} iterations", lambda n=steps: lambda: solve(n)


def transform(c, device):
    from bartorch import linop

    forward = c.kind == "forward"

    def make(use):
        use()
        a = linop.NUFFT(trajectory(c, device), (len(c.data), *c.shape))
        factor = scale(c)
        if forward:
            x = tensor(c.data, device)
            return lambda: a(x) * factor
        y = tensor(c.data, device)
        return lambda: a.adjoint(y) * factor

    for name, use in accuracies():
        yield name, lambda u=use: make(u)


def normal(c, device):
    def make(use, batch):
        use()
        a, x, factor = encoding(c, device, batch).normal, tensor(c.data, device), scale(c) ** 2
        return lambda: a(x) * factor

    for batch in (len(c.maps), 1):
        for name, use in accuracies():
            yield f"coil batch {batch}, {name}", lambda u=use, b=batch: make(u, b), batch


def espirit(c, device):
    import bartorch.tools as bt

    yield "ecalib", lambda: lambda: bt.ecalib(tensor(c.data, device)[:, None], maps=1, crop=0.0, calib_size=24).cpu().numpy().reshape(c.maps.shape)


def subspace(c, device):
    from bartorch import linop, optim

    def make(use, batch):
        use()

        def run():
            traj = trajectory(c, device)[:, None]
            a = linop.NoncartesianSense(tensor(c.maps, device), (len(c.basis), *c.shape), traj=traj, basis=tensor(c.basis, device), coil_batch=batch)
            y = tensor(c.data[:, :, None], device)
            return optim.CG(maxiter=c.iterations)(y, a).cpu().numpy().reshape(c.wanted.shape) / scale(c)

        return run

    for batch in (len(c.maps), 1):
        for name, use in list(accuracies())[:4]:
            yield f"coil batch {batch}, {name}", lambda u=use, b=batch: make(u, b), batch
