"""Authenticated encryption by AEGIS-128L and AEGIS-256 (RFC 10032)."""

from hashlanes._hashlanes import aegis_open as open
from hashlanes._hashlanes import aegis_seal as seal

__all__ = ["open", "seal"]
