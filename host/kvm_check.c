// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kvm_check.c - `kverdict kvm-check`: does a guest make progress under KVM?
 *
 * /dev/kvm may exist, open and accept a VM, and yet a guest never gets on: the
 * vCPU spins in the host's kernel, perhaps where no signal ends it, or KVM
 * emulates every instruction.  So a test guest runs a few instructions in real
 * mode and a loop in long mode, where a kernel lives, in a child that is given
 * up when it does not answer in time.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "die.h"

#define TIMEOUT_MS 1000
#define TEXT_MAX   256

/* What the test guest writes, where, and how its memory is laid out. */
#define PORT	  0x80
#define VALUE	  42
#define MEMORY	  (2u << 20) /* one large page */
#define PML4_AT	  0x1000
#define PDPT_AT	  0x2000
#define PD_AT	  0x3000
#define CODE16_AT 0x4000
#define CODE64_AT 0x5000

#define PTE_PRESENT 0x1
#define PTE_WRITE   0x2
#define PTE_LARGE   0x80
#define CR0_PE	    0x1u
#define CR0_PG	    0x80000000u
#define CR4_PAE	    0x20
#define EFER_LME    0x100
#define EFER_LMA    0x400

/* mov $42, %al; out %al, $0x80; hlt */
static const unsigned char code16[] = { 0xb0, VALUE, 0xe6, PORT, 0xf4 };

/*
 * mov $20000000, %ecx; 1: dec %ecx; jnz 1b; then as above: a few ms where the
 * host's CPU executes it, many seconds where KVM emulates each instruction.
 */
static const unsigned char code64[] = { 0xb9,  0x00, 0x2d, 0x31, 0x01,
					0xff,  0xc9, 0x75, 0xfc, 0xb0,
					VALUE, 0xe6, PORT, 0xf4 };

static const char standard[] = "/dev/kvm";
static const char *device = standard;
static char failure[TEXT_MAX];

static bool fail(const char *what)
{
	snprintf(failure, sizeof(failure), "%s: %s", what, strerror(errno));
	return false;
}

static void put_entry(unsigned char *memory, size_t at, uint64_t entry)
{
	memcpy(memory + at, &entry, sizeof(entry));
}

static bool give_memory(int vm)
{
	struct kvm_userspace_memory_region region = { .memory_size = MEMORY };
	unsigned char *memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return fail("allocate memory");
	put_entry(memory, PML4_AT, PDPT_AT | PTE_PRESENT | PTE_WRITE);
	put_entry(memory, PDPT_AT, PD_AT | PTE_PRESENT | PTE_WRITE);
	put_entry(memory, PD_AT, PTE_PRESENT | PTE_WRITE | PTE_LARGE);
	memcpy(memory + CODE16_AT, code16, sizeof(code16));
	memcpy(memory + CODE64_AT, code64, sizeof(code64));
	region.userspace_addr = (uintptr_t)memory;
	if (ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region) < 0)
		return fail("KVM_SET_USER_MEMORY_REGION");
	return true;
}

static bool enter_real_mode(int vcpu)
{
	struct kvm_regs regs = { .rip = CODE16_AT, .rflags = 2 };
	struct kvm_sregs sregs;

	if (ioctl(vcpu, KVM_GET_SREGS, &sregs) < 0)
		return fail("KVM_GET_SREGS");
	sregs.cs.base = 0;
	sregs.cs.selector = 0;
	if (ioctl(vcpu, KVM_SET_SREGS, &sregs) < 0)
		return fail("KVM_SET_SREGS");
	if (ioctl(vcpu, KVM_SET_REGS, &regs) < 0)
		return fail("KVM_SET_REGS");
	return true;
}

