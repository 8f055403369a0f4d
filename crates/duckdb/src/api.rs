//! DuckDB's C extension interface, version 1.2.0, as `duckdb_extension.h` declares it: a table of functions
//! that later versions only extend. This file names those that the extension calls.
//!
//! # Safety
//! DuckDB calls [`hashlanes_init_c_api`] with pointers that are valid during the call, and promises a table
//! of at least the requested version. Its functions may be called on any thread with handles from DuckDB.
#![allow(unsafe_code)] // The argument is above.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::OnceLock;

use crate::functions;

/// The version of the interface: DuckDB 1.2 and later have it.
const VERSION: &CStr = c"v1.2.0";

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[repr(transparent)]
        #[derive(Clone, Copy)]
        pub(crate) struct $name(*mut c_void);
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
    connect: unsafe extern "C" fn(Database, *mut Connection) -> State,
    _4: [Unused; 2],
    disconnect: unsafe extern "C" fn(*mut Connection),
    _7: [Unused; 149],
    create_logical_type: unsafe extern "C" fn(Type) -> LogicalType,
    _157: [Unused; 27],
    destroy_logical_type: unsafe extern "C" fn(*mut LogicalType),
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
    create_scalar_function: unsafe extern "C" fn() -> ScalarFunction,
    destroy_scalar_function: unsafe extern "C" fn(*mut ScalarFunction),
    scalar_function_set_name: unsafe extern "C" fn(ScalarFunction, *const c_char),
    _212: [Unused; 3],
    scalar_function_add_parameter: unsafe extern "C" fn(ScalarFunction, LogicalType),
    scalar_function_set_return_type: unsafe extern "C" fn(ScalarFunction, LogicalType),
    _217: [Unused; 1],
    scalar_function_set_function: unsafe extern "C" fn(ScalarFunction, Body),
    _219: [Unused; 2],
    pub(crate) scalar_function_set_error: unsafe extern "C" fn(FunctionInfo, *const c_char),
    create_scalar_function_set: unsafe extern "C" fn(*const c_char) -> ScalarFunctionSet,
    destroy_scalar_function_set: unsafe extern "C" fn(*mut ScalarFunctionSet),
    add_scalar_function_to_set: unsafe extern "C" fn(ScalarFunctionSet, ScalarFunction) -> State,
    register_scalar_function_set: unsafe extern "C" fn(Connection, ScalarFunctionSet) -> State,
}

const _: () = assert!(size_of::<Api>() == 226 * size_of::<Unused>());

// SAFETY: functions, which every thread may call, and pointers that are not used.
unsafe impl Send for Api {}
// SAFETY: as above.
unsafe impl Sync for Api {}

/// The table of the DuckDB that loaded the extension.
static API: OnceLock<Api> = OnceLock::new();

/// Returns the table. A function of the extension is only called after the extension was loaded.
pub(crate) fn api() -> &'static Api {
    API.get().expect("the extension is loaded")
}

/// What DuckDB gives an extension.
#[repr(C)]
struct Access {
    set_error: unsafe extern "C" fn(ExtensionInfo, *const c_char),
    get_database: unsafe extern "C" fn(ExtensionInfo) -> *const Database,
    get_api: unsafe extern "C" fn(ExtensionInfo, *const c_char) -> *const Api,
}

/// Registers the functions; DuckDB calls it by the file's name.
///
/// # Safety
/// DuckDB calls it.
#[unsafe(no_mangle)]
unsafe extern "C" fn hashlanes_init_c_api(info: ExtensionInfo, access: *const Access) -> bool {
    // SAFETY: valid pointers; see the head of this file.
    let (access, table) = unsafe {
        let access = &*access;
        (access, (access.get_api)(info, VERSION.as_ptr()))
    };
    if table.is_null() {
        return false; // DuckDB has set the error.
    }
    // SAFETY: a table of this version, which may end with the call, and a database.
    let (table, database) = unsafe { (*table, *(access.get_database)(info)) };
    let loaded = API.get_or_init(|| table);
    let registered = if ptr::fn_addr_eq(loaded.connect, table.connect) {
        // SAFETY: a database that is being opened.
        unsafe { register(loaded, database) }
    } else {
        Err(c"hashlanes: another DuckDB library of this process has loaded the extension")
    };
    if let Err(why) = registered {
        // SAFETY: DuckDB copies the text.
        unsafe { (access.set_error)(info, why.as_ptr()) }
    }
    registered.is_ok()
}

/// Registers all functions.
///
/// # Safety
/// The database is open.
unsafe fn register(api: &Api, database: Database) -> Result<(), &'static CStr> {
    let mut connection = Connection(ptr::null_mut());
    // SAFETY: the caller's promise.
    if unsafe { (api.connect)(database, &mut connection) } != 0 {
        return Err(c"hashlanes: cannot connect to the database");
    }
    // SAFETY: an open connection.
    let registered = functions::ALL.iter().all(|function| unsafe { register_one(api, connection, function) });
    // SAFETY: it was opened above.
    unsafe { (api.disconnect)(&mut connection) };
    if registered { Ok(()) } else { Err(c"hashlanes: a function of the same name exists") }
}

/// Registers a function with an overload for each combination of argument types; returns whether DuckDB
/// accepted it.
///
/// # Safety
/// The connection is open.
unsafe fn register_one(api: &Api, connection: Connection, function: &functions::Function) -> bool {
    let mut accepted = true;
    // SAFETY: handles of DuckDB, destroyed after their last use; DuckDB copies names and overloads.
    unsafe {
        let mut set = (api.create_scalar_function_set)(function.name.as_ptr());
        for overload in 0..1_u32 << function.n_parameters {
            let mut scalar = (api.create_scalar_function)();
            (api.scalar_function_set_name)(scalar, function.name.as_ptr());
            for parameter in 0..function.n_parameters {
                let of_parameter = if overload >> parameter & 1 == 0 { Type::Varchar } else { Type::Blob };
                let mut logical = (api.create_logical_type)(of_parameter);
                (api.scalar_function_add_parameter)(scalar, logical);
                (api.destroy_logical_type)(&mut logical);
            }
            let mut logical = (api.create_logical_type)(function.result);
            (api.scalar_function_set_return_type)(scalar, logical);
            (api.destroy_logical_type)(&mut logical);
            (api.scalar_function_set_function)(scalar, function.body);
            accepted &= (api.add_scalar_function_to_set)(set, scalar) == 0;
            (api.destroy_scalar_function)(&mut scalar);
        }
        accepted &= (api.register_scalar_function_set)(connection, set) == 0;
        (api.destroy_scalar_function_set)(&mut set);
    }
    accepted
}
