// SPDX-License-Identifier: GPL-2.0
/* Kernel probes: the reasons to refuse a place. */
#include <linux/errno.h>
#include <linux/kprobes.h>

#include "kprobes.h"

/*
 * A sentence completes "This place cannot be probed: ", and is shown in error_log.
 * Documentation/arch/x86/kprobes.rst explains each of them.
 */
static const struct {
	int		err;
	const char	*sentence;
} refusals[] = {
	[REFUSED_NO_SYMBOL]	= { ENOENT, "there is no symbol for it" },
	[REFUSED_OFFSET]	= { EINVAL, "the architecture refuses this offset" },
	[REFUSED_NO_TEXT]	= { EINVAL,
		"it is not in the text of the kernel or of a module" },
	[REFUSED_UNLOADING]	= { ENOENT, "its module is being unloaded" },
	[REFUSED_INIT_TEXT]	= { ENOENT, "it is init text that is about to be freed" },
	[REFUSED_FTRACE]	= { EINVAL, "ftrace replaces this instruction" },
	[REFUSED_GATE_AREA]	= { EINVAL, "it is in the gate area" },
	[REFUSED_BLACKLISTED]	= { EINVAL, "it is in the kprobes blacklist" },
	[REFUSED_STATIC_BRANCH]	= { EINVAL, "it is a static branch" },
	[REFUSED_STATIC_CALL]	= { EINVAL, "it is a static call" },
	[REFUSED_TRAMPOLINE]	= { EINVAL, "it is the trampoline of a static call" },
	[REFUSED_BUG]		= { EINVAL, "it is the trap of a BUG() or WARN()" },
	[REFUSED_PADDING]	= { EINVAL, "it is in the padding before a function" },
	[REFUSED_ALTERNATIVE]	= { EINVAL, "alternatives may replace it" },
	[REFUSED_NO_HANDLER]	= { EINVAL, "it may run without a breakpoint handler" },
	[REFUSED_RELOCATED]	= { EINVAL, "its operand changes when a module is livepatched" },
	[REFUSED_NO_INSN]	= { EILSEQ, "no instruction begins there" },
	[REFUSED_ENDBR]		= { EILSEQ, "it is an ENDBR instruction" },
	[REFUSED_TYPE_CHECK]	= { EILSEQ, "it checks the type of an indirect call" },
	[REFUSED_IN_PLACE]	= { EOPNOTSUPP,
		"its instruction cannot be executed out of line" },
	[REFUSED_NO_STEP]	= { EOPNOTSUPP,
		"its instruction cannot be single-stepped for a post_handler" },
	[REFUSED_STI]		= { EOPNOTSUPP,
		"no interrupt may come between STI and the instruction after it" },
};

/**
 * kprobe_refusal_errno() - get the error of a refusal
 * @why:	the refusal, or KPROBE_ACCEPTED
 *
 * Context: Any.
 * Return: a negative errno; 0 for KPROBE_ACCEPTED.
 */
int kprobe_refusal_errno(enum kprobe_refusal why)
{
	return -refusals[why].err;
}

/**
 * kprobe_refusal_sentence() - get the sentence that explains a refusal
 * @why:	the refusal; not KPROBE_ACCEPTED
 *
 * Context: Any.
 * Return: a sentence without a capital letter and a full stop.
 */
const char *kprobe_refusal_sentence(enum kprobe_refusal why)
{
	return refusals[why].sentence;
}
