package hashlanes_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"fmt"
	"hash"
	"math"
	"strings"
	"testing"

	hashlanes "github.com/hashlanes/hashlanes/bindings/go"
)

var standard = map[hashlanes.Hash]func() hash.Hash{
	hashlanes.SHA1: sha1.New, hashlanes.SHA224: sha256.New224, hashlanes.SHA256: sha256.New,
	hashlanes.SHA384: sha512.New384, hashlanes.SHA512: sha512.New,
	hashlanes.SHA512_224: sha512.New512_224, hashlanes.SHA512_256: sha512.New512_256,
	hashlanes.SHA3_224: func() hash.Hash { return sha3.New224() }, hashlanes.SHA3_256: func() hash.Hash { return sha3.New256() },
	hashlanes.SHA3_384: func() hash.Hash { return sha3.New384() }, hashlanes.SHA3_512: func() hash.Hash { return sha3.New512() },
}

func sum(new func() hash.Hash, data []byte) []byte {
	h := new()
	h.Write(data)
	return h.Sum(nil)
}

// messages are more than go into one call, of 0 to 299 bytes; the last 1024 are long if asked for.
func messages(isLong bool) [][]byte {
	all := make([][]byte, 2500)
	for i := range all {
		n := i * 7 % 300
		if isLong && i >= 1024 {
			n += 4096
		}
		all[i] = bytes.Repeat([]byte{byte(i), byte(i >> 8), 3}, n/3+1)[:n]
	}
	return all
}

func TestHashHashIsThatOfTheStandardLibrary(t *testing.T) {
	for h, new := range standard {
		ours, theirs := h.New(), new()
		if ours.Size() != theirs.Size() || ours.BlockSize() != theirs.BlockSize() {
			t.Errorf("%v: size %d, block size %d", h, ours.Size(), ours.BlockSize())
		}
		for i := range 500 {
			part := bytes.Repeat([]byte{byte(i)}, i%211)
			ours.Write(part)
			theirs.Write(part)
			if !bytes.Equal(ours.Sum([]byte{1}), theirs.Sum([]byte{1})) {
				t.Fatalf("%v: differs after part %d", h, i)
			}
		}
		ours.Reset()
		if !bytes.Equal(ours.Sum(nil), new().Sum(nil)) || !bytes.Equal(h.Sum([]byte("abc")), sum(new, []byte("abc"))) {
			t.Errorf("%v: differs after Reset, or at once", h)
		}
	}
	if hashlanes.Sum256([]byte("abc")) != sha256.Sum256([]byte("abc")) || hashlanes.Sum512(nil) != sha512.Sum512(nil) {
		t.Error("Sum256 or Sum512 differs")
	}
}

func TestManyMessages(t *testing.T) {
	for _, isLong := range []bool{false, true} {
		all := messages(isLong)
		for i, digest := range hashlanes.Sum256Many(all) {
			if digest != sha256.Sum256(all[i]) {
				t.Fatalf("message %d differs", i)
			}
		}
	}
	if len(hashlanes.Sum256Many(nil)) != 0 {
		t.Error("digests of no messages")
	}
}

func TestSumManyPanics(t *testing.T) {
	panics := func(h hashlanes.Hash, all [][]byte, digests []byte, expected string) {
		defer func() {
			if message := fmt.Sprint(recover()); message != expected {
				t.Errorf("%s instead of %s", message, expected)
			}
		}()
		h.SumMany(all, digests)
	}
	all := messages(false)
	panics(hashlanes.SHA256, all, make([]byte, 32), "hashlanes: digests: 32 bytes for 2500 messages of digests of 32")
	panics(99, nil, nil, "hashlanes: an unknown algorithm, or one that the function does not support")
	for _, n := range []int{3, 5000} { // Copied, pinned.
		memory := make([]byte, 32*len(all)+n)
		digests := memory[:32*len(all)]
		all[2400] = memory[len(digests)-1:][:n]
		panics(hashlanes.SHA256, all, digests, "hashlanes: digests: overlap messages[2400]")
		if !bytes.Equal(memory, make([]byte, len(memory))) {
			t.Error("digests were written")
		}
		all[2400] = memory[len(digests):] // It begins where the digests end.
		panics(hashlanes.SHA256, all, digests, "<nil>")
	}
}

func TestRowsWithNulls(t *testing.T) {
	column := hashlanes.Column[int32]{Values: []byte("onetwothree"), Offsets: []int32{0, 3, 6, 11}, Validity: []byte{0b1010}, FirstBit: 1}
	wide := hashlanes.Column[int64]{Values: column.Values, Offsets: []int64{0, 3, 6, 11}}
	for h, new := range standard {
		n := h.Size()
		digests, all := make([]byte, 3*n), make([]byte, 3*n)
		if err := hashlanes.Rows(h, column, digests); err != nil {
			t.Fatal(err)
		}
		if err := hashlanes.Rows(h, wide, all); err != nil {
			t.Fatal(err)
		}
		one, three := sum(new, []byte("one")), sum(new, []byte("three"))
		if !bytes.Equal(digests, bytes.Join([][]byte{one, make([]byte, n), three}, nil)) {
			t.Errorf("%v: differs", h)
		}
		if !bytes.Equal(all, bytes.Join([][]byte{one, sum(new, []byte("two")), three}, nil)) {
			t.Errorf("%v: differs with offsets of 64 bits", h)
		}
	}
}

