/*
 * Verifies the signature of a firmware image, which is read in parts.
 *
 *     verify_firmware KEY.pem IMAGE SIGNATURE
 *
 * Exit status: 0 if the signature is valid, 1 if not, 2 if something could not be read.
 */
#include <hashlanes.h>
#include <stdio.h>

enum { LONGEST = 65536 };

static size_t read_file(const char *name, void *bytes)
{
    FILE *file = fopen(name, "rb");
    size_t len = file ? fread(bytes, 1, LONGEST, file) : 0;
    if (!file)
        perror(name);
    else
        fclose(file);
    return len;
}

static enum hashlanes_error verify(const struct hashlanes_xmss_key *key, FILE *image, const void *signature,
                                   size_t signature_bytes)
{
    unsigned char part[4096];
    size_t len;
    struct hashlanes_xmss_claim *claim;
    enum hashlanes_error error = hashlanes_xmss_claim_new(key, signature, signature_bytes, &claim);
    if (error != HASHLANES_OK)
        return error;
    while (error == HASHLANES_OK && (len = fread(part, 1, sizeof part, image)) > 0)
        error = hashlanes_xmss_claim_update(claim, part, len);
    if (error == HASHLANES_OK)
        error = hashlanes_xmss_claim_finish(claim);
    hashlanes_xmss_claim_free(claim);
    return error;
}

int main(int n_arguments, char **arguments)
{
    static unsigned char bytes[LONGEST];
    struct hashlanes_xmss_key *key;
    enum hashlanes_error error;

    if (n_arguments != 4) {
        fprintf(stderr, "usage: verify_firmware KEY.pem IMAGE SIGNATURE\n");
        return 2;
    }
    error = hashlanes_xmss_key_new(HASHLANES_XMSS_PEM, bytes, read_file(arguments[1], bytes), &key);
    if (error != HASHLANES_OK) {
        fprintf(stderr, "%s: %s\n", arguments[1], hashlanes_strerror(error));
        return 2;
    }
    FILE *image = fopen(arguments[2], "rb");
    if (!image) {
        perror(arguments[2]);
        hashlanes_xmss_key_free(key);
        return 2;
    }
    error = verify(key, image, bytes, read_file(arguments[3], bytes));
    printf("%s: %s\n", arguments[2], error == HASHLANES_OK ? "OK" : hashlanes_strerror(error));
    fclose(image);
    hashlanes_xmss_key_free(key);
    return error == HASHLANES_OK ? 0 : 1;
}
