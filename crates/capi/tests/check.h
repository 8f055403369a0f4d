/* Checks of the test programs, which are compiled as C11 and as C++17. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

/* assert() that stays with NDEBUG. */
#define CHECK(condition)                                                                    \
    do {                                                                                    \
        if (!(condition)) {                                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                 \
            exit(1);                                                                        \
        }                                                                                   \
    } while (0)

#endif
