# SPDX-License-Identifier: BSD-3-Clause
"""What operators and plans were made of: with that, another process makes them anew (pickle, multiprocessing, Dask)."""

from __future__ import annotations

import functools
import inspect
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from . import _arrays
from ._library import Held, not_sent

Init = TypeVar("Init", bound=Callable[..., None])
Kind = TypeVar("Kind")


class Recipe:
    """A function and its arguments, which are as they were at the call: arrays are copies, operators are their recipes, so that nothing here
    refers to the operator that was made."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...] = (), options: dict[str, Any] | None = None) -> None:
        self._function = function
        self._arguments = tuple(_kept(x) for x in arguments)
        self._options = {name: _kept(x) for name, x in (options or {}).items()}
        self._made: weakref.ref[Any] | None = None

    def __reduce__(self) -> Any:
        options = {name: _sent(x) for name, x in self._options.items()}
        return Recipe, (self._function, tuple(_sent(x) for x in self._arguments), options)

    def bytes(self) -> int:
        """The memory of copies of arrays."""
        sizes = [getattr(x, "nbytes", 0) for x in (*self._arguments, *self._options.values())]
        return sum(n for n in sizes if isinstance(n, int))

    def make(self) -> Any:
        """The object; the same one for all that share it, so that parts are shared as they were."""
        made = self._made() if self._made is not None else None
        if made is None:
            parts, options = [_made(x) for x in self._arguments], {name: _made(x) for name, x in self._options.items()}
            made = self._function(*parts, **options)
            self._made = weakref.ref(made)
        return made


class Fetched:
    """An array of the library's own, which is brought to NumPy when it is asked for."""

    def __init__(self, handle: Any, device: Any) -> None:
        self._handle, self._device = handle, device

    def numpy(self) -> np.ndarray[Any, Any]:
        with self._device.turn:
            return _arrays.fetch(self._handle)


def _kept(x: Any) -> Any:
    """An argument that later changes of the caller's arrays do not reach."""
    if isinstance(x, Held):
        return recipe_of(x)
    if isinstance(x, (list, tuple)):
        return type(x)(_kept(one) for one in x) if type(x) in (list, tuple) else x
    if not isinstance(x, np.ndarray) and _arrays.foreign(x) is None and not _arrays.is_foreign(x):
        return x
    seen = _arrays.operand(x)
    if seen.space.is_host:
        return np.array(seen.space.host(seen.array))
    return seen.array.clone() if hasattr(seen.array, "clone") else seen.array.copy()


def _sent(x: Any) -> Any:
    """As another process takes it: arrays are NumPy's."""
    if isinstance(x, Fetched):
        return x.numpy()
    if type(x) in (list, tuple):
        return type(x)(_sent(one) for one in x)
    if _arrays.is_on_gpu(x):
        return x.cpu().numpy() if hasattr(x, "cpu") else x.get()
    return x


def _made(x: Any) -> Any:
    if isinstance(x, Recipe):
        return x.make()
    return x.numpy() if isinstance(x, Fetched) else x


def recipe_of(held: Any) -> Recipe:
    """Of an operator or a plan; those that have none refuse to be pickled, in words of their own."""
    found = getattr(held, "_recipe", None)
    if not isinstance(found, Recipe):
        return Unknown(held)
    return found


class Unknown(Recipe):
    """Of what cannot be made anew: it says so when it is pickled, not before."""

    def __init__(self, held: Any) -> None:
        super().__init__(type(held))
        self._why = not_sent(held)

    def __reduce__(self) -> Any:
        raise TypeError(self._why)


def remembered(init: Init) -> Init:
    """An __init__ whose arguments are kept. A class that is derived has arguments of its own, and has no recipe."""
    names = inspect.signature(init).parameters

    @functools.wraps(init)
    def remember(self: Any, *arguments: Any, **options: Any) -> None:
        init(self, *arguments, **options)
        if type(self).__init__ is not remember or getattr(self, "_recipe", None) is not None:
            return
        bound = inspect.signature(init).bind(self, *arguments, **options) if "device" in names else None
        if bound is not None:
            bound.arguments["device"] = self.device
            arguments, options = bound.args[1:], bound.kwargs
        self._recipe = Recipe(type(self), arguments, options)

    return remember  # type: ignore[return-value]


def once(kind: type[Kind], *arguments: Any, **options: Any) -> Kind:
    """An object for one call: its arguments are not kept."""
    made = kind.__new__(kind)
    init: Any = kind.__init__
    init.__wrapped__(made, *arguments, **options)
    return made
