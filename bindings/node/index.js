"use strict";
// Hashes one message or many at once; the addon calls libhashlanes. Types and documentation: index.d.ts.

const { existsSync } = require("node:fs");
const path = require("node:path");
const { types } = require("node:util");

// The addon that was compiled here, or the package's own.
const built = path.resolve(__dirname, process.env.NODE_HASHLANES_BUILD ?? "build", "hashlanes.node");
const prebuilt = path.join(__dirname, "prebuilt", `${process.platform}-${process.arch}`, "hashlanes.node");
const addon = require(existsSync(built) || !existsSync(prebuilt) ? built : prebuilt);

const numbers = new Map();

/** The library's number of a hash by its name, in lower or upper case. */
function number(name) {
  if (typeof name !== "string") throw new TypeError("name: must be a string, such as \"sha256\"");
  let found = numbers.get(name);
  if (found === undefined) {
    found = addon.number(name.toLowerCase());
    if (found === 0) {
      throw new TypeError(`unknown hash ${JSON.stringify(name)}; expected sha1, sha256, sha512, sha512-256, sha3-256, keccak256, …`);
    }
    numbers.set(name, found);
  }
  return found;
}

// The built-in getters of views: those of a subclass may return anything, and change other arrays.
const { prototype: ofTypedArrays } = Object.getPrototypeOf(Uint8Array);
const getters = (prototype, ...names) => names.map((name) => Object.getOwnPropertyDescriptor(prototype, name).get);
const placeOfTypedArray = getters(ofTypedArrays, "buffer", "byteOffset", "byteLength");
const placeOfDataView = getters(DataView.prototype, "buffer", "byteOffset", "byteLength");
const itemsOf = Function.prototype.call.bind(...getters(ofTypedArrays, "length"));

/** Bytes of a string, a Buffer, an ArrayBuffer, or any view of one, also of another realm. */
function bytes(data, name) {
  if (typeof data === "string") return Buffer.from(data);
  if (types.isUint8Array(data)) return data;
  if (ArrayBuffer.isView(data)) {
    const place = types.isDataView(data) ? placeOfDataView : placeOfTypedArray;
    return new Uint8Array(...place.map((get) => get.call(data)));
  }
  if (types.isArrayBuffer(data)) return new Uint8Array(data);
  throw new TypeError(`${name}: must be a string, an ArrayBuffer or a view of one`);
}

/** A typed array that no other thread changes: itself, or a copy. */
const unshared = (array) => (types.isSharedArrayBuffer(array.buffer) ? ofTypedArrays.slice.call(array) : array);

// Not Buffer.allocUnsafe: small ones share memory with others, which a view of `digest.buffer` would show.
const digests = (hash, n) => Buffer.from(new ArrayBuffer(n * addon.digestBytes(hash)));

const encoded = (digest, encoding) => (encoding === undefined || encoding === "buffer" ? digest : digest.toString(encoding));

function hash(name, data, encoding = "hex") {
  const known = number(name);
  const message = bytes(data, "data");
  if (encoding === "hex") return addon.hex(known, message);
  const digest = digests(known, 1);
  addon.one(known, message, digest);
  return encoded(digest, encoding);
}

class Hash {
  #hash;
  #state;
  #isFinished = false;

  constructor(hash, state = addon.init(hash)) {
    this.#hash = hash;
    this.#state = state;
  }

