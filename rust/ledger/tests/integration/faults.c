/* Loaded before a process's own libraries: at one chosen call that writes, syncs or locks a file whose path holds
 * ".ledger", something happens.
 *
 *   FAULT_CALLS   which calls are counted, of the letters w (write, truncate), s (sync), l (lock)
 *   FAULT_AT      the number of the call, from 1; 0 for all of them
 *   FAULT_KIND    before, after: SIGKILL before or after it; short: half of it is written, and then SIGKILL;
 *                 EIO, ENOSPC, ENOLCK: it fails so, and nothing is done; late-EIO: it is done, and says that it failed
 *   FAULT_MARK    a file that is made when it happens
 *   FAULT_CLOCK   if set, it is the first second of 1970
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long calls;

static int is_ours(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, ".ledger") != NULL;
}

static int is_kind(const char *kind) {
    const char *wanted = getenv("FAULT_KIND");
    return wanted && !strcmp(wanted, kind);
}

/* Whether it happens at this call. */
static int strikes(int fd, char call) {
    const char *counted = getenv("FAULT_CALLS"), *at = getenv("FAULT_AT"), *mark = getenv("FAULT_MARK");
    if (!counted || !at || !strchr(counted, call) || !is_ours(fd)) return 0;
    if (atol(at) != 0 && ++calls != atol(at)) return 0;
    if (mark) close(open(mark, O_CREAT | O_WRONLY, 0600));
    if (is_kind("before")) raise(SIGKILL);
    return 1;
}

static int fails(void) {
    errno = is_kind("EIO") ? EIO : is_kind("ENOSPC") ? ENOSPC : is_kind("ENOLCK") ? ENOLCK : 0;
    return errno != 0;
}

static ssize_t end(ssize_t done) {
    if (is_kind("after") || is_kind("short")) raise(SIGKILL);
    if (is_kind("late-EIO")) {
        errno = EIO;
        return -1;
    }
    return done;
}

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, name))

ssize_t write(int fd, const void *bytes, size_t size) {
    ssize_t (*real)(int, const void *, size_t) = REAL("write", ssize_t (*)(int, const void *, size_t));
    if (!strikes(fd, 'w')) return real(fd, bytes, size);
    if (fails()) return -1;
    return end(real(fd, bytes, is_kind("short") ? size / 2 : size));
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) {
    ssize_t (*real)(int, const void *, size_t, off64_t) =
        REAL("pwrite64", ssize_t (*)(int, const void *, size_t, off64_t));
    if (!strikes(fd, 'w')) return real(fd, bytes, size, offset);
    if (fails()) return -1;
    return end(real(fd, bytes, is_kind("short") ? size / 2 : size, offset));
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) { return pwrite64(fd, bytes, size, offset); }

#define ONE(name, call, parameters, ...)                                        \
    int name parameters {                                                       \
        int(*real) parameters = REAL(#name, int(*) parameters);                 \
        if (!strikes(fd, call)) return real(__VA_ARGS__);                       \
        if (fails()) return -1;                                                 \
        return (int)end(real(__VA_ARGS__));                                     \
    }

ONE(ftruncate, 'w', (int fd, off_t size), fd, size)
ONE(ftruncate64, 'w', (int fd, off64_t size), fd, size)
ONE(fsync, 's', (int fd), fd)
ONE(fdatasync, 's', (int fd), fd)

static int lock(const char *name, int fd, int command, void *argument) {
    int (*real)(int, int, void *) = REAL(name, int (*)(int, int, void *));
    int is_lock = command == F_SETLK || command == F_SETLKW;
    if (!is_lock || !strikes(fd, 'l')) return real(fd, command, argument);
    if (fails()) return -1;
    return (int)end(real(fd, command, argument));
}

#define VARIADIC(name)                         \
    int name(int fd, int command, ...) {       \
        va_list list;                          \
        va_start(list, command);               \
        void *argument = va_arg(list, void *); \
        va_end(list);                          \
        return lock(#name, fd, command, argument); \
    }

VARIADIC(fcntl)
VARIADIC(fcntl64)

int clock_gettime(clockid_t id, struct timespec *now) {
    int done = REAL("clock_gettime", int (*)(clockid_t, struct timespec *))(id, now);
    if (id == CLOCK_REALTIME && getenv("FAULT_CLOCK")) now->tv_sec = 1;
    return done;
}

time_t time(time_t *now) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (now) *now = exact.tv_sec;
    return exact.tv_sec;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec exact;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}
