"""CPython's own tests of hashlib and hmac, run against this package.

Both test modules are those of the Python that runs this. They use `hashlib` by the name of their global variable and `hmac`
by way of its own, so both are replaced while a test runs.
"""

import hmac
import unittest
from unittest import mock

import hashlanes
import pytest

of_hashlib = pytest.importorskip("test.test_hashlib", reason="Python is installed without its tests")
of_hmac = pytest.importorskip("test.test_hmac", reason="Python is installed without its tests")

OTHER_HASHES = "tests MD5, BLAKE2, SHA-3 or SHAKE, which this package does not have"
INTERNALS = "tests the inside of hashlib or of _hashlib"

NOT_APPLICABLE = {
    "test_algorithms_guaranteed": "compares with the full list of hashlib's hashes",
    "test_readonly_types": "before Python 3.14, the stable ABI has no immutable types",
    "test_usedforsecurity_true": OTHER_HASHES,
    "test_usedforsecurity_false": OTHER_HASHES,
    "test_scrypt": "scrypt is not a hash of this package",
    "test_get_builtin_constructor": INTERNALS,
    "test_hash_disallow_instantiation": INTERNALS,
    "test_get_fips_mode": INTERNALS,
    "test_with_fallback": INTERNALS,
    "test_internal_types": INTERNALS,
    "test_realcopy_hmac": INTERNALS,
    "test_with_sha256_module": INTERNALS,
    "test_openssl_compare_digest": INTERNALS,
    "test_md5_vectors": OTHER_HASHES,
}
OTHER_HASHES_IN_NAME = ("blake2", "sha3", "shake", "md5")


def applies(name: str) -> bool:
    return name not in NOT_APPLICABLE and not any(other in name for other in OTHER_HASHES_IN_NAME)


def applicable(case: type[unittest.TestCase]) -> type[unittest.TestCase]:
    """The class without the tests that do not apply."""
    for name in unittest.TestLoader().getTestCaseNames(case):
        if not applies(name):
            setattr(case, name, None)
    return case


def replaced(case: unittest.TestCase, module, **names) -> None:
    patch = mock.patch.multiple(module, **names)
    patch.start()
    case.addCleanup(patch.stop)


@applicable
class HashlibTests(of_hashlib.HashLibTestCase):
    supported_hash_names = tuple(hashlanes.algorithms_available) + tuple(
        name.upper() for name in hashlanes.algorithms_available
    )

    def __init__(self, *arguments):
        def constructors(name):
            by_name = lambda *data, **options: hashlanes.new(name, *data, **options)
            return {getattr(hashlanes, name), by_name}

        unittest.TestCase.__init__(self, *arguments)
        self._hashlib = None
        self.constructors_to_test = {name: constructors(name) for name in hashlanes.algorithms_available}

    def setUp(self):
        replaced(self, of_hashlib, hashlib=hashlanes)

    # Two tests of all hashes call these for each; MD5 is among them.
    def check_blocksize_name(self, name, *sizes):
        if name in hashlanes.algorithms_available:
            super().check_blocksize_name(name, *sizes)

    def check_no_unicode(self, name):
        if name in hashlanes.algorithms_available:
            super().check_no_unicode(name)


@applicable
class KeyDerivationTests(of_hashlib.KDFTests):
    def setUp(self):
        names = hashlanes.algorithms_available
        replaced(
            self, of_hashlib, hashlib=hashlanes, openssl_hashlib=hashlanes, openssl_md_meth_names=names
        )


class HmacTests:
    """Has `hmac` take every hash from this package."""

    def setUp(self):
        replaced(self, hmac, _hashopenssl=None, _hashlib=hashlanes)
        replaced(self, of_hmac, hashlib=hashlanes, c_hmac_new=None)


# Which classes there are depends on Python's version. That of `compare_digest` has nothing to do with a hash.
for name, case in vars(of_hmac).copy().items():
    if isinstance(case, type) and issubclass(case, unittest.TestCase) and name != "CompareDigestTestCase":
        globals()[f"Hmac{name}"] = applicable(type(f"Hmac{name}", (HmacTests, case), {}))