  update(part, encoding) {
    this.#check();
    addon.update(this.#state, typeof part === "string" ? Buffer.from(part, encoding) : bytes(part, "part"));
    return this;
  }

  digest(encoding) {
    this.#check();
    const digest = digests(this.#hash, 1);
    addon.finish(this.#state, digest);
    this.#isFinished = true;
    return encoded(digest, encoding);
  }

  copy() {
    this.#check();
    return new Hash(this.#hash, addon.copy(this.#state));
  }

  #check() {
    if (this.#isFinished) throw new Error("digest() was called already");
  }
}

const createHash = (name) => new Hash(number(name));

const TOGETHER = 1024; // Messages of a call; the addon accepts no more.
const LONG = 4096; // Bytes of a message that is not copied.

function many(name, messages) {
  const known = number(name);
  if (typeof messages?.[Symbol.iterator] !== "function") {
    throw new TypeError("messages: must be an iterable of strings, ArrayBuffers or views of them");
  }
  const all = [...messages]; // A copy, which nothing else changes.
  const size = addon.digestBytes(known);
  const result = digests(known, all.length);
  const offsets = new Int32Array(TOGETHER + 1);
  let values = Buffer.alloc(0);
  for (let first = 0; first < all.length; first += TOGETHER) {
    const group = all.slice(first, first + TOGETHER);
    const place = result.subarray(first * size, (first + group.length) * size);
    let longest = 0; // No message has more bytes.
    for (let i = 0; i < group.length; i++) {
      if (typeof group[i] === "string") {
        longest = Math.max(longest, 3 * group[i].length);
      } else {
        group[i] = bytes(group[i], `messages[${first + i}]`);
        longest = Math.max(longest, itemsOf(group[i]));
      }
    }
    if (longest > LONG) {
      addon.many(known, group.map((message) => bytes(message)), place);
      continue;
    }
    // Asking V8 for the memory of an array takes longer than copying a short one.
    if (values.length < longest * group.length) values = Buffer.allocUnsafeSlow(longest * group.length);
    let end = 0;
    for (let i = 0; i < group.length; i++) {
      const message = group[i];
      if (typeof message === "string") {
        end += values.write(message, end);
      } else {
        values.set(message, end);
        end += itemsOf(message);
      }
      offsets[i + 1] = end;
    }
    addon.rows(known, values, offsets.subarray(0, group.length + 1), null, 0, place);
  }
  return result;
}

const sha256Many = (messages) => many("sha256", messages);

function rows(name, values, offsets, options = {}) {
  const known = number(name);
  if (typeof options !== "object" || options === null) throw new TypeError("options: must be an object");
  const { validity = null, firstBit = 0 } = options;
  if (!(types.isInt32Array(offsets) || types.isBigInt64Array(offsets)) || itemsOf(offsets) === 0) {
    throw new TypeError("offsets: must be an Int32Array or a BigInt64Array of one more item than rows");
  }
  if (!Number.isInteger(firstBit) || firstBit < 0 || firstBit >= 2 ** 32) {
    throw new RangeError(`firstBit: ${firstBit}; must be an integer of 32 bits`);
  }
  const bitmap = validity === null ? null : unshared(bytes(validity, "validity"));
  const result = digests(known, itemsOf(offsets) - 1);
  addon.rows(known, bytes(values, "values"), unshared(offsets), bitmap, firstBit, result);
  return result;
}

/** Row i is digest `indices[i]` of `dictionary`; zeros where bit `firstBit + i` of `validity` is 0. */
function gathered(dictionary, size, indices, length, validity, firstBit) {
  const words = size / 4; // Of every hash, a whole number.
  const from = new Uint32Array(dictionary.buffer, dictionary.byteOffset, dictionary.length / 4);
  const to = new Uint32Array(length * words);
  for (let i = 0; i < length; i++) {
    const bit = firstBit + i;
    if (validity && ((validity[bit >>> 3] >>> bit % 8) & 1) === 0) continue;
    const first = Number(indices[i]) * words;
    if (!(first >= 0 && first < from.length)) throw new RangeError(`column: row ${i} has index ${indices[i]}, which the dictionary does not have`);
    for (let word = 0; word < words; word++) to[i * words + word] = from[first + word];
  }
  return Buffer.from(to.buffer);
}

function column(name, vector) {
  if (!Array.isArray(vector?.data) || !vector.data.every((part) => typeof part === "object" && part !== null)) {
    throw new TypeError("vector: must be a Vector of Arrow JS");
  }
  const ofDictionaries = new Map(); // Chunks share them.
  const parts = vector.data.map(({ type, values, valueOffsets, nullBitmap, offset, length, dictionary }) => {
    // A slice has the whole bitmap, and the offset of its first row there.
    const [validity, firstBit] = nullBitmap && nullBitmap.length > 0 ? [nullBitmap, offset] : [null, 0];
    if (dictionary) {
      if (!ofDictionaries.has(dictionary)) ofDictionaries.set(dictionary, column(name, dictionary));
      return gathered(ofDictionaries.get(dictionary), addon.digestBytes(number(name)), values, length, validity, firstBit);
    }
    const width = type?.byteWidth; // Of FixedSizeBinary only.
    if (!values || (!valueOffsets && width === undefined)) {
      throw new TypeError(`column: ${type ?? "unknown type"}; must be Binary, Utf8, LargeBinary, LargeUtf8, FixedSizeBinary, or a dictionary of these`);
    }
    const offsets = valueOffsets ? valueOffsets.subarray(0, length + 1) : BigInt64Array.from({ length: length + 1 }, (_, i) => BigInt(i * width));
    return rows(name, values, offsets, { validity, firstBit });
  });
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}

function hmac(name, key, data, encoding = "hex") {
  const known = number(name);
  const mac = digests(known, 1);
  addon.hmac(known, bytes(key, "key"), bytes(data, "data"), mac);
  return encoded(mac, encoding);
}

module.exports = { hash, createHash, many, sha256Many, rows, column, hmac, version: addon.version };
