/* Mistakes that the library can see are errors, and each error has a text. */
#include <hashlanes.h>
#include <string.h>

#include "check.h"

int main(void)
{
    unsigned char memory[256] = {0};
    struct hashlanes_hasher hasher;
    struct iovec message;
    struct hashlanes_aes_key *key;

    CHECK(hashlanes_sha256(NULL, 0, memory) == HASHLANES_OK);
    CHECK(hashlanes_sha256(NULL, 1, memory) == HASHLANES_NULL);
    CHECK(hashlanes_sha256("abc", 3, NULL) == HASHLANES_NULL);
    CHECK(hashlanes_sha256("abc", (size_t)-1, memory) == HASHLANES_TOO_LONG);

    message.iov_base = memory;
    message.iov_len = 64;
    CHECK(hashlanes_many(HASHLANES_SHA256, &message, 1, memory + 63) == HASHLANES_OVERLAP);
    CHECK(hashlanes_many(HASHLANES_SHA256, &message, 1, memory + 64) == HASHLANES_OK);
    CHECK(hashlanes_many(0, &message, 1, memory + 64) == HASHLANES_UNSUPPORTED);

    memset(&hasher, 0, sizeof hasher);
    CHECK(hashlanes_hasher_update(&hasher, "abc", 3) == HASHLANES_NOT_INITIALISED);
    CHECK(hashlanes_hasher_init(&hasher, 99) == HASHLANES_UNSUPPORTED);
    CHECK(hashlanes_hasher_init(&hasher, HASHLANES_SHA256) == HASHLANES_OK);
    CHECK(hashlanes_hasher_finish(&hasher, (unsigned char *)&hasher + 8) == HASHLANES_OVERLAP);
    CHECK(hashlanes_hasher_update(&hasher, "abc", 3) == HASHLANES_OK);
    CHECK(hashlanes_hasher_finish(&hasher, memory) == HASHLANES_OK);
    hashlanes_hasher_clear(&hasher);

    CHECK(hashlanes_aes_key_new(memory, 16, &key) == HASHLANES_OK);
    CHECK(hashlanes_aes_cbc_decrypt(key, memory + 16, memory, memory + 64, 32) == HASHLANES_OVERLAP);
    CHECK(hashlanes_aes_cbc_decrypt(key, memory + 32, memory, memory + 64, 32) == HASHLANES_OK);
    hashlanes_aes_key_free(key);

    for (int error = 0; error <= HASHLANES_INTERNAL; error++) {
        CHECK(strlen(hashlanes_strerror(error)) > 5);
        CHECK(strcmp(hashlanes_strerror(error), "unknown error") != 0);
    }
    CHECK(strcmp(hashlanes_strerror(HASHLANES_INTERNAL + 1), "unknown error") == 0);
    CHECK(strcmp(hashlanes_strerror(-1), "unknown error") == 0);
    CHECK(sizeof hasher == 448);
    CHECK(sizeof(enum hashlanes_error) == 4);
    return 0;
}
