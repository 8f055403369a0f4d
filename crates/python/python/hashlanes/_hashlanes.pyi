"""The native module."""

import os
from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol, TypedDict, TypeVar, final, overload

from typing_extensions import Buffer

class _NumpyArray(Protocol):
    """An array of NumPy, whose types have no buffer before Python 3.12."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...

__version__: str

_Data = Buffer | _NumpyArray
_Out = TypeVar("_Out", bound=_Data)

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

_Values = _ArrowArray | _ArrowStream | _Data

@final
class HASH:
    """A hash object: takes a message in parts."""

    @property
    def name(self) -> str: ...
    @property
    def block_size(self) -> int: ...
    @property
    def digest_size(self) -> int: ...
    def update(self, data: _Data, /) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...
    def copy(self) -> HASH: ...

class FormatError(ValueError):
    """Data that is not of the format that it should be of."""

class VerificationError(ValueError):
    """A signature, a proof or a sealed message that does not hold."""

class _Named(TypedDict):
    name: os.PathLike[str] | None
    number: int
    digests: list[tuple[str, bytes]]

def aegis_seal(
    key: _Data, nonce: _Data, message: _Data, associated_data: _Data | None = None, *, tag_bytes: int = 32
) -> bytes: ...
def aegis_open(
    key: _Data, nonce: _Data, sealed: _Data, associated_data: _Data | None = None, *, tag_bytes: int = 32
) -> bytes: ...
def xmss_verify(public_key: _Data, message: _Data, signature: _Data) -> None: ...
def xmss_verify_file(
    public_key: _Data,
    path: str | os.PathLike[str],
    signature: _Data,
    *,
    progress: Callable[[int], object] | None = None,
) -> None: ...
def tree_digest(
    path: str, mode: str, parameters: dict[str, Any], progress: Callable[[int], object] | None
) -> str: ...
def verify_proof(
    proof: str | _Data,
    *,
    root: str | _Data,
    leaf: _Data | None = None,
    index: int | None = None,
    n_leaves: int | None = None,
    new_root: str | _Data | None = None,
) -> str: ...
def read_list(path: str, algorithm: str | None) -> list[_Named]: ...
def audit_files(
    manifest: str, paths: list[str] | None, progress: Callable[[int], object] | None
) -> dict[str, Any]: ...
def algorithm_names() -> list[str]: ...
def new(name: str, data: _Data = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sha1(data: _Data = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sha224(data: _Data = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sha256(data: _Data = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sha384(data: _Data = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sha512(data: _Data = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sha512_224(data: _Data = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sha512_256(data: _Data = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sha256_digest(data: _Data, /) -> bytes: ...
def sha256_hexdigest(data: _Data, /) -> str: ...
def hmac_sha256(key: _Data, data: _Data, /) -> bytes: ...
def pbkdf2_hmac(
    hash_name: str, password: _Data, salt: _Data, iterations: int, dklen: int | None = None
) -> bytes: ...
def digest_files(
    paths: list[str], algorithm: str, progress: Callable[[int], object] | None
) -> list[bytes | OSError]: ...
@overload
def sha256_many(messages: Iterable[_Data], *, out: None = None) -> list[bytes]: ...
@overload
def sha256_many(messages: Iterable[_Data], *, out: _Out) -> _Out: ...
@final
class Column:
    """Digests of a column, as an Arrow array."""

    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...

@overload
def sha256_column(
    values: _Values,
    *,
    out: None = None,
    encoding: Literal["binary", "hex", "base64"] = "binary",
    key: _Data | None = None,
    prefix: _Data | None = None,
) -> Column: ...
@overload
def sha256_column(
    values: _Values,
    *,
    out: _Out,
    encoding: Literal["binary", "hex", "base64"] = "binary",
    key: _Data | None = None,
    prefix: _Data | None = None,
) -> _Out: ...
