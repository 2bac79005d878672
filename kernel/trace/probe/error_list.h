/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All errors of probe commands: the name in the code, the errno for the writer,
 * and the message in error_log.  The messages are ABI: tools compare them.
 *
 * Define PROBE_ERROR() before each inclusion of this file, which has no include guard.
 */

/* head: kind, maxactive, group, event */
PROBE_ERROR(BAD_MAXACT_TYPE, EINVAL, "Maxactive is only for function exit")
PROBE_ERROR(BAD_MAXACT, EINVAL, "Invalid maxactive number")
PROBE_ERROR(MAXACT_TOO_BIG, EINVAL, "Maxactive is too big")
PROBE_ERROR(NO_GROUP_NAME, EINVAL, "Group name is not specified")
PROBE_ERROR(GROUP_TOO_LONG, EINVAL, "Group name is too long")
PROBE_ERROR(BAD_GROUP_NAME, EINVAL, "Group name must follow the same rules as C identifiers")
PROBE_ERROR(NO_EVENT_NAME, EINVAL, "Event name is not specified")
PROBE_ERROR(EVENT_TOO_LONG, EINVAL, "Event name is too long")
PROBE_ERROR(BAD_EVENT_NAME, EINVAL, "Event name must follow the same rules as C identifiers")
PROBE_ERROR(EVENT_EXIST, EEXIST, "Given group/event name is already used by another event")

/* options of an event */
PROBE_ERROR(BAD_OPTION, EINVAL, "Unknown option of an event")
PROBE_ERROR(OPTION_TWICE, EINVAL, "This option is given twice")
PROBE_ERROR(BAD_OWNER, EINVAL, "An owner must be fd or task[:PID]")
PROBE_ERROR(NO_OWNER_FD, EINVAL, "Only a command that is written to a file can have this owner")
PROBE_ERROR(NO_OWNER_TASK, ESRCH, "The process does not exist")

/* place */
PROBE_ERROR(FILE_NOT_FOUND, ENOENT, "Failed to find the given file")
PROBE_ERROR(NO_REGULAR_FILE, EINVAL, "Not a regular file")
PROBE_ERROR(BAD_REFCNT, EINVAL, "Invalid reference counter offset")
PROBE_ERROR(REFCNT_OPEN_BRACE, EINVAL, "Reference counter brace is not closed")
PROBE_ERROR(BAD_REFCNT_SUFFIX, EINVAL, "Reference counter has wrong suffix")
PROBE_ERROR(BAD_UPROBE_OFFS, EINVAL, "Invalid uprobe offset")
PROBE_ERROR(BAD_PROBE_ADDR, EINVAL, "Invalid probed address or symbol")
PROBE_ERROR(NON_UNIQ_SYMBOL, EINVAL, "The symbol is not unique")
PROBE_ERROR(BAD_RETPROBE, EINVAL, "Retprobe address must be an function entry")
PROBE_ERROR(BAD_ADDR_SUFFIX, EINVAL, "Invalid probed address suffix")
PROBE_ERROR(OFFSET_IN_MANY, EINVAL, "Probes on several functions cannot have an offset")
PROBE_ERROR(PATTERN_IN_LIST, EINVAL, "A list of places cannot contain a pattern or %all")
PROBE_ERROR(BAD_TP_NAME, EINVAL, "Invalid character in tracepoint name")
PROBE_ERROR(NO_TRACEPOINT, EINVAL, "Tracepoint is not found")
PROBE_ERROR(NO_EVENT_INFO, EINVAL, "This requires both group and event name to attach")
PROBE_ERROR(BAD_ATTACH_EVENT, ENODEV, "Attached event does not exist")
PROBE_ERROR(NO_EP_FILTER, EINVAL, "No filter rule after 'if'")
PROBE_ERROR(NO_FUNCTION, ENOENT, "No function with such a name can be probed")
PROBE_ERROR(BAD_INSN_BNDRY, EILSEQ, "Probe point is not an instruction boundary")
PROBE_ERROR(FAIL_REG_PROBE, EINVAL, "Failed to register probe event")
PROBE_ERROR(BAD_ACCESS_FMT, EINVAL, "Access memory address requires @")
PROBE_ERROR(BAD_ACCESS_TYPE, EINVAL, "Bad memory access type")
PROBE_ERROR(BAD_ACCESS_LEN, EINVAL, "This memory access length is not supported")
PROBE_ERROR(BAD_ACCESS_ADDR, EINVAL, "Invalid access memory address")
PROBE_ERROR(NO_ACCESS_SYMBOL, ENOENT, "Invalid access memory address")
PROBE_ERROR(NO_WATCHPOINT, ENOSPC, "No hardware watchpoint is free")

