"""Hashes one message or many at once, as fast as the CPU can, with standard results."""

from hashlanes import aegis, xmss
from hashlanes._files import file_digest, sum
from hashlanes._hashlanes import (
    HASH,
    Column,
    FormatError,
    VerificationError,
    __version__,
    algorithm_names,
    hmac_sha256,
    new,
    pbkdf2_hmac,
    sha1,
    sha224,
    sha256,
    sha256_column,
    sha256_digest,
    sha256_hexdigest,
    sha256_many,
    sha384,
    sha512,
    sha512_224,
    sha512_256,
)
from hashlanes._lists import Audit, Checked, audit, check
from hashlanes._tree import tree

algorithms_guaranteed = frozenset(algorithm_names())
"""Names that `new` accepts, on every machine."""

algorithms_available = algorithms_guaranteed
"""Names that `new` accepts: the same, as no hash depends on the machine."""

__all__ = [
    "HASH",
    "Audit",
    "Checked",
    "Column",
    "FormatError",
    "VerificationError",
    "__version__",
    "aegis",
    "algorithms_available",
    "algorithms_guaranteed",
    "audit",
    "check",
    "file_digest",
    "hmac_sha256",
    "new",
    "pbkdf2_hmac",
    "sha1",
    "sha224",
    "sha256",
    "sha256_column",
    "sha256_digest",
    "sha256_hexdigest",
    "sha256_many",
    "sha384",
    "sha512",
    "sha512_224",
    "sha512_256",
    "sum",
    "tree",
    "xmss",
]

del algorithm_names
