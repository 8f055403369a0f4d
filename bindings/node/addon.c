/* Node's interface to libhashlanes: typed arrays in, typed arrays out. It checks all types and lengths
   itself: no argument makes the library read or write outside the memory of an array. */
#define NAPI_VERSION 8
#include <hashlanes.h>
#include <node_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* A call's arguments; undefined for those that are missing. */
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

/* 0 of a value that is not a number; no hash has this number. */
static uint32_t number(napi_env env, napi_value value)
{
    uint32_t n = 0;
    napi_get_value_uint32(env, value, &n);
    return n;
}

/* The memory of a Uint8Array. It may move or vanish when JavaScript runs. */
struct bytes {
    unsigned char *data;
    size_t len;
};

/* Returns whether the value is a Uint8Array; throws a TypeError with its name if not. */
static bool bytes(napi_env env, napi_value value, const char *name, struct bytes *result)
{
    napi_typedarray_type type = napi_int8_array;
    void *data = NULL;
    char text[64];
    if (napi_get_typedarray_info(env, value, &type, &result->len, &data, NULL, NULL) == napi_ok
        && type == napi_uint8_array) {
        result->data = data;
        return true;
    }
    snprintf(text, sizeof text, "%s: must be a Uint8Array", name);
    napi_throw_type_error(env, NULL, text);
    return false;
}

/* Returns whether the value is a Uint8Array with room for n digests; throws an error with its name if not. */
static bool room(napi_env env, napi_value value, const char *name, uint32_t hash, size_t n, struct bytes *result)
{
    size_t size = hashlanes_digest_bytes(hash); /* 0 of an unknown hash; the library then writes nothing. */
    char text[128];
    if (!bytes(env, value, name, result))
        return false;
    if (size == 0 || n <= result->len / size)
        return true;
    snprintf(text, sizeof text, "%s: %zu bytes are too few for %zu digests of %zu bytes", name, result->len, n, size);
    napi_throw_range_error(env, NULL, text);
    return false;
}

/* Whether other threads can change the memory of a typed array between the library's checks and its reads. */
static bool is_shared(napi_env env, napi_value array)
{
    napi_value buffer = NULL;
    bool is_own = false;
    napi_get_typedarray_info(env, array, NULL, NULL, NULL, &buffer, NULL);
    return !buffer || napi_is_arraybuffer(env, buffer, &is_own) != napi_ok || !is_own;
}

/* Throws the library's error, with the name of the argument. */
static void check(napi_env env, enum hashlanes_error error)
{
    const char *argument = error == HASHLANES_UNSUPPORTED ? "name: " : error == HASHLANES_OFFSETS ? "offsets: " : "";
    char text[128];
    if (error == HASHLANES_OK)
        return;
    snprintf(text, sizeof text, "%s%s", argument, hashlanes_strerror((int)error));
    napi_throw_error(env, "ERR_HASHLANES", text);
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
    uint32_t hash = number(env, a.at[0]);
    struct bytes data, digest;
    if (bytes(env, a.at[1], "data", &data) && room(env, a.at[2], "digest", hash, 1, &digest))
        check(env, hashlanes_fixed(hash, data.data, data.len, 1, digest.data));
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
    size_t n = hashlanes_digest_bytes(hash);
    struct bytes data;
    napi_value result = NULL;
    if (!bytes(env, a.at[1], "data", &data))
        return NULL;
    enum hashlanes_error error = hash == HASHLANES_SHA256 ? hashlanes_sha256(data.data, data.len, digest)
                                                          : hashlanes_fixed(hash, data.data, data.len, 1, digest);
    check(env, error);
    if (error != HASHLANES_OK)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        text[2 * i] = digits[digest[i] >> 4];
        text[2 * i + 1] = digits[digest[i] & 15];
    }
    napi_create_string_latin1(env, text, 2 * n, &result);
    return result;
}

enum { MOST = 1024 }; /* Messages of a call of many(). */

/* many(hash, messages, digests): the messages are an Array of up to MOST items */
static napi_value many(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    uint32_t hash = number(env, a.at[0]), n = 0;
    napi_value values[MOST];
    struct iovec messages[MOST];
    struct bytes message, digests;
    char name[32], text[64];
    if (napi_get_array_length(env, a.at[1], &n) != napi_ok) {
        napi_throw_type_error(env, NULL, "messages: must be an Array");
        return NULL;
    }
    if (n > MOST) {
        snprintf(text, sizeof text, "messages: %u items; a call accepts %u", (unsigned)n, (unsigned)MOST);
        napi_throw_range_error(env, NULL, text);
        return NULL;
    }
    /* An item may be a getter, which can detach other arrays: addresses are read after the last getter. */
    for (uint32_t i = 0; i < n; i++)
        if (napi_get_element(env, a.at[1], i, &values[i]) != napi_ok)
            return NULL;
    for (uint32_t i = 0; i < n; i++) {
        snprintf(name, sizeof name, "messages[%u]", (unsigned)i);
        if (!bytes(env, values[i], name, &message))
            return NULL;
        messages[i] = (struct iovec){message.data, message.len};
    }
    if (room(env, a.at[2], "digests", hash, n, &digests))
        check(env, hashlanes_many(hash, messages, n, digests.data));
    return NULL;
}

