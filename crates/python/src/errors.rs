//! The package's own exceptions.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(
    hashlanes,
    FormatError,
    PyValueError,
    "Data that is not of the format that it should be of."
);
create_exception!(
    hashlanes,
    VerificationError,
    PyValueError,
    "A signature, a proof or a sealed message that does not hold."
);
