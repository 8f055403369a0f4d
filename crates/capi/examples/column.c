/* Pseudonyms for a column in Arrow's layout: HMAC-SHA-256 of each value with a secret key, nulls left out. */
#include <hashlanes.h>
#include <stdio.h>

int main(void)
{
    const char values[] = "ada@example.orggrace@example.orgkaren@example.org";
    const int32_t offsets[] = {0, 15, 32, 32, 49}; /* Row 2 is null. */
    const uint8_t validity[] = {0x0b};
    const char key[] = "a secret key";
    enum { ROWS = 4 };
    unsigned char macs[ROWS][HASHLANES_SHA256_BYTES];

    enum hashlanes_error error =
        hashlanes_hmac_rows32(HASHLANES_SHA256, key, sizeof key - 1, values, sizeof values - 1, offsets, ROWS,
                              validity, 0, macs[0]);
    if (error != HASHLANES_OK) {
        fprintf(stderr, "hashlanes_hmac_rows32: %s\n", hashlanes_strerror(error));
        return 1;
    }
    for (int row = 0; row < ROWS; row++) {
        for (int k = 0; k < 8; k++)
            printf("%02x", macs[row][k]);
        printf("  row %d\n", row);
    }
    return 0;
}
