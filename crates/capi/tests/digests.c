/* Every way to hash gives the digests of the one-shot functions. */
#include <hashlanes.h>
#include <string.h>

#include "check.h"

enum { N = 777, LONGEST = 300 };

static unsigned char values[N * LONGEST];
static struct iovec messages[N];
static const void *data[N];
static size_t lengths[N];
static int32_t offsets[N + 1];
static unsigned char expected[N * 32], digests[N * 32];

static void check_digests(void)
{
    CHECK(memcmp(digests, expected, sizeof digests) == 0);
    memset(digests, 0, sizeof digests);
}

static void make_messages(void)
{
    size_t end = 0;
    for (size_t i = 0; i < sizeof values; i++)
        values[i] = (unsigned char)(i * 31 + i / 251);
    for (size_t i = 0; i < N; i++) {
        lengths[i] = i * 7 % LONGEST;
        data[i] = values + end;
        messages[i].iov_base = values + end;
        messages[i].iov_len = lengths[i];
        end += lengths[i];
        offsets[i + 1] = (int32_t)end;
        CHECK(hashlanes_sha256(data[i], lengths[i], expected + 32 * i) == HASHLANES_OK);
    }
}

static void many(void)
{
    CHECK(hashlanes_many(HASHLANES_SHA256, messages, N, digests) == HASHLANES_OK);
    check_digests();
    CHECK(hashlanes_many_arrays(HASHLANES_SHA256, data, lengths, N, digests) == HASHLANES_OK);
    check_digests();
    CHECK(hashlanes_rows32(HASHLANES_SHA256, values, sizeof values, offsets, N, NULL, 0, digests) ==
          HASHLANES_OK);
    check_digests();
}

static void parts(void)
{
    struct hashlanes_hasher hasher, fork;
    CHECK(hashlanes_hasher_init(&hasher, HASHLANES_SHA256) == HASHLANES_OK);
    for (size_t i = 0; i < N; i++) {
        size_t half = lengths[i] / 2;
        CHECK(hashlanes_hasher_update(&hasher, values + offsets[i], half) == HASHLANES_OK);
        fork = hasher; /* A copy continues on its own. */
        CHECK(hashlanes_hasher_finish(&hasher, digests + 32 * i) == HASHLANES_OK);
        CHECK(hashlanes_hasher_update(&fork, values + offsets[i] + half, lengths[i] - half) ==
              HASHLANES_OK);
        CHECK(hashlanes_hasher_finish(&fork, digests + 32 * i) == HASHLANES_OK);
    }
    check_digests();
    hashlanes_hasher_clear(&hasher);
    hashlanes_hasher_clear(&fork);

    static struct hashlanes_hasher hashers[N];
    static struct hashlanes_hasher *pointers[N];
    for (size_t i = 0; i < N; i++) {
        pointers[i] = &hashers[i];
        CHECK(hashlanes_hasher_init(pointers[i], HASHLANES_SHA256) == HASHLANES_OK);
    }
    CHECK(hashlanes_hasher_update_many(pointers, messages, N) == HASHLANES_OK);
    CHECK(hashlanes_hasher_finish_many(pointers, N, digests) == HASHLANES_OK);
    check_digests();
}

static void queue(void)
{
    struct hashlanes_queue *queue = NULL;
    struct hashlanes_done done;
    size_t n_done = 0;
    CHECK(hashlanes_queue_new(HASHLANES_SHA256, &queue) == HASHLANES_OK);
    for (size_t i = 0; i < N; i++) {
        CHECK(hashlanes_queue_submit(queue, data[i], lengths[i], &messages[i], &done) == HASHLANES_OK);
        if (done.ready) {
            CHECK(done.user == &messages[n_done]);
            memcpy(digests + 32 * n_done++, done.digest, 32);
        }
    }
    while (hashlanes_queue_flush(queue, &done) == HASHLANES_OK && done.ready)
        memcpy(digests + 32 * n_done++, done.digest, 32);
    CHECK(n_done == N && hashlanes_queue_len(queue) == 0);
    hashlanes_queue_free(queue);
    check_digests();
}

static void keyed(void)
{
    struct hashlanes_hmac *hmac = NULL;
    unsigned char mac[HASHLANES_SHA512_BYTES], again[HASHLANES_SHA512_BYTES];
    CHECK(hashlanes_hmac_one(HASHLANES_SHA512, "key", 3, "message", 7, mac) == HASHLANES_OK);
    CHECK(hashlanes_hmac_check(HASHLANES_SHA512, "key", 3, "message", 7, mac, sizeof mac) == HASHLANES_OK);
    CHECK(hashlanes_hmac_check(HASHLANES_SHA512, "Key", 3, "message", 7, mac, sizeof mac) ==
          HASHLANES_FORGED);
    CHECK(hashlanes_hmac_new(HASHLANES_SHA512, "key", 3, &hmac) == HASHLANES_OK);
    CHECK(hashlanes_hmac_update(hmac, "mess", 4) == HASHLANES_OK);
    CHECK(hashlanes_hmac_update(hmac, "age", 3) == HASHLANES_OK);
    CHECK(hashlanes_hmac_finish(hmac, again) == HASHLANES_OK);
    CHECK(memcmp(mac, again, sizeof mac) == 0);
    hashlanes_hmac_free(hmac);
    CHECK(hashlanes_hmac_many(HASHLANES_SHA256, "key", 3, messages, N, digests) == HASHLANES_OK);
    for (size_t i = 0; i < N; i++)
        CHECK(hashlanes_hmac_check(HASHLANES_SHA256, "key", 3, data[i], lengths[i], digests + 32 * i, 32) ==
              HASHLANES_OK);
}

int main(void)
{
    make_messages();
    many();
    parts();
    queue();
    keyed();
    return 0;
}
