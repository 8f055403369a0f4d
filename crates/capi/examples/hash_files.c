/*
 * Prints the SHA-256 of files, as sha256sum does. Eight files are open at a time, and advance together.
 *
 *     hash_files FILE...
 */
#include <hashlanes.h>
#include <stdio.h>
#include <string.h>

enum { OPEN = 8, PART = 16384 };

static int hash_some(char **names, size_t n)
{
    static unsigned char buffers[OPEN][PART];
    static struct hashlanes_hasher hashers[OPEN];
    struct hashlanes_hasher *pointers[OPEN];
    struct iovec parts[OPEN];
    unsigned char digests[OPEN][HASHLANES_SHA256_BYTES];
    FILE *files[OPEN];
    int failed = 0, reading = 1;

    for (size_t i = 0; i < n; i++) {
        pointers[i] = &hashers[i];
        hashlanes_hasher_init(&hashers[i], HASHLANES_SHA256);
        files[i] = fopen(names[i], "rb");
        if (!files[i]) {
            perror(names[i]);
            failed = 1;
        }
    }
    while (reading) {
        reading = 0;
        for (size_t i = 0; i < n; i++) {
            parts[i].iov_base = buffers[i];
            parts[i].iov_len = files[i] ? fread(buffers[i], 1, PART, files[i]) : 0;
            reading |= parts[i].iov_len > 0;
        }
        enum hashlanes_error error = hashlanes_hasher_update_many(pointers, parts, n);
        if (error != HASHLANES_OK) {
            fprintf(stderr, "%s\n", hashlanes_strerror(error));
            return 1;
        }
    }
    hashlanes_hasher_finish_many(pointers, n, digests[0]);
    for (size_t i = 0; i < n; i++) {
        if (!files[i])
            continue;
        fclose(files[i]);
        for (size_t k = 0; k < sizeof digests[i]; k++)
            printf("%02x", digests[i][k]);
        printf("  %s\n", names[i]);
    }
    return failed;
}

int main(int n_arguments, char **arguments)
{
    int failed = 0;
    for (int i = 1; i < n_arguments; i += OPEN) {
        int left = n_arguments - i;
        failed |= hash_some(arguments + i, (size_t)(left < OPEN ? left : OPEN));
    }
    return failed;
}
