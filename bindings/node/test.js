"use strict";
const assert = require("node:assert");
const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const vm = require("node:vm");
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
  for (const messages of [5, {}, { length: 2 }, Promise, Promise.resolve(["a"]), null, undefined]) {
    assert.throws(() => hashlanes.sha256Many(messages), { name: "TypeError", message: /^messages: must be an iterable/ });
  }
});

test("arrays that change during the call", () => {
  const digestsOf = (all) => Buffer.concat(all.map((message) => standard("sha256", message)));
  const changing = Array(1024).fill("a");
  class Pushing extends Uint8Array {
    get byteLength() {
      if (changing.length < 5000) changing.push(...Array(4000).fill("b"));
      return super.byteLength;
    }
  }
  changing[0] = new Pushing(3);
  const expected = digestsOf([Buffer.alloc(3), ...Array(1023).fill("a")]);
  for (let i = 0; i < 3; i++) {
    changing.length = 1024;
    assert.deepStrictEqual(hashlanes.sha256Many(changing), expected);
  }
  class Slicing extends Array {
    slice() {
      return Array(9000).fill("b");
    }
  }
  assert.deepStrictEqual(hashlanes.sha256Many(Slicing.of("a", "b")), digestsOf(["a", "b"]));
  class Short extends Uint8Array {
    get length() {
      return 1;
    }
    get byteLength() {
      return 1;
    }
  }
  const short = new Short(9);
  assert.deepStrictEqual(hashlanes.sha256Many([short, "a"]), digestsOf([Buffer.alloc(9), "a"]));
  assert.strictEqual(hashlanes.hash("sha256", short), digestsOf([Buffer.alloc(9)]).toString("hex"));
  class Few extends Int32Array {
    get length() {
      return 1;
    }
  }
  assert.deepStrictEqual(hashlanes.rows("sha256", "abc", Few.of(0, 1, 3)), digestsOf(["a", "bc"]));
});

test("arrays of another realm, and shared ones", () => {
  for (const text of ["new ArrayBuffer(8)", "new Uint8Array(8)", "new Int16Array(4)", "new DataView(new ArrayBuffer(8))"]) {
    assert.strictEqual(hashlanes.hash("sha256", vm.runInNewContext(text)), hashlanes.hash("sha256", Buffer.alloc(8)));
  }
  const expected = Buffer.concat([standard("sha256", "a"), standard("sha256", "bc")]);
  for (const text of ["Int32Array.of(0, 1, 3)", "BigInt64Array.of(0n, 1n, 3n)"]) {
    assert.deepStrictEqual(hashlanes.rows("sha256", "abc", vm.runInNewContext(text)), expected);
  }
  assert.deepStrictEqual(hashlanes.sha256Many(vm.runInNewContext("['a', new Uint8Array([98, 99])]")), expected);
  const offsets = new Int32Array(new SharedArrayBuffer(12));
  offsets.set([0, 1, 3]);
  const validity = Buffer.from(new SharedArrayBuffer(1)).fill(3);
  assert.deepStrictEqual(hashlanes.rows("sha256", "abc", offsets, { validity }), expected);
});

