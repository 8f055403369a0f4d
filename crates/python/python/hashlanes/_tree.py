"""Tree modes of files."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from hashlanes._files import path_name
from hashlanes._hashlanes import tree_digest, verify_proof

if TYPE_CHECKING:
    from typing_extensions import Buffer

AnyPath = str | os.PathLike[str]


class Tree:
    """Hashes a file by a tree mode: `hashlanes.tree(path, mode)`."""

    @staticmethod
    def verify_proof(
        proof: str | Buffer,
        *,
        root: str | Buffer,
        leaf: Buffer | None = None,
        index: int | None = None,
        n_leaves: int | None = None,
        new_root: str | Buffer | None = None,
    ) -> str:
        """Checks a proof of RFC 6962, as `hashlanes tree --prove` writes it; returns what it shows.

        `root` is the digest that is trusted, in bytes or hexadecimal digits. Of a proof of inclusion, `leaf` (its bytes), `index` or
        both say what is to be proved; of a proof of consistency, `root` is that of the older tree, `new_root` that of the newer one.
        Raises `FormatError` if it is no proof, `VerificationError` if it does not hold.
        """
        return verify_proof(proof, root=root, leaf=leaf, index=index, n_leaves=n_leaves, new_root=new_root)

    def __call__(
        self,
        path: AnyPath,
        mode: str,
        *,
        hash: str | None = None,
        block_size: int | None = None,
        salt: Buffer | None = None,
        part_size: int | None = None,
        leaf_size: int | None = None,
        limit: int | None = None,
        mix_in_length: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> str:
        """Returns the result for a file as the program's `hashlanes tree` prints it: hexadecimal digits, or s3-composite's text.

        Modes are `jlanes-v1-HASH-J`, `jpointers-v1-HASH-J`, `mh_sha1`, `mh_sha256`, `parallel_hash`, `fs-verity` and `dm-verity`
        (`hash`, `block_size`, `salt`), `bep52` (the root), `glacier`, `s3-composite` (`part_size`), `rfc6962` (`leaf_size`; without
        it, lines are leaves), `ssz` (`limit`, `mix_in_length`). Their results are not those of the plain hash.
        """
        parameters = {
            "hash": hash,
            "block_size": block_size,
            "salt": salt,
            "part_size": part_size,
            "leaf_size": leaf_size,
            "limit": limit,
            "mix_in_length": mix_in_length,
        }
        return tree_digest(path_name(path, "path"), mode, parameters, progress)


tree = Tree()
