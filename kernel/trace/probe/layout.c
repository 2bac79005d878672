// SPDX-License-Identifier: GPL-2.0
/*
 * Layout of the arguments in a record.
 *
 *   header | fixed fields, packed | fault map | room for stacks and names | dynamic data
 *
 * The fields follow each other without gaps, as the format file declares.  Readers use the
 * offsets from that file and ignore the bytes after the last field.  These bytes contain
 * the fault map: one bit for each number recorded, array elements included.  Strings need
 * no bit, since a length of zero marks a fault, and stack traces cannot fault.  The first bit
 * of the map is always set and shows that there is a map.
 *
 * A record of fixed size costs less than one whose size depends on its strings.  So if
 * the only strings are names of the current task, each has room for the longest name,
 * as long as the record still fits into every buffer.
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/minmax.h>

#include "fetch.h"
#include "record.h"

/*
 * Reserve room for stack traces after the fault map.  Histograms read their words, so they are
 * aligned.
 */
static int place_stacks(struct probe_layout *l, struct probe_fetch *fetch, unsigned int nr)
{
	unsigned int at = ALIGN(l->texts, sizeof(long)), i;
	bool found = false;

	for (i = 0; i < nr; i++) {
		if (fetch[i].store != PROBE_STORE_STACK)
			continue;
		if (!found)
			l->texts = at;
		found = true;
		fetch[i].text = at;
		at += probe_stack_size(&fetch[i], sizeof(long));
		if (at - l->head > PROBE_MAX_FIXED)
			return -E2BIG;
	}
	l->size = found ? at : l->texts;
	return 0;
}

static bool is_task_name(const struct probe_fetch *f)
{
	return f->store == PROBE_STORE_COMM && !f->count;
}

/* If all strings are task names, reserve room for each in the record. */
static void place_task_names(struct probe_layout *l, struct probe_fetch *fetch, unsigned int nr)
{
	unsigned int at = l->size, i;

	for (i = 0; i < nr; i++) {
		if (is_task_name(&fetch[i]))
			at += PROBE_COMM_LEN;
		else if (probe_fetch_is_string(&fetch[i]))
			return;
	}
	/* Without this check, the record could become larger than PROBE_ANY_RECORD. */
	if (at - l->head > PROBE_MAX_FIXED)
		return;

	at = l->size;
	for (i = 0; i < nr; i++) {
		if (!is_task_name(&fetch[i]))
			continue;
		fetch[i].text = at;
		at += PROBE_COMM_LEN;
	}
	l->size = at;
	l->dynamic = false;
}

/**
 * probe_layout_set() - assign offsets in the record to arguments
 * @l: layout to fill in
 * @head: bytes before the first argument
 * @fetch: the arguments; their dst, fault and text are set
 * @nr: number of arguments
 *
 * Context: any.
 * Return: 0; -E2BIG when the arguments do not fit into a record.
 */
int probe_layout_set(struct probe_layout *l, unsigned int head,
		     struct probe_fetch *fetch, unsigned int nr)
{
	unsigned int at = head, bits = PROBE_MAP_MARK + 1, i;

	*l = (struct probe_layout){ .head = head };

	for (i = 0; i < nr; i++) {
		struct probe_fetch *f = &fetch[i];
		unsigned int elements = max_t(unsigned int, f->count, 1);

		f->dst = at;
		f->fault = 0;
		f->text = 0;
		at += f->size * elements;
		if (at - head > PROBE_MAX_FIXED)
			return -E2BIG;
		l->dynamic |= probe_fetch_is_string(f);
		if (probe_fetch_is_number(f)) {
			f->fault = bits;
			bits += elements;
		}
	}

	l->fixed = at;
	if (bits > PROBE_MAP_MARK + 1) {
		l->bits = bits;
		at += (bits + 7) / 8;
	}
	l->texts = ALIGN(at, sizeof(u32));
	if (place_stacks(l, fetch, nr))
		return -E2BIG;
	place_task_names(l, fetch, nr);
	return 0;
}
