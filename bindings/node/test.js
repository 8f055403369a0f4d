"use strict";
const assert = require("node:assert");
const crypto = require("node:crypto");
const test = require("node:test");
const hashlanes = require("./index.js");

const NAMES = ["sha1", "sha224", "sha256", "sha384", "sha512", "sha512-224", "sha512-256", "sha3-224", "sha3-256", "sha3-384", "sha3-512"];
const standard = (name, data) => crypto.createHash(name).update(data).digest();
const messages = Array.from({ length: 1500 }, (_, i) => Buffer.alloc((i * 7) % 300, i));

test("one message, at once and in parts", () => {
  for (const name of NAMES) {
    const hasher = hashlanes.createHash(name);
    for (const message of messages.slice(0, 100)) {
      assert.deepStrictEqual(hashlanes.hash(name, message, "buffer"), standard(name, message));
      assert.strictEqual(hashlanes.hash(name, message), standard(name, message).toString("hex"));
      hasher.update(message);
    }
    const copy = hasher.copy().update("more");
    const all = Buffer.concat(messages.slice(0, 100));
    assert.deepStrictEqual(hasher.digest(), standard(name, all));
    assert.strictEqual(copy.digest("base64"), standard(name, Buffer.concat([all, Buffer.from("more")])).toString("base64"));
    assert.throws(() => hasher.update("x"), /digest\(\) was called already/);
  }
  assert.strictEqual(hashlanes.hash("keccak256", "abc").slice(0, 8), "4e03657a");
  assert.strictEqual(hashlanes.hash("SHA256", new Uint16Array([1]).buffer), hashlanes.hash("sha256", Buffer.from([1, 0])));
});

test("many messages", () => {
  for (const name of NAMES) {
    assert.deepStrictEqual(hashlanes.many(name, messages), Buffer.concat(messages.map((message) => standard(name, message))));
  }
  const texts = ["", "é", "€uro", "😀", "\ud800"]; // The last is no character, and becomes U+FFFD.
  assert.deepStrictEqual(hashlanes.sha256Many(new Set(texts)), Buffer.concat(texts.map((text) => standard("sha256", text))));
  const long = messages.map((message, i) => (i % 500 === 7 ? Buffer.alloc(5000, i) : message));
  assert.deepStrictEqual(hashlanes.sha256Many(long), Buffer.concat(long.map((message) => standard("sha256", message))));
  assert.strictEqual(hashlanes.sha256Many([]).length, 0);
  assert.throws(() => hashlanes.sha256Many(["abc", 5]), /messages\[1\]: must be a string/);
  assert.throws(() => hashlanes.sha256Many([null]), /messages\[0\]: must be a string/);
  assert.throws(() => hashlanes.sha256Many([{ byteLength: 9999 }]), /messages\[0\]: must be a string/);
});

test("rows, with nulls", () => {
  const values = Buffer.from("onetwothree");
  const expected = (name, ...texts) => Buffer.concat(texts.map((text) => text === null ? standard(name, "").fill(0) : standard(name, text)));
  for (const name of NAMES) {
    const all = expected(name, "one", "two", "three");
    assert.deepStrictEqual(hashlanes.rows(name, values, Int32Array.of(0, 3, 6, 11)), all);
    assert.deepStrictEqual(hashlanes.rows(name, values, BigInt64Array.of(0n, 3n, 6n, 11n)), all);
    const validity = Uint8Array.of(0b1010);
    const valid = hashlanes.rows(name, values, Int32Array.of(0, 3, 6, 11), { validity, firstBit: 1 });
    assert.deepStrictEqual(valid, expected(name, "one", null, "three"));
  }
  assert.throws(() => hashlanes.rows("sha256", values, Int32Array.of(0, 12)), { code: "ERR_HASHLANES", message: /an offset of the column/ });
  assert.throws(() => hashlanes.rows("sha256", values, Int32Array.of()), /offsets: must be/);
  assert.throws(() => hashlanes.rows("sha256", values, [0, 1]), /offsets: must be/);
  assert.throws(() => hashlanes.rows("sha256", values, Int32Array.of(0, 1), { validity: new Uint8Array(0) }), /validity: 0 bytes are too few/);
  assert.throws(() => hashlanes.rows("sha256", values, Int32Array.of(0, 1), { firstBit: -1 }), /firstBit: -1/);
});

test("a column of the shape that Arrow JS has", () => {
  const values = Buffer.from("onetwothree");
  const first = { values, valueOffsets: Int32Array.of(0, 3, 6), nullBitmap: Uint8Array.of(0b01), offset: 0, length: 2 };
  const second = { values, valueOffsets: Int32Array.of(6, 11), nullBitmap: new Uint8Array(0), offset: 0, length: 1 };
  const expected = Buffer.concat([standard("sha256", "one"), Buffer.alloc(32), standard("sha256", "three")]);
  assert.deepStrictEqual(hashlanes.column("sha256", { data: [first, second] }), expected);
  assert.throws(() => hashlanes.column("sha256", { data: [{ values: new Int32Array(3), length: 3, offset: 0 }] }), /unknown type; must be Binary/);
});

test("HMAC", () => {
  const expected = crypto.createHmac("sha512", "key").update("message").digest("hex");
  assert.strictEqual(hashlanes.hmac("sha512", "key", "message"), expected);
  assert.throws(() => hashlanes.hmac("sha3-256", "key", "message"), /does not support/);
});

test("unknown hashes and wrong types", () => {
  assert.throws(() => hashlanes.hash("md5", "abc"), /unknown hash "md5"; expected sha1/);
  assert.throws(() => hashlanes.hash("sha256", 5), /data: must be a string/);
  assert.match(hashlanes.version, /^\d+\.\d+\.\d+$/);
});
