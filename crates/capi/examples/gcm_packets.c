/* Encrypts packets of several connections in place with AES-256-GCM, a burst at once, as a gateway does. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include <hashlanes.h>
#include <stdio.h>
#include <string.h>

enum { CONNECTIONS = 4, PACKETS = 32, LONGEST = 1500 };

/* A nonce is the number of a packet, which never repeats with one key. */
static void write_number(uint8_t nonce[12], unsigned number)
{
    for (int i = 11; i >= 0; i--, number >>= 8)
        nonce[i] = (uint8_t)number;
}

static int failed(const char *name, enum hashlanes_error error)
{
    if (error != HASHLANES_OK)
        fprintf(stderr, "%s: %s\n", name, hashlanes_strerror(error));
    return error != HASHLANES_OK;
}

int main(void)
{
    static unsigned char packets[PACKETS][LONGEST];
    static struct hashlanes_gcm_message messages[PACKETS];
    struct hashlanes_gcm_key *keys[CONNECTIONS];
    unsigned sent[CONNECTIONS] = {0};
    const char header[] = "packet header";

    for (int c = 0; c < CONNECTIONS; c++) {
        uint8_t key[32]; /* The handshake's result in a real program, another one for each direction. */
        memset(key, c + 1, sizeof key);
        enum hashlanes_error error = hashlanes_gcm_key_new(HASHLANES_AES_GCM, key, sizeof key, &keys[c]);
        explicit_bzero(key, sizeof key);
        if (failed("hashlanes_gcm_key_new", error))
            return 1;
    }
    for (int i = 0; i < PACKETS; i++) {
        memset(packets[i], 'a' + i % 26, LONGEST);
        messages[i].key = keys[i % CONNECTIONS];
        write_number(messages[i].nonce, sent[i % CONNECTIONS]++);
        messages[i].ad = header;
        messages[i].ad_bytes = sizeof header - 1;
        messages[i].input = packets[i];
        messages[i].output = packets[i];
        messages[i].len = (size_t)(40 + 45 * i);
    }
    if (failed("hashlanes_gcm_encrypt_many", hashlanes_gcm_encrypt_many(messages, PACKETS)))
        return 1;
    packets[7][3] ^= 1; /* On its way, an attacker changes one. */
    if (hashlanes_gcm_decrypt_many(messages, PACKETS) != HASHLANES_FORGED)
        return 1;
    for (int i = 0; i < PACKETS; i++) {
        if (messages[i].error != HASHLANES_OK)
            printf("packet %d: %s\n", i, hashlanes_strerror(messages[i].error));
        else if (packets[i][0] != 'a' + i % 26)
            return 1;
    }
    for (int c = 0; c < CONNECTIONS; c++)
        hashlanes_gcm_key_free(keys[c]);
    return 0;
}
