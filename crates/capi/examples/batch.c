/* Hashes the lines of standard input in one call, and prints each digest with its line. */
#include <hashlanes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

int main(void)
{
    static char text[1 << 20];
    static struct iovec lines[MOST];
    static unsigned char digests[MOST][HASHLANES_SHA256_BYTES];
    size_t len = fread(text, 1, sizeof text, stdin), n = 0;

    for (char *line = text; line < text + len && n < MOST; n++) {
        char *end = (char *)memchr(line, '\n', (size_t)(text + len - line));
        if (!end)
            end = text + len;
        lines[n].iov_base = line;
        lines[n].iov_len = (size_t)(end - line);
        line = end + 1;
    }
    enum hashlanes_error error = hashlanes_many(HASHLANES_SHA256, lines, n, digests[0]);
    if (error != HASHLANES_OK) {
        fprintf(stderr, "hashlanes_many: %s\n", hashlanes_strerror(error));
        return 1;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sizeof digests[i]; k++)
            printf("%02x", digests[i][k]);
        printf("  %.*s\n", (int)lines[i].iov_len, (char *)lines[i].iov_base);
    }
    return 0;
}
