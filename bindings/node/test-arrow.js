"use strict";
// Columns of apache-arrow, which is installed for this test only.
const assert = require("node:assert");
const crypto = require("node:crypto");
const test = require("node:test");
const arrow = require("apache-arrow");
const hashlanes = require("./index.js");

const NAMES = ["sha1", "sha224", "sha256", "sha512", "sha3-256"];
const sizes = { sha1: 20, sha224: 28, sha256: 32, sha512: 64, "sha3-256": 32 };
const texts = Array.from({ length: 100 }, (_, i) => (i % 7 === 3 ? null : `value ${i % 30} ${"é".repeat(i % 5)}`));
const expected = (name, values) =>
  Buffer.concat(values.map((value) => (value === null ? Buffer.alloc(sizes[name]) : crypto.createHash(name).update(value).digest())));

/** The same rows as slices, slices of slices, chunks, and as another program would send them. */
function shapes(vector, values) {
  const chunks = vector.slice(0, 40).concat(vector.slice(40, 41), vector.slice(41, 100));
  const sent = arrow.tableFromIPC(arrow.tableToIPC(new arrow.Table({ column: vector }))).getChild("column");
  const slices = [[0, 100], [1, 99], [8, 30], [9, 10], [17, 100], [50, 50]].map(([from, to]) => [vector.slice(from, to), values.slice(from, to)]);
  return [[vector, values], [chunks, values], [sent, values], [vector.slice(10, 90).slice(13, 40), values.slice(10, 90).slice(13, 40)], ...slices];
}

function check(vector, values) {
  for (const name of NAMES) {
    for (const [shape, rows] of shapes(vector, values)) assert.deepStrictEqual(hashlanes.column(name, shape), expected(name, rows));
  }
}

test("Utf8 and LargeUtf8", () => {
  check(arrow.vectorFromArray(texts, new arrow.Utf8()), texts);
  check(arrow.vectorFromArray(texts, new arrow.LargeUtf8()), texts);
});

test("Binary, LargeBinary, FixedSizeBinary", () => {
  const values = texts.map((text) => text && Buffer.from(text));
  check(arrow.vectorFromArray(values, new arrow.Binary()), values);
  check(arrow.vectorFromArray(values, new arrow.LargeBinary()), values);
  const fixed = texts.map((text, i) => text && Buffer.alloc(11, i));
  check(arrow.vectorFromArray(fixed, new arrow.FixedSizeBinary(11)), fixed);
});

test("dictionaries, which Arrow JS makes of strings", () => {
  check(arrow.vectorFromArray(texts), texts);
  const int64 = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int64());
  const index = arrow.makeData({ type: int64, data: BigInt64Array.of(1n, 0n, 2n), dictionary: arrow.vectorFromArray(["a", "b"], new arrow.Utf8()) });
  assert.throws(() => hashlanes.column("sha256", arrow.makeVector(index)), /row 2 has index 2/);
  assert.deepStrictEqual(hashlanes.column("sha256", arrow.makeVector(index).slice(0, 2)), expected("sha256", ["b", "a"]));
});

test("other types", () => {
  const lists = arrow.vectorFromArray([["a"]], new arrow.List(new arrow.Field("item", new arrow.Utf8())));
  for (const vector of [arrow.vectorFromArray([1, 2]), lists, arrow.vectorFromArray(["a"], new arrow.Utf8View())]) {
    assert.throws(() => hashlanes.column("sha256", vector), { name: "TypeError", message: /^column: .*; must be Binary/ });
  }
});