test("the addon refuses what does not fit", () => {
  const built = path.resolve(__dirname, process.env.NODE_HASHLANES_BUILD ?? "build", "hashlanes.node");
  const prebuilt = path.join(__dirname, "prebuilt", `${process.platform}-${process.arch}`, "hashlanes.node");
  const addon = require(fs.existsSync(built) || !fs.existsSync(prebuilt) ? built : prebuilt);
  const [sha1, sha256, sha512] = ["sha1", "sha256", "sha512"].map(addon.number);
  const array = (n) => new Uint8Array(n);
  const offsets = Int32Array.of(0, 1, 2);
  const shared = new Int32Array(new SharedArrayBuffer(12));
  const finished = addon.init(sha1);
  addon.finish(finished, array(20));
  const cases = [
    [() => addon.one(sha256, array(3), array(31)), "RangeError", /^digest: 31 bytes are too few for 1 digests of 32 bytes$/],
    [() => addon.one(sha256, Object.create(Uint8Array.prototype), array(32)), "TypeError", /^data: must be a Uint8Array$/],
    [() => addon.one(99, array(3), array(0)), "Error", /^name: an unknown algorithm/],
    [() => addon.hex(sha256, 5), "TypeError", /^data: /],
    [() => addon.hex(99, array(3)), "Error", /^name: an unknown algorithm/],
    [() => addon.many(sha256, [array(1), array(2)], array(63)), "RangeError", /^digests: 63 bytes are too few for 2 digests/],
    [() => addon.many(sha256, [array(1), "a"], array(64)), "TypeError", /^messages\[1\]: must be a Uint8Array$/],
    [() => addon.many(sha256, { length: 1 }, array(64)), "TypeError", /^messages: must be an Array$/],
    [() => addon.many(sha256, Array(1025).fill(array(1)), array(32 * 1025)), "RangeError", /^messages: 1025 items/],
    [() => addon.rows(sha256, array(3), offsets, null, 0, array(63)), "RangeError", /^digests: 63 bytes are too few/],
    [() => addon.rows(sha256, array(3), array(3), null, 0, array(64)), "TypeError", /^offsets: /],
    [() => addon.rows(sha256, array(3), new Int32Array(0), null, 0, array(64)), "TypeError", /^offsets: /],
    [() => addon.rows(sha256, array(3), shared, null, 0, array(64)), "TypeError", /^offsets: .* not shared$/],
    [() => addon.rows(sha256, array(3), offsets, array(1), 7, array(64)), "RangeError", /^validity: 1 bytes are too few for 2 rows/],
    [() => addon.rows(sha256, array(3), offsets, array(1), 2 ** 32 - 1, array(64)), "RangeError", /^validity: /],
    [() => addon.hmac(sha512, array(3), array(3), array(63)), "RangeError", /^mac: 63 bytes are too few/],
    [() => addon.update(array(448), array(1)), "TypeError", /^state: /],
    [() => addon.update(new Proxy(addon.init(sha1), {}), array(1)), "TypeError", /^state: /],
    [() => addon.finish(addon.init(sha512), array(63)), "RangeError", /^digest: 63 bytes are too few/],
    [() => addon.finish(finished, array(20)), "TypeError", /^state: /],
    [() => addon.copy(null), "TypeError", /^state: /],
    [() => addon.init(99), "Error", /^name: an unknown algorithm/],
  ];
  for (const [call, name, message] of cases) assert.throws(call, { name, message });
  for (const name of ["one", "hex", "many", "rows", "init", "copy", "update", "finish", "hmac"]) assert.throws(() => addon[name]());

  // The getter frees the memory of the message before it.
  const buffer = new ArrayBuffer(1 << 20);
  const messages = [new Uint8Array(buffer), null];
  Object.defineProperty(messages, 1, { get: () => (structuredClone(buffer, { transfer: [buffer] }), array(0)) });
  const digests = Buffer.from(array(64).buffer);
  addon.many(sha256, messages, digests);
  assert.deepStrictEqual(digests, Buffer.concat([standard("sha256", ""), standard("sha256", "")]));

  const { constructor: Hash } = hashlanes.createHash("sha256");
  assert.throws(() => new Hash(sha256, array(5)).update("a"), { name: "TypeError", message: /^state: / });
  assert.throws(() => new Hash(sha1, addon.init(sha512)).digest(), { name: "RangeError", message: /^digest: / });
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
  assert.throws(() => hashlanes.rows("sha256", values, Int32Array.of(0, 12)), { code: "ERR_HASHLANES", message: /^offsets: an offset of the column/ });
  assert.throws(() => hashlanes.rows("sha256", values, Int32Array.of()), /offsets: must be/);
  assert.throws(() => hashlanes.rows("sha256", values, [0, 1]), /offsets: must be/);
  assert.throws(() => hashlanes.rows("sha256", values, Int32Array.of(0, 1), { validity: new Uint8Array(0) }), /validity: 0 bytes are too few/);
  assert.throws(() => hashlanes.rows("sha256", values, Int32Array.of(0, 1), { firstBit: -1 }), /firstBit: -1/);
  assert.throws(() => hashlanes.rows("sha256", values, Int32Array.of(0, 1), null), { name: "TypeError", message: /^options: must be/ });
});

test("a column of the shape that Arrow JS has", () => {
  const values = Buffer.from("onetwothree");
  const first = { values, valueOffsets: Int32Array.of(0, 3, 6), nullBitmap: Uint8Array.of(0b01), offset: 0, length: 2 };
  const second = { values, valueOffsets: Int32Array.of(6, 11), nullBitmap: new Uint8Array(0), offset: 0, length: 1 };
  const expected = Buffer.concat([standard("sha256", "one"), Buffer.alloc(32), standard("sha256", "three")]);
  assert.deepStrictEqual(hashlanes.column("sha256", { data: [first, second] }), expected);
  assert.throws(() => hashlanes.column("sha256", { data: [{ values: new Int32Array(3), length: 3, offset: 0 }] }), /unknown type; must be Binary/);
  for (const vector of [null, ["a"], { data: [null] }]) {
    assert.throws(() => hashlanes.column("sha256", vector), { name: "TypeError", message: "vector: must be a Vector of Arrow JS" });
  }
});

test("HMAC", () => {
  const expected = crypto.createHmac("sha512", "key").update("message").digest("hex");
  assert.strictEqual(hashlanes.hmac("sha512", "key", "message"), expected);
  assert.throws(() => hashlanes.hmac("sha3-256", "key", "message"), { code: "ERR_HASHLANES", message: /^name: .*does not support/ });
});

test("unknown hashes and wrong types", () => {
  assert.throws(() => hashlanes.hash("md5", "abc"), /unknown hash "md5"; expected sha1/);
  for (const name of [5n, Symbol("sha256"), undefined]) {
    assert.throws(() => hashlanes.hash(name, "abc"), { name: "TypeError", message: /^name: must be a string/ });
  }
  assert.throws(() => hashlanes.hash("sha256", 5), /data: must be a string/);
  assert.match(hashlanes.version, /^\d+\.\d+\.\d+$/);
});
