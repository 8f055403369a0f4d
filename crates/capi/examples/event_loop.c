/*
 * Records from several pipes in one event loop. Each record is hashed with others; a callback receives it with its digest.
 *
 * A record is a byte with its length, then so many bytes. When no pipe has more to read, the records that wait are hashed:
 * a record never waits for one that has not arrived.
 */
#include <hashlanes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STREAMS = 3, RECORDS = 40 };

typedef void (*on_digest)(void *context, const void *data, size_t len, const unsigned char *digest);

struct record {
    on_digest callback;
    void *context;
    unsigned char bytes[255];
};

struct stream {
    int number;
    unsigned n_records, first_bytes;
};

/* Gives a record to its callback, and frees it. */
static void deliver(const struct hashlanes_done *done)
{
    struct record *record = (struct record *)done->user;
    record->callback(record->context, done->data, done->len, done->digest);
    free(record);
}

static void count(void *context, const void *data, size_t len, const unsigned char *digest)
{
    struct stream *stream = (struct stream *)context;
    unsigned char expected[HASHLANES_SHA256_BYTES];
    hashlanes_sha256(data, len, expected);
    if (memcmp(expected, digest, sizeof expected) != 0)
        abort();
    stream->n_records++;
    stream->first_bytes += digest[0];
}

static int submit(struct hashlanes_queue *queue, int descriptor, struct stream *stream)
{
    unsigned char len;
    if (read(descriptor, &len, 1) != 1)
        return 0; /* The stream has ended. */
    struct record *record = (struct record *)malloc(sizeof *record);
    if (!record || read(descriptor, record->bytes, len) != len) {
        free(record);
        return 0;
    }
    record->callback = count;
    record->context = stream;
    struct hashlanes_done done;
    if (hashlanes_queue_submit(queue, record->bytes, len, record, &done) == HASHLANES_OK && done.ready)
        deliver(&done);
    return 1;
}

static void flush(struct hashlanes_queue *queue)
{
    struct hashlanes_done done;
    while (hashlanes_queue_flush(queue, &done) == HASHLANES_OK && done.ready)
        deliver(&done);
}

int main(void)
{
    struct hashlanes_queue *queue = NULL;
    struct stream streams[STREAMS];
    struct pollfd polled[STREAMS];
    int n_open = STREAMS;

    if (hashlanes_queue_new(HASHLANES_SHA256, &queue) != HASHLANES_OK)
        return 1;
    for (int i = 0; i < STREAMS; i++) {
        int ends[2];
        if (pipe(ends) != 0)
            return 1;
        for (int k = 0; k < RECORDS; k++) {
            unsigned char record[256], len = (unsigned char)(k * 5);
            memset(record, i + k, sizeof record);
            record[0] = len;
            if (write(ends[1], record, len + 1u) < 0)
                return 1;
        }
        close(ends[1]);
        memset(&streams[i], 0, sizeof streams[i]);
        streams[i].number = i;
        polled[i].fd = ends[0];
        polled[i].events = POLLIN;
    }
    while (n_open > 0) {
        int ready = poll(polled, STREAMS, 0);
        if (ready == 0) {
            flush(queue); /* Nothing to read: hash what waits, then sleep. */
            ready = poll(polled, STREAMS, -1);
        }
        for (int i = 0; i < STREAMS && ready > 0; i++) {
            if (polled[i].fd >= 0 && polled[i].revents != 0 && !submit(queue, polled[i].fd, &streams[i])) {
                close(polled[i].fd);
                polled[i].fd = -1;
                n_open--;
            }
        }
    }
    flush(queue);
    hashlanes_queue_free(queue);
    for (int i = 0; i < STREAMS; i++)
        printf("stream %d: %u records, sum of first bytes %u\n", streams[i].number, streams[i].n_records,
               streams[i].first_bytes);
    return 0;
}
