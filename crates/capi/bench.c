/*
 * Times libhashlanes next to OpenSSL and, where its header is installed, libipsec-mb.
 *
 *     cargo xtask bench-c
 *
 * compiles and runs it. Each figure is the least of several runs of CPU time; contestants take turns.
 */
#define _GNU_SOURCE
#define OPENSSL_SUPPRESS_DEPRECATED /* The low-level functions are OpenSSL's fastest form. */
#include <hashlanes.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef WITH_IPSEC_MB
#include <intel-ipsec-mb.h>
#endif

enum { TURNS = 9, N = 200000 };

static unsigned char message[16384], digest[64];
static unsigned char *values;
static struct iovec messages[N];
static unsigned char digests[N][32];
static EVP_MD *evp_sha256;
static EVP_MD_CTX *evp;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Hashes one message of so many bytes. */
typedef void one(size_t len);

static void hashlanes_one(size_t len) { hashlanes_sha256(message, len, digest); }
static void openssl_sha256(size_t len) { SHA256(message, len, digest); }

static void openssl_evp(size_t len)
{
    unsigned bytes;
    EVP_DigestInit_ex2(evp, evp_sha256, NULL);
    EVP_DigestUpdate(evp, message, len);
    EVP_DigestFinal_ex(evp, digest, &bytes);
}

static void openssl_low_level(size_t len)
{
    SHA256_CTX state;
    SHA256_Init(&state);
    SHA256_Update(&state, message, len);
    SHA256_Final(digest, &state);
}

static const struct {
    const char *name;
    one *run;
} ones[] = {{"hashlanes_sha256", hashlanes_one},
            {"OpenSSL SHA256()", openssl_sha256},
            {"OpenSSL EVP, fetched digest", openssl_evp},
            {"OpenSSL SHA256_Init, _Update, _Final", openssl_low_level}};

/* Hashes all messages. */
typedef void many(void);

static void hashlanes_all(void) { hashlanes_many(HASHLANES_SHA256, messages, N, digests[0]); }

static void hashlanes_loop(void)
{
    for (size_t i = 0; i < N; i++)
        hashlanes_sha256(messages[i].iov_base, messages[i].iov_len, digests[i]);
}

static void openssl_loop(void)
{
    for (size_t i = 0; i < N; i++)
        SHA256(messages[i].iov_base, messages[i].iov_len, digests[i]);
}

static void openssl_low_level_loop(void)
{
    for (size_t i = 0; i < N; i++) {
        SHA256_CTX state;
        SHA256_Init(&state);
        SHA256_Update(&state, messages[i].iov_base, messages[i].iov_len);
        SHA256_Final(digests[i], &state);
    }
}

#ifdef WITH_IPSEC_MB
static IMB_MGR *manager;

static void ipsec_mb(void)
{
    IMB_JOB *job;
    for (size_t i = 0; i < N; i++) {
        job = IMB_GET_NEXT_JOB(manager);
        memset(job, 0, sizeof *job);
        job->cipher_mode = IMB_CIPHER_NULL;
        job->hash_alg = IMB_AUTH_SHA_256;
        job->chain_order = IMB_ORDER_HASH_CIPHER;
        job->src = messages[i].iov_base;
        job->msg_len_to_hash_in_bytes = messages[i].iov_len;
        job->auth_tag_output = digests[i];
        job->auth_tag_output_len_in_bytes = 32;
        job = IMB_SUBMIT_JOB(manager);
    }
    while ((job = IMB_FLUSH_JOB(manager)) != NULL)
        ;
}
#endif

static const struct {
    const char *name;
    many *run;
} manies[] = {{"hashlanes_many", hashlanes_all},
              {"hashlanes_sha256 in a loop", hashlanes_loop},
              {"OpenSSL SHA256() in a loop", openssl_loop},
              {"OpenSSL SHA256_Init, ... in a loop", openssl_low_level_loop},
#ifdef WITH_IPSEC_MB
              {"libipsec-mb, jobs", ipsec_mb},
#endif
};

enum { ONES = sizeof ones / sizeof ones[0], MANIES = sizeof manies / sizeof manies[0] };

static void of_one(size_t len)
{
    double best[ONES];
    int calls = len > 1000 ? 500 : 20000;
    for (int k = 0; k < ONES; k++)
        best[k] = 1e9;
    for (int turn = 0; turn < TURNS; turn++)
        for (int k = 0; k < ONES; k++) {
            double start = seconds();
            for (int i = 0; i < calls; i++)
                ones[k].run(len);
            double took = (seconds() - start) / calls;
            if (took < best[k])
                best[k] = took;
        }
    printf("\none message of %zu bytes\n", len);
    for (int k = 0; k < ONES; k++)
        printf("  %-36s %9.1f ns  %5.2f\n", ones[k].name, best[k] * 1e9, best[k] / best[0]);
}

static void of_many(size_t len)
{
    double best[MANIES];
    unsigned char expected[32];
    for (size_t i = 0; i < N; i++) {
        messages[i].iov_base = values + len * i;
        messages[i].iov_len = len;
    }
    for (int k = 0; k < MANIES; k++)
        best[k] = 1e9;
    for (int turn = 0; turn < TURNS; turn++)
        for (int k = 0; k < MANIES; k++) {
            double start = seconds();
            manies[k].run();
            double took = seconds() - start;
            if (took < best[k])
                best[k] = took;
            SHA256(messages[777].iov_base, len, expected);
            if (memcmp(expected, digests[777], 32) != 0) {
                fprintf(stderr, "%s: a wrong digest\n", manies[k].name);
                exit(1);
            }
        }
    printf("\n%d messages of %zu bytes\n", N, len);
    for (int k = 0; k < MANIES; k++)
        printf("  %-36s %9.2f million a second  %5.2f\n", manies[k].name, N / best[k] * 1e-6, best[k] / best[0]);
}

int main(void)
{
    evp_sha256 = EVP_MD_fetch(NULL, "SHA2-256", NULL);
    evp = EVP_MD_CTX_new();
    values = malloc(64u * N);
    if (!evp_sha256 || !evp || !values)
        return 1;
    for (size_t i = 0; i < 64u * N; i++)
        values[i] = (unsigned char)(i * 31);
    memset(message, 'a', sizeof message);
#ifdef WITH_IPSEC_MB
    manager = alloc_mb_mgr(0);
    if (!manager)
        return 1;
    init_mb_mgr_auto(manager, NULL);
#endif
    printf("libhashlanes %s; the last column is the time in that of the first line\n", hashlanes_version());
    of_one(20);
    of_one(64);
    of_one(16384);
    of_many(20);
    of_many(64);
    return 0;
}