/* triggers of watchpoints */
PROBE_ERROR(NO_WPROBE, ENOENT, "This watchpoint event is not found")
PROBE_ERROR(NO_WPROBE_FIELD, EINVAL, "A field with the address is required")
PROBE_ERROR(NO_EVENT_FIELD, ENOENT, "This event field is not found.")
PROBE_ERROR(BAD_WPROBE_FIELD, EINVAL, "This event field is not an address")
PROBE_ERROR(BAD_ADJUST, EINVAL, "Invalid offset from the address")
PROBE_ERROR(BAD_COUNT, EINVAL, "Invalid count")
PROBE_ERROR(SAME_TRIGGER, EEXIST, "There is already such a trigger for this watchpoint")

/* several probes on one event */
PROBE_ERROR(DIFF_PROBE_TYPE, EEXIST, "Probe type is different from existing probe")
PROBE_ERROR(DIFF_ARG_TYPE, EEXIST, "Argument type or name is different from existing probe")
PROBE_ERROR(SAME_PROBE, EEXIST, "There is already the exact same probe event")

/* argument: name and size */
PROBE_ERROR(ARG_NAME_TOO_LONG, EINVAL, "Argument name is too long")
PROBE_ERROR(NO_ARG_NAME, EINVAL, "Argument name is not specified")
PROBE_ERROR(BAD_ARG_NAME, EINVAL, "Argument name must follow the same rules as C identifiers")
PROBE_ERROR(USED_ARG_NAME, EINVAL, "This argument name is already used")
PROBE_ERROR(ARG_TOO_LONG, E2BIG, "Argument expression is too long")
PROBE_ERROR(NO_ARG_BODY, EINVAL, "No argument expression")
PROBE_ERROR(TOO_MANY_ARGS, E2BIG, "Too many arguments are specified")
PROBE_ERROR(EVENT_TOO_BIG, E2BIG, "Event too big (too many fields?)")

/* argument: expression */
PROBE_ERROR(LATENCY_ON_PROBE, EINVAL, "$latency is only for the return of a function in the kernel")
PROBE_ERROR(RETVAL_ON_PROBE, EINVAL, "$retval is not available on probe")
PROBE_ERROR(NO_RETVAL, ENOENT, "This function returns 'void' type")
PROBE_ERROR(BAD_STACK_NUM, EINVAL, "Invalid stack number")
PROBE_ERROR(BAD_ARG_NUM, EINVAL, "Invalid argument number")
PROBE_ERROR(BAD_VAR, EINVAL, "Invalid $-variable specified")
PROBE_ERROR(NO_RECORD_FIELD, EINVAL, "This event field is not found.")
PROBE_ERROR(NOSUP_PERCPU, EINVAL, "Per-cpu variable access is only for kernel probes")
PROBE_ERROR(BAD_REG_NAME, EINVAL, "Invalid register name")
PROBE_ERROR(BAD_MEM_ADDR, EINVAL, "Invalid memory address")
PROBE_ERROR(BAD_IMM, EINVAL, "Invalid immediate value")
PROBE_ERROR(IMMSTR_NO_CLOSE, EINVAL, "String is not closed with '\"'")
PROBE_ERROR(FILE_ON_KPROBE, EINVAL, "File offset is not available with kprobe")
PROBE_ERROR(BAD_FILE_OFFS, EINVAL, "Invalid file offset value")
PROBE_ERROR(SYM_ON_UPROBE, EINVAL, "Symbol is not available with uprobe")
PROBE_ERROR(TOO_MANY_OPS, EINVAL, "Dereference is too much nested")
PROBE_ERROR(TOO_MANY_NESTED, E2BIG, "Too many nested typecasts/dereferences")
PROBE_ERROR(DEREF_NEED_BRACE, EINVAL, "Dereference needs a brace")
PROBE_ERROR(BAD_DEREF_OFFS, EINVAL, "Invalid dereference offset")
PROBE_ERROR(DEREF_OPEN_BRACE, EINVAL, "Dereference brace is not closed")
PROBE_ERROR(COMM_CANT_DEREF, EINVAL, "$comm can not be dereferenced")
PROBE_ERROR(BAD_FETCH_ARG, EINVAL, "Invalid fetch argument")

/* argument: operators */
PROBE_ERROR(TOO_MANY_OPERANDS, E2BIG, "Too many operands in an expression")
PROBE_ERROR(NOT_A_NUMBER, EINVAL, "Operators are only for numbers")
PROBE_ERROR(DIV_BY_ZERO, EINVAL, "Division by zero")

