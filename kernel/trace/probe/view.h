/* SPDX-License-Identifier: GPL-2.0 */
/* How numbers and bytes are shown, if not as their type says; see view.c. */
#ifndef _PROBE_VIEW_H
#define _PROBE_VIEW_H

#include <linux/types.h>

#include "ast.h"
#include "names.h"

struct probe_arg_type;
struct seq_buf;
struct trace_seq;

enum probe_view_kind {
	PROBE_VIEW_ERRNO,	/* the name of a negative errno */
	PROBE_VIEW_ERRPTR,	/* the same for an address */
	PROBE_VIEW_ENUM,	/* one of @names */
	PROBE_VIEW_FLAGS,	/* some of @names */
	PROBE_VIEW_TIME,	/* time of the day, from nanoseconds */
	PROBE_VIEW_DEV,		/* MAJOR:MINOR */
	PROBE_VIEW_IPV4,	/* a number in network order */
	PROBE_VIEW_IPV6,	/* bytes */
	PROBE_VIEW_MAC,		/* bytes */
	PROBE_VIEW_UUID,	/* bytes */
};

/**
 * struct probe_view - how an argument is shown
 * @kind: the kind
 * @names: the names of numbers
 */
struct probe_view {
	enum probe_view_kind	kind;
	struct probe_names	names;
};

/**
 * struct probe_view_word - a word of the command that selects a view
 * @word: the word
 * @kind: the view
 * @bits: bits of the number or, of bytes, of each of them; 0: those of the value
 * @bytes: number of bytes; 0 if the view is that of a number
 */
struct probe_view_word {
	const char		*word;
	enum probe_view_kind	kind;
	u8			bits;
	u8			bytes;
};

const struct probe_view_word *probe_view_find(struct probe_str word, unsigned int *bits);
const struct probe_view *probe_view_copy(struct probe_arena *arena,
					 const struct probe_view *from);
bool probe_view_same(const struct probe_view *a, const struct probe_view *b);
void probe_view_print(struct trace_seq *s, const struct probe_view *view,
		      const struct probe_arg_type *type, const void *data);
const char *probe_view_fmt(const struct probe_view *view, const struct probe_arg_type *type);
void probe_view_put_values(struct seq_buf *b, const struct probe_view *view,
			   const struct probe_arg_type *type, const char *value);
int probe_view_room(const struct probe_view *view, const struct probe_arg_type *type,
		    const char *value);

/* Is it shown as a whole, although it is recorded as several bytes? */
static inline bool probe_view_is_bytes(const struct probe_view *view)
{
	return view && view->kind >= PROBE_VIEW_IPV6;
}

static inline bool probe_view_has_names(const struct probe_view *view)
{
	return view->kind == PROBE_VIEW_ENUM || view->kind == PROBE_VIEW_FLAGS;
}

#endif /* _PROBE_VIEW_H */
