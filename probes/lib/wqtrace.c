// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wqtrace.c - how long work waited, out of the text of a kernel trace
 */
#include "wqtrace.h"

#include <string.h>

#define QUEUE	     ": workqueue_queue_work: work struct="
#define EXECUTE	     ": workqueue_execute_start: work struct "
#define DELAY_BITS   48
#define DELAY_MAX_US ((1ull << DELAY_BITS) - 1)
#define CPUS_MAX     8192
#define SUM_MAX_NS   (1ull << 62)
#define US_PER_S     1000000
#define SECONDS_MAX  (DELAY_MAX_US / US_PER_S - 1)
#define NS_PER_US    1000

/* One event; the texts lie in the line. */
struct event {
	uint64_t time_us, address;
	char *function, *workqueue;
	int32_t ran_cpu, req_cpu, cpu;
};

/* Reads digits off @text.  Return: the number, which may be too large. */
static uint64_t number(const char **text, unsigned int base)
{
	uint64_t value = 0;

	for (;; (*text)++) {
		unsigned int c = (unsigned char)**text;
		unsigned int digit = c - '0';

		if (base == 16 && c >= 'a' && c <= 'f')
			digit = c - 'a' + 10;
		if (digit >= base || (digit > 9 && c < 'a'))
			return value;
		value = value * base + digit;
	}
}

/* Small beside musl's strstr(), and fast where few have the first byte. */
static char *find(char *text, const char *what)
{
	size_t len = strlen(what);

	while ((text = strchr(text, *what)) && strncmp(text, what, len) != 0)
		text++;
	return text;
}

/* Return: the text after @mark in @text, which is cut before it, or NULL. */
static char *cut(char *text, const char *mark)
{
	char *at = find(text, mark);

	if (!at)
		return NULL;
	*at = '\0';
	return at + strlen(mark);
}

/* "COMM-PID [CPU] FLAGS SECONDS.MICROSECONDS"; COMM may hold anything. */
static bool parse_head(struct event *e, const char *head)
{
	const char *cpu = strrchr(head, '['), *time = strrchr(head, ' ');
	uint64_t seconds, us;

	if (!cpu || !time)
		return false;
	cpu++;
	e->ran_cpu = (int32_t)(number(&cpu, 10) & INT32_MAX);
	time++;
	seconds = number(&time, 10);
	if (*cpu != ']' || e->ran_cpu >= CPUS_MAX || *time != '.')
		return false;
	time++;
	us = number(&time, 10);
	if (*time || us >= US_PER_S || seconds > SECONDS_MAX)
		return false;
	e->time_us = seconds * US_PER_S + us;
	return true;
}

/* NR_CPUS and -1 both stand for no CPU, with a sign or without. */
static int32_t parse_cpu(const struct wqtrace *t, const char *text)
{
	uint64_t cpu = *text == '-' ? UINT64_MAX : number(&text, 10);

	return cpu < t->cpus ? (int32_t)cpu : -1;
}

/* Older kernels print an address instead of the name: it says nothing. */
static bool is_address(const char *name)
{
	size_t len = strspn(name, "0123456789abcdef");

	return *name == '(' || !strncmp(name, "0x", 2) ||
	       (len == 16 && !name[len]);
}

/* A name is one word: without "[MODULE]", and without what is not ASCII. */
static void copy_name(char *to, size_t size, const char *from)
{
	size_t i;

	for (i = 0; i + 1 < size && from[i] && strncmp(from + i, " [", 2); i++)
		to[i] = from[i] > ' ' && from[i] < 0x7f ? from[i] : '_';
	to[i] = '\0';
	if (!i)
		strcpy(to, "?");
}

/* Return: the group's index, or WQTRACE_GROUPS_MAX if there is no room. */
static uint32_t find_group(struct wqtrace *t, const struct event *e)
{
	struct wqtrace_group new = { .cpu = e->cpu };
	uint32_t i;

	copy_name(new.workqueue, sizeof(new.workqueue),
		  is_address(e->workqueue) ? "unknown" : e->workqueue);
	copy_name(new.function, sizeof(new.function), e->function);
	for (i = 0; i < t->group_count; i++)
		if (t->groups[i].cpu == new.cpu &&
		    !strcmp(t->groups[i].function, new.function) &&
		    !strcmp(t->groups[i].workqueue, new.workqueue))
			return i;
	if (i < WQTRACE_GROUPS_MAX)
		t->groups[t->group_count++] = new;
	return i;
}

/* Return: the slot of an address, or a free one, or NULL if all are taken. */
static struct wqtrace_work *find_work(struct wqtrace *t, uint64_t address)
{
	uint64_t hash = address * 0x9e3779b97f4a7c15ull >> 32;

	for (uint32_t i = 0; i < WQTRACE_WORKS_MAX; i++) {
		struct wqtrace_work *work =
			&t->works[(hash + i) % WQTRACE_WORKS_MAX];

		if (work->address == address || !work->address)
			return work;
	}
	return NULL;
}

