// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the emulation of instructions under uprobes: the CPU executes each of them, too.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/prandom.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uprobes.h>

#include <asm/insn.h>
#include <asm/processor-flags.h>

#include "uprobes_emulate.h"

#define PLACE		0x401000
#define RESULT_FLAGS	(X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF | X86_EFLAGS_ZF |	\
			 X86_EFLAGS_SF | X86_EFLAGS_OF)

struct code {
	const char	*text;
	const u8	*start;
	const u8	*end;
	void		(*execute)(struct pt_regs *regs);
};

/*
 * Assemble an instruction twice: to be emulated, and to be executed on ax, cx, dx, si, r8 and
 * the flags.
 */
#define CODE(name, text)								\
	extern const u8 start_of_##name[], end_of_##name[];				\
	static noinline void execute_##name(struct pt_regs *regs)			\
	{										\
		register unsigned long r8 asm("r8") = regs->r8;				\
		unsigned long kept = native_save_fl() & ~RESULT_FLAGS;			\
		unsigned long flags = kept | (regs->flags & RESULT_FLAGS);		\
											\
		asm volatile(".pushsection .rodata\n"					\
			     "start_of_" #name ": " text "\n"				\
			     "end_of_" #name ":\n"					\
			     ".popsection\n"						\
			     "push %[flags]; popf; " text "; pushf; pop %[flags]"	\
			     : "+a" (regs->ax), "+c" (regs->cx), "+d" (regs->dx),	\
			       "+S" (regs->si), "+r" (r8), [flags] "+&b" (flags)	\
			     : : "memory", "cc");					\
		regs->r8 = r8;								\
		regs->flags = (regs->flags & ~RESULT_FLAGS) | (flags & RESULT_FLAGS);	\
	}

#define CODES										\
	X(endbr64, "endbr64")								\
	X(endbr32, "endbr32")								\
	X(nopw, "nopw 0x0(%%rax,%%rax,1)")						\
	X(nopl, "nopl (%%rax)")								\
	X(mov, "mov %%rcx, %%rdx")							\
	X(mov32, "mov %%ecx, %%edx")							\
	X(mov_load, ".byte 0x48, 0x8b, 0xd1")						\
	X(mov_r8, "mov %%r8, %%rdx")							\
	X(mov_to_r8, "mov %%esi, %%r8d")						\
	X(mov_imm, "mov $0x12345678, %%ecx")						\
	X(mov_imm_high, "mov $0xfedcba98, %%ecx")					\
	X(mov_imm_signed, "movq $-5, %%rcx")						\
	X(mov_imm_c7, ".byte 0xc7, 0xc1, 0xfb, 0xff, 0xff, 0xff")			\
	X(mov_imm64, "movabs $0xfedcba9876543210, %%r8")				\
	X(movsxd, "movslq %%ecx, %%rdx")						\
	X(movsxd32, ".byte 0x63, 0xd1")							\
	X(lea_disp8, "lea 0x12(%%rcx), %%rdx")						\
	X(lea_disp32, "lea -0x12345(%%r8), %%rdx")					\
	X(lea_index, "lea -8(%%rcx,%%rsi,4), %%rdx")					\
	X(lea_index_r8, "lea (%%rdx,%%r8,2), %%r8")					\
	X(lea_no_base, "lea 0x1234(,%%rcx,8), %%rdx")					\
	X(lea32, "lea 1(%%rcx,%%rdx,1), %%esi")						\
	X(lea_absolute, "lea 0x1234, %%rdx")						\
	X(add, "add %%rcx, %%rdx")							\
	X(add32, "add %%ecx, %%edx")							\
	X(add_load, ".byte 0x48, 0x03, 0xd1")						\
	X(add_imm8, "add $-0x12, %%rcx")						\
	X(add_imm32, "add $0x12345, %%ecx")						\
	X(add_ax, "add $0x12345678, %%eax")						\
	X(sub, "sub %%rcx, %%rdx")							\
	X(sub32, "sub %%ecx, %%edx")							\
	X(sub_imm8, "sub $0x18, %%rcx")							\
	X(sub_imm32, "sub $0x12345, %%r8d")						\
	X(sub_ax, "sub $-0x12345678, %%rax")						\
	X(cmp, "cmp %%rcx, %%rdx")							\
	X(cmp32, "cmp %%ecx, %%edx")							\
	X(cmp_imm8, "cmp $-1, %%rcx")							\
	X(cmp_ax, "cmp $0x12345678, %%eax")						\
	X(and, "and %%rcx, %%rdx")							\
	X(and32, "and %%ecx, %%edx")							\
	X(and_imm8, "and $-0x10, %%rcx")						\
	X(or, "or %%rcx, %%rdx")							\
	X(or_imm8, "or $-1, %%ecx")							\
	X(or_imm32, "or $0x12345678, %%r8")						\
	X(xor, "xor %%rcx, %%rdx")							\
	X(xor32, "xor %%ecx, %%ecx")							\
	X(xor_ax, "xor $0x12345678, %%eax")						\
	X(test, "test %%rcx, %%rdx")							\
	X(test32, "test %%ecx, %%ecx")							\
	X(test_imm, "test $0x12345, %%ecx")						\
	X(test_ax, "test $-0x12345678, %%rax")

