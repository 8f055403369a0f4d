/// <reference types="node" />

type LowerCaseName =
  | "sha1" | "sha224" | "sha256" | "sha384" | "sha512" | "sha512-224" | "sha512-256"
  | "sha3-224" | "sha3-256" | "sha3-384" | "sha3-512" | "keccak256";
/** The name of a hash, in lower or upper case. */
export type HashName = LowerCaseName | Uppercase<LowerCaseName>;
/** Bytes; a string is encoded as UTF-8. */
export type Data = string | ArrayBuffer | NodeJS.ArrayBufferView;

/** Returns the digest of `data`: lower-case hexadecimal unless `encoding` says otherwise. */
export function hash(name: HashName, data: Data, encoding?: BufferEncoding): string;
export function hash(name: HashName, data: Data, encoding: "buffer"): Buffer;

/** A message in parts, with the interface of `crypto.Hash`. */
export interface Hash {
  /** Absorbs the next part; `encoding` is that of a string, UTF-8 by default. */
  update(part: Data, encoding?: BufferEncoding): this;
  /** Returns the digest. Nothing can be called afterwards. */
  digest(encoding: BufferEncoding): string;
  digest(encoding?: "buffer"): Buffer;
  /** Returns a hasher that continues from the same bytes. */
  copy(): Hash;
}
/** Begins a message that comes in parts. */
export function createHash(name: HashName): Hash;

/** Returns the digests of messages of any lengths, hashed together; digest i is at i times the length of a digest. */
export function many(name: HashName, messages: Iterable<Data>): Buffer;
/** As `many("sha256", messages)`. */
export function sha256Many(messages: Iterable<Data>): Buffer;

/**
 * Returns the digests of a column in Arrow's layout: row i is bytes `offsets[i]` to `offsets[i + 1]` of `values`.
 *
 * Row i is null if bit `firstBit + i` of `validity` is 0; digests of null rows are zeros. Throws if an offset decreases or
 * passes the end of the values.
 */
export function rows(
  name: HashName,
  values: Data,
  offsets: Int32Array | BigInt64Array,
  options?: { validity?: ArrayBuffer | NodeJS.ArrayBufferView | null; firstBit?: number },
): Buffer;

/** A Vector of Arrow JS, as far as it is read here. */
export interface BinaryVector {
  readonly data: readonly {
    readonly type?: unknown;
    /** Bytes; the indices of a dictionary. */
    readonly values: ArrayBufferView;
    readonly valueOffsets?: Int32Array | BigInt64Array;
    readonly nullBitmap?: Uint8Array | null;
    readonly offset: number;
    readonly length: number;
    readonly dictionary?: BinaryVector;
  }[];
}
/**
 * Returns the digests of a Vector of Arrow JS: Binary, Utf8, LargeBinary, LargeUtf8, FixedSizeBinary, or a dictionary of these,
 * each of whose values is hashed once. Digests of null rows are zeros.
 */
export function column(name: HashName, vector: BinaryVector): Buffer;

/** Returns the HMAC of `data` with SHA-1 or SHA-2: lower-case hexadecimal unless `encoding` says otherwise. */
export function hmac(name: HashName, key: Data, data: Data, encoding?: BufferEncoding): string;
export function hmac(name: HashName, key: Data, data: Data, encoding: "buffer"): Buffer;

/** The version of the C library. */
export const version: string;
