# kernel/trace/ring_buffer.c
# Move structures, and functions for writers, to ring_buffer_write.h.

1 {
	h
	s|.*|/* SPDX-License-Identifier: GPL-2.0 */\
/*\
 * The ring buffer: structures, and inline functions for writers.\
 *\
 * Only ring_buffer.c and the code that records trace events include this file.\
 */\
#ifndef _RING_BUFFER_WRITE_H\
#define _RING_BUFFER_WRITE_H\
\
#include <linux/atomic.h>\
#include <linux/completion.h>\
#include <linux/cpumask.h>\
#include <linux/irq_work.h>\
#include <linux/list.h>\
#include <linux/math.h>\
#include <linux/mutex.h>\
#include <linux/notifier.h>\
#include <linux/preempt.h>\
#include <linux/ring_buffer.h>\
#include <linux/sched/clock.h>\
#include <linux/smp.h>\
#include <linux/spinlock.h>\
#include <linux/trace_clock.h>\
#include <linux/trace_recursion.h>\
#include <linux/wait.h>\
#include <linux/workqueue.h>\
\
#include <asm/local.h>\
#include <asm/local64.h>\
|
	w kernel/trace/ring_buffer_write.h
	g
}
/^#include "trace\.h"$/ i #include "ring_buffer_write.h"

# Read two lines of some comments and functions together: the second one identifies them.
/^\/\*\*?$/ N
/^static __always_inline (bool|void)$/ N
/^enum \{$/ N

# Structures and constants
/^#define BUF_PAGE_HDR_SIZE/,/^#define RB_ALIGN_DATA/ b move
/^enum \{\n\tRB_LEN_TIME_EXTEND/,/^\}/ b move
/^#define TS_SHIFT/,/^#define TS_DELTA_TEST/ b move
/^struct buffer_data_page \{/,/^\}/ b move
/^struct buffer_data_read_page \{/,/^\}/ b move
/^\/\*\n \* Note, the buffer_page list/,/^\}/ b move
/^\/\*\n \* The buffer page counters/,/^#define RB_WRITE_INTCNT/ b move
/^\/\*\*\n \* rb_page_capacity/,/^\}/ b move
/^\/\*\n \* We need to fit the time_stamp delta/,/^\}/ b move
/^struct rb_irq_work \{/,/^\}/ b move
/^\/\*\n \* Used for which event context/,/^\}/ b move
/^struct rb_time_struct \{/,/^typedef struct rb_time_struct/ b move
/^#define MAX_NEST/ b move
/^\/\*\n \* head_page == tail_page/,/^\}/ b move
/^struct trace_buffer \{/,/^\}/ b move

# Functions
/^static inline void rb_time_read/,/^\}/ b move
/^static void rb_time_set/,/^\}/ b move
/^static inline u64 rb_time_stamp\(.*;$/ {
	N
	d
}
/^\/\* Up this if you want to test/ b move
/^#define DEBUG_SHIFT/ b move
/^static inline u64 rb_time_stamp/,/^\}/ b move
/^static inline unsigned long rb_page_write/,/^\}/ b move
/^static __always_inline void \*__rb_page_index/,/^\}/ b move
/^static unsigned rb_calculate_event_length/,/^\}/ b move
/^static void rb_start_commit/,/^\}/ b move
/^#ifdef CONFIG_RING_BUFFER_RECORD_RECURSION/,/^#endif/ b move
/^\/\*\n \* The lock and unlock are done within/,/^\}/ b move
/^static __always_inline void\ntrace_recursive_unlock/,/^\}/ b move
s/above recursive locking/recursive locking of writers/
s/The recursive locking above/The recursive locking of writers/
$ {
	p
	s|.*|#endif /* _RING_BUFFER_WRITE_H */|
	w kernel/trace/ring_buffer_write.h
	d
}
b

:move
s/^static (inline )?(void|bool|u64|unsigned|unsigned long) /static __always_inline \2 /
# An empty line follows each block.
/^(\}|#endif|typedef|#define (RB_ALIGN_DATA|TS_DELTA_TEST|RB_WRITE_INTCNT|MAX_NEST|DEBUG_SHIFT))/ {
	s/$/\n/
	w kernel/trace/ring_buffer_write.h
	s/\n$//
	N
	/\n$/ d
	D
}
w kernel/trace/ring_buffer_write.h
d
