// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: check whether an address can be probed.
 *
 * These addresses are refused:
 *
 * - code that runs before or after the breakpoint handler.  A probe in it would be hit
 *   again on the way to its own handler;
 * - code that runs without this handler.  A hit would cause a triple fault;
 * - bytes in the middle of an instruction.  A breakpoint would change that instruction;
 * - bytes that other kernel code reads or replaces.  That code would misinterpret a
 *   breakpoint;
 * - on 32-bit machines, code into which other functions jump.  The jump of a probe must not
 *   replace its instructions.
 *
 * kernel/kprobes/ checks for blacklisted functions, the padding before functions, static
 * branches and calls, and BUG().  This file has the remaining checks.
 */

#include <linux/cfi.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kexec.h>
#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <asm/alternative.h>
#include <asm/ibt.h>
#include <asm/sections.h>
#include <asm/suspend.h>

#include "kprobes.h"

struct kretprobe_blackpoint kretprobe_blacklist[] = {
	/* It returns on the stack of another task. */
	{ .name = "__switch_to" },
#ifdef CONFIG_HIBERNATION
	/* When the hibernated kernel resumes, it returns without a base of per-CPU data. */
	{ .name = "swsusp_arch_suspend" },
#endif
	{ }
};

const int kretprobe_blacklist_size = ARRAY_SIZE(kretprobe_blacklist);

/**
 * arch_within_kprobe_blacklist() - is the address in code that must not be probed?
 * @addr:	address in the kernel or a module
 *
 * Context: Any.
 * Return: true if it is.
 */
bool arch_within_kprobe_blacklist(unsigned long addr)
{
	if (addr >= (unsigned long)__kprobes_text_start &&
	    addr < (unsigned long)__kprobes_text_end)
		return true;
	return addr >= (unsigned long)__entry_text_start &&
	       addr < (unsigned long)__entry_text_end;
}

/*
 * ftrace patches the calls in ftrace_caller() and ftrace_regs_caller() when tracers are
 * added or removed, and copies both functions to make trampolines.  It would overwrite or
 * copy a breakpoint, and a breakpoint in a trampoline belongs to no probe.
 */
static int __init add_ftrace_callers(void)
{
#ifdef CONFIG_DYNAMIC_FTRACE
	int ret;

	ret = kprobe_add_area_blacklist((unsigned long)ftrace_caller,
					(unsigned long)FTRACE_CALLER_END);
	if (ret)
		return ret;
	return kprobe_add_area_blacklist((unsigned long)ftrace_regs_caller,
					 (unsigned long)FTRACE_REGS_CALLER_END);
#else
	return 0;
#endif
}

/*
 * Functions that run without a breakpoint handler, or at addresses other than those of
 * their symbols.  They are listed by name, because some are local symbols of other
 * files, and not every kernel has all of them.
 *
 * With FRED, a starting CPU also calls printk(), which is not in this list.
 *
 * The functions of a CPU that goes offline run after cpuhp_ap_report_dead().  From then on,
 * changes of the text do not synchronize this CPU, and a grace period does not wait for it.
 * So it could hit a breakpoint whose place has been freed, or halt in a copy that is freed.
 */
static const char * const runs_without_handler[] __initconst = {
	/* Start of a CPU. */
	"verify_cpu", "start_secondary", "cr4_init", "cpu_init_exception_handling",
	"setup_getcpu", "setup_ghcb", "cpu_init_fred_exceptions", "load_current_idt",
	"native_write_cr0", "native_write_cr4", "cr4_update_irqsoff", "startup_64_load_idt",
	"snp_register_per_cpu_ghcb", "snp_register_ghcb_early",
	/* A CPU goes offline. */
	"cpuhp_ap_report_dead", "play_dead_common", "tboot_shutdown", "mwait_play_dead",
	"cpuidle_play_dead", "acpi_idle_play_dead", "hlt_play_dead", "native_play_dead",
	"resume_play_dead", "acpi_mp_play_dead", "asm_acpi_mp_play_dead", "sev_es_play_dead",
	"sev_es_ap_hlt_loop", "soft_restart_cpu", "xen_pv_play_dead", "xen_cpu_bringup_again",
	/* Resume. */
	"restore_processor_state", "__restore_processor_state", "fix_processor_context",
#ifdef CONFIG_X86_64
	"secondary_startup_64", "secondary_startup_64_no_verify", "common_startup_64",
	"early_setup_idt", "vc_boot_ghcb", "wakeup_long64", "do_suspend_lowlevel",
#else
	"startup_32_smp", "__flush_tlb_all", "native_flush_tlb_global",
	"native_flush_tlb_local", "flush_tlb_local", "wakeup_pmode_return",
	/* Runs with another code segment. */
	"pnp_bios_callfunc",
#endif
};