/* rows(hash, values, offsets, validity or null, firstBit, digests) */
static napi_value rows(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    uint32_t hash = number(env, a.at[0]), first_bit = number(env, a.at[4]);
    struct bytes values, digests, validity = {NULL, 0};
    napi_typedarray_type type = napi_int8_array;
    napi_valuetype of_validity = napi_undefined;
    void *offsets = NULL;
    size_t n = 0;
    if (napi_get_typedarray_info(env, a.at[2], &type, &n, &offsets, NULL, NULL) != napi_ok || n == 0
        || (type != napi_int32_array && type != napi_bigint64_array) || is_shared(env, a.at[2])) {
        napi_throw_type_error(env, NULL, "offsets: must be an Int32Array or a BigInt64Array, not empty and not shared");
        return NULL;
    }
    n--;
    if (!bytes(env, a.at[1], "values", &values) || !room(env, a.at[5], "digests", hash, n, &digests))
        return NULL;
    napi_typeof(env, a.at[3], &of_validity);
    if (of_validity != napi_null) {
        if (!bytes(env, a.at[3], "validity", &validity))
            return NULL;
        if (is_shared(env, a.at[3])) {
            napi_throw_type_error(env, NULL, "validity: must not be shared");
            return NULL;
        }
        if (((uint64_t)first_bit + n + 7) / 8 > validity.len) {
            char text[128];
            snprintf(text, sizeof text, "validity: %zu bytes are too few for %zu rows from bit %lu on", validity.len, n,
                     (unsigned long)first_bit);
            napi_throw_range_error(env, NULL, text);
            return NULL;
        }
    }
    if (type == napi_bigint64_array)
        check(env, hashlanes_rows64(hash, values.data, values.len, offsets, n, validity.data, first_bit, digests.data));
    else
        check(env, hashlanes_rows32(hash, values.data, values.len, offsets, n, validity.data, first_bit, digests.data));
    return NULL;
}

/* A message in parts. It is not in an array, where JavaScript could change it. */
struct message {
    uint32_t hash;
    struct hashlanes_hasher hasher;
};

/* Marks the objects that hold a message, among all objects that hold data of an addon. */
static const napi_type_tag IS_MESSAGE = {0x6c1f0a5be2d94387, 0x93b7d25e41f8c60a};

static void drop(napi_env env, void *data, void *hint)
{
    struct message *message = data;
    (void)env, (void)hint;
    hashlanes_hasher_clear(&message->hasher);
    free(message);
}

/* Returns an object that holds a copy of the message. */
static napi_value object(napi_env env, const struct message *message)
{
    struct message *copy = malloc(sizeof *copy);
    napi_value result = NULL;
    if (!copy) {
        check(env, HASHLANES_INTERNAL);
        return NULL;
    }
    *copy = *message;
    if (napi_create_object(env, &result) == napi_ok && napi_type_tag_object(env, result, &IS_MESSAGE) == napi_ok
        && napi_wrap(env, result, copy, drop, NULL, NULL) == napi_ok)
        return result;
    drop(env, copy, NULL);
    check(env, HASHLANES_INTERNAL);
    return NULL;
}

/* Returns the message of an object; throws a TypeError and returns NULL if it has none. */
static struct message *message(napi_env env, napi_value value)
{
    napi_valuetype type = napi_undefined;
    bool is_message = false;
    void *data = NULL;
    napi_typeof(env, value, &type);
    if (type == napi_object && napi_check_object_type_tag(env, value, &IS_MESSAGE, &is_message) == napi_ok && is_message
        && napi_unwrap(env, value, &data) == napi_ok)
        return data;
    napi_throw_type_error(env, NULL, "state: must be that of a hasher");
    return NULL;
}

/* init(hash), copy(state), update(state, part), finish(state, digest); finish() frees the state. */
static napi_value init(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    struct message message = {.hash = number(env, a.at[0])};
    enum hashlanes_error error = hashlanes_hasher_init(&message.hasher, message.hash);
    check(env, error);
    return error == HASHLANES_OK ? object(env, &message) : NULL;
}

static napi_value copy(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    struct message *original = message(env, a.at[0]);
    return original ? object(env, original) : NULL;
}

static napi_value update(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    struct message *state = message(env, a.at[0]);
    struct bytes part;
    if (state && bytes(env, a.at[1], "part", &part))
        check(env, hashlanes_hasher_update(&state->hasher, part.data, part.len));
    return NULL;
}

static napi_value finish(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    struct message *state = message(env, a.at[0]);
    struct bytes digest;
    if (!state || !room(env, a.at[1], "digest", state->hash, 1, &digest))
        return NULL;
    check(env, hashlanes_hasher_finish(&state->hasher, digest.data));
    /* Now: Node drops what is garbage only when no JavaScript runs, so a long loop would fill the memory. */
    if (napi_remove_wrap(env, a.at[0], NULL) == napi_ok)
        drop(env, state, NULL);
    return NULL;
}

/* hmac(hash, key, data, mac) */
static napi_value hmac(napi_env env, napi_callback_info info)
{
    struct arguments a = arguments(env, info);
    uint32_t hash = number(env, a.at[0]);
    struct bytes key, data, mac;
    if (bytes(env, a.at[1], "key", &key) && bytes(env, a.at[2], "data", &data)
        && room(env, a.at[3], "mac", hash, 1, &mac))
        check(env, hashlanes_hmac_one(hash, key.data, key.len, data.data, data.len, mac.data));
    return NULL;
}

NAPI_MODULE_INIT()
{
    static const struct {
        const char *name;
        napi_callback function;
    } functions[] = {{"digestBytes", digest_bytes}, {"number", hash_number}, {"one", one},   {"hex", hex},
                     {"many", many},                {"rows", rows},          {"init", init}, {"copy", copy},
                     {"update", update},            {"finish", finish},      {"hmac", hmac}};
    napi_value value;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].function, NULL, &value);
        napi_set_named_property(env, exports, functions[i].name, value);
    }
    napi_create_string_utf8(env, hashlanes_version(), NAPI_AUTO_LENGTH, &value);
    napi_set_named_property(env, exports, "version", value);
    return exports;
}
