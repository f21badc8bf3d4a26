/* A disk that is slow, runs full, fails, and loses what was not synced: for tests of what survives.
 *
 *   cc -shared -fPIC -O1 -o faults.so faults.c -ldl
 *   mkdir -p faults/disk faults/synced
 *   RAICHI_FAULTS=$PWD/faults LD_PRELOAD=$PWD/faults.so raichi serve --database faults/disk/tables.sqlite
 *
 * Files under faults/disk are watched; all others are left alone. While the program runs:
 *
 *   faults/sync-ms      a number: each sync of a watched file takes so many milliseconds more
 *   faults/full         where it exists, no watched file gets longer (ENOSPC); what it has can be overwritten
 *   faults/broken       where it exists, no sync succeeds (EIO)
 *
 * and what a power cut would leave is kept beside it:
 *
 *   faults/synced/INODE the content of a file when it was last synced (fsync or fdatasync)
 *   faults/synced/names the names in the folder when that was last synced: lines of "INODE NAME"
 *
 * So a power cut is: kill -9, then for each line of `names` the file INODE under NAME, empty where there is none. What was
 * written and not synced may have come to the disk as well, in any order: any sector of a file may as well be taken
 * from faults/disk. tests/faults/mod.rs does both.
 *
 * Watched is what SQLite and Rust's standard library do through libc: write, pwrite, fsync, fdatasync. Memory maps are
 * not. A file is watched by its inode, so that it may be renamed by whatever means.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 256, PATH = 4096, BLOCK = 1 << 16 };

/* What was written to a file since its last sync. */
static struct { ino_t inode; off_t from, to; } dirty[FILES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *control(char *path, const char *name) {
    const char *folder = getenv("RAICHI_FAULTS");
    snprintf(path, PATH, "%s/%s", folder ? folder : "", name);
    return path;
}

static int is_set(const char *name) {
    char path[PATH];
    return getenv("RAICHI_FAULTS") && access(control(path, name), F_OK) == 0;
}

/* Whether the file is under faults/disk; says what and where it is. */
static int is_watched(int fd, struct stat *about, char *path) {
    char disk[PATH], link[64];
    if (!getenv("RAICHI_FAULTS") || fstat(fd, about) != 0) return 0;
    if (!S_ISREG(about->st_mode) && !S_ISDIR(about->st_mode)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH - 1);
    if (length < 0) return 0;
    path[length] = 0;
    control(disk, "disk");
    size_t n = strlen(disk);
    return strncmp(path, disk, n) == 0 && (path[n] == '/' || path[n] == 0);
}

static void note(ino_t inode, off_t from, off_t to) {
    int free = -1;
    for (int i = 0; i < FILES; i++) {
        if (dirty[i].to > dirty[i].from && dirty[i].inode == inode) {
            if (from < dirty[i].from) dirty[i].from = from;
            if (to > dirty[i].to) dirty[i].to = to;
            return;
        }
        if (dirty[i].to <= dirty[i].from) free = i;
    }
    if (free < 0) abort();
    dirty[free].inode = inode, dirty[free].from = from, dirty[free].to = to;
}

/* Before a write: -1 where the disk is full for it. */
static int before_write(int fd, off_t offset, size_t count) {
    struct stat about;
    char path[PATH];
    int before = errno;
    if (is_watched(fd, &about, path)) {
        if (offset < 0) offset = fcntl(fd, F_GETFL) & O_APPEND ? about.st_size : lseek(fd, 0, SEEK_CUR);
        if (offset + (off_t)count > about.st_size && is_set("full")) {
            errno = ENOSPC;
            return -1;
        }
        pthread_mutex_lock(&lock);
        note(about.st_ino, offset, offset + (off_t)count);
        pthread_mutex_unlock(&lock);
    }
    errno = before;
    return 0;
}

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(write);
    return before_write(fd, -1, count) ? -1 : real(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    REAL(pwrite);
    return before_write(fd, offset, count) ? -1 : real(fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
    REAL(pwrite64);
    return before_write(fd, offset, count) ? -1 : real(fd, bytes, count, offset);
}

static void copy(int from, int to, off_t offset, off_t end) {
    static __typeof__(pwrite) *put;
    if (!put) put = (__typeof__(pwrite) *)dlsym(RTLD_NEXT, "pwrite");
    char block[BLOCK];
    while (offset < end) {
        size_t want = end - offset < BLOCK ? (size_t)(end - offset) : BLOCK;
        ssize_t n = pread(from, block, want, offset);
        if (n < 0) abort();
        if (n == 0) return;
        if (put(to, block, (size_t)n, offset) != n) abort();
        offset += n;
    }
}

static void keep_content(int fd, const struct stat *about, const char *path) {
    char name[64], kept[PATH];
    snprintf(name, sizeof name, "synced/%ju", (uintmax_t)about->st_ino);
    int to = open(control(kept, name), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    /* Closing a file drops all POSIX locks that the process has on it, so it is opened again only where it must be. */
    int is_readable = (fcntl(fd, F_GETFL) & O_ACCMODE) != O_WRONLY;
    int from = is_readable ? fd : open(path, O_RDONLY | O_CLOEXEC);
    if (to < 0 || from < 0) abort();
    for (int i = 0; i < FILES; i++) {
        if (dirty[i].to > dirty[i].from && dirty[i].inode == about->st_ino) {
            copy(from, to, dirty[i].from, dirty[i].to);
            dirty[i].from = dirty[i].to = 0;
        }
    }
    struct stat now;
    if (fstat(from, &now) != 0 || ftruncate(to, now.st_size) != 0) abort();
    if (!is_readable) close(from);
    close(to);
}

static void keep_names(const char *folder) {
    char kept[PATH], next[PATH];
    FILE *names = fopen(control(next, "synced/names.new"), "we");
    DIR *entries = opendir(folder);
    if (!names || !entries) abort();
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (entry->d_type == DT_REG) fprintf(names, "%ju %s\n", (uintmax_t)entry->d_ino, entry->d_name);
    }
    closedir(entries);
    fclose(names);
    if (rename(next, control(kept, "synced/names")) != 0) abort();
}

/* A sync of a watched file or folder: -1 where it fails. */
static int before_sync(int fd) {
    struct stat about;
    char path[PATH], setting[PATH];
    int before = errno;
    if (is_watched(fd, &about, path)) {
        long ms = 0;
        FILE *file = fopen(control(setting, "sync-ms"), "re");
        if (file) {
            if (fscanf(file, "%ld", &ms) != 1) ms = 0;
            fclose(file);
        }
        if (ms > 0) nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
        if (is_set("broken")) {
            errno = EIO;
            return -1;
        }
        pthread_mutex_lock(&lock);
        if (S_ISDIR(about.st_mode)) keep_names(path);
        else keep_content(fd, &about, path);
        pthread_mutex_unlock(&lock);
    }
    errno = before;
    return 0;
}

int fsync(int fd) {
    REAL(fsync);
    return before_sync(fd) ? -1 : real(fd);
}

int fdatasync(int fd) {
    REAL(fdatasync);
    return before_sync(fd) ? -1 : real(fd);
}