/* Flat 64-bit segments and the page table above. */
static bool enter_long_mode(int vcpu)
{
	struct kvm_segment data = { .limit = ~0u,
				    .selector = 0x10,
				    .type = 3, /* read, write, accessed */
				    .present = 1,
				    .db = 1,
				    .s = 1,
				    .g = 1 };
	struct kvm_segment text = data;
	struct kvm_regs regs = { .rip = CODE64_AT, .rflags = 2 };
	struct kvm_sregs sregs;

	if (ioctl(vcpu, KVM_GET_SREGS, &sregs) < 0)
		return fail("KVM_GET_SREGS");
	text.selector = 0x8;
	text.type = 11; /* execute, read, accessed */
	text.db = 0;
	text.l = 1;
	sregs.cs = text;
	sregs.ds = sregs.es = sregs.fs = sregs.gs = sregs.ss = data;
	sregs.cr3 = PML4_AT;
	sregs.cr4 |= CR4_PAE;
	sregs.cr0 |= CR0_PE | CR0_PG;
	sregs.efer |= EFER_LME | EFER_LMA;
	if (ioctl(vcpu, KVM_SET_SREGS, &sregs) < 0)
		return fail("KVM_SET_SREGS");
	if (ioctl(vcpu, KVM_SET_REGS, &regs) < 0)
		return fail("KVM_SET_REGS");
	return true;
}

static bool run_code(int vcpu, const struct kvm_run *run)
{
	const unsigned char *data;

	if (ioctl(vcpu, KVM_RUN, 0) < 0)
		return fail("KVM_RUN");
	data = (const unsigned char *)run + run->io.data_offset;
	if (run->exit_reason == KVM_EXIT_IO && run->io.port == PORT &&
	    *data == VALUE)
		return true;
	snprintf(failure, sizeof(failure),
		 "the test guest ended with KVM exit reason %u",
		 run->exit_reason);
	return false;
}

/* Everything is closed by the end of the process. */
static bool try_kvm(void)
{
	int kvm = open(device, O_RDWR | O_CLOEXEC), vm, vcpu, size;
	struct kvm_run *run;

	if (kvm < 0)
		return fail("open the device");
	vm = ioctl(kvm, KVM_CREATE_VM, 0);
	if (vm < 0)
		return fail("KVM_CREATE_VM");
	if (!give_memory(vm))
		return false;
	vcpu = ioctl(vm, KVM_CREATE_VCPU, 0);
	if (vcpu < 0)
		return fail("KVM_CREATE_VCPU");
	size = ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0);
	if (size < (int)sizeof(*run))
		return fail("KVM_GET_VCPU_MMAP_SIZE");
	run = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, vcpu,
		   0);
	if (run == MAP_FAILED)
		return fail("map the vCPU");
	return enter_real_mode(vcpu) && run_code(vcpu, run) &&
	       enter_long_mode(vcpu) && run_code(vcpu, run);
}

/**
 * ask_child() - what a child finds out about KVM within the deadline
 * @answer:	where to store the text: empty if KVM is usable
 * Return: whether the child answered.
 */
static bool ask_child(char answer[static TEXT_MAX])
{
	struct pollfd ready = { .events = POLLIN };
	int channel[2];
	ssize_t len = -1;
	pid_t child;

	if (pipe2(channel, O_CLOEXEC) < 0)
		die_errno(STATUS_HOST, "make a pipe");
	child = fork();
	if (child < 0)
		die_errno(STATUS_HOST, "start the KVM test");
	if (child == 0) {
		/* It may never end: nobody shall wait for it at a pipe. */
		setsid();
		for (int fd = 0; fd < 1024; fd++)
			if (fd != channel[1])
				close(fd);
		if (try_kvm())
			failure[0] = '\0';
		len = write(channel[1], failure, TEXT_MAX);
		_exit(len == TEXT_MAX ? STATUS_GOOD : STATUS_HOST);
	}
	close(channel[1]);
	ready.fd = channel[0];
	if (poll(&ready, 1, TIMEOUT_MS) > 0)
		len = read(channel[0], answer, TEXT_MAX);
	close(channel[0]);
	/* Not waited for: in the host's kernel it may be out of reach.  Init
	 * inherits it.
	 */
	kill(child, SIGKILL);
	return len == TEXT_MAX;
}

static bool read_boot_id(char id[static 64])
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	bool good = file && fgets(id, 64, file);

	if (file)
		fclose(file);
	if (good)
		id[strcspn(id, "\n")] = '\0';
	return good;
}

