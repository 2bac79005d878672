# arch/x86/include/asm/ptrace.h
# Access by name and number is in pt_regs_access.h now.
/^\/\* Query offset\/name/,/^#define arch_has_single_step/ {
	/^#define arch_has_single_step/! d
	i\
#include <asm/pt_regs_access.h>\

}
