/* Node's interface to libhashlanes: typed arrays in, typed arrays out. index.js has checked the types of all arguments. */
#define NAPI_VERSION 8
#include <hashlanes.h>
#include <node_api.h>
#include <stdlib.h>

/* A call's arguments. */
struct arguments {
    napi_value at[6];
};

static struct arguments arguments(napi_env env, napi_callback_info info)
{
    struct arguments a;
    size_t n = 6;
    napi_get_cb_info(env, info, &n, a.at, NULL, NULL);
    return a;
}

static uint32_t number(napi_env env, napi_value value)
{
    uint32_t n = 0;
    napi_get_value_uint32(env, value, &n);
    return n;
}

/* The memory of a typed array, and its length in items; NULL of another value. */
static void *array(napi_env env, napi_value value, size_t *n)
{
    napi_typedarray_type type;
    void *data = NULL;
    *n = 0;
    if (napi_get_typedarray_info(env, value, &type, n, &data, NULL, NULL) != napi_ok)
        return NULL;
    return data;
}

static void check(napi_env env, enum hashlanes_error error)
{
    if (error != HASHLANES_OK)
        napi_throw_error(env, "ERR_HASHLANES", hashlanes_strerror((int)error));
}

/* digestBytes(hash) */
static napi_value digest_bytes(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    napi_value result;
    napi_create_uint32(env, (uint32_t)hashlanes_digest_bytes(number(env, a.at[0])), &result);
    return result;
}

/* number(name): 0 if no hash has it */
static napi_value hash_number(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    char name[32] = "";
    napi_value result;
    napi_get_value_string_latin1(env, a.at[0], name, sizeof name, NULL);
    napi_create_uint32(env, hashlanes_hash_named(name), &result);
    return result;
}

/* one(hash, data, digest) */
static napi_value one(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    size_t len, digest_len;
    void *data = array(env, a.at[1], &len), *digest = array(env, a.at[2], &digest_len);
    check(env, hashlanes_fixed(number(env, a.at[0]), data, len, 1, digest));
    return NULL;
}

/* hex(hash, data): the digest as text */
static napi_value hex(napi_env env, napi_callback_info info)
{
    static const char digits[] = "0123456789abcdef";
    struct arguments a = arguments(env, info);
    unsigned char digest[HASHLANES_MAX_DIGEST_BYTES];
    char text[2 * HASHLANES_MAX_DIGEST_BYTES];
    uint32_t hash = number(env, a.at[0]);
    size_t len, n = hashlanes_digest_bytes(hash);
    void *data = array(env, a.at[1], &len);
    napi_value result = NULL;
    check(env, hash == HASHLANES_SHA256 ? hashlanes_sha256(data, len, digest)
                                        : hashlanes_fixed(hash, data, len, 1, digest));
    for (size_t i = 0; i < n; i++) {
        text[2 * i] = digits[digest[i] >> 4];
        text[2 * i + 1] = digits[digest[i] & 15];
    }
    napi_create_string_latin1(env, text, 2 * n, &result);
    return result;
}

/* many(hash, messages, digests) */
static napi_value many(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    uint32_t n = 0;
    size_t digests_len;
    void *digests = array(env, a.at[2], &digests_len);
    napi_get_array_length(env, a.at[1], &n);
    struct iovec *messages = malloc(n * sizeof *messages + 1);
    if (!messages) {
        check(env, HASHLANES_INTERNAL);
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++) {
        napi_handle_scope scope;
        napi_value message;
        napi_open_handle_scope(env, &scope); /* Or a million handles would be kept until the end. */
        napi_get_element(env, a.at[1], i, &message);
        messages[i].iov_base = array(env, message, &messages[i].iov_len);
        napi_close_handle_scope(env, scope);
    }
    check(env, hashlanes_many(number(env, a.at[0]), messages, n, digests));
    free(messages);
    return NULL;
}

/* rows(hash, values, offsets, validity or null, firstBit, digests) */
static napi_value rows(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    size_t len, n_offsets, n_validity, n_digests;
    void *values = array(env, a.at[1], &len), *offsets = array(env, a.at[2], &n_offsets);
    void *validity = array(env, a.at[3], &n_validity), *digests = array(env, a.at[5], &n_digests);
    uint32_t hash = number(env, a.at[0]), first_bit = number(env, a.at[4]);
    napi_typedarray_type type = napi_int32_array;
    napi_get_typedarray_info(env, a.at[2], &type, NULL, NULL, NULL, NULL);
    if (type == napi_bigint64_array)
        check(env, hashlanes_rows64(hash, values, len, offsets, n_offsets - 1, validity, first_bit, digests));
    else
        check(env, hashlanes_rows32(hash, values, len, offsets, n_offsets - 1, validity, first_bit, digests));
    return NULL;
}

/* init(hasher, hash), update(hasher, part), finish(hasher, digest): the hasher is a Uint8Array of HASHER_BYTES. */
static napi_value init(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    size_t n;
    check(env, hashlanes_hasher_init(array(env, a.at[0], &n), number(env, a.at[1])));
    return NULL;
}

static napi_value update(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    size_t n, len;
    void *hasher = array(env, a.at[0], &n), *part = array(env, a.at[1], &len);
    check(env, hashlanes_hasher_update(hasher, part, len));
    return NULL;
}

static napi_value finish(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    size_t n, len;
    void *hasher = array(env, a.at[0], &n);
    check(env, hashlanes_hasher_finish(hasher, array(env, a.at[1], &len)));
    return NULL;
}

/* hmac(hash, key, data, mac) */
static napi_value hmac(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    size_t key_len, len, mac_len;
    void *key = array(env, a.at[1], &key_len), *data = array(env, a.at[2], &len);
    check(env, hashlanes_hmac_one(number(env, a.at[0]), key, key_len, data, len, array(env, a.at[3], &mac_len)));
    return NULL;
}

NAPI_MODULE_INIT()
{
    static const struct {
        const char *name;
        napi_callback function;
    } functions[] = {{"digestBytes", digest_bytes}, {"number", hash_number}, {"one", one},   {"hex", hex},
                     {"many", many},                {"rows", rows},          {"init", init}, {"update", update},
                     {"finish", finish},            {"hmac", hmac}};
    napi_value value;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].function, NULL, &value);
        napi_set_named_property(env, exports, functions[i].name, value);
    }
    napi_create_uint32(env, sizeof(struct hashlanes_hasher), &value);
    napi_set_named_property(env, exports, "HASHER_BYTES", value);
    napi_create_string_utf8(env, hashlanes_version(), NAPI_AUTO_LENGTH, &value);
    napi_set_named_property(env, exports, "version", value);
    return exports;
}