/* Other functions jump to this code, so a probe's jump must not replace its instructions. */
static const char * const shared_tails[] __initconst = {
#ifdef CONFIG_X86_32
	"__get_user_handle_exception", "__put_user_handle_exception",
#endif
};

static int __init add_functions(const char * const *names, unsigned int num)
{
	unsigned long addr;

	for (; num--; names++) {
		addr = kallsyms_lookup_name(*names);
		if (addr && kprobe_add_ksym_blacklist(addr) == -ENOMEM)
			return -ENOMEM;
	}
	return 0;
}

#ifdef CONFIG_HIBERNATION
/*
 * swsusp_arch_suspend() returns a second time when the hibernated kernel resumes.  Until
 * restore_processor_state() returns, its caller uses the base of per-CPU data of the kernel
 * that has loaded the image.  The compiler may inline the caller.
 */
static int __init add_resumed_function(void)
{
	return kprobe_add_ksym_blacklist(kallsyms_lookup_name("create_image") ?:
					 kallsyms_lookup_name("hibernation_snapshot"));
}
#endif

/* kexec and hibernation run this code, or a copy of it, without a breakpoint handler. */
static int __init add_code_without_idt(void)
{
	int ret = 0;

#ifdef CONFIG_KEXEC_CORE
	ret = kprobe_add_area_blacklist((unsigned long)relocate_kernel,
					(unsigned long)relocate_kernel +
					KEXEC_CONTROL_CODE_MAX_SIZE);
	if (ret)
		return ret;
#endif
#ifdef CONFIG_HIBERNATION
	/* On 32-bit machines, labels divide core_restore_code() into several symbols. */
	ret = kprobe_add_area_blacklist((unsigned long)core_restore_code,
					(unsigned long)(IS_ENABLED(CONFIG_X86_32) ?
							restore_registers :
							core_restore_code + 1));
	if (ret)
		return ret;
	ret = kprobe_add_ksym_blacklist((unsigned long)restore_registers);
	if (ret < 0)
		return ret;
	ret = add_resumed_function();
#endif
	return min(ret, 0);
}

/**
 * arch_populate_kprobe_blacklist() - add address ranges to the blacklist
 *
 * Context: boot.
 * Return: 0, -ENOMEM, or -EINVAL if there are no symbols.
 */
int __init arch_populate_kprobe_blacklist(void)
{
	int ret;

	ret = kprobe_add_area_blacklist((unsigned long)__entry_text_start,
					(unsigned long)__entry_text_end);
	return ret ?: add_ftrace_callers() ?: add_code_without_idt() ?:
	       add_functions(runs_without_handler, ARRAY_SIZE(runs_without_handler)) ?:
	       add_functions(shared_tails, ARRAY_SIZE(shared_tails));
}

/* Is there an ENDBR, or the NOP that replaces a sealed ENDBR? */
static bool is_landing_pad(const void *addr)
{
	u32 insn;

	return !copy_from_kernel_nofault(&insn, addr, sizeof(insn)) && is_endbr(insn);
}

/**
 * arch_adjust_kprobe_addr() - skip the ENDBR at a function's start
 * @addr:		start of a function
 * @offset:		offset of the probe
 * @on_func_entry:	set to true if the probe is at the function's entry, else to false
 *
 * An indirect call would fault if a breakpoint replaced the ENDBR.  So a probe at the
 * start of the function is moved after the ENDBR.  The call site of ftrace is there, too,
 * so this address and the function's start both count as the entry.
 *
 * Context: Any.
 * Return: the address to probe.
 */
kprobe_opcode_t *arch_adjust_kprobe_addr(unsigned long addr, unsigned long offset,
					 bool *on_func_entry)
{
	*on_func_entry = !offset;
	if (is_landing_pad((void *)addr) && (!offset || offset == ENDBR_INSN_SIZE)) {
		*on_func_entry = true;
		offset = ENDBR_INSN_SIZE;
	}
	return (kprobe_opcode_t *)(addr + offset);
}