#define X(name, text)	CODE(name, text)
CODES
#undef X

static const struct code codes[] = {
#define X(name, text)	{ #name, start_of_##name, end_of_##name, execute_##name },
CODES
#undef X
};

static const unsigned long edges[] = {
	0, 1, 0xf, 0x10, 0x7f, 0x80, 0xff, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
	LONG_MAX, LONG_MIN, LONG_MIN + 1, -2, -1,
};

KUNIT_ARRAY_PARAM_DESC(code, codes, text);

static bool setup(struct arch_uprobe *auprobe, const u8 *code, unsigned int size, bool wide)
{
	struct insn insn;

	memset(auprobe, 0, sizeof(*auprobe));
	memcpy(auprobe->insn, code, size);
	if (insn_decode(&insn, auprobe->insn, sizeof(auprobe->insn),
			wide ? INSN_MODE_64 : INSN_MODE_32))
		return false;
	return insn.length == size && uprobe_setup_emulation(auprobe, &insn);
}

static void compare(struct kunit *test, const struct code *code, struct arch_uprobe *auprobe,
		    const struct pt_regs *before)
{
	struct pt_regs native = *before, emulated = *before;
	/* The flag is undefined after logical operations, and may differ from CPU to CPU. */
	unsigned long undefined = 0;

	code->execute(&native);
	native.ip += code->end - code->start;
	KUNIT_ASSERT_TRUE(test, auprobe->ops->emulate(auprobe, &emulated));
	if (strstarts(code->text, "and") || strstarts(code->text, "or") ||
	    strstarts(code->text, "xor") || strstarts(code->text, "test"))
		undefined = X86_EFLAGS_AF;
	native.flags &= ~undefined;
	emulated.flags &= ~undefined;
	KUNIT_EXPECT_MEMEQ(test, &emulated, &native, sizeof(native));
}

static void emulates(struct kunit *test)
{
	const struct code *code = test->param_value;
	struct pt_regs regs;
	struct arch_uprobe auprobe;
	struct rnd_state random;
	unsigned int i, j;

	KUNIT_ASSERT_TRUE(test, setup(&auprobe, code->start, code->end - code->start, true));
	prandom_seed_state(&random, 1);
	for (i = 0; i < ARRAY_SIZE(edges); i++)
		for (j = 0; j < ARRAY_SIZE(edges); j++) {
			prandom_bytes_state(&random, &regs, sizeof(regs));
			regs.ip = PLACE;
			if (i) {
				regs.ax = edges[i];
				regs.cx = edges[i];
			}
			if (j) {
				regs.dx = edges[j];
				regs.si = edges[j];
				regs.r8 = edges[j];
			}
			compare(test, code, &auprobe, &regs);
			cond_resched();
		}
}

/* Test instructions that the CPU cannot execute here: they depend on the stack or the place. */
static void stack_and_place(struct kunit *test)
{
	static const u8 sub_sp[] = { 0x48, 0x83, 0xec, 0x18 };
	static const u8 mov_bp_sp[] = { 0x48, 0x89, 0xe5 };
	static const u8 lea_r10_sp[] = { 0x4c, 0x8d, 0x54, 0x24, 0x08 };
	static const u8 lea_di_ip[] = { 0x48, 0x8d, 0x3d, 0x10, 0x00, 0x00, 0x00 };
	struct pt_regs regs = { .ip = PLACE, .sp = 0x7ffff000, .flags = X86_EFLAGS_CF };
	struct arch_uprobe auprobe;

	KUNIT_ASSERT_TRUE(test, setup(&auprobe, sub_sp, sizeof(sub_sp), true));
	auprobe.ops->emulate(&auprobe, &regs);
	KUNIT_EXPECT_EQ(test, regs.sp, 0x7fffefe8);
	KUNIT_EXPECT_FALSE(test, regs.flags & X86_EFLAGS_CF);
	KUNIT_ASSERT_TRUE(test, setup(&auprobe, mov_bp_sp, sizeof(mov_bp_sp), true));
	auprobe.ops->emulate(&auprobe, &regs);
	KUNIT_EXPECT_EQ(test, regs.bp, 0x7fffefe8);
	KUNIT_ASSERT_TRUE(test, setup(&auprobe, lea_r10_sp, sizeof(lea_r10_sp), true));
	auprobe.ops->emulate(&auprobe, &regs);
	KUNIT_EXPECT_EQ(test, regs.r10, 0x7fffeff0);
	regs.ip = PLACE;
	KUNIT_ASSERT_TRUE(test, setup(&auprobe, lea_di_ip, sizeof(lea_di_ip), true));
	auprobe.ops->emulate(&auprobe, &regs);
	KUNIT_EXPECT_EQ(test, regs.di, PLACE + sizeof(lea_di_ip) + 0x10);
	KUNIT_EXPECT_EQ(test, regs.ip, PLACE + sizeof(lea_di_ip));
}

