//! SHA-256 of columns as functions of SQL in DataFusion: rows are hashed side by side, in the CPU's vector
//! registers.
//!
//! | function | result |
//! |---|---|
//! | `sha256_lanes(column)` | the digest in hexadecimal, a text |
//! | `sha256_lanes_binary(column)` | the digest, 32 bytes |
//!
//! Columns are texts and bytes of every layout: `Utf8`, `LargeUtf8`, `Utf8View`, `Binary`, `LargeBinary`,
//! `BinaryView`, `FixedSizeBinary`, and dictionaries of these. A text is hashed as its UTF-8 bytes; null
//! stays null.
//!
//! ```
//! use datafusion::prelude::SessionContext;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::error::Result<()> {
//! let context = SessionContext::new();
//! for function in hashlanes_datafusion::functions() {
//!     context.register_udf(function);
//! }
//! let rows = context.sql("SELECT sha256_lanes('abc')").await?.collect().await?;
//! # assert!(format!("{rows:?}").contains("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61"));
//! # Ok(())
//! # }
//! ```

use std::sync::Arc;

use datafusion_common::arrow::array::{
    Array, ArrayRef, AsArray, FixedSizeBinaryArray, GenericByteArray, GenericByteViewArray, StringArray,
};
use datafusion_common::arrow::buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use datafusion_common::arrow::datatypes::{
    BinaryType, BinaryViewType, ByteArrayType, ByteViewType, DataType, LargeBinaryType, LargeUtf8Type,
    StringViewType, Utf8Type,
};
use datafusion_common::{Result, ScalarValue, exec_datafusion_err, exec_err, plan_err};
use datafusion_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility};
use hashlanes::{Column, try_sha256_column, try_sha256_column_hex};

/// Bytes of a digest.
const DIGEST: i32 = 32;

/// Returns the functions, to be registered in a session.
pub fn functions() -> [ScalarUDF; 2] {
    [Form::Hex, Form::Binary].map(|form| {
        ScalarUDF::new_from_impl(Sha256 { form, signature: Signature::user_defined(Volatility::Immutable) })
    })
}

/// The form of digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    Hex,
    Binary,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Sha256 {
    form: Form,
    signature: Signature,
}

impl ScalarUDFImpl for Sha256 {
    fn name(&self) -> &str {
        match self.form {
            Form::Hex => "sha256_lanes",
            Form::Binary => "sha256_lanes_binary",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(match self.form {
            Form::Hex => DataType::Utf8,
            Form::Binary => DataType::FixedSizeBinary(DIGEST),
        })
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let [of_column] = types else {
            return plan_err!("{}: {} arguments instead of a column", self.name(), types.len());
        };
        let of_values = match of_column {
            DataType::Dictionary(_, of_values) => of_values,
            of_column => of_column,
        };
        match of_values {
            DataType::Null => Ok(vec![DataType::Utf8]),
            DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::FixedSizeBinary(_) => Ok(vec![of_values.clone()]),
            other => plan_err!("{}: a column of {other}; expected text or bytes", self.name()),
        }
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match &arguments.args[..] {
            [ColumnarValue::Array(column)] => Ok(ColumnarValue::Array(self.hashed(column)?)),
            [ColumnarValue::Scalar(value)] => {
                let digest = self.hashed(&value.to_array()?)?;
                Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&digest, 0)?))
            }
            other => exec_err!("{}: {} arguments instead of a column", self.name(), other.len()),
        }
    }
}

impl Sha256 {
    fn hashed(&self, array: &ArrayRef) -> Result<ArrayRef> {
        match array.data_type() {
            DataType::Utf8 => self.hashed_bytes(array.as_bytes::<Utf8Type>()),
            DataType::LargeUtf8 => self.hashed_bytes(array.as_bytes::<LargeUtf8Type>()),
            DataType::Binary => self.hashed_bytes(array.as_bytes::<BinaryType>()),
            DataType::LargeBinary => self.hashed_bytes(array.as_bytes::<LargeBinaryType>()),
            DataType::Utf8View => self.hashed_views(array.as_byte_view::<StringViewType>()),
            DataType::BinaryView => self.hashed_views(array.as_byte_view::<BinaryViewType>()),
            DataType::FixedSizeBinary(len_bytes) => {
                let values = array.as_fixed_size_binary().value_data();
                self.hashed_column(Column::fixed_size(values, *len_bytes as usize), array)
            }
            other => exec_err!("{}: a column of {other}; expected text or bytes", self.name()),
        }
    }

    fn hashed_bytes<T: ByteArrayType>(&self, array: &GenericByteArray<T>) -> Result<ArrayRef>
    where
        T::Offset: hashlanes::Offset,
    {
        self.hashed_column(Column::binary(array.value_data(), array.value_offsets()), array)
    }

    fn hashed_views<T: ByteViewType>(&self, array: &GenericByteViewArray<T>) -> Result<ArrayRef> {
        let (views, _) = array.views().inner().as_slice().as_chunks();
        let buffers: Vec<&[u8]> = array.data_buffers().iter().map(Buffer::as_slice).collect();
        self.hashed_column(Column::views(views, &buffers), array)
    }

    fn hashed_column(&self, column: Column<'_>, array: &dyn Array) -> Result<ArrayRef> {
        let column = match array.nulls() {
            Some(nulls) => column.validity(nulls.validity(), nulls.offset()),
            None => column,
        };
        let (rows, nulls) = (array.len(), array.nulls().cloned());
        let failed = |error| exec_datafusion_err!("{}: {error}", self.name());
        match self.form {
            Form::Binary => {
                let mut digests = vec![[0; DIGEST as usize]; rows];
                try_sha256_column(&column, &mut digests).map_err(failed)?;
                let values = Buffer::from_vec(digests.into_flattened());
                Ok(Arc::new(FixedSizeBinaryArray::try_new(DIGEST, values, nulls)?))
            }
            Form::Hex => {
                let mut digests = vec![[0; 2 * DIGEST as usize]; rows];
                try_sha256_column_hex(&column, &mut digests).map_err(failed)?;
                let Ok(Some(_)) = i32::try_from(rows).map(|rows| rows.checked_mul(2 * DIGEST)) else {
                    return exec_err!("{}: a batch of {rows} rows; their texts exceed 2 GiB", self.name());
                };
                let offsets: Vec<i32> = (0..=rows as i32).map(|row| 2 * DIGEST * row).collect();
                let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
                let values = Buffer::from_vec(digests.into_flattened());
                Ok(Arc::new(StringArray::try_new(offsets, values, nulls)?))
            }
        }
    }
}
