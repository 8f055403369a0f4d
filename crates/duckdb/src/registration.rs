//! The entry of the extension, which registers its functions.
//!
//! # Safety
//! DuckDB calls [`hashlanes_init_c_api`] with pointers that are valid during the call.
#![allow(unsafe_code)] // The argument is above.

use std::ffi::CStr;
use std::ptr;

use crate::api::{API, Access, Api, Connection, Database, ExtensionInfo, Type, VERSION};
use crate::functions::{ALL, Function};

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
    let registered = ALL.iter().all(|function| unsafe { register_one(api, connection, function) });
    // SAFETY: it was opened above.
    unsafe { (api.disconnect)(&mut connection) };
    if registered { Ok(()) } else { Err(c"hashlanes: a function of the same name exists") }
}

/// Registers a function with an overload for each combination of argument types; returns whether DuckDB
/// accepted it.
///
/// # Safety
/// The connection is open.
unsafe fn register_one(api: &Api, connection: Connection, function: &Function) -> bool {
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
