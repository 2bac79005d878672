/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Everything that can be wrong with a probe command: the name the code uses,
 * the errno the writer gets, and the sentence error_log shows (which tools
 * and people match, so it is ABI).
 */
#ifndef _PROBE_ERRORS_H
#define _PROBE_ERRORS_H

#include <linux/errno.h>

#define PROBE_ERRORS(E) \
	/* head: kind, maxactive, group, event */ \
	E(BAD_MAXACT_TYPE, EINVAL, "Maxactive is only for function exit") \
	E(BAD_MAXACT, EINVAL, "Invalid maxactive number") \
	E(MAXACT_TOO_BIG, EINVAL, "Maxactive is too big") \
	E(NO_GROUP_NAME, EINVAL, "Group name is not specified") \
	E(GROUP_TOO_LONG, EINVAL, "Group name is too long") \
	E(BAD_GROUP_NAME, EINVAL, "Group name must follow the same rules as C identifiers") \
	E(NO_EVENT_NAME, EINVAL, "Event name is not specified") \
	E(EVENT_TOO_LONG, EINVAL, "Event name is too long") \
	E(BAD_EVENT_NAME, EINVAL, "Event name must follow the same rules as C identifiers") \
	E(EVENT_EXIST, EEXIST, "Given group/event name is already used by another event") \
	/* place */ \
	E(BAD_PROBE_ADDR, EINVAL, "Invalid probed address or symbol") \
	E(NON_UNIQ_SYMBOL, EINVAL, "The symbol is not unique") \
	E(BAD_RETPROBE, EINVAL, "Retprobe address must be an function entry") \
	E(BAD_ADDR_SUFFIX, EINVAL, "Invalid probed address suffix") \
	E(BAD_INSN_BNDRY, EILSEQ, "Probe point is not an instruction boundary") \
	E(FAIL_REG_PROBE, EINVAL, "Failed to register probe event") \
	/* several probes on one event */ \
	E(DIFF_PROBE_TYPE, EEXIST, "Probe type is different from existing probe") \
	E(DIFF_ARG_TYPE, EEXIST, "Argument type or name is different from existing probe") \
	E(SAME_PROBE, EEXIST, "There is already the exact same probe event") \
	/* argument: name and size */ \
	E(ARG_NAME_TOO_LONG, EINVAL, "Argument name is too long") \
	E(NO_ARG_NAME, EINVAL, "Argument name is not specified") \
	E(BAD_ARG_NAME, EINVAL, "Argument name must follow the same rules as C identifiers") \
	E(USED_ARG_NAME, EINVAL, "This argument name is already used") \
	E(ARG_TOO_LONG, E2BIG, "Argument expression is too long") \
	E(NO_ARG_BODY, EINVAL, "No argument expression") \
	E(TOO_MANY_ARGS, E2BIG, "Too many arguments") \
	E(EVENT_TOO_BIG, E2BIG, "Event too big (too many fields?)") \
	/* argument: expression */ \
	E(RETVAL_ON_PROBE, EINVAL, "$retval is not available on probe") \
	E(NO_RETVAL, ENOENT, "This function returns 'void' type") \
	E(BAD_STACK_NUM, EINVAL, "Invalid stack number") \
	E(BAD_ARG_NUM, EINVAL, "Invalid argument number") \
	E(BAD_VAR, EINVAL, "Invalid $-variable specified") \
	E(BAD_REG_NAME, EINVAL, "Invalid register name") \
	E(BAD_MEM_ADDR, EINVAL, "Invalid memory address") \
	E(BAD_IMM, EINVAL, "Invalid immediate value") \
	E(IMMSTR_NO_CLOSE, EINVAL, "String is not closed with '\"'") \
	E(FILE_ON_KPROBE, EINVAL, "File offset is not available with kprobe") \
	E(BAD_FILE_OFFS, EINVAL, "Invalid file offset value") \
	E(TOO_MANY_OPS, EINVAL, "Dereference is too much nested") \
	E(DEREF_NEED_BRACE, EINVAL, "Dereference needs a brace") \
	E(BAD_DEREF_OFFS, EINVAL, "Invalid dereference offset") \
	E(DEREF_OPEN_BRACE, EINVAL, "Dereference brace is not closed") \
	E(COMM_CANT_DEREF, EINVAL, "$comm can not be dereferenced") \
	E(BAD_FETCH_ARG, EINVAL, "Invalid fetch argument") \
	/* argument: type */ \
	E(ARRAY_NO_CLOSE, EINVAL, "Array is not closed") \
	E(BAD_ARRAY_SUFFIX, EINVAL, "Array has wrong suffix") \
	E(BAD_ARRAY_NUM, EINVAL, "Invalid array size") \
	E(ARRAY_TOO_BIG, EINVAL, "Array number is too big") \
	E(BAD_TYPE, EINVAL, "Unknown type is specified") \
	E(BAD_STRING, EINVAL, "String accepts only memory argument") \
	E(BAD_SYMSTRING, EINVAL, "Symbol String doesn't accept data/userdata") \
	E(BAD_BITFIELD, EINVAL, "Invalid bitfield") \
	E(BAD_TYPE4STR, EINVAL, "This type does not fit for string.") \
	E(NEED_STRING_TYPE, EINVAL, "$comm and immediate-string only accepts string type") \
	/* argument: BTF */ \
	E(NOSUP_BTFARG, EINVAL, "BTF is not available or not supported") \
	E(NO_BTFARG, ENOENT, "This variable is not found at this probe point") \
	E(NO_BTF_ENTRY, ENOENT, "No BTF entry for this probe point") \
	E(BAD_VAR_ARGS, EINVAL, "$arg* must be an independent parameter without name etc.") \
	E(NOFENTRY_ARGS, EINVAL, "$arg* can be used only on function entry or exit") \
	E(DOUBLE_ARGS, EINVAL, "$arg* can be used only once in the parameters") \
	E(NO_PTR_STRCT, EINVAL, "This is not a pointer to union/structure.") \
	E(NOSUP_DAT_ARG, EOPNOTSUPP, "Non pointer structure/union argument is not supported.") \
	E(BAD_HYPHEN, EINVAL, "Failed to parse single hyphen. Forgot '>'?") \
	E(NO_BTF_FIELD, ENOENT, "This field is not found.") \
	E(BAD_BTF_TID, EINVAL, "Failed to get BTF type info.")

#define PROBE_ERR_ENUM(name, ...) PROBE_ERR_##name,
enum probe_err {
	PROBE_ERRORS(PROBE_ERR_ENUM)
	PROBE_NR_ERRORS,
	PROBE_ERR_NONE = PROBE_NR_ERRORS,	/* failed, but not by the command's fault */
};

#undef PROBE_ERR_ENUM

#endif /* _PROBE_ERRORS_H */
