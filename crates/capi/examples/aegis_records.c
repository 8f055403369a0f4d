/* Encrypts records in place with AEGIS-128L, several at once, as a server does; decrypts them, and notices a changed one. */
#include <hashlanes.h>
#include <stdio.h>
#include <string.h>

enum { RECORDS = 32, LONGEST = 1500 };

int main(void)
{
    static unsigned char texts[RECORDS][LONGEST];
    static struct hashlanes_aegis_record records[RECORDS];
    const uint8_t key[16] = "a random key 16"; /* From the system's source of random numbers in a real program. */
    const char header[] = "record header";

    for (int i = 0; i < RECORDS; i++) {
        memset(texts[i], 'a' + i % 26, LONGEST);
        records[i].nonce[0] = (uint8_t)i; /* A counter: never twice with one key. */
        records[i].ad = header;
        records[i].ad_bytes = sizeof header - 1;
        records[i].input = texts[i];
        records[i].output = texts[i];
        records[i].len = (size_t)(40 + 45 * i);
    }
    enum hashlanes_error error = hashlanes_aegis128l_encrypt_many(key, records, RECORDS, 16);
    if (error != HASHLANES_OK) {
        fprintf(stderr, "hashlanes_aegis128l_encrypt_many: %s\n", hashlanes_strerror(error));
        return 1;
    }
    texts[7][3] ^= 1; /* On its way, an attacker changes one. */
    error = hashlanes_aegis128l_decrypt_many(key, records, RECORDS, 16);
    if (error != HASHLANES_FORGED)
        return 1;
    for (int i = 0; i < RECORDS; i++) {
        if (records[i].error != HASHLANES_OK)
            printf("record %d: %s\n", i, hashlanes_strerror(records[i].error));
        else if (texts[i][0] != 'a' + i % 26)
            return 1;
    }
    return 0;
}
