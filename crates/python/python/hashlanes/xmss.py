"""Signatures by XMSS and XMSS^MT (RFC 8391, NIST SP 800-208): verification."""

from hashlanes._hashlanes import xmss_verify as verify
from hashlanes._hashlanes import xmss_verify_file as verify_file

__all__ = ["verify", "verify_file"]
