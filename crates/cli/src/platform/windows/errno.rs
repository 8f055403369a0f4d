//! Errors of the system.

pub(crate) type Result<T> = std::result::Result<T, Errno>;

/// An error's number in the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Errno(i32);

/// The errors that the program asks for, with the words of other systems for them.
macro_rules! errors {
    ($($name:ident = $code:literal, $words:literal;)*) => {
        impl Errno {
            $(pub(crate) const $name: Errno = Errno($code);)*

            /// Returns the words, unless only the system has some.
            pub(crate) fn words(self) -> Option<&'static str> {
                match self {
                    $(Errno::$name => Some($words),)*
                    _ => None,
                }
            }
        }
    };
}

errors! {
    NOENT = 2, "No such file or directory";
    ACCESS = 5, "Permission denied";
    BADF = 6, "Bad file descriptor";
    BUSY = 32, "Used by another process";
    EXIST = 80, "File exists";
    INVAL = 87, "Invalid argument";
    PIPE = 109, "Broken pipe";
    NOSPC = 112, "No space left on device";
    NOSYS = 120, "Function not implemented";
    NOTEMPTY = 145, "Directory not empty";
    AGAIN = 170, "Resource temporarily unavailable";
    NAMETOOLONG = 206, "File name too long";
    FBIG = 223, "File too large";
    NOTDIR = 267, "Not a directory";
    ISDIR = 336, "Is a directory";
    OPNOTSUPP = 50, "Operation not supported";
    LOOP = 1921, "Too many levels of symbolic links";
    ILSEQ = 1113, "Not a name that Windows has";
    IO = 1117, "Input/output error";
    MLINK = 1142, "Too many links";
    PERM = 1314, "Operation not permitted";
    INTR = 10004, "Interrupted system call";
}

impl Errno {
    /// Returns the error of the system; `None` if it is one of the standard library.
    pub(crate) fn from_io_error(error: &std::io::Error) -> Option<Errno> {
        let code = match error.raw_os_error()? {
            // The path, the drive, the name: each is something that does not exist.
            3 | 15 | 123 | 161 => 2,
            // ERROR_ALREADY_EXISTS, ERROR_NO_DATA.
            183 => 80,
            232 => 109,
            code => code,
        };
        Some(Errno(code))
    }

    pub(super) const fn from_code(code: i32) -> Errno {
        Errno(code)
    }

    pub(crate) fn raw_os_error(self) -> i32 {
        self.0
    }
}

impl From<Errno> for std::io::Error {
    fn from(error: Errno) -> Self {
        std::io::Error::from_raw_os_error(error.0)
    }
}

/// Returns the system's error. The standard library's own errors are about names that cannot exist.
pub(super) fn errno(error: std::io::Error) -> Errno {
    Errno::from_io_error(&error).unwrap_or(Errno::ILSEQ)
}