static void take_queued(struct wqtrace *t, const struct event *e)
{
	struct wqtrace_work *work = find_work(t, e->address);
	uint32_t group = find_group(t, e);

	if (!work || group == WQTRACE_GROUPS_MAX) {
		t->lost++;
		return;
	}
	t->groups[group].queued++;
	*work = (struct wqtrace_work){
		.address = e->address,
		.queued_us = e->time_us,
		.group = group,
		.req_cpu = e->req_cpu,
		.queued = true,
	};
}

static void take_executed(struct wqtrace *t, const struct event *e)
{
	struct wqtrace_work *work = find_work(t, e->address);
	char function[WQTRACE_FUNCTION_MAX];
	struct wqtrace_group *group;
	uint64_t delay_us = 0;

	/* Queued before the trace began. */
	if (!work || !work->queued)
		return;
	group = &t->groups[work->group];
	copy_name(function, sizeof(function), e->function);
	/* Its queueing was lost, and that of an earlier work is left. */
	if (strcmp(function, group->function) != 0)
		return;
	if (t->delay_count == WQTRACE_DELAYS_MAX) {
		t->lost++;
		return;
	}
	work->queued = false;
	if (e->time_us > work->queued_us)
		delay_us = e->time_us - work->queued_us;
	t->delays[t->delay_count++] =
		(uint64_t)work->group << DELAY_BITS | delay_us;
	if (group->sum_ns < SUM_MAX_NS)
		group->sum_ns += delay_us * NS_PER_US;
	if (!group->executed++ || delay_us * NS_PER_US > group->max_ns) {
		group->max_ns = delay_us * NS_PER_US;
		group->req_cpu = work->req_cpu;
		group->ran_cpu = e->ran_cpu;
	}
}

static bool parse_address(struct wqtrace *t, struct event *e, const char *text)
{
	/* "(____ptrval____)": too early in the boot to hash it. */
	if (*text == '(') {
		t->hidden++;
		return false;
	}
	if (!strncmp(text, "0x", 2))
		text += 2;
	e->address = number(&text, 16);
	return e->address != 0;
}

static void take_line(struct wqtrace *t, char *line)
{
	struct event e = { .time_us = 0 };
	char *rest = cut(line, QUEUE), *req_cpu, *cpu;

	if (rest) {
		e.function = cut(rest, " function=");
		e.workqueue =
			e.function ? cut(e.function, " workqueue=") : NULL;
		req_cpu = e.workqueue ? cut(e.workqueue, " req_cpu=") : NULL;
		cpu = req_cpu ? cut(req_cpu, " cpu=") : NULL;
		if (!cpu || !parse_head(&e, line) ||
		    !parse_address(t, &e, rest))
			return;
		e.req_cpu = parse_cpu(t, req_cpu);
		e.cpu = parse_cpu(t, cpu);
		take_queued(t, &e);
		return;
	}
	rest = cut(line, EXECUTE);
	e.function = rest ? cut(rest, ": function ") : NULL;
	if (e.function && parse_head(&e, line) && parse_address(t, &e, rest))
		take_executed(t, &e);
}

void wqtrace_text(struct wqtrace *t, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] != '\n') {
			if (t->line_len < sizeof(t->line))
				t->line[t->line_len++] = text[i];
			continue;
		}
		if (t->line_len < sizeof(t->line)) {
			t->line[t->line_len] = '\0';
			take_line(t, t->line);
		}
		t->line_len = 0;
	}
}

/* A shell sort with the gaps of Ciura: a tenth of the code of qsort(). */
static void sort(uint64_t *values, uint32_t count)
{
	static const uint32_t gaps[] = { 86961, 38648, 17177, 7634, 3393,
					 1508,	701,   301,   132,  57,
					 23,	10,    4,     1 };

	for (size_t k = 0; k < sizeof(gaps) / sizeof(gaps[0]); k++)
		for (uint32_t i = gaps[k]; i < count; i++) {
			uint64_t value = values[i];
			uint32_t j = i;

			for (; j >= gaps[k] && values[j - gaps[k]] > value;
			     j -= gaps[k])
				values[j] = values[j - gaps[k]];
			values[j] = value;
		}
}

/* Quantiles of type 7, as the host's: between the two values beside it. */
static uint64_t quantile_ns(const uint64_t *delays, uint32_t count,
			    uint32_t percent)
{
	uint64_t at = (uint64_t)(count - 1) * percent;
	uint64_t low = delays[at / 100] & DELAY_MAX_US;
	uint64_t high = delays[(at + 99) / 100] & DELAY_MAX_US;

	return low * NS_PER_US + (high - low) * (at % 100) * (NS_PER_US / 100);
}

void wqtrace_end(struct wqtrace *t)
{
	const uint64_t *delays = t->delays;

	for (uint32_t i = 0; i < WQTRACE_WORKS_MAX; i++)
		if (t->works[i].queued)
			t->groups[t->works[i].group].waiting++;
	sort(t->delays, t->delay_count);
	for (uint32_t i = 0; i < t->group_count; i++) {
		struct wqtrace_group *group = &t->groups[i];

		if (!group->executed)
			continue;
		group->p50_ns = quantile_ns(delays, group->executed, 50);
		group->p90_ns = quantile_ns(delays, group->executed, 90);
		group->p99_ns = quantile_ns(delays, group->executed, 99);
		delays += group->executed;
	}
}
