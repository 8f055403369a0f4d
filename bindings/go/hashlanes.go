// Package hashlanes hashes one message or many at once as fast as the CPU can, with standard results.
//
// It wraps the C library libhashlanes, which cgo finds by pkg-config: install it with "cargo xtask install-c --prefix PREFIX",
// and set PKG_CONFIG_PATH to PREFIX/lib/pkgconfig.
//
// [Hash.New] returns a [hash.Hash], so that it fits where crypto/sha256 does, crypto/hmac included. A call of C costs some 40 ns:
// hash many short messages with [Sum256Many], [Hash.SumMany] or [Rows] in one call.
package hashlanes

/*
#cgo pkg-config: hashlanes
#cgo noescape hashlanes_fixed
#cgo nocallback hashlanes_fixed
#cgo noescape hashlanes_sha256
#cgo nocallback hashlanes_sha256
#cgo noescape hashlanes_sha512
#cgo nocallback hashlanes_sha512
#cgo noescape hashlanes_rows32
#cgo nocallback hashlanes_rows32
#cgo noescape hashlanes_rows64
#cgo nocallback hashlanes_rows64
#cgo noescape hashlanes_hmac_rows32
#cgo nocallback hashlanes_hmac_rows32
#cgo noescape hashlanes_hmac_rows64
#cgo nocallback hashlanes_hmac_rows64
#cgo noescape hashlanes_many
#cgo nocallback hashlanes_many
#cgo noescape hashlanes_hasher_update
#cgo nocallback hashlanes_hasher_update
#cgo noescape hashlanes_hasher_finish
#cgo nocallback hashlanes_hasher_finish
#include <hashlanes.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"hash"
	"runtime"
	"unsafe"
)

// Hash is a hash function.
type Hash uint32

// The hash functions.
const (
	SHA1       Hash = C.HASHLANES_SHA1 // Collisions are known: for old formats only.
	SHA224     Hash = C.HASHLANES_SHA224
	SHA256     Hash = C.HASHLANES_SHA256
	SHA384     Hash = C.HASHLANES_SHA384
	SHA512     Hash = C.HASHLANES_SHA512
	SHA512_224 Hash = C.HASHLANES_SHA512_224
	SHA512_256 Hash = C.HASHLANES_SHA512_256
	SHA3_224   Hash = C.HASHLANES_SHA3_224
	SHA3_256   Hash = C.HASHLANES_SHA3_256
	SHA3_384   Hash = C.HASHLANES_SHA3_384
	SHA3_512   Hash = C.HASHLANES_SHA3_512
	Keccak256  Hash = C.HASHLANES_KECCAK256 // Ethereum's; not SHA3_256.
)

// Error is an error of the library: a column whose offsets do not fit, an unknown hash.
type Error int

// Error returns the library's sentence for the error.
func (e Error) Error() string { return "hashlanes: " + C.GoString(C.hashlanes_strerror(C.int(e))) }

func check(code uint32) error {
	if code != C.HASHLANES_OK {
		return Error(code)
	}
	return nil
}

// must panics with an error that correct calls do not return.
func must(code uint32) {
	if err := check(code); err != nil {
		panic(err)
	}
}

// Size returns the number of bytes of a digest.
func (h Hash) Size() int { return int(C.hashlanes_digest_bytes(C.hashlanes_hash(h))) }

// BlockSize returns the number of bytes of a block.
func (h Hash) BlockSize() int {
	switch h {
	case SHA1, SHA224, SHA256:
		return 64
	case SHA384, SHA512, SHA512_224, SHA512_256:
		return 128
	default:
		return 200 - 2*h.Size() // The rate of the sponge.
	}
}

// String returns the name, such as "sha256".
func (h Hash) String() string {
	if name := C.hashlanes_hash_name(C.hashlanes_hash(h)); name != nil {
		return C.GoString(name)
	}
	return fmt.Sprintf("Hash(%d)", uint32(h))
}

// pointer is the address of the first byte; nil of no bytes.
func pointer[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

func bytes(s []byte) *C.uint8_t { return (*C.uint8_t)(pointer(s)) }

// Sum256 returns the SHA-256 digest of data.
func Sum256(data []byte) (digest [32]byte) {
	must(C.hashlanes_sha256(pointer(data), C.size_t(len(data)), bytes(digest[:])))
	return digest
}

// Sum512 returns the SHA-512 digest of data.
func Sum512(data []byte) (digest [64]byte) {
	must(C.hashlanes_sha512(pointer(data), C.size_t(len(data)), bytes(digest[:])))
	return digest
}

// Sum returns the digest of data.
func (h Hash) Sum(data []byte) []byte {
	digest := make([]byte, h.Size())
	must(C.hashlanes_fixed(C.hashlanes_hash(h), pointer(data), C.size_t(len(data)), 1, bytes(digest)))
	return digest
}

// digest is a message in parts.
type digest struct {
	hasher C.struct_hashlanes_hasher
	hash   Hash
}

// New returns a hash.Hash that computes h. It panics if the hash is unknown.
func (h Hash) New() hash.Hash {
	d := &digest{hash: h}
	d.Reset()
	return d
}

// New256 returns a hash.Hash that computes SHA-256, as sha256.New does; for crypto/hmac and the like.
func New256() hash.Hash { return SHA256.New() }

func (d *digest) Reset() {
	must(C.hashlanes_hasher_init(&d.hasher, C.hashlanes_hash(d.hash)))
}

func (d *digest) Size() int { return d.hash.Size() }

func (d *digest) BlockSize() int { return d.hash.BlockSize() }

func (d *digest) Write(part []byte) (int, error) {
	must(C.hashlanes_hasher_update(&d.hasher, pointer(part), C.size_t(len(part))))
	return len(part), nil
}

// Sum appends the digest of the message so far; the message can be continued.
func (d *digest) Sum(b []byte) []byte {
	copied := d.hasher
	var sum [C.HASHLANES_MAX_DIGEST_BYTES]byte
	must(C.hashlanes_hasher_finish(&copied, bytes(sum[:])))
	return append(b, sum[:d.Size()]...)
}

// Sum256Many returns the SHA-256 digests of messages of any lengths, which are hashed together.
func Sum256Many(messages [][]byte) [][32]byte {
	digests := make([][32]byte, len(messages))
	SHA256.SumMany(messages, flat(digests))
	return digests
}

// flat is the memory of the digests.
func flat(digests [][32]byte) []byte {
	return unsafe.Slice((*byte)(pointer(digests)), 32*len(digests))
}

const (
	together = 1024 // Messages of a call.
	long     = 4096 // Bytes of a message that is better pinned than copied.
)

// SumMany computes the digests of messages of any lengths, which are hashed together. Digest i is at
// digests[i*h.Size():]. It panics if the hash is unknown, unless digests has room for exactly one digest for each
// message, or if digests overlaps a message.
func (h Hash) SumMany(messages [][]byte, digests []byte) {
	size := h.Size()
	if size == 0 {
		must(C.HASHLANES_UNSUPPORTED)
	}
	if len(digests) != size*len(messages) {
		panic(fmt.Sprintf("hashlanes: digests: %d bytes for %d messages of digests of %d", len(digests), len(messages), size))
	}
	for i, message := range messages {
		if overlap(message, digests) {
			panic(fmt.Sprintf("hashlanes: digests: overlap messages[%d]", i))
		}
	}
	var values []byte
	for len(messages) > 0 {
		n := min(together, len(messages))
		total := 0
		for _, message := range messages[:n] {
			total += len(message)
		}
		if total >= long*n {
			h.pinned(messages[:n], digests[:size*n])
		} else {
			values = h.copied(values[:0], messages[:n], digests[:size*n])
		}
		messages, digests = messages[n:], digests[size*n:]
	}
}

// overlap returns whether two slices share a byte.
func overlap(a, b []byte) bool {
	return len(a) > 0 && len(b) > 0 &&
		uintptr(unsafe.Pointer(&a[0])) <= uintptr(unsafe.Pointer(&b[len(b)-1])) &&
		uintptr(unsafe.Pointer(&b[0])) <= uintptr(unsafe.Pointer(&a[len(a)-1]))
}

// copied hashes messages after copying them to one place: C may not read Go pointers from Go memory.
func (h Hash) copied(values []byte, messages [][]byte, digests []byte) []byte {
	var offsets [together + 1]int64
	for i, message := range messages {
		values = append(values, message...)
		offsets[i+1] = int64(len(values))
	}
	must(C.hashlanes_rows64(C.hashlanes_hash(h), pointer(values), C.size_t(len(values)), (*C.int64_t)(&offsets[0]),
		C.size_t(len(messages)), nil, 0, bytes(digests)))
	return values
}

// pinned hashes messages where they are.
func (h Hash) pinned(messages [][]byte, digests []byte) {
	var pinner runtime.Pinner
	defer pinner.Unpin()
	vectors := make([]C.struct_iovec, len(messages))
	for i, message := range messages {
		if len(message) > 0 {
			pinner.Pin(unsafe.SliceData(message))
			vectors[i].iov_base = pointer(message)
			vectors[i].iov_len = C.size_t(len(message))
		}
	}
	must(C.hashlanes_many(C.hashlanes_hash(h), &vectors[0], C.size_t(len(vectors)), bytes(digests)))
}

// Offset is an offset of a column: Arrow's Binary and Utf8 have int32, LargeBinary and LargeUtf8 int64.
type Offset interface{ ~int32 | ~int64 }

// Column is a column of values as Arrow has it: row i is Values[Offsets[i]:Offsets[i+1]]. Validity is nil, or a bitmap in
// which bit FirstBit+i is 0 if row i is null.
type Column[O Offset] struct {
	Values   []byte
	Offsets  []O
	Validity []byte
	FirstBit int
}

// rows checks the lengths, which the library cannot see, and returns the number of rows.
func (c *Column[O]) rows(h Hash, name string, results []byte) (int, error) {
	n, size := len(c.Offsets)-1, h.Size()
	if size == 0 {
		return 0, Error(C.HASHLANES_UNSUPPORTED)
	}
	if n < 0 {
		return 0, errors.New("hashlanes: column.Offsets: empty; must have one item more than rows")
	}
	if len(results) != n*size {
		return 0, fmt.Errorf("hashlanes: %s: %d bytes; must be %d for %d rows of %d bytes", name, len(results), n*size, n, size)
	}
	if c.FirstBit < 0 {
		return 0, fmt.Errorf("hashlanes: column.FirstBit: %d; must not be negative", c.FirstBit)
	}
	bitmap := (uint64(c.FirstBit) + uint64(n) + 7) / 8 // Of 64 bits, which do not overflow.
	if c.Validity != nil && uint64(len(c.Validity)) < bitmap {
		return 0, fmt.Errorf("hashlanes: column.Validity: %d bytes; must be at least %d for %d rows from bit %d on",
			len(c.Validity), bitmap, n, c.FirstBit)
	}
	return n, nil
}

// Rows computes the digests of a column, those of null rows zeros. Digest i is at digests[i*h.Size():], and
// digests has room for exactly one digest for each row. It returns an error if the hash is unknown, an offset
// decreases or passes the end of the values, a length does not fit, or digests overlaps the column.
func Rows[O Offset](h Hash, column Column[O], digests []byte) error {
	n, err := column.rows(h, "digests", digests)
	if err != nil {
		return err
	}
	number, values, valuesBytes := C.hashlanes_hash(h), pointer(column.Values), C.size_t(len(column.Values))
	offsets, validity, first := pointer(column.Offsets), bytes(column.Validity), C.size_t(column.FirstBit)
	if unsafe.Sizeof(column.Offsets[0]) == 4 {
		return check(C.hashlanes_rows32(number, values, valuesBytes, (*C.int32_t)(offsets), C.size_t(n), validity, first, bytes(digests)))
	}
	return check(C.hashlanes_rows64(number, values, valuesBytes, (*C.int64_t)(offsets), C.size_t(n), validity, first, bytes(digests)))
}

// HMACRows computes the HMACs of a column with one key, as [Rows] computes digests. SHA-1 and SHA-2 are supported.
func HMACRows[O Offset](h Hash, key []byte, column Column[O], macs []byte) error {
	n, err := column.rows(h, "macs", macs)
	if err != nil {
		return err
	}
	number, values, valuesBytes, keyBytes := C.hashlanes_hash(h), pointer(column.Values), C.size_t(len(column.Values)), C.size_t(len(key))
	offsets, validity, first := pointer(column.Offsets), bytes(column.Validity), C.size_t(column.FirstBit)
	if unsafe.Sizeof(column.Offsets[0]) == 4 {
		return check(C.hashlanes_hmac_rows32(number, pointer(key), keyBytes, values, valuesBytes, (*C.int32_t)(offsets), C.size_t(n), validity, first, bytes(macs)))
	}
	return check(C.hashlanes_hmac_rows64(number, pointer(key), keyBytes, values, valuesBytes, (*C.int64_t)(offsets), C.size_t(n), validity, first, bytes(macs)))
}

// Version returns the version of the C library.
func Version() string { return C.GoString(C.hashlanes_version()) }
