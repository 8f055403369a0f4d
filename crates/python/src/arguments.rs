//! Arguments other than buffers. Errors have the argument's name.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Converts an argument.
///
/// # Errors
/// With the argument's name: `TypeError` for another type, `ValueError` for a number that is out of range.
pub(crate) fn converted<'py, T: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(
    object: &Bound<'py, PyAny>,
    argument: &str,
) -> PyResult<T> {
    let py = object.py();
    object.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyTypeError>(py) {
            return PyTypeError::new_err(format!("{argument}: {}", error.value(py)));
        }
        match error.is_instance_of::<PyOverflowError>(py) {
            true => PyValueError::new_err(format!("{argument}: {object} is out of range")),
            false => error,
        }
    })
}

/// Returns the text of a string.
///
/// # Errors
/// With the argument's name: `TypeError` for another type, `ValueError` for text that is not Unicode.
pub(crate) fn text_of<'a>(object: &'a Bound<'_, PyAny>, argument: &str) -> PyResult<&'a str> {
    let Ok(text) = object.cast::<PyString>() else {
        let found = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{argument}: expected a string, not {found}")));
    };
    text.to_str().map_err(|error| PyValueError::new_err(format!("{argument}: {}", error.value(object.py()))))
}