/**
 * kprobe_is_cfi_check() - does the CFI trap handler decode this instruction?
 * @text:	the current instruction
 *
 * Before an indirect call, code generated by clang checks the type of the function:
 *
 *	mov  $-hash, %r10d		(6 bytes)
 *	add  -4(%reg), %r10d		(4 bytes)
 *	je   1f				(2 bytes)
 *	ud2
 *
 * The handler of the ud2 decodes the first two instructions to report the failure.
 *
 * Context: process context; text_mutex held.
 * Return: true if @text->insn is one of these two.
 */
bool kprobe_is_cfi_check(const struct func_text *text)
{
	int to_trap;

	if (!IS_ENABLED(CONFIG_CFI_CLANG))
		return false;
	switch (text->insn.opcode.bytes[0]) {
	case 0xba:
		to_trap = 6 + 4 + 2;
		break;
	case 0x03:
		to_trap = 4 + 2;
		break;
	default:
		return false;
	}
	return is_cfi_trap((unsigned long)text->addr + to_trap);
}

/*
 * STI delays interrupts until after the next instruction, but not if either instruction has
 * a probe.  If the next instruction waits for an interrupt, it may then miss the interrupt.
 */
static bool is_halt_after_sti(struct func_text *text, int way)
{
	struct arch_specific_insn unused = {};
	struct func_text next;

	if (way == INSN_COPY_NO_STEP)
		return text->after_sti;
	if (!insn_is_sti(&text->insn))
		return false;
	next = *text;
	return func_text_next(&next) > 0 &&
	       kprobe_insn_way(&next.insn, &unused) == INSN_COPY_NO_STEP;
}

/*
 * machine_kexec() invalidates the IDT and the base address of per-CPU data.  Its entry can be
 * probed, but no other instruction.
 */
static bool is_in_machine_kexec(const struct func_text *text)
{
#ifdef CONFIG_KEXEC_CORE
	const kprobe_opcode_t *entry = (const kprobe_opcode_t *)machine_kexec;

	/* Hide the addition from the compiler: objtool warns about addresses without ENDBR. */
	OPTIMIZER_HIDE_VAR(entry);
	return text->start == entry && text->addr != entry &&
	       !(text->addr == entry + ENDBR_INSN_SIZE && is_landing_pad(entry));
#else
	return false;
#endif
}

#ifdef CONFIG_LIVEPATCH
/**
 * kprobe_livepatch_relocates() - does a livepatch relocate this text after it was loaded?
 * @info:	the sections of the livepatch module
 * @start:	start of the text
 * @end:	its end
 *
 * The relocations for another module are written when that module is loaded, and cleared when
 * it is unloaded.
 *
 * Context: Any.
 * Return: true if it does.
 */
bool kprobe_livepatch_relocates(const struct klp_modinfo *info, const void *start,
				const void *end)
{
	const Elf_Shdr *sec = info->sechdrs, *last = sec + info->hdr.e_shnum;
	const Elf_Rela *rela, *last_rela;
	const void *base;

	for (; sec < last; sec++) {
		/* Those for vmlinux are written before the text can run. */
		if (!(sec->sh_flags & SHF_RELA_LIVEPATCH) ||
		    str_has_prefix(info->secstrings + sec->sh_name, ".klp.rela.vmlinux."))
			continue;
		base = (const void *)info->sechdrs[sec->sh_info].sh_addr;
		rela = (const Elf_Rela *)sec->sh_addr;
		last_rela = rela + sec->sh_size / sizeof(*rela);
		for (; rela < last_rela; rela++) {
			if (base + rela->r_offset >= start && base + rela->r_offset < end)
				return true;
		}
	}
	return false;
}

/* The operand in a copy of the instruction, or for its emulation, would be outdated. */
static bool is_relocated_later(const struct func_text *text)
{
	struct module *mod;

	/* The caller keeps the module. */
	preempt_disable();
	mod = __module_text_address((unsigned long)text->addr);
	preempt_enable();
	if (!mod || !is_livepatch_module(mod))
		return false;
	/* While the module is loaded, its sections are not known yet. */
	return !mod->klp_info ||
	       kprobe_livepatch_relocates(mod->klp_info, text->addr, text->next);
}
#else
static bool is_relocated_later(const struct func_text *text)
{
	return false;
}
#endif

/*
 * Check the instruction at an address, decode it, and choose the way to execute it out of
 * line.
 */
