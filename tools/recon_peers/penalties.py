# SPDX-License-Identifier: BSD-3-Clause
"""The minimum of 1/2 |y - A x|^2 + weight R(x) in double precision, for the rows with a penalty.

R of each program is a Rule: total variation of first differences, or the l1 norm of wavelet coefficients by PyWavelets. The minimum comes from ADMM,
whose least-squares steps are conjugate gradients with A^H A as a convolution on the doubled grid. No program may find a value that is lower by more
than 1e-3: Minimum.error refuses that."""

import dataclasses

import numpy as np

OUTER, INNER = 250, 8  # iterations of ADMM, and of conjugate gradients inside


@dataclasses.dataclass(frozen=True)
class Differences:
    """Total variation: magnitudes of the differences along both axes, together (isotropic) or apart; a pixel has those to the pixels before, or to
    the pixels after it. wrap: the image continues periodically."""

    isotropic: bool
    wrap: bool
    after: bool = False

    def forward(self, x, xp):
        d = [xp.roll(x, -1, a) - x if self.after else x - xp.roll(x, 1, a) for a in (0, 1)]
        return xp.stack([self.inside(d[a], a) for a in (0, 1)])

    def adjoint(self, d, xp):
        d = [self.inside(d[a].copy(), a) for a in (0, 1)]
        return sum(xp.roll(d[a], 1, a) - d[a] if self.after else d[a] - xp.roll(d[a], -1, a) for a in (0, 1))

    def square(self, x, xp):
        return self.adjoint(self.forward(x, xp), xp)

    def inside(self, d, axis):
        """Without the difference across the border."""
        if not self.wrap:
            edge = -1 if self.after else 0
            d[(edge,) if axis == 0 else (slice(None), edge)] = 0
        return d

    def size(self, d, xp):
        return xp.sqrt((abs(d) ** 2).sum(0)) if self.isotropic else abs(d)

    def shrink(self, d, t, xp):
        s = self.size(d, xp)
        return d * (xp.maximum(s - t, 0) / xp.maximum(s, 1e-300))

    def value(self, d, xp):
        return float(self.size(d, xp).sum())


@dataclasses.dataclass(frozen=True)
class Wavelet:
    """l1 of the coefficients of Daubechies' wavelets of 4 taps, on a grid that does not move. coarse: also of the coarsest ones; shift: the image is
    moved by so many pixels before."""

    levels: int
    coarse: bool
    mode: str = "periodization"
    shift: int = 0
    name: str = "db2"

    def forward(self, x, xp):
        import pywt

        parts = pywt.wavedec2(np.roll(on_host(x), (self.shift, self.shift), (0, 1)), self.name, self.mode, self.levels)
        return Parts([xp.asarray(parts[0]), *(xp.asarray(p) for level in parts[1:] for p in level)])

    def adjoint(self, c, xp):
        import pywt

        host = [on_host(p) for p in c.parts]
        x = pywt.waverec2([host[0], *(tuple(host[i : i + 3]) for i in range(1, len(host), 3))], self.name, self.mode)
        return xp.asarray(np.roll(x, (-self.shift, -self.shift), (0, 1)))

    def square(self, x, xp):
        return x

    def shrink(self, c, t, xp):
        return Parts([p if i == 0 and not self.coarse else p * (xp.maximum(abs(p) - t, 0) / xp.maximum(abs(p), 1e-300)) for i, p in enumerate(c.parts)])

    def value(self, c, xp):
        return float(sum(abs(p).sum() for p in c.parts[0 if self.coarse else 1 :]))


def levels(n):
    """Levels of BART's wavelets: while there are 16 or more coefficients."""
    count = 0
    while n >= 16:
        n, count = (n + 3) // 2, count + 1
    return count


@dataclasses.dataclass
class Parts:
    """Arrays of different shapes, added and subtracted together."""

    parts: list

    def __add__(self, other):
        return Parts([a + b for a, b in zip(self.parts, other.parts, strict=True)])

    def __sub__(self, other):
        return Parts([a - b for a, b in zip(self.parts, other.parts, strict=True)])

    def __mul__(self, factor):
        return Parts([a * factor for a in self.parts])


