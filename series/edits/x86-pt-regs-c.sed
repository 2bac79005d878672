# arch/x86/kernel/ptrace.c
# The names of registers are now in pt_regs.c.  The code after them begins with a
# comment; hold its first line until the second one identifies the comment.
/^struct pt_regs_offset \{/,/^ \* does not yet catch/ {
	/^\/\*$/ h
	/^ \* does not yet catch/ {
		x
		G
		p
	}
	d
}