func TestErrorsAreReturned(t *testing.T) {
	digests := make([]byte, 32)
	for _, offsets := range [][]int32{{0, 4}, {2, 1}, {-1, 2}, nil} {
		if err := hashlanes.Rows(hashlanes.SHA256, hashlanes.Column[int32]{Values: []byte("abc"), Offsets: offsets}, digests); err == nil {
			t.Errorf("offsets %v are accepted", offsets)
		}
	}
	type column = hashlanes.Column[int32]
	one, none := []int32{0, 2}, []int32{0}
	for _, c := range []struct {
		hash    hashlanes.Hash
		column  column
		results int
		message string
	}{
		{hashlanes.SHA256, column{Offsets: one}, 40, "%s: 40 bytes; must be 32 for 1 rows of 32 bytes"},
		{hashlanes.SHA256, column{Offsets: one}, 31, "%s: 31 bytes; must be 32 for 1 rows of 32 bytes"},
		{hashlanes.SHA256, column{Offsets: none}, 32, "%s: 32 bytes; must be 0 for 0 rows of 32 bytes"},
		{hashlanes.SHA256, column{}, 0, "column.Offsets: empty; must have one item more than rows"},
		{hashlanes.SHA256, column{Offsets: one, Validity: []byte{}}, 32,
			"column.Validity: 0 bytes; must be at least 1 for 1 rows from bit 0 on"},
		{hashlanes.SHA256, column{Offsets: one, Validity: []byte{1}, FirstBit: 8}, 32,
			"column.Validity: 1 bytes; must be at least 2 for 1 rows from bit 8 on"},
		{hashlanes.SHA256, column{Offsets: one, Validity: []byte{1}, FirstBit: math.MaxInt}, 32,
			fmt.Sprintf("column.Validity: 1 bytes; must be at least %d for 1 rows from bit %d on", uint(math.MaxInt)/8+1, math.MaxInt)},
		{hashlanes.SHA256, column{Offsets: one, Validity: []byte{1}, FirstBit: -1}, 32, "column.FirstBit: -1; must not be negative"},
		{99, column{Offsets: none}, 0, "an unknown algorithm, or one that the function does not support"},
		{hashlanes.SHA256, column{Offsets: []int32{-1}}, 0,
			"an offset of the column decreases, is negative, or passes the end of the values"},
		{hashlanes.SHA256, column{Offsets: []int32{3}}, 0,
			"an offset of the column decreases, is negative, or passes the end of the values"},
	} {
		c.column.Values = []byte("ab")
		expect := func(name string, err error) {
			if expected := "hashlanes: " + strings.ReplaceAll(c.message, "%s", name); err == nil || err.Error() != expected {
				t.Errorf("%v instead of %s", err, expected)
			}
		}
		expect("digests", hashlanes.Rows(c.hash, c.column, make([]byte, c.results)))
		expect("macs", hashlanes.HMACRows(c.hash, nil, c.column, make([]byte, c.results)))
	}
	if err := hashlanes.Rows(hashlanes.SHA256, column{Offsets: none}, nil); err != nil {
		t.Errorf("no rows: %v", err)
	}
}

func TestHMAC(t *testing.T) {
	key, column := []byte("key"), hashlanes.Column[int64]{Values: []byte("onetwo"), Offsets: []int64{0, 3, 6}}
	macs := make([]byte, 64)
	if err := hashlanes.HMACRows(hashlanes.SHA256, key, column, macs); err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(hashlanes.New256, key) // The standard library's HMAC over this package's hash.
	mac.Write([]byte("two"))
	if !hmac.Equal(mac.Sum(nil), macs[32:]) {
		t.Error("the HMACs differ")
	}
	if err := hashlanes.HMACRows(hashlanes.SHA3_256, key, column, macs); err == nil {
		t.Error("HMAC with SHA-3 is accepted")
	}
}

func Example() {
	digests := hashlanes.Sum256Many([][]byte{[]byte("abc"), nil})
	fmt.Printf("%x\n%v", digests[0][:4], hashlanes.SHA256)
	// Output:
	// ba7816bf
	// sha256
}

const rows = 100_000

func column() hashlanes.Column[int32] {
	c := hashlanes.Column[int32]{Values: make([]byte, 20*rows), Offsets: make([]int32, rows+1)}
	for i := range c.Values {
		c.Values[i] = byte(i * 31)
	}
	for i := range c.Offsets {
		c.Offsets[i] = int32(20 * i)
	}
	return c
}

func perSecond(b *testing.B) {
	b.ReportMetric(float64(b.N)*rows/b.Elapsed().Seconds()*1e-6, "million/s")
}

func BenchmarkRows(b *testing.B) {
	c, digests := column(), make([]byte, 32*rows)
	for b.Loop() {
		if err := hashlanes.Rows(hashlanes.SHA256, c, digests); err != nil {
			b.Fatal(err)
		}
	}
	perSecond(b)
}

func BenchmarkSum256Many(b *testing.B) {
	c, digests, all := column(), make([]byte, 32*rows), make([][]byte, rows)
	for i := range all {
		all[i] = c.Values[20*i : 20*i+20]
	}
	for b.Loop() {
		hashlanes.SHA256.SumMany(all, digests)
	}
	perSecond(b)
}

func BenchmarkStandardSum256(b *testing.B) {
	c, digests := column(), make([][32]byte, rows)
	for b.Loop() {
		for i := range digests {
			digests[i] = sha256.Sum256(c.Values[20*i : 20*i+20])
		}
	}
	perSecond(b)
}
