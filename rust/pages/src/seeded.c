/* Takes the place of two functions of the system in a process of a test, by LD_PRELOAD: 32 random bytes, as many as a
   release asks for, follow from PAGE_SEED and the number of the call, and it is always the same day. The program under
   test is the one that people get: it has no way to be seeded of its own. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static uint64_t calls;

ssize_t getrandom(void *to, size_t length, unsigned int flags) {
    const char *seed = getenv("PAGE_SEED");
    if (length != 32 || seed == NULL) return syscall(SYS_getrandom, to, length, flags);
    uint64_t state = 0xcbf29ce484222325;
    for (; *seed; seed++) state = (state ^ (unsigned char)*seed) * 0x100000001b3;
    state += __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) << 32;
    for (int word = 0; word < 4; word++) {
        uint64_t z = state += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        z ^= z >> 31;
        memcpy((char *)to + 8 * word, &z, 8);
    }
    return 32;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int failed = (int)syscall(SYS_clock_gettime, clock, time);
    /* Within an hour of 2026-12-01, 10:00 in UTC. */
    if (!failed && clock == CLOCK_REALTIME) time->tv_sec = 1796119200 + time->tv_sec % 3600;
    return failed;
}