static enum kprobe_refusal check_insn(const kprobe_opcode_t *addr, struct func_text *text,
				      struct arch_specific_insn *ainsn, int *way)
{
	int ret;

	/* The end is exclusive. */
	if (alternatives_text_reserved((void *)addr, (void *)addr + 1))
		return REFUSED_ALTERNATIVE;
	ret = func_text_seek(text, addr);
	if (ret)
		return ret == -ENOENT ? REFUSED_NO_SYMBOL : REFUSED_NO_INSN;
	if (is_landing_pad(addr))
		return REFUSED_ENDBR;
	if (kprobe_is_cfi_check(text))
		return REFUSED_TYPE_CHECK;
	if (is_in_machine_kexec(text))
		return REFUSED_NO_HANDLER;
	if (is_relocated_later(text))
		return REFUSED_RELOCATED;

	memset(ainsn, 0, sizeof(*ainsn));
	ainsn->size = text->insn.length;
	*way = kprobe_insn_way(&text->insn, ainsn);
	if (*way < 0)
		return REFUSED_IN_PLACE;
	return is_halt_after_sti(text, *way) ? REFUSED_STI : KPROBE_ACCEPTED;
}

/**
 * arch_prepare_kprobe() - prepare a probe for arming
 * @p:	a probe that passed the checks of kernel/kprobes/
 *
 * Sets @p->opcode and @p->ainsn.
 *
 * Context: process context; kprobe_mutex and text_mutex held.
 * Return: 0; the errno of a refusal, see arch_kprobe_refusal(); -ERANGE if a memory operand is
 * out of range of the copy; -ENOMEM.
 */
int arch_prepare_kprobe(struct kprobe *p)
{
	enum kprobe_refusal why;
	struct func_text text;
	int way;

	why = check_insn(p->addr, &text, &p->ainsn, &way) ?:
	      kprobe_check_slots(p, &p->ainsn, way);
	if (why)
		return kprobe_refusal_errno(why);
	p->opcode = text.insn.kaddr[0];
	return kprobe_make_slots(p, &text.insn, way);
}

/**
 * arch_kprobe_refusal() - check the instruction of a probe
 * @p:	a probe that passed the checks of kernel/kprobes/
 *
 * Context: process context; kprobe_mutex and text_mutex held; the text cannot be freed.
 * Return: KPROBE_ACCEPTED, or why it is refused.
 */
enum kprobe_refusal arch_kprobe_refusal(const struct kprobe *p)
{
	struct arch_specific_insn ainsn;
	struct func_text text;
	int way;

	return check_insn(p->addr, &text, &ainsn, &way) ?: kprobe_check_slots(p, &ainsn, way);
}

/**
 * arch_kprobe_boundary() - describe the instruction that contains an address
 * @addr:	the address; no instruction begins there
 * @buf:	the description is written here
 * @size:	size of @buf
 *
 * Context: process context; text_mutex held; the text cannot be freed.
 * Return: length of the description; 0 if there is none.
 */
int arch_kprobe_boundary(kprobe_opcode_t *addr, char *buf, size_t size)
{
	struct func_text text;
	char name[KSYM_NAME_LEN];
	int ret;

	ret = func_text_open(&text, addr);
	if (ret || lookup_symbol_name((unsigned long)text.start, name))
		return 0;
	do {
		ret = func_text_next(&text);
	} while (ret > 0 && text.next <= addr);
	if (ret <= 0)
		return scnprintf(buf, size, "%s+%zd cannot be decoded", name,
				 text.addr - text.start);
	return scnprintf(buf, size,
			 "it is inside the %d-byte instruction at %s+%zd; the next one begins at %s+%zd",
			 ret, name, text.addr - text.start, name, text.next - text.start);
}

/**
 * arch_remove_kprobe() - free the slots from arch_prepare_kprobe()
 * @p:	a probe that no CPU can hit any more
 *
 * Context: may sleep.
 */
void arch_remove_kprobe(struct kprobe *p)
{
	kprobe_free_slots(p);
}

/**
 * arch_init_kprobes() - nothing to do
 *
 * Context: boot.
 * Return: 0.
 */
int __init arch_init_kprobes(void)
{
	return 0;
}

/**
 * arch_trampoline_kprobe() - is this probe part of the return trampoline?
 * @p:	a probe
 *
 * Context: Any.
 * Return: 0; the return trampoline of this architecture has no probe.
 */
int arch_trampoline_kprobe(struct kprobe *p)
{
	return 0;
}
