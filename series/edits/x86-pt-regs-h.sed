# arch/x86/include/asm/ptrace.h
# Access by name and number is now in pt_regs_access.h.
/^\/\* Query offset\/name/,/^#define arch_has_single_step/ {
	/^#define arch_has_single_step/! d
	i\
#include <asm/pt_regs_access.h>\

}