/* Where the answer is kept until the host boots again; NULL: nowhere. */
static char *cache_path(const char *dir)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");

	if (!dir && runtime && runtime[0])
		dir = runtime;
	return dir ? xprintf("%s/kverdict-kvm-check", dir) : NULL;
}

/**
 * cache_read() - the answer of this host boot, if one is kept
 * @answer:	where to store the text: empty if KVM is usable
 *
 * The file has two lines, the boot id and the answer.  One of another boot, or
 * of another user, who could have made it up, is not believed.
 *
 * Return: whether there is one.
 */
static bool cache_read(const char *path, char answer[static TEXT_MAX])
{
	char now[64], then[64];
	struct stat st;
	bool good = false;
	FILE *file = path ? fopen(path, "re") : NULL;

	if (!file)
		return false;
	if (fstat(fileno(file), &st) == 0 && st.st_uid == geteuid() &&
	    read_boot_id(now) && fgets(then, sizeof(then), file) &&
	    fgets(answer, TEXT_MAX, file)) {
		then[strcspn(then, "\n")] = '\0';
		good = strchr(answer, '\n') && !strcmp(now, then);
		answer[strcspn(answer, "\n")] = '\0';
	}
	fclose(file);
	return good;
}

/* Failing to keep the answer costs the next call a second, no more. */
static void cache_write(const char *path, const char *answer)
{
	char *part, id[64];
	FILE *file;
	int fd;

	if (!path || !read_boot_id(id))
		return;
	part = xprintf("%s.XXXXXX", path);
	fd = mkostemp(part, O_CLOEXEC);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (file) {
		fprintf(file, "%s\n%s\n", id, answer);
		if (fclose(file) != 0 || rename(part, path) < 0)
			unlink(part);
	}
	free(part);
}

/*
 * Whether the device can be opened is asked anew each time, because a user may
 * have been given access meanwhile.
 */
static bool can_open(char answer[static TEXT_MAX])
{
	int fd = open(device, O_RDWR | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0) {
		close(fd);
		return true;
	}
	if (errno == EACCES)
		snprintf(answer, TEXT_MAX,
			 "open %s: permission denied: join its group, "
			 "usually with `sudo adduser $USER kvm`",
			 device);
	else if (errno == ENOENT)
		snprintf(answer, TEXT_MAX,
			 "there is no %s: this host offers no KVM", device);
	else
		snprintf(answer, TEXT_MAX, "open %s: %s", device,
			 strerror(errno));
	return false;
}

static void check(const char *dir, char answer[static TEXT_MAX])
{
	char *path;

	if (!can_open(answer))
		return;
	/* Of another device nothing is kept. */
	path = device == standard ? cache_path(dir) : NULL;
	if (!cache_read(path, answer)) {
		if (!ask_child(answer))
			snprintf(answer, TEXT_MAX,
				 "%s opens, but the few instructions of a "
				 "test guest do not end within %d ms",
				 device, TIMEOUT_MS);
		cache_write(path, answer);
	}
	free(path);
}

int kvm_check_main(int argc, char **argv)
{
	const char *dir = NULL;
	char answer[TEXT_MAX] = "";

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		puts("Usage: kverdict kvm-check [--cache DIR | --device "
		     "FILE]\n\n"
		     "Run a few instructions under KVM and say whether that "
		     "works.\nThe answer is kept in DIR, or in "
		     "$XDG_RUNTIME_DIR, until the host boots again.\n"
		     "FILE stands in for /dev/kvm.\n\n"
		     "Exit status: 0 usable, 128 not, 129 wrong usage.");
		return STATUS_GOOD;
	}
	if (argc == 3 && !strcmp(argv[1], "--cache"))
		dir = argv[2];
	else if (argc == 3 && !strcmp(argv[1], "--device"))
		device = argv[2];
	else if (argc != 1)
		die(STATUS_USAGE, "see kverdict kvm-check --help");

	check(dir, answer);
	if (answer[0]) {
		printf("KVM is not usable: %s\n", answer);
		return STATUS_HOST;
	}
	puts("KVM is usable: a guest executes instructions");
	return STATUS_GOOD;
}
