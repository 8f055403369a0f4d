//! DuckDB's C extension interface, version 1.2.0, as `duckdb_extension.h` declares it: a table of functions
//! that later versions only extend. This file names those that the extension calls.
//!
//! # Safety
//! DuckDB promises a table of at least the requested version. Its functions may be called on any thread with
//! handles from DuckDB.
#![allow(unsafe_code)] // The argument is above.

use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;

/// The version of the interface: DuckDB 1.2 and later have it.
pub(crate) const VERSION: &CStr = c"v1.2.0";

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[repr(transparent)]
        #[derive(Clone, Copy)]
        pub(crate) struct $name(pub(crate) *mut c_void);
    )*};
}
handles! {
    /// The extension that is being loaded.
    ExtensionInfo;
    Database;
    Connection;
    LogicalType;
    ScalarFunction;
    /// Overloads of one name.
    ScalarFunctionSet;
    /// One call of a function.
    FunctionInfo;
    /// The arguments of a call, a vector each.
    DataChunk;
    Vector;
}

/// The result of a function that can fail: 0 or 1.
type State = u32;

/// A function that is not called here.
type Unused = *const c_void;

/// The types of arguments and results.
#[repr(u32)]
#[derive(Clone, Copy)]
pub(crate) enum Type {
    Varchar = 17,
    Blob = 18,
}

/// The body of a function.
pub(crate) type Body = unsafe extern "C" fn(FunctionInfo, DataChunk, Vector);

/// The table, up to the last function that is called.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Api {
    _0: [Unused; 3],
    pub(crate) connect: unsafe extern "C" fn(Database, *mut Connection) -> State,
    _4: [Unused; 2],
    pub(crate) disconnect: unsafe extern "C" fn(*mut Connection),
    _7: [Unused; 149],
    pub(crate) create_logical_type: unsafe extern "C" fn(Type) -> LogicalType,
    _157: [Unused; 27],
    pub(crate) destroy_logical_type: unsafe extern "C" fn(*mut LogicalType),
    _185: [Unused; 5],
    pub(crate) data_chunk_get_vector: unsafe extern "C" fn(DataChunk, u64) -> Vector,
    pub(crate) data_chunk_get_size: unsafe extern "C" fn(DataChunk) -> u64,
    _192: [Unused; 2],
    pub(crate) vector_get_data: unsafe extern "C" fn(Vector) -> *mut c_void,
    pub(crate) vector_get_validity: unsafe extern "C" fn(Vector) -> *mut u64,
    pub(crate) vector_ensure_validity_writable: unsafe extern "C" fn(Vector),
    _197: [Unused; 1],
    pub(crate) vector_assign_string_element_len: unsafe extern "C" fn(Vector, u64, *const c_char, u64),
    _199: [Unused; 10],
    pub(crate) create_scalar_function: unsafe extern "C" fn() -> ScalarFunction,
    pub(crate) destroy_scalar_function: unsafe extern "C" fn(*mut ScalarFunction),
    pub(crate) scalar_function_set_name: unsafe extern "C" fn(ScalarFunction, *const c_char),
    _212: [Unused; 3],
    pub(crate) scalar_function_add_parameter: unsafe extern "C" fn(ScalarFunction, LogicalType),
    pub(crate) scalar_function_set_return_type: unsafe extern "C" fn(ScalarFunction, LogicalType),
    _217: [Unused; 1],
    pub(crate) scalar_function_set_function: unsafe extern "C" fn(ScalarFunction, Body),
    _219: [Unused; 2],
    pub(crate) scalar_function_set_error: unsafe extern "C" fn(FunctionInfo, *const c_char),
    pub(crate) create_scalar_function_set: unsafe extern "C" fn(*const c_char) -> ScalarFunctionSet,
    pub(crate) destroy_scalar_function_set: unsafe extern "C" fn(*mut ScalarFunctionSet),
    pub(crate) add_scalar_function_to_set: unsafe extern "C" fn(ScalarFunctionSet, ScalarFunction) -> State,
    pub(crate) register_scalar_function_set: unsafe extern "C" fn(Connection, ScalarFunctionSet) -> State,
}

const _: () = assert!(size_of::<Api>() == 226 * size_of::<Unused>());

// SAFETY: functions, which every thread may call, and pointers that are not used.
unsafe impl Send for Api {}
// SAFETY: as above.
unsafe impl Sync for Api {}

/// The table of the DuckDB that loaded the extension.
pub(crate) static API: OnceLock<Api> = OnceLock::new();

/// Returns the table. A function of the extension is only called after the extension was loaded.
pub(crate) fn api() -> &'static Api {
    API.get().expect("the extension is loaded")
}

/// What DuckDB gives an extension.
#[repr(C)]
pub(crate) struct Access {
    pub(crate) set_error: unsafe extern "C" fn(ExtensionInfo, *const c_char),
    pub(crate) get_database: unsafe extern "C" fn(ExtensionInfo) -> *const Database,
    pub(crate) get_api: unsafe extern "C" fn(ExtensionInfo, *const c_char) -> *const Api,
}