def on_host(x):
    return x.get() if hasattr(x, "get") else x


class Gram:
    """A^H A of coil maps and a NUFFT as a convolution on the doubled grid, and A^H y."""

    def __init__(self, model, data, xp):
        from cases import Sums

        c, self.xp = model.c, xp
        n, double = c.shape, tuple(2 * s for s in c.shape)
        # exp(-2 pi i k r / n) at the pixels of the doubled grid: the same positions, in cycles per doubled field of view
        kernel = Sums(2 * model.c.points, double).adjoint(np.ones((1, model.w.size), complex))[0]
        self.kernel, self.maps, self.n = xp.fft.fftn(xp.fft.ifftshift(xp.asarray(kernel))).real, xp.asarray(c.maps.astype(complex)), n
        self.right, self.square = xp.asarray(model.adjoint(data)), float(np.linalg.norm(data) ** 2)

    def __call__(self, x):
        y = self.xp.fft.fftn(self.maps * x, [2 * s for s in self.n], axes=(1, 2))
        return (self.maps.conj() * self.xp.fft.ifftn(self.kernel * y, axes=(1, 2))[:, : self.n[0], : self.n[1]]).sum(0)

    def fit(self, x):
        """1/2 |y - A x|^2."""
        xp = self.xp
        return 0.5 * float(xp.vdot(x, self(x)).real) - float(xp.vdot(x, self.right).real) + 0.5 * self.square


def conjugate(normal, b, x, xp, tolerance, most):
    """Conjugate gradients from x."""
    r = b - normal(x)
    p, square, goal = r.copy(), float(xp.vdot(r, r).real), tolerance**2 * float(xp.vdot(b, b).real)
    for _ in range(most):
        if square <= goal:
            break
        q = normal(p)
        step = square / float(xp.vdot(p, q).real)
        x, r = x + step * p, r - step * q
        new = float(xp.vdot(r, r).real)
        p, square = r + new / square * p, new
    return x


class Minimum:
    """The image that minimises the sum, and what tells others' distance from it."""

    def __init__(self, gram, rule, weight, iterations=OUTER, image=None):
        self.gram, self.rule, self.weight = gram, rule, weight
        self.image = gram.xp.asarray(image) if image is not None else self.solve(iterations)
        self.value = self.objective(self.image)

    def objective(self, x):
        return self.gram.fit(x) + self.weight * self.rule.value(self.rule.forward(x, self.gram.xp), self.gram.xp)

    def solve(self, iterations):
        """ADMM; rho follows the ratio of its two residuals."""
        xp, rule = self.gram.xp, self.rule
        x = conjugate(self.gram, self.gram.right, 0 * self.gram.right, xp, 1e-3, 20)
        z = rule.forward(x, xp)
        u, rho = z * 0.0, self.weight / (0.1 * float(abs(x).max()))
        for k in range(iterations):
            b = self.gram.right + rho * rule.adjoint(z - u, xp)
            x = conjugate(lambda v: self.gram(v) + rho * rule.square(v, xp), b, x, xp, 1e-9, INNER)
            g, before = rule.forward(x, xp), z
            z = rule.shrink(g + u, self.weight / rho, xp)
            u = u + g - z
            primal, dual = (float(xp.linalg.norm(rule.adjoint(d, xp))) for d in (g - z, z - before))
            if k < iterations // 2 and k % 10 == 9 and not 0.2 < primal / max(dual, 1e-300) < 5:
                factor = 2.0 if primal > dual else 0.5
                rho, u = rho * factor, u * (1 / factor)
        return x

    def gap(self, found):
        """How far the objective is above the minimum, relative to it."""
        return self.objective(self.gram.xp.asarray(np.asarray(found).reshape(self.image.shape).astype(complex))) / self.value - 1

    def error(self, found):
        """The relative distance from the minimum's image, and the gap."""
        gap = self.gap(found)
        assert gap > -1e-3, f"the minimum in double precision is {-gap:.1e} too high"
        wanted = on_host(self.image)
        return float(np.linalg.norm(np.asarray(found).reshape(wanted.shape) - wanted) / np.linalg.norm(wanted)), gap
