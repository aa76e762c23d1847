# SPDX-License-Identifier: BSD-3-Clause
"""Small ONNX models as bytes, written field by field: no package is needed."""

from __future__ import annotations

import struct
from collections.abc import Sequence

Dims = Sequence[int | str]


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _field(number: int, value: int | bytes | str) -> bytes:
    """A field of a protobuf message: a varint, or bytes with their length."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _value(name: str, dims: Dims, kind: int = 1) -> bytes:
    """An input or output of floats; a dimension that is a text is free."""
    shape = b"".join(_field(1, _field(1, d) if isinstance(d, int) else _field(2, d)) for d in dims)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def tensor(name: str, dims: Sequence[int], numbers: Sequence[float]) -> bytes:
    """A constant of floats."""
    raw = struct.pack(f"<{len(numbers)}f", *numbers)
    return b"".join(_field(1, d) for d in dims) + _field(2, 1) + _field(8, name) + _field(9, raw)


def node(kind: str, inputs: Sequence[str], outputs: Sequence[str], **attributes: int | Sequence[int]) -> bytes:
    """An operator; attributes are integers or lists of them."""
    out = b"".join(_field(1, x) for x in inputs) + b"".join(_field(2, x) for x in outputs) + _field(4, kind)
    for name, value in attributes.items():
        if isinstance(value, int):
            out += _field(5, _field(1, name) + _field(3, value) + _field(20, 2))
        else:
            out += _field(5, _field(1, name) + b"".join(_field(8, v) for v in value) + _field(20, 7))
    return out


def model(nodes: Sequence[bytes], constants: Sequence[bytes], inputs: dict[str, Dims], output: Dims, *, kind: int = 1) -> bytes:
    """A model whose output is "y"."""
    graph = b"".join(_field(1, n) for n in nodes) + _field(2, "model") + b"".join(_field(5, c) for c in constants)
    graph += b"".join(_field(11, _value(name, dims, kind)) for name, dims in inputs.items()) + _field(12, _value("y", output, kind))
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 13))


FREE: Dims = ("n", 1, "h", "w")
PAIR: Dims = ("n", 2, "h", "w")


def shrink(factor: float, dims: Dims = FREE) -> bytes:
    """y = factor x."""
    return model([node("Mul", ["x", "f"], ["y"])], [tensor("f", [1], [factor])], {"x": dims}, dims)


def soft(level: Dims | None = ()) -> bytes:
    """Soft threshold of complex numbers in two channels: y = x relu(1 - level^2 / |x|); level None: 0.01 in place of level^2."""
    nodes = [node("ReduceL2", ["x"], ["r"], axes=[1], keepdims=1), node("Max", ["r", "tiny"], ["s"]),
             node("Mul", ["level", "level"], ["t"]), node("Div", ["t", "s"], ["q"]), node("Sub", ["one", "q"], ["d"]),
             node("Relu", ["d"], ["e"]), node("Mul", ["x", "e"], ["y"])]  # fmt: skip
    constants = [tensor("tiny", [1], [1e-30]), tensor("one", [1], [1.0])]
    if level is None:
        return model(nodes, [*constants, tensor("level", [1], [0.1])], {"x": PAIR}, PAIR)
    return model(nodes, constants, {"x": PAIR, "level": level}, PAIR)


def smooth(weights: Sequence[float]) -> bytes:
    """A convolution with 3 x 3 weights, zeros outside."""
    conv = node("Conv", ["x", "k"], ["y"], kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    return model([conv], [tensor("k", [1, 1, 3, 3], weights)], {"x": FREE}, FREE)


def blocks(size: int) -> bytes:
    """The mean of each block of size x size pixels, in all of its pixels; the rest of a row is cut away."""
    nodes = [node("AveragePool", ["x"], ["m"], kernel_shape=[size, size], strides=[size, size]),
             node("ConvTranspose", ["m", "k"], ["y"], kernel_shape=[size, size], strides=[size, size])]  # fmt: skip
    return model(nodes, [tensor("k", [1, 1, size, size], [1.0] * size**2)], {"x": FREE}, ("n", 1, "u", "v"))


def with_map() -> bytes:
    """y = (1 - map) x, the map of the level of noise as second channel."""
    nodes = [node("Split", ["x"], ["a", "b"], axis=1), node("Sub", ["one", "b"], ["c"]), node("Mul", ["a", "c"], ["y"])]
    return model(nodes, [tensor("one", [1], [1.0])], {"x": PAIR}, FREE)


def volume() -> bytes:
    """y = 0.8 x for volumes, one at once."""
    return shrink(0.8, (1, 1, "d", "h", "w"))


def haar(gain: float) -> bytes:
    """Soft threshold of details of size 2, averaged over all shifts; the threshold is `gain` times the level of noise."""
    kernel = [0.5 * v for row in ((1, 1, 1, 1), (1, -1, 1, -1), (1, 1, -1, -1), (1, -1, -1, 1)) for v in row]
    nodes = [node("Conv", ["x", "k"], ["a"], kernel_shape=[2, 2], pads=[1, 1, 1, 1]), node("Mul", ["level", "gain"], ["t"]),
             node("Sub", ["a", "t"], ["b"]), node("Relu", ["b"], ["c"]), node("Neg", ["a"], ["d"]), node("Sub", ["d", "t"], ["e"]),
             node("Relu", ["e"], ["f"]), node("Sub", ["c", "f"], ["g"]), node("ConvTranspose", ["g", "q"], ["y"], kernel_shape=[2, 2], pads=[1, 1, 1, 1])]  # fmt: skip
    constants = [tensor("k", [4, 1, 2, 2], kernel), tensor("q", [4, 1, 2, 2], [v / 4 for v in kernel]), tensor("gain", [1, 4, 1, 1], [0.0, gain, gain, gain])]
    return model(nodes, constants, {"x": FREE, "level": ()}, FREE)
