"use strict";
// Hashes one message or many at once; the addon calls libhashlanes. Types and documentation: index.d.ts.

const { existsSync } = require("node:fs");
const path = require("node:path");

// The addon that was compiled here, or the package's own.
const built = path.resolve(__dirname, process.env.NODE_HASHLANES_BUILD ?? "build", "hashlanes.node");
const prebuilt = path.join(__dirname, "prebuilt", `${process.platform}-${process.arch}`, "hashlanes.node");
const addon = require(existsSync(built) || !existsSync(prebuilt) ? built : prebuilt);

const numbers = new Map();

/** The library's number of a hash by its name, in lower or upper case. */
function number(name) {
  let found = numbers.get(name);
  if (found === undefined) {
    found = typeof name === "string" ? addon.number(name.toLowerCase()) : 0;
    if (found === 0) {
      throw new TypeError(`unknown hash ${JSON.stringify(name)}; expected sha1, sha256, sha512, sha512-256, sha3-256, keccak256, …`);
    }
    numbers.set(name, found);
  }
  return found;
}

/** Bytes of a string, a Buffer, an ArrayBuffer, or any view of one. */
function bytes(data, name) {
  if (data instanceof Uint8Array) return data;
  if (typeof data === "string") return Buffer.from(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  throw new TypeError(`${name}: must be a string, an ArrayBuffer or a view of one`);
}

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

  constructor(hash, state) {
    this.#hash = hash;
    this.#state = state ?? new Uint8Array(addon.HASHER_BYTES);
    if (!state) addon.init(this.#state, hash);
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
    return new Hash(this.#hash, this.#state.slice());
  }

  #check() {
    if (this.#isFinished) throw new Error("digest() was called already");
  }
}

const createHash = (name) => new Hash(number(name));

const TOGETHER = 1024; // Messages of a call.
const LONG = 4096; // Bytes of a message that is not copied.

/** No fewer bytes than a message has; of what is no message, 0. */
const mostBytes = (message) => (typeof message === "string" ? 3 * message.length : message?.byteLength ?? 0);

function many(name, messages) {
  const known = number(name);
  const all = Array.isArray(messages) ? messages : Array.from(messages);
  const size = addon.digestBytes(known);
  const result = digests(known, all.length);
  const offsets = new Int32Array(TOGETHER + 1);
  let values = Buffer.alloc(0);
  for (let first = 0; first < all.length; first += TOGETHER) {
    const group = all.slice(first, first + TOGETHER);
    const place = result.subarray(first * size, (first + group.length) * size);
    const longest = group.reduce((most, message) => Math.max(most, mostBytes(message)), 0);
    if (longest > LONG) {
      addon.many(known, group.map((message, i) => bytes(message, `messages[${first + i}]`)), place);
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
        const part = bytes(message, `messages[${first + i}]`);
        values.set(part, end);
        end += part.length;
      }
      offsets[i + 1] = end;
    }
    addon.rows(known, values, offsets.subarray(0, group.length + 1), null, 0, place);
  }
  return result;
}

const sha256Many = (messages) => many("sha256", messages);

function rows(name, values, offsets, { validity = null, firstBit = 0 } = {}) {
  const known = number(name);
  if (!(offsets instanceof Int32Array || offsets instanceof BigInt64Array) || offsets.length === 0) {
    throw new TypeError("offsets: must be an Int32Array or a BigInt64Array of one more item than rows");
  }
  const n = offsets.length - 1;
  if (!Number.isInteger(firstBit) || firstBit < 0 || firstBit >= 2 ** 32) {
    throw new RangeError(`firstBit: ${firstBit}; must be an integer of 32 bits`);
  }
  const bitmap = validity === null ? null : bytes(validity, "validity");
  if (bitmap && Math.ceil((firstBit + n) / 8) > bitmap.length) {
    throw new RangeError(`validity: ${bitmap.length} bytes are too few for ${n} rows from bit ${firstBit} on`);
  }
  const result = digests(known, n);
  addon.rows(known, bytes(values, "values"), offsets, bitmap, firstBit, result);
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
