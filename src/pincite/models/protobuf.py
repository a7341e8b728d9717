"""The few parts of an ONNX model that graphs built by hand need, written in protobuf's wire format.

The package onnx would bring 31 MB for this. Field numbers are those of onnx.proto (IR version 8); the wire format
is that of the protobuf documentation, "Encoding". A test reads the result with onnx and checks it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import DTypeLike

FLOAT, INT32 = 1, 6
_KINDS = {"float32": FLOAT, "uint8": 2, "int8": 3}

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_EXTERNAL = 1
_ATTRIBUTE_FLOAT, _ATTRIBUTE_INT, _ATTRIBUTE_INTS = 1, 2, 7


def model(graph: bytes, opsets: Sequence[tuple[str, int]]) -> bytes:
    """A ModelProto; `opsets` are (domain, version)."""
    imports = b"".join(_message(8, _text(1, domain) + _number(2, version)) for domain, version in opsets)
    return _number(1, 8) + imports + _message(7, graph)


def graph(
    name: str, nodes: Sequence[bytes], inputs: Sequence[bytes], outputs: Sequence[bytes], initialisers: Sequence[bytes]
) -> bytes:
    """A GraphProto of nodes, values and external tensors made by the functions below."""
    parts = [_message(1, node) for node in nodes]
    parts.append(_text(2, name))
    parts += [_message(5, tensor) for tensor in initialisers]
    parts += [_message(11, value) for value in inputs]
    parts += [_message(12, value) for value in outputs]
    return b"".join(parts)


def node(
    operator: str, inputs: Sequence[str], outputs: Sequence[str], *, domain: str = "", **attributes: float | list[int]
) -> bytes:
    """A NodeProto; attributes are ints, floats or lists of ints, none of the ints negative."""
    parts = [_text(1, name) for name in inputs] + [_text(2, name) for name in outputs]
    parts.append(_text(4, operator))
    parts += [_message(5, _attribute(name, value)) for name, value in sorted(attributes.items())]
    return b"".join(parts) + (_text(7, domain) if domain else b"")


def value(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    """A ValueInfoProto: a tensor of FLOAT or INT32 whose dimensions are numbers or names."""
    sizes = [_number(1, size) if isinstance(size, int) else _text(2, size) for size in shape]
    dimensions = b"".join(_message(1, size) for size in sizes)
    tensor = _number(1, kind) + _message(2, dimensions)
    return _text(1, name) + _message(2, _message(1, tensor))


def external_tensor(name: str, shape: Sequence[int], kind: DTypeLike = "float32") -> bytes:
    """A TensorProto of numbers of a numpy type that are handed in by name when the model is opened."""
    dims = b"".join(_number(1, size) for size in shape)
    location = _message(13, _text(1, "location") + _text(2, "handed-in"))
    return dims + _number(2, _KINDS[np.dtype(kind).name]) + _text(8, name) + location + _number(14, _EXTERNAL)


def raw_tensors(model: bytes, names: Sequence[str]) -> dict[str, bytes]:
    """The numbers of those initialisers of a serialised ModelProto that have these names, as they are packed: little
    endian, of scalars of whole numbers as a varint. ValueError where it is none."""
    found = {}
    try:
        graph = next(content for field, content in _fields(memoryview(model)) if field == 7)
        for field, content in _fields(graph):
            if field == 5:
                tensor = dict(_fields(content))
                if (name := bytes(tensor.get(8, b"")).decode()) in names:
                    found[name] = bytes(next(tensor[field] for field in (9, 5, 4) if field in tensor))
    except (IndexError, StopIteration) as error:
        raise ValueError("no ONNX model") from error
    return found


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """The fields of a message that hold bytes, numbers passed over."""
    position = 0
    while position < len(message):
        tag, position = _read_varint(message, position)
        wire_type = tag & 7
        if wire_type == _VARINT:
            _, position = _read_varint(message, position)
            continue
        length = {_FIXED32: 4, _FIXED64: 8}.get(wire_type)
        if length is None:
            length, position = _read_varint(message, position)
        if wire_type == _BYTES:
            yield tag >> 3, message[position : position + length]
        position += length


def _read_varint(message: memoryview, position: int) -> tuple[int, int]:
    """A number, and the place behind it."""
    given = shift = 0
    while True:
        byte = message[position]
        given |= (byte & 0x7F) << shift
        position, shift = position + 1, shift + 7
        if byte < 0x80:
            return given, position


def _attribute(name: str, given: float | list[int]) -> bytes:
    if isinstance(given, list):
        return _text(1, name) + b"".join(_number(8, item) for item in given) + _number(20, _ATTRIBUTE_INTS)
    if isinstance(given, int):
        return _text(1, name) + _number(3, given) + _number(20, _ATTRIBUTE_INT)
    return _text(1, name) + _tag(2, _FIXED32) + struct.pack("<f", given) + _number(20, _ATTRIBUTE_FLOAT)


def _number(field: int, given: int) -> bytes:
    return _tag(field, _VARINT) + _varint(given)


def _text(field: int, given: str) -> bytes:
    return _message(field, given.encode())


def _message(field: int, content: bytes) -> bytes:
    return _tag(field, _BYTES) + _varint(len(content)) + content


def _tag(field: int, wire_type: int) -> bytes:
    return _varint(field << 3 | wire_type)


def _varint(given: int) -> bytes:
    """Seven bits a byte, the lowest first; a set high bit says that more follow. `given` is not negative."""
    out = bytearray()
    while given > 0x7F:
        out.append(given & 0x7F | 0x80)
        given >>= 7
    out.append(given)
    return bytes(out)
