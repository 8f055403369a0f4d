//! Errors in the environment variables.

/// An unknown kernel or CPU feature name.
#[derive(Clone, Debug)]
pub struct EnvError(pub(crate) Text);

/// With strings available, it lists the valid names.
#[cfg(feature = "std")]
pub(crate) type Text = std::string::String;
#[cfg(not(feature = "std"))]
pub(crate) type Text = &'static str;

impl EnvError {
    /// Finds variables that look as if they forced a kernel, but belong to no hash; `known` are the valid
    /// ones.
    ///
    /// # Errors
    /// Names the first one, and lists the valid names.
    #[cfg(feature = "env-override")]
    pub fn check_variables(known: &[&str]) -> Result<(), Self> {
        use std::string::String;
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let forces = |name: &String| name.starts_with("HASHLANES_") && name.ends_with("_KERNEL");
        match names.filter(forces).find(|name| !known.contains(&name.as_str())) {
            Some(name) => {
                Err(Self(std::format!("{name}: unknown variable; expected one of {}", known.join(", "))))
            }
            None => Ok(()),
        }
    }
}

impl core::fmt::Display for EnvError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(&self.0, f)
    }
}

impl core::error::Error for EnvError {}