/* argument: typecast */
PROBE_ERROR(CAST_NO_FIELD, EINVAL, "Typecast requires a field access")
PROBE_ERROR(CAST_ARROW, EINVAL, "Typecast field option does not support -> operator")
PROBE_ERROR(CAST_NOT_ALIGNED, EINVAL, "Typecast field option is not byte-aligned")
PROBE_ERROR(CAST_SYM_OFFSET, EINVAL, "@SYM+/-OFFSET with typecast needs parentheses")

/* argument: type */
PROBE_ERROR(ARRAY_NO_CLOSE, EINVAL, "Array is not closed")
PROBE_ERROR(BAD_ARRAY_SUFFIX, EINVAL, "Array has wrong suffix")
PROBE_ERROR(BAD_ARRAY_NUM, EINVAL, "Invalid array size")
PROBE_ERROR(ARRAY_TOO_BIG, EINVAL, "Array number is too big")
PROBE_ERROR(BAD_TYPE, EINVAL, "Unknown type is specified")
PROBE_ERROR(BAD_STRING, EINVAL, "String accepts only memory argument")
PROBE_ERROR(BAD_SYMSTRING, EINVAL, "Symbol String doesn't accept data/userdata")
PROBE_ERROR(BAD_BITFIELD, EINVAL, "Invalid bitfield")
PROBE_ERROR(BAD_TYPE4STR, EINVAL, "This type does not fit for string.")
PROBE_ERROR(NEED_STRING_TYPE, EINVAL, "$comm and immediate-string only accepts string type")

/* argument: BTF */
PROBE_ERROR(NOSUP_BTFARG, EOPNOTSUPP, "BTF is not available or not supported")
PROBE_ERROR(NOSUP_BTFARG_HERE, EINVAL, "BTF is not available or not supported")
PROBE_ERROR(NO_BTFARG, ENOENT, "This variable is not found at this probe point")
PROBE_ERROR(NO_BTF_ENTRY, ENOENT, "No BTF entry for this probe point")
PROBE_ERROR(BAD_VAR_ARGS, EINVAL, "$arg* must be an independent parameter without name etc.")
PROBE_ERROR(NOFENTRY_ARGS, EINVAL, "$arg* can be used only on function entry or exit")
PROBE_ERROR(DOUBLE_ARGS, EINVAL, "$arg* can be used only once in the parameters")
PROBE_ERROR(NO_PTR_STRCT, EINVAL, "This is not a pointer to union/structure.")
PROBE_ERROR(NOSUP_DAT_ARG, EOPNOTSUPP, "Non pointer structure/union argument is not supported.")
PROBE_ERROR(BAD_HYPHEN, EINVAL, "Failed to parse single hyphen. Forgot '>'?")
PROBE_ERROR(NO_BTF_FIELD, ENOENT, "This field is not found.")
PROBE_ERROR(BAD_BTF_TID, EINVAL, "Failed to get BTF type info.")

/* predicate */
PROBE_ERROR(NO_PREDICATE, EINVAL, "No predicate after 'if'")
PROBE_ERROR(NO_OPERAND, EINVAL, "A value to compare is missing")
PROBE_ERROR(BAD_OPERATOR, EINVAL, "Invalid comparison operator")
PROBE_ERROR(BAD_OPERAND, EINVAL, "A number or a quoted string must follow the operator")
PROBE_ERROR(QUOTE_NO_CLOSE, EINVAL, "Quote is not closed")
PROBE_ERROR(PAREN_NO_CLOSE, EINVAL, "Parenthesis is not closed")
PROBE_ERROR(PAREN_NO_OPEN, EINVAL, "Parenthesis is not open")
PROBE_ERROR(BAD_LOGIC, EINVAL, "Comparisons must be joined by && or ||")
PROBE_ERROR(TOO_MANY_TERMS, E2BIG, "Too many comparisons")
PROBE_ERROR(TOO_MANY_PARENS, E2BIG, "Parentheses are too much nested")
PROBE_ERROR(NO_SUCH_NAME, ENOENT, "No argument or variable has this name")
PROBE_ERROR(STRING_AND_NUMBER, EINVAL, "String is compared with a number")
PROBE_ERROR(NUMBER_AND_STRING, EINVAL, "Number is compared with a string")
PROBE_ERROR(NOT_FOR_STRINGS, EINVAL, "Strings can be compared with == != ~ only")
PROBE_ERROR(NOT_FOR_NUMBERS, EINVAL, "Numbers cannot be compared with ~")
PROBE_ERROR(NOT_IN_RANGE, EINVAL, "The number does not fit the type of the value")
PROBE_ERROR(COMPARED_ARRAY, EINVAL, "Arrays cannot be compared")

/* program */
PROBE_ERROR(NO_JIT, EOPNOTSUPP, "The BPF JIT cannot compile the arguments")
