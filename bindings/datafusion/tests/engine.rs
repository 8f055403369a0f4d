//! The functions in the real engine, over columns of every layout.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray,
    Int64Array, LargeBinaryArray, LargeStringArray, RecordBatch, StringArray, StringViewArray,
};
use datafusion::arrow::datatypes::Int32Type;
use datafusion::prelude::SessionContext;

/// Short and long values, an empty one, and nulls.
const VALUES: [Option<&str>; 7] = [
    Some("abc"),
    None,
    Some(""),
    Some("a value that does not fit into a view"),
    None,
    Some("αβγ"),
    Some("a value that takes more than one block of SHA-256, with its padding, and so on, up to here"),
];

/// The rows of a query over the column `value`.
async fn rows(column: ArrayRef, query: &str) -> Vec<RecordBatch> {
    let context = SessionContext::new();
    for function in hashlanes_datafusion::functions() {
        context.register_udf(function);
    }
    let batch = RecordBatch::try_from_iter_with_nullable([("value", column, true)]).unwrap();
    context.register_batch("rows", batch).unwrap();
    context.sql(query).await.unwrap().collect().await.unwrap()
}

fn hex(text: &str) -> String {
    hashlanes::sha256(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Columns of these values in every layout; the first row is cut off afterwards.
fn columns() -> Vec<ArrayRef> {
    let bytes = || VALUES.iter().map(|value| value.map(str::as_bytes));
    let dictionary: DictionaryArray<Int32Type> = VALUES.into_iter().collect();
    vec![
        Arc::new(StringArray::from_iter(VALUES)),
        Arc::new(LargeStringArray::from_iter(VALUES)),
        Arc::new(StringViewArray::from_iter(VALUES)),
        Arc::new(BinaryArray::from_iter(bytes())),
        Arc::new(LargeBinaryArray::from_iter(bytes())),
        Arc::new(BinaryViewArray::from_iter(bytes())),
        Arc::new(dictionary),
    ]
}

#[tokio::test]
async fn every_layout_is_hashed_and_null_stays_null() {
    for column in columns() {
        for from in [0, 1] {
            let (column, values) = (column.slice(from, VALUES.len() - from), &VALUES[from..]);
            let layout = column.data_type().clone();
            let query = "SELECT sha256_lanes(value), sha256_lanes_binary(value) FROM rows";
            let batches = rows(column, query).await;
            let texts = batches[0].column(0).as_string::<i32>().iter().collect::<Vec<_>>();
            let expected: Vec<Option<String>> = values.iter().map(|value| value.map(hex)).collect();
            assert_eq!(texts, expected.iter().map(Option::as_deref).collect::<Vec<_>>(), "{layout}");
            let binary = batches[0].column(1).as_fixed_size_binary();
            for (i, value) in values.iter().enumerate() {
                assert_eq!(binary.is_null(i), value.is_none(), "{layout}");
                let expected = value.map(|value| hashlanes::sha256(value.as_bytes()));
                assert!(expected.is_none_or(|expected| binary.value(i) == expected), "{layout}, row {i}");
            }
        }
    }
}

#[tokio::test]
async fn values_of_one_length_are_hashed() {
    let column = FixedSizeBinaryArray::try_from_iter((0..100_u8).map(|i| [i; 20])).unwrap();
    let batches = rows(Arc::new(column.slice(3, 90)), "SELECT sha256_lanes_binary(value) FROM rows").await;
    let digests = batches[0].column(0).as_fixed_size_binary();
    assert!((0..90).all(|i| digests.value(i) == hashlanes::sha256(&[i as u8 + 3; 20])));
}

#[tokio::test]
async fn constants_and_filters_work() {
    let column = Arc::new(StringArray::from_iter(VALUES));
    let query = format!("SELECT count(*) FROM rows WHERE sha256_lanes(value) = '{}'", hex("abc"));
    assert_eq!(
        rows(column.clone(), &query).await[0]
            .column(0)
            .as_primitive::<datafusion::arrow::datatypes::Int64Type>()
            .value(0),
        1
    );
    let batches = rows(column, "SELECT sha256_lanes(NULL), sha256_lanes('abc') FROM rows LIMIT 1").await;
    assert!(batches[0].column(0).is_null(0));
    assert_eq!(batches[0].column(1).as_string::<i32>().value(0), hex("abc"));
}

#[tokio::test]
async fn other_types_are_refused_by_name() {
    let context = SessionContext::new();
    for function in hashlanes_datafusion::functions() {
        context.register_udf(function);
    }
    let batch = RecordBatch::try_from_iter([("n", Arc::new(Int64Array::from(vec![1])) as ArrayRef)]).unwrap();
    context.register_batch("numbers", batch).unwrap();
    let error = context.sql("SELECT sha256_lanes(n) FROM numbers").await.unwrap_err().to_string();
    assert!(
        error.contains("sha256_lanes") && error.contains("Int64") && error.contains("text or bytes"),
        "{error}"
    );
    let error = context.sql("SELECT sha256_lanes(n, n) FROM numbers").await.unwrap_err().to_string();
    assert!(error.contains("2 arguments"), "{error}");
}
