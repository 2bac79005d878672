# arch/x86/kernel/ptrace.c
# Names of registers are in pt_regs.c now.  What follows begins with a comment, the
# first line of which is kept until the next has shown that it is this one.
/^struct pt_regs_offset \{/,/^ \* does not yet catch/ {
	/^\/\*$/ h
	/^ \* does not yet catch/ {
		x
		G
		p
	}
	d
}