static void mode_32(struct kunit *test)
{
	static const u8 lea_absolute[] = { 0x8d, 0x3d, 0x10, 0x00, 0x00, 0x00 };
	static const u8 arpl[] = { 0x63, 0xd1 };
	static const u8 inc[] = { 0x40 };
	struct pt_regs regs = { .ip = PLACE };
	struct arch_uprobe auprobe;

	KUNIT_ASSERT_TRUE(test, setup(&auprobe, lea_absolute, sizeof(lea_absolute), false));
	auprobe.ops->emulate(&auprobe, &regs);
	KUNIT_EXPECT_EQ(test, regs.di, 0x10);
	KUNIT_EXPECT_FALSE(test, setup(&auprobe, arpl, sizeof(arpl), false));
	KUNIT_EXPECT_FALSE(test, setup(&auprobe, inc, sizeof(inc), false));
}

/* Test instructions that are similar to emulated ones. */
static void others(struct kunit *test)
{
	static const struct {
		u8	size;
		u8	code[8];
	} codes[] = {
		{ 2, { 0x89, 0x11 } },				/* mov %edx, (%rcx) */
		{ 2, { 0x8b, 0x11 } },				/* mov (%rcx), %edx */
		{ 2, { 0x31, 0x11 } },				/* xor %edx, (%rcx) */
		{ 3, { 0x66, 0x89, 0xd1 } },			/* mov %dx, %cx */
		{ 3, { 0x66, 0x31, 0xd1 } },			/* xor %dx, %cx */
		{ 2, { 0x88, 0xd1 } },				/* mov %dl, %cl */
		{ 2, { 0x30, 0xd1 } },				/* xor %dl, %cl */
		{ 2, { 0x34, 0x01 } },				/* xor $1, %al */
		{ 2, { 0x11, 0xd1 } },				/* adc %edx, %ecx */
		{ 2, { 0x19, 0xd1 } },				/* sbb %edx, %ecx */
		{ 3, { 0x83, 0xd1, 0x01 } },			/* adc $1, %ecx */
		{ 2, { 0xf7, 0xd1 } },				/* not %ecx */
		{ 2, { 0xf7, 0xf1 } },				/* div %ecx */
		{ 4, { 0x67, 0x8d, 0x51, 0x01 } },		/* lea 1(%ecx), %edx */
		{ 5, { 0x64, 0x48, 0x8d, 0x51, 0x01 } },	/* lea %fs:1(%rcx), %rdx */
		{ 5, { 0xf3, 0x48, 0x0f, 0x1e, 0xc9 } },	/* rdsspq %rcx */
		{ 4, { 0xf3, 0x0f, 0x1e, 0xc9 } },		/* rdsspd %ecx */
		{ 1, { 0xc3 } },				/* ret */
		{ 4, { 0xc5, 0xf1, 0xef, 0xd1 } },		/* vpxor %xmm1, %xmm1, %xmm2 */
		{ 3, { 0x0f, 0xaf, 0xd1 } },			/* imul %ecx, %edx */
		{ 7, { 0x0f, 0x0b, 0x6b, 0x76, 0x6d, 0x89, 0xd1 } },	/* ud2 */
	};
	struct arch_uprobe auprobe;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(codes); i++)
		KUNIT_EXPECT_FALSE_MSG(test,
				       setup(&auprobe, codes[i].code, codes[i].size, true),
				       "code %u", i);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(emulates, code_gen_params),
	KUNIT_CASE(stack_and_place),
	KUNIT_CASE(mode_32),
	KUNIT_CASE(others),
	{}
};

static struct kunit_suite suite = {
	.name = "uprobes_x86_emulate",
	.test_cases = cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("Tests of the emulation of instructions under uprobes");
MODULE_LICENSE("GPL");
