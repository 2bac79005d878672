// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the parser of probe commands.
 *
 * Tables contain the tree of every construct and, for every error, a command that causes
 * it, with a '^' before the expected column. Other tests cover limits, white space,
 * commands of other providers, and failing allocations.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/slab.h>

#include "check.h"
#include "lex.h"
#include "predicate.h"
#include "tree.h"

/* Arguments: the word and its tree. */
static const struct {
	const char *word, *tree;
} args[] = {
	/* registers and variables */
	{ "%di", "(reg di)" },
	{ "%r15", "(reg r15)" },
	{ "$stack", "(var stack)" },
	{ "$stack12", "(var stack12)" },
	{ "$kstack[16]", "(var kstack[16])" },
	{ "$ustack", "(var ustack)" },
	{ "$arg1", "(var arg1)" },
	{ "$arg*", "(var arg*)" },
	{ "$arg*:u8", "(var arg*) u8" },
	{ "$retval", "(var retval)" },
	{ "$comm", "(var comm)" },
	{ "$current", "(var current)" },
	{ "$current->mm->pgd", "(-> (-> (var current) mm) pgd)" },
	{ "(a)$current->b", "(-> (cast (var current) a) b)" },
	{ "+8($current)", "(deref (var current) +8)" },
	{ "$COMM", "(var COMM)" },
	{ "$none_var", "(var none_var)" },
	{ "$1", "(var 1)" },
	{ "+0($arg+1)", "(deref (+ (var arg) (number 0x1)) +0)" },

	/* immediates */
	{ "\\0", "(imm 0)" },
	{ "\\10", "(imm 0xa)" },
	{ "\\010", "(imm 0x8)" },
	{ "\\0x10", "(imm 0x10)" },
	{ "\\0XfF", "(imm 0xff)" },
	{ "\\+1", "(imm 0x1)" },
	{ "\\++1", "(imm 0x1)" },
	{ "\\-1", "(imm 0xffffffffffffffff)" },
	{ "\\+-1", "(imm 0xffffffffffffffff)" },
	{ "\\18446744073709551615", "(imm 0xffffffffffffffff)" },
	{ "\\-9223372036854775808", "(imm 0x8000000000000000)" },
	{ "\\+9223372036854775807", "(imm 0x7fffffffffffffff)" },
	{ "\\\"str\"", "(string str)" },
	{ "\\\"\"", "(string )" },
	{ "\\\"a\"b\"", "(string a\"b)" },
	{ "\\\"a)b(c\"", "(string a)b(c)" },
	{ "\\\"a:b\"", "(string a:b)" },
	{ "\\\"a:b\":string", "(string a:b) string" },
	{ "x=\\\"a=b\"", "x=(string a=b)" },
	{ "\\\"\xc3\xa0\x01\"", "(string \xc3\xa0\x01)" },

	/* memory */
	{ "@0", "(addr 0)" },
	{ "@0xffffffff81000000", "(addr 0xffffffff81000000)" },
	{ "@017", "(addr 0xf)" },
	{ "@jiffies", "(symbol jiffies +0)" },
	{ "@jiffies+8", "(symbol jiffies +8)" },
	{ "@jiffies-0x10", "(symbol jiffies -16)" },
	{ "@foo.constprop.0+4", "(symbol foo.constprop.0 +4)" },
	{ "@_x", "(symbol _x +0)" },
	{ "@a$b", "(symbol a$b +0)" },
	{ "@+0x10", "(file 0x10)" },
	{ "a=@+ab:u8", "a=(file ab) u8" },

	/* BTF */
	{ "file", "(name file)" },
	{ "_x1", "(name _x1)" },
	{ "u8", "(name u8)" },
	{ "file->f_path", "(-> (name file) f_path)" },
	{ "file->f_path.dentry->d_name.name",
	  "(. (-> (. (-> (name file) f_path) dentry) d_name) name)" },
	{ "file->a[2]", "([] (-> (name file) a) 2)" },
	{ "x->a[0x10].b[0]->c:u8[4]", "(-> ([] (. ([] (-> (name x) a) 16) b) 0) c) u8[4]" },
	{ "$retval->a[1][2]", "([] ([] (-> (var retval) a) 1) 2)" },
	{ "(s)x->a[1]*x->b[2]", "(* ([] (-> (cast (name x) s) a) 1) ([] (-> (name x) b) 2))" },
	{ "$retval->a.b", "(. (-> (var retval) a) b)" },
	{ "+8(file->f_op)", "(deref (-> (name file) f_op) +8)" },
	{ "file->f_path:x32", "(-> (name file) f_path) x32" },

	/* dereferences */
	{ "+0(%di)", "(deref (reg di) +0)" },
	{ "-8(%sp)", "(deref (reg sp) -8)" },
	{ "+u4(%si)", "(user-deref (reg si) +4)" },
	{ "-u4(%si)", "(user-deref (reg si) -4)" },
	{ "+0x10(%di)", "(deref (reg di) +16)" },
	{ "+010(%di)", "(deref (reg di) +8)" },
	{ "+-8(%di)", "(deref (reg di) -8)" },
	{ "++8(%di)", "(deref (reg di) +8)" },
	{ "+u-8(%di)", "(user-deref (reg di) -8)" },
	{ "+u+8(%di)", "(user-deref (reg di) +8)" },
	{ "-9223372036854775808(%di)", "(deref (reg di) -9223372036854775808)" },
	{ "+9223372036854775807(%di)", "(deref (reg di) +9223372036854775807)" },
	{ "+0(+16(-u8(%sp)))",
	  "(deref (deref (user-deref (reg sp) -8) +16) +0)" },
	{ "+0(@jiffies+8)", "(deref (symbol jiffies +8) +0)" },
	{ "+0(\\0x1000)", "(deref (imm 0x1000) +0)" },
	{ "+0($stack1)", "(deref (var stack1) +0)" },
	{ "+0(%di)x", "(deref (reg di) +0)" },
	{ "+0(+4(%di)x(y)z:u8", "(deref (deref (reg di) +4) +0) u8" },

	/* operators */
	{ "len=count*8", "len=(* (name count) (number 0x8))" },
	{ "$arg1+$arg2:u8", "(+ (var arg1) (var arg2)) u8" },
	{ "a+b*c", "(+ (name a) (* (name b) (name c)))" },
	{ "a*b+c", "(+ (* (name a) (name b)) (name c))" },
	{ "a-b-c", "(- (- (name a) (name b)) (name c))" },
	{ "a-(b-c)", "(- (name a) (- (name b) (name c)))" },
	{ "(a-b)*c", "(* (- (name a) (name b)) (name c))" },
	{ "a*(b)", "(* (name a) (name b))" },
	{ "((a+1))*2", "(* (+ (name a) (number 0x1)) (number 0x2))" },
	{ "a/b%c", "(% (/ (name a) (name b)) (name c))" },
	{ "a|b^c&d", "(| (name a) (^ (name b) (& (name c) (name d))))" },
	{ "a&b^c|d", "(| (^ (& (name a) (name b)) (name c)) (name d))" },
	{ "x=a==b<c", "x=(== (name a) (< (name b) (name c)))" },
	{ "x=a<=b!=c>=d", "x=(!= (<= (name a) (name b)) (>= (name c) (name d)))" },
	{ "a<b<<c+d", "(< (name a) (<< (name b) (+ (name c) (name d))))" },
	{ "a>b>>1", "(> (name a) (>> (name b) (number 0x1)))" },
	{ "x=a&b==c", "x=(& (name a) (== (name b) (name c)))" },
	{ "a|b+c*d-e<f",
	  "(| (name a) (< (- (+ (name b) (* (name c) (name d))) (name e)) (name f)))" },
	{ "n=(tail-head)&(size-1)",
	  "n=(& (- (name tail) (name head)) (- (name size) (number 0x1)))" },
	{ "$retval>>32", "(>> (var retval) (number 0x20))" },
	{ "$retval-1", "(- (var retval) (number 0x1))" },
	{ "$arg1-1", "(- (var arg1) (number 0x1))" },
	{ "$stack-8", "(- (var stack) (number 0x8))" },
	{ "$stack1*2", "(* (var stack1) (number 0x2))" },
	{ "$current-pid", "(- (var current) (name pid))" },
	{ "$comm-1", "(- (var comm) (number 0x1))" },
	{ "%di+8", "(+ (reg di) (number 0x8))" },
	{ "%di-%si", "(- (reg di) (reg si))" },
	{ "%di%%si", "(% (reg di) (reg si))" },
	{ "%di%8", "(% (reg di) (number 0x8))" },
	{ "+8(%di)&0xff:u8", "(& (deref (reg di) +8) (number 0xff)) u8" },
	{ "+8(%di)++8(%si)", "(+ (deref (reg di) +8) (deref (reg si) +8))" },
	{ "+8(%di)--8(%si)", "(- (deref (reg di) +8) (deref (reg si) -8))" },
	{ "a--8", "(- (name a) (- (number 0) (number 0x8)))" },
	{ "a*-b", "(* (name a) (- (number 0) (name b)))" },
	{ "a&~b", "(& (name a) (- (number 0xffffffffffffffff) (name b)))" },
	{ "~a+1", "(+ (- (number 0xffffffffffffffff) (name a)) (number 0x1))" },
	{ "+8($arg1+$arg2*8)",
	  "(deref (+ (var arg1) (* (var arg2) (number 0x8))) +8)" },
	{ "+0(+8(%di)+%si):string", "(deref (+ (deref (reg di) +8) (reg si)) +0) string" },
	{ "+0(+8(%di)*2)*3",
	  "(* (deref (* (deref (reg di) +8) (number 0x2)) +0) (number 0x3))" },
	{ "a++0(b+c)*2", "(+ (name a) (* (deref (+ (name b) (name c)) +0) (number 0x2)))" },
	{ "+0((%di))", "(deref (reg di) +0)" },
	{ "+0((%di+8)*2)", "(deref (* (+ (reg di) (number 0x8)) (number 0x2)) +0)" },
	{ "foo+4", "(+ (name foo) (number 0x4))" },
	{ "(file)&1", "(& (name file) (number 0x1))" },
	{ "(a)+1", "(+ (name a) (number 0x1))" },
	{ "(a)-b", "(- (name a) (name b))" },
	{ "(a)%3", "(% (name a) (number 0x3))" },
	{ "(a)>>2", "(>> (name a) (number 0x2))" },
	{ "(5)*a", "(* (number 0x5) (name a))" },
	{ "(x->a)*2", "(* (-> (name x) a) (number 0x2))" },
	{ "(file)x->a-b", "(- (-> (cast (name x) file) a) (name b))" },
	{ "(file)x->a-(file)y->b",
	  "(- (-> (cast (name x) file) a) (-> (cast (name y) file) b))" },
	{ "(file)(a+8)->b", "(-> (cast (+ (name a) (number 0x8)) file) b)" },
	{ "x->a.b*x->c", "(* (. (-> (name x) a) b) (-> (name x) c))" },
	{ "@1+1", "(+ (addr 0x1) (number 0x1))" },
	{ "@jiffies+8", "(symbol jiffies +8)" },
	{ "@jiffies+8*2", "(* (symbol jiffies +8) (number 0x2))" },
	{ "@jiffies-8-1", "(- (symbol jiffies -8) (number 0x1))" },
	{ "@jiffies+x", "(+ (symbol jiffies +0) (name x))" },
	{ "@jiffies/2", "(/ (symbol jiffies +0) (number 0x2))" },
	{ "@+-8", "(file -8)" },
	{ "@+-8-8", "(- (file -8) (number 0x8))" },
	{ "@+0x10+1", "(+ (file 0x10) (number 0x1))" },
	{ "\\1+2", "(+ (imm 0x1) (number 0x2))" },
	{ "\\-1-1", "(- (imm 0xffffffffffffffff) (number 0x1))" },
	{ "a+\\+5", "(+ (name a) (imm 0x5))" },
	{ "a+0xfFFFFFFFFFFFFFFF", "(+ (name a) (number 0xffffffffffffffff))" },
	{ "this_cpu_read(@x)*2", "(* (this_cpu_read (symbol x +0)) (number 0x2))" },
	{ "1+2*3", "(+ (number 0x1) (* (number 0x2) (number 0x3)))" },
	/* As in older kernels, other text after a brace is ignored. */
	{ "+0(%di)x+1", "(deref (reg di) +0)" },
	{ "+0(%di)&", "(deref (reg di) +0)" },
	{ "\\\"a+b\"", "(string a+b)" },

	/* names that no parameter has */
	{ "foo(bar)", "(name foo(bar))" },
	{ "foo(a(b)c):u8", "(name foo(a(b)c)) u8" },
	{ "+8(foo(bar))", "(deref (name foo(bar)) +8)" },

	/* casts */
	{ "(file)x->f_mode", "(-> (cast (name x) file) f_mode)" },
	{ "(file)x->f_path.dentry->d_name.len:u32",
	  "(. (-> (. (-> (cast (name x) file) f_path) dentry) d_name) len) u32" },
	{ "(file)%di->a", "(-> (cast (reg di) file) a)" },
	{ "(file)$arg1->a", "(-> (cast (var arg1) file) a)" },
	{ "(file)$stack1->a", "(-> (cast (var stack1) file) a)" },
	{ "(file)$retval->a", "(-> (cast (var retval) file) a)" },
	{ "(file)\\1->a", "(-> (cast (imm 0x1) file) a)" },
	{ "(file)\\-1->a", "(-> (cast (imm 0xffffffffffffffff) file) a)" },
	{ "(file)@x->a", "(-> (cast (symbol x +0) file) a)" },
	{ "(file)@0x10->a", "(-> (cast (addr 0x10) file) a)" },
	{ "(file)(@x+8)->a", "(-> (cast (symbol x +8) file) a)" },
	{ "(file)(x)->a", "(-> (cast (name x) file) a)" },
	{ "(file)(x->b.c)->a", "(-> (cast (. (-> (name x) b) c) file) a)" },
	{ "(file)+8(%di)->a", "(-> (cast (deref (reg di) +8) file) a)" },
	{ "(file)-u8(+4(x->b))->a",
	  "(-> (cast (user-deref (deref (-> (name x) b) +4) -8) file) a)" },
	{ "(file)(+8(%di))->a", "(-> (cast (deref (reg di) +8) file) a)" },
	{ "(a)((b)x->c)->d:x8", "(-> (cast (-> (cast (name x) b) c) a) d) x8" },
	{ "(a)((b)((c)(x)->d)->e)->f",
	  "(-> (cast (-> (cast (-> (cast (name x) c) d) b) e) a) f)" },
	{ "+8((file)x->a)", "(deref (-> (cast (name x) file) a) +8)" },
	{ "+8((file)+4((a)x->b)->c):string",
	  "(deref (-> (cast (deref (-> (cast (name x) a) b) +4) file) c) +8) string" },
	{ "n=(file)x->a", "n=(-> (cast (name x) file) a)" },
	{ "()x->a", "(-> (cast (name x) ) a)" },
	{ "(file,a)x->b", "(-> (cast (name x) file,a) b)" },
	{ "(file,a.b.c)(x->d)->e.f:u8",
	  "(. (-> (cast (-> (name x) d) file,a.b.c) e) f) u8" },
	{ "(a,b)((c,d.e)x->f)->g", "(-> (cast (-> (cast (name x) c,d.e) f) a,b) g)" },
	{ "(,a)x->b", "(-> (cast (name x) ,a) b)" },
	{ "(file,a-b)x->c", "(-> (cast (name x) file,a-b) c)" },

	/* per-CPU variables */
	{ "this_cpu_ptr(@x)", "(this_cpu_ptr (symbol x +0))" },
	{ "this_cpu_read(@x+8):u32", "(this_cpu_read (symbol x +8)) u32" },
	{ "this_cpu_read(+8(%di)):u8", "(this_cpu_read (deref (reg di) +8)) u8" },
	{ "this_cpu_read(x->a)", "(this_cpu_read (-> (name x) a))" },
	{ "this_cpu_read((a,b)x->c)", "(this_cpu_read (-> (cast (name x) a,b) c))" },
	{ "(a)this_cpu_ptr(@x)->b", "(-> (cast (this_cpu_ptr (symbol x +0)) a) b)" },
	{ "(a)this_cpu_read(+0(%di))->b.c",
	  "(. (-> (cast (this_cpu_read (deref (reg di) +0)) a) b) c)" },
	{ "+8(this_cpu_ptr(@x)):string", "(deref (this_cpu_ptr (symbol x +0)) +8) string" },
	{ "this_cpu_read(this_cpu_read(@x))", "(this_cpu_read (this_cpu_read (symbol x +0)))" },
	{ "this_cpu_read(@x)->y", "(this_cpu_read (symbol x +0))" },
	{ "this_cpu_read", "(name this_cpu_read)" },
	{ "this_cpu_ptr->a", "(-> (name this_cpu_ptr) a)" },
	{ "this_cpu_foo(@x)", "(name this_cpu_foo(@x))" },
	{ "n=this_cpu_read(\\8)", "n=(this_cpu_read (imm 0x8))" },

	/* types */
	{ "%di:u8", "(reg di) u8" },
	{ "%di:s64", "(reg di) s64" },
	{ "%di:unknown_type", "(reg di) unknown_type" },
	{ "%di:b16", "(reg di) b16" },
	{ "%di:symbol", "(reg di) symbol" },
	{ "+0(%di):u8[1]", "(deref (reg di) +0) u8[1]" },
	{ "+0(%di):x8[64]", "(deref (reg di) +0) x8[64]" },
	{ "+0(%di):x8[0x10]", "(deref (reg di) +0) x8[16]" },
	{ "+0(%di):x8[+4]", "(deref (reg di) +0) x8[4]" },
	{ "$retval:errno", "(var retval) errno" },
	{ "+0(%di):enum[4]", "(deref (reg di) +0) enum[4]" },
	{ "%di:enum(zone_type)", "(reg di) enum (zone_type)" },
	{ "x=%di:flags16(A_1=1)", "x=(reg di) flags16 (A_1 1)" },
	{ "%di:flags(A=0x10,B=010,C=-1)", "(reg di) flags (A 16, B 8, C -1)" },
	{ "$retval:enum64(A=18446744073709551615)[2]",
	  "(var retval) enum64 (A 18446744073709551615)[2]" },
	{ "+0(%di):flags(x-y/e.1/f)[3]", "(deref (reg di) +0) flags (x-y e.1 f)[3]" },
	{ "x->y:enum(s/e/f)", "(-> (name x) y) enum (s e f)" },
	{ "+0(%di):string[2]", "(deref (reg di) +0) string[2]" },
	{ "%di:b5@3/32", "(reg di) bits 5@3/32" },
	{ "%di:b1@0/8", "(reg di) bits 1@0/8" },
	{ "%di:b64@0/64", "(reg di) bits 64@0/64" },
	{ "%di:b1@63/64", "(reg di) bits 1@63/64" },
	{ "%di:b0x5@0x3/0x20", "(reg di) bits 5@3/32" },
	{ "%di:b5@3/+32", "(reg di) bits 5@3/32" },
	{ "+0(%di):b4@12/16[8]", "(deref (reg di) +0) bits 4@12/16[8]" },
	{ "$arg1:%pd", "(var arg1) dentry" },
	{ "$arg1:%pD", "(var arg1) file" },
	{ "file:%pD", "(name file) file" },
	{ "+0(%di):%pd", "(deref (reg di) +0) dentry" },

	/* names */
	{ "a=%di", "a=(reg di)" },
	{ "_A1=%di:u8", "_A1=(reg di) u8" },
	{ "arg1=$arg1", "arg1=(var arg1)" },
};

static void test_args(void)
{
	struct trace_kprobe_place place;
	const char *wrong;
	char buf[512];
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(args); i++) {
		struct tree_text text = {};
		struct probe_cmd *cmd;

		snprintf(buf, sizeof(buf), "p  vfs_read\t%s\n", args[i].word);
		cmd = tree_open(buf);
		ret = tree_parse(cmd, &place);
		if (ret) {
			check(false, "%s: %s in column %u", args[i].word,
			      tree_err_name(cmd->err), cmd->err_pos);
		} else {
			tree_show_arg(&text, cmd->args);
			check(!strcmp(text.s, args[i].tree), "%s: parsed as %s, not %s",
			      args[i].word, text.s, args[i].tree);
			wrong = tree_wrong_columns(cmd, &place);
			check(!wrong, "%s: wrong column: %s", args[i].word, wrong);
		}
		probe_cmd_free(cmd);
		test_end("argument %s", args[i].word);
	}
}

/* Variables: the word, its meaning and its number. All other names are unknown. */
static const struct {
	const char *word;
	enum probe_var var;
	unsigned long value;
} vars[] = {
	{ "$retval", PROBE_VAR_RETVAL, 0 },
	{ "$comm", PROBE_VAR_COMM, 0 },
	{ "$COMM", PROBE_VAR_COMM, 0 },
	{ "$current", PROBE_VAR_CURRENT, 0 },
	{ "$latency", PROBE_VAR_LATENCY, 0 },
	{ "$latencyx", PROBE_VAR_UNKNOWN, 0 },
	{ "$stack", PROBE_VAR_STACK, 0 },
	{ "$stack0", PROBE_VAR_STACK_NTH, 0 },
	{ "$stack010", PROBE_VAR_STACK_NTH, 10 },
	{ "$kstack", PROBE_VAR_KSTACK, 16 },
	{ "$ustack", PROBE_VAR_USTACK, 16 },
	{ "$kstack[1]", PROBE_VAR_KSTACK, 1 },
	{ "$ustack[64]", PROBE_VAR_USTACK, 64 },
	{ "$kstacks", PROBE_VAR_UNKNOWN, 0 },
	{ "$kstack8", PROBE_VAR_UNKNOWN, 0 },
	{ "$arg1", PROBE_VAR_ARG_NTH, 1 },
	{ "$arg01", PROBE_VAR_ARG_NTH, 1 },
	{ "$arg0", PROBE_VAR_ARG_NTH, 0 },
	{ "$arg99999999", PROBE_VAR_ARG_NTH, 99999999 },
	{ "$arg*", PROBE_VAR_ALL_ARGS, 0 },
	{ "$arg4294967295", PROBE_VAR_ARG_NTH, 4294967295 },
	{ "$arg4294967297", PROBE_VAR_ARG_NTH, 4294967295 },
	{ "$stack18446744073709551615", PROBE_VAR_STACK_NTH, 4294967295 },
	{ "$arg18446744073709551616", PROBE_VAR_UNKNOWN, 0 },
	{ "$arg", PROBE_VAR_UNKNOWN, 0 },
	{ "$arg0x1", PROBE_VAR_UNKNOWN, 0 },
	{ "$argx", PROBE_VAR_UNKNOWN, 0 },
	{ "$arg1x", PROBE_VAR_UNKNOWN, 0 },
	{ "$arg1[0]", PROBE_VAR_UNKNOWN, 0 },
	{ "$stack[1]", PROBE_VAR_UNKNOWN, 0 },
	{ "$retval[1]", PROBE_VAR_UNKNOWN, 0 },
	{ "$stackx", PROBE_VAR_UNKNOWN, 0 },
	{ "$Comm", PROBE_VAR_UNKNOWN, 0 },
	{ "$currentx", PROBE_VAR_UNKNOWN, 0 },
	{ "$CURRENT", PROBE_VAR_UNKNOWN, 0 },
	{ "$retval1", PROBE_VAR_UNKNOWN, 0 },
};

static void test_variables(void)
{
	const struct probe_expr *e;
	struct trace_kprobe_place place;
	char buf[64];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vars); i++) {
		struct probe_cmd *cmd;

		snprintf(buf, sizeof(buf), "p vfs_read %s", vars[i].word);
		cmd = tree_open(buf);
		if (tree_parse(cmd, &place)) {
			check(false, "%s: %s", vars[i].word, tree_err_name(cmd->err));
		} else {
			e = cmd->args->expr;
			check(e->kind == PROBE_EXPR_VAR && e->var == vars[i].var,
			      "%s: wrong variable %d", vars[i].word, e->var);
			check(vars[i].var == PROBE_VAR_UNKNOWN || e->value == vars[i].value,
			      "%s: wrong number %lu", vars[i].word, e->value);
		}
		probe_cmd_free(cmd);
		test_end("variable %s", vars[i].word);
	}
}

/* Places: the word and its parts. */
static const struct {
	const char *word, *place;
} places[] = {
	{ "vfs_read", "vfs_read +0" },
	{ "vfs_read+0", "vfs_read +0" },
	{ "vfs_read-0", "vfs_read +0" },
	{ "vfs_read+16", "vfs_read +16" },
	{ "vfs_read+0x10", "vfs_read +16" },
	{ "vfs_read+010", "vfs_read +8" },
	{ "vfs_read+4294967295", "vfs_read +4294967295" },
	{ "vfs_read%return", "vfs_read +0 return" },
	{ "vfs_read+4%return", "vfs_read +4 return" },
	{ "foo.isra.0", "foo.isra.0 +0" },
	{ "foo.constprop.0+4", "foo.constprop.0 +4" },
	{ "mod:sym", "sym of mod +0" },
	{ "mod:sym+8", "sym of mod +8" },
	{ "mod:sym.part.1+8%return", "sym.part.1 of mod +8 return" },
	{ "mod:0x10", "0x10 of mod +0" },
	{ "a:b:c", "b:c of a +0" },
	{ "a:b:", "b: of a +0" },
	{ "a::b+1", ":b of a +1" },
	{ "a/b", "a/b +0" },
	{ "vfs_*", "vfs_* +0 pattern" },
	{ "*", "* +0 pattern" },
	{ "vfs_?ead", "vfs_?ead +0 pattern" },
	{ "vfs_[a-r+]*%return", "vfs_[a-r+]* +0 return pattern" },
	{ "mod:sym[0-9]", "sym[0-9] of mod +0 pattern" },
	{ "m*d:sym", "sym of m*d +0" },
	{ "vfs_*+0", "vfs_* +0 pattern" },
	{ "vfs_read%all", "vfs_read +0 all" },
	{ "mod:vfs_*%all", "vfs_* of mod +0 pattern all" },
	{ "0xffffffff81000000", "addr 0xffffffff81000000" },
	{ "+0x10", "addr 0x10" },
	{ "1234", "addr 0x4d2" },
	{ "010", "addr 0x8" },
	{ "0", "addr 0" },
	{ "0x", "0x +0" },
	{ "09", "09 +0" },
	{ "0x1ffffffffffffffff", "0x1ffffffffffffffff +0" },
};

static void test_places(void)
{
	struct trace_kprobe_place place;
	struct probe_cmd *cmd;
	const char *wrong;
	char buf[512];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		struct tree_text text = {};

		snprintf(buf, sizeof(buf), " p:x %s  %%ax", places[i].word);
		cmd = tree_open(buf);
		if (trace_kprobe_parse_place(cmd, &place)) {
			check(false, "%s: %s in column %u", places[i].word,
			      tree_err_name(cmd->err), cmd->err_pos);
		} else {
			tree_show_place(&text, &place);
			check(!strcmp(text.s, places[i].place), "%s: parsed as %s, not %s",
			      places[i].word, text.s, places[i].place);
			wrong = tree_wrong_columns(cmd, &place);
			check(!wrong, "%s: wrong column: %s", places[i].word, wrong);
		}
		probe_cmd_free(cmd);
		test_end("place %s", places[i].word);
	}
}

/* Lists of places, and their elements, each in parentheses. */
static const struct {
	const char *word, *elements;
} lists[] = {
	{ "a,b", "(a)(b)" },
	{ "vfs_read+0x2a,mod:sym%return,0x1000", "(vfs_read+0x2a)(mod:sym%return)(0x1000)" },
	{ "a,", "(a)()" },
	{ ",", "()()" },
	{ "f[,]x,g", "(f[,]x)(g)" },
};

static void test_lists(void)
{
	struct trace_kprobe_place place;
	struct probe_str list, word;
	struct probe_cmd *cmd;
	unsigned int i;
	char buf[128];

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		unsigned int used = 0;

		snprintf(buf, sizeof(buf), "p:x %s %%ax", lists[i].word);
		cmd = tree_open(buf);
		check(!trace_kprobe_parse_place(cmd, &place) && place.list &&
		      probe_str_is(place.word, lists[i].word), "%s: not a list", lists[i].word);
		list = place.word;
		while (trace_kprobe_next_place(&list, &word)) {
			check(word.s == cmd->text + word.pos, "%s: wrong column", lists[i].word);
			used += snprintf(buf + used, sizeof(buf) - used, "(%.*s)", word.len,
					 word.s);
		}
		check(!strcmp(buf, lists[i].elements), "%s: split into %s", lists[i].word, buf);
		probe_cmd_free(cmd);
		test_end("list %s", lists[i].word);
	}
	cmd = tree_open("p f[,]*");
	check(!trace_kprobe_parse_place(cmd, &place) && !place.list && place.pattern,
	      "a comma in brackets");
	probe_cmd_free(cmd);
	cmd = tree_open("p /bin/a,b:0x10");
	check(trace_kprobe_parse_place(cmd, &place) == -ECANCELED && !place.list,
	      "a comma in the name of a file");
	probe_cmd_free(cmd);
	test_end("commas that separate no places");
}

/* Symbols outside of commands: the text, which the parser does not check, and its parts. */
static const struct {
	const char *symbol, *place;
} symbols[] = {
	{ "vfs_read", "vfs_read +0" },
	{ "mod:sym", "sym of mod +0" },
	{ "a:b:c", "b:c of a +0" },
	{ "a/b:c%d+4", "c%d+4 of a/b +0" },
	{ "mod:", " of mod +0" },
	{ ":sym", "sym +0" },
	{ ":", " +0" },
	{ "", " +0" },
};

static void test_symbols(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(symbols); i++) {
		struct trace_kprobe_place place = {};
		struct tree_text text = {};

		trace_kprobe_parse_symbol(&place, symbols[i].symbol);
		tree_show_place(&text, &place);
		check(!strcmp(text.s, symbols[i].place) &&
		      probe_str_is(place.symbol, symbols[i].symbol),
		      "%s: parsed as %s, not %s", symbols[i].symbol, text.s, symbols[i].place);
		test_end("symbol '%s'", symbols[i].symbol);
	}
}

/* First words of commands, with their group and event ("-" for none), and maxactive. */
static const struct {
	const char *word, *group, *event;
	unsigned int maxactive;
} heads[] = {
	{ "p", "-", "-", 0 },
	{ "r", "-", "-", 0 },
	{ "r10", "-", "-", 10 },
	{ "r0x10", "-", "-", 16 },
	{ "r4096:ev", "-", "ev", 4096 },
	{ "p:ev", "-", "ev", 0 },
	{ "p:grp/ev", "grp", "ev", 0 },
	{ "p:grp.ev", "grp", "ev", 0 },
	{ "p:grp/", "grp", "-", 0 },
	{ "p:grp.", "grp", "-", 0 },
	{ "r7:grp/_ev1", "grp", "_ev1", 7 },
	{ "p:-my-grp/ev", "-my-grp", "ev", 0 },
	{ "probe:ev", "-", "ev", 0 },
	{ "p-:ev", "-", "ev", 0 },
	{ "p/x.y:ev", "-", "ev", 0 },
	{ "p:grp/ev,owner=fd", "grp", "ev", 0 },
	{ "p:grp/,owner=task:10", "grp", "-", 0 },
	{ "r9:,owner=task", "-", "-", 9 },
	{ "p:grp/ev,limit=1/s,count=2", "grp", "ev", 0 },
	{ "r:,sample=3", "-", "-", 0 },
};

static bool is_or_absent(struct probe_str s, const char *expected)
{
	return !strcmp(expected, "-") ? !s.s : probe_str_is(s, expected);
}

/* Options of an event, and the owner that they set. */
static const struct {
	const char *options;
	enum probe_owner_kind owner;
	unsigned int pid, column;
} owners[] = {
	{ "", PROBE_OWNER_NONE, 0, 0 },
	{ ",owner=fd", PROBE_OWNER_FD, 0, 11 },
	{ ",owner=fd:12", PROBE_OWNER_FD, 12, 11 },
	{ ",owner=fd:0", PROBE_OWNER_FD, 0, 11 },
	{ ",owner=task", PROBE_OWNER_TASK, 0, 11 },
	{ ",owner=task:0x7fffffff", PROBE_OWNER_TASK, 0x7fffffff, 11 },
};

static void test_owners(void)
{
	struct probe_options *options;
	struct probe_cmd *cmd;
	unsigned int i;
	char buf[64];

	for (i = 0; i < ARRAY_SIZE(owners); i++) {
		snprintf(buf, sizeof(buf), "p:ev%s vfs_read", owners[i].options);
		cmd = tree_open(buf);
		options = &cmd->options;
		check(!probe_parse_event_name(cmd), "%s: %s", buf, tree_err_name(cmd->err));
		check(options->owner == owners[i].owner && options->owner_pid == owners[i].pid &&
		      options->owner_pos == owners[i].column, "%s: wrong owner", buf);
		probe_cmd_free(cmd);
		test_end("options '%s'", owners[i].options);
	}
}

/* Options of an event, and the limits that they set. */
static const struct {
	const char *options;
	unsigned int sample, rate, count;
	bool is_owned;
} event_limits[] = {
	{ ",sample=100", 100, 0, 0, false },
	{ ",limit=1000/s", 0, 1000, 0, false },
	{ ",count=0x7fffffff", 0, 0, 0x7fffffff, false },
	{ ",count=1,sample=2,limit=3/s", 2, 3, 1, false },
	{ ",limit=3/s,owner=fd,count=010", 0, 3, 8, true },
};

static void test_event_limits(void)
{
	struct probe_options *options;
	struct probe_cmd *cmd;
	unsigned int i;
	char buf[64];

	for (i = 0; i < ARRAY_SIZE(event_limits); i++) {
		snprintf(buf, sizeof(buf), "p:ev%s vfs_read", event_limits[i].options);
		cmd = tree_open(buf);
		options = &cmd->options;
		check(!probe_parse_event_name(cmd), "%s: %s", buf, tree_err_name(cmd->err));
		check(options->sample == event_limits[i].sample &&
		      options->rate == event_limits[i].rate &&
		      options->count == event_limits[i].count &&
		      (options->owner == PROBE_OWNER_FD) == event_limits[i].is_owned &&
		      probe_options_limit(options), "%s: wrong limits", buf);
		probe_cmd_free(cmd);
		test_end("options '%s'", event_limits[i].options);
	}
}

static void test_heads(void)
{
	unsigned int i, maxactive;
	struct probe_cmd *cmd;
	const char *wrong;
	char buf[512];
	int ret;

	for (i = 0; i < ARRAY_SIZE(heads); i++) {
		snprintf(buf, sizeof(buf), "%s vfs_read", heads[i].word);
		cmd = tree_open(buf);
		ret = probe_parse_maxactive(cmd, cmd->kind == 'r', &maxactive);
		if (!ret)
			ret = probe_parse_event_name(cmd);
		check(!ret, "%s: %s in column %u", heads[i].word,
		      tree_err_name(cmd->err), cmd->err_pos);
		check(cmd->kind == heads[i].word[0] && maxactive == heads[i].maxactive &&
		      is_or_absent(cmd->group, heads[i].group) &&
		      is_or_absent(cmd->event, heads[i].event),
		      "%s: wrong parts", heads[i].word);
		wrong = tree_wrong_columns(cmd, NULL);
		check(!wrong, "%s: wrong column: %s", heads[i].word, wrong);
		probe_cmd_free(cmd);
		test_end("first word %s", heads[i].word);
	}
}

#define N10	"1234567890"
#define N60	"123456789012345678901234567890123456789012345678901234567890"
#define N220	N60 N60 N60 N10 N10 N10 N10
#define N240	N60 N60 N60 N60
#define D5	"+0(+0(+0(+0(+0("
#define C4	"(a)((b)((c)((d)"
#define M8	"->b)->c)->d)->e)->f)->g)->h)->i"

/*
 * Commands with an error, and a '^' before its column. For errors that the kernel's
 * kprobe_syntax_errors.tc also tests, the columns are the same as in that test.
 */
static const struct error {
	enum probe_err err;
	const char *cmd;
} errors[] = {
	{ PROBE_ERR_BAD_MAXACT_TYPE, "p^100 vfs_read" },
	{ PROBE_ERR_BAD_MAXACT_TYPE, "p^1x:ev vfs_read%return" },
	{ PROBE_ERR_BAD_MAXACT, "r^1a111 vfs_read" },
	{ PROBE_ERR_BAD_MAXACT, "r^0:ev vfs_read" },
	{ PROBE_ERR_BAD_MAXACT, "r^99999999999999999999 vfs_read" },
	{ PROBE_ERR_BAD_MAXACT, "r^4294967296 vfs_read" },
	{ PROBE_ERR_MAXACT_TOO_BIG, "r^4294967295 vfs_read" },
	{ PROBE_ERR_MAXACT_TOO_BIG, "r^100000 vfs_read" },
	{ PROBE_ERR_MAXACT_TOO_BIG, "r^4097 vfs_read" },

	{ PROBE_ERR_NO_GROUP_NAME, "p:^/bar vfs_read" },
	{ PROBE_ERR_NO_GROUP_NAME, "p:^.bar vfs_read" },
	{ PROBE_ERR_GROUP_TOO_LONG, "p:^x123" N60 "/bar vfs_read" },
	{ PROBE_ERR_BAD_GROUP_NAME, "p:^foo.1/bar vfs_read" },
	{ PROBE_ERR_BAD_GROUP_NAME, "p:^1/bar vfs_read" },
	{ PROBE_ERR_BAD_GROUP_NAME, "p:^\xc3\xa4/bar vfs_read" },
	{ PROBE_ERR_NO_EVENT_NAME, "p:^ vfs_read" },
	{ PROBE_ERR_EVENT_TOO_LONG, "p:foo/^x123" N60 " vfs_read" },
	{ PROBE_ERR_EVENT_TOO_LONG, "r1:^x123" N60 " vfs_read" },
	{ PROBE_ERR_BAD_EVENT_NAME, "p:foo/^bar.1 vfs_read" },
	{ PROBE_ERR_BAD_EVENT_NAME, "p:^1 vfs_read" },
	{ PROBE_ERR_BAD_EVENT_NAME, "p:foo.^a-b vfs_read" },
	{ PROBE_ERR_BAD_EVENT_NAME, "p:^a:b vfs_read" },
	{ PROBE_ERR_BAD_EVENT_NAME, "p:foo/^a/b vfs_read" },
	{ PROBE_ERR_BAD_EVENT_NAME, "p:foo/^1,owner=fd vfs_read" },
	{ PROBE_ERR_NO_GROUP_NAME, "p:^/,owner=fd vfs_read" },
	{ PROBE_ERR_BAD_OPTION, "p:ev,^ vfs_read" },
	{ PROBE_ERR_BAD_OPTION, "p:ev,^=fd vfs_read" },
	{ PROBE_ERR_BAD_OPTION, "p:ev,^owner vfs_read" },
	{ PROBE_ERR_BAD_OPTION, "p:ev,^owners=fd vfs_read" },
	{ PROBE_ERR_BAD_OPTION, "p:ev,owner=fd,^ vfs_read" },
	{ PROBE_ERR_OPTION_TWICE, "p:ev,owner=fd,^owner=task vfs_read" },
	{ PROBE_ERR_BAD_OWNER, "p:ev,owner=^ vfs_read" },
	{ PROBE_ERR_BAD_OWNER, "p:ev,owner=^me vfs_read" },
	{ PROBE_ERR_BAD_OWNER, "p:ev,owner=^:1 vfs_read" },
	{ PROBE_ERR_BAD_OWNER, "p:ev,owner=fd:^ vfs_read" },
	{ PROBE_ERR_BAD_OWNER, "p:ev,owner=task:^0 vfs_read" },
	{ PROBE_ERR_BAD_OWNER, "p:ev,owner=task:^-1 vfs_read" },
	{ PROBE_ERR_BAD_OWNER, "p:ev,owner=task:^0x80000000 vfs_read" },
	{ PROBE_ERR_BAD_OPTION, "p:ev,^sample vfs_read" },
	{ PROBE_ERR_BAD_OPTION, "p:ev,^counts=1 vfs_read" },
	{ PROBE_ERR_BAD_OPTION, "p:ev,count=1,^rate=1/s vfs_read" },
	{ PROBE_ERR_OPTION_TWICE, "p:ev,count=1,sample=2,^count=1 vfs_read" },
	{ PROBE_ERR_BAD_LIMIT, "p:ev,sample=^ vfs_read" },
	{ PROBE_ERR_BAD_LIMIT, "p:ev,sample=^0 vfs_read" },
	{ PROBE_ERR_BAD_LIMIT, "p:ev,sample=^-1 vfs_read" },
	{ PROBE_ERR_BAD_LIMIT, "p:ev,owner=fd,count=^1x vfs_read" },
	{ PROBE_ERR_BAD_LIMIT, "p:ev,count=^0x80000000 vfs_read" },
	{ PROBE_ERR_BAD_LIMIT, "p:ev,count=^99999999999999999999 vfs_read" },
	{ PROBE_ERR_BAD_LIMIT, "p:ev,limit=^0/s vfs_read" },
	{ PROBE_ERR_BAD_LIMIT, "p:ev,limit=^/s vfs_read" },
	{ PROBE_ERR_BAD_RATE, "p:ev,limit=^1000 vfs_read" },
	{ PROBE_ERR_BAD_RATE, "p:ev,limit=^1000/ vfs_read" },
	{ PROBE_ERR_BAD_RATE, "p:ev,limit=^1/ms vfs_read" },
	{ PROBE_ERR_BAD_RATE, "p:ev,limit=^ vfs_read" },

	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^hoge-fuga" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^hoge+1000-1000" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^hoge-1" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^hoge+" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^hoge++1" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^hoge+4294967296" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^hoge+0x10000000000000000" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^-8" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^%return" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^:" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^::" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^:sym" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^:a:b" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^mod:" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^mod:+4" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^mod:%return" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^mod:sym-1" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^mod-x:sym" },
	{ PROBE_ERR_BAD_PROBE_ADDR, "p ^sym+4:x" },
	{ PROBE_ERR_BAD_ADDR_SUFFIX, "p sym^%return:x" },
	{ PROBE_ERR_BAD_ADDR_SUFFIX, "p vfs_read^%hoge" },
	{ PROBE_ERR_BAD_ADDR_SUFFIX, "p vfs_read+4^%returns" },
	{ PROBE_ERR_BAD_ADDR_SUFFIX, "p:a/b vfs_read^%return%return" },
	{ PROBE_ERR_BAD_ADDR_SUFFIX, "p vfs_read^%all%return" },
	{ PROBE_ERR_BAD_ADDR_SUFFIX, "p vfs_read^%al" },
	{ PROBE_ERR_OFFSET_IN_MANY, "p vfs_*^+4" },
	{ PROBE_ERR_OFFSET_IN_MANY, "p mod:vfs_[a-b]^+0x10%return" },
	{ PROBE_ERR_OFFSET_IN_MANY, "p vfs_read^+1%all" },

	{ PROBE_ERR_ARG_NAME_TOO_LONG, "p vfs_read ^arg123456789012345678901234567890=@11" },
	{ PROBE_ERR_NO_ARG_NAME, "p vfs_read ^=@11" },
	{ PROBE_ERR_BAD_ARG_NAME, "p vfs_read ^var.1=@11" },
	{ PROBE_ERR_BAD_ARG_NAME, "p vfs_read ^1=@11" },
	{ PROBE_ERR_BAD_ARG_NAME, "p vfs_read ^\\\"a=b\"" },
	{ PROBE_ERR_ARG_TOO_LONG,
	  "p vfs_read ^@x+" N240 "123456789012:u8" },
	{ PROBE_ERR_ARG_TOO_LONG, "p vfs_read a=^\\" N240 "1234567890123456" },
	{ PROBE_ERR_NO_ARG_BODY, "p vfs_read arg1=^" },
	{ PROBE_ERR_NO_ARG_BODY, "p vfs_read %ax arg1=^ %dx" },

	{ PROBE_ERR_BAD_VAR, "p vfs_read ^$" },
	{ PROBE_ERR_BAD_VAR, "p vfs_read ^$:u8" },
	{ PROBE_ERR_BAD_VAR, "p vfs_read +0(^$)" },
	{ PROBE_ERR_BAD_VAR, "p vfs_read ^$->x" },
	{ PROBE_ERR_BAD_VAR_ARGS, "p vfs_read args=^$arg*" },
	{ PROBE_ERR_BAD_VAR_ARGS, "p vfs_read +0(^$arg*)" },
	{ PROBE_ERR_BAD_VAR_ARGS, "p vfs_read a=^$arg*:u8" },
	{ PROBE_ERR_BAD_VAR_ARGS, "p vfs_read ^$arg*)" },
	{ PROBE_ERR_BAD_VAR_ARGS, "p vfs_read ^$arg*1" },
	{ PROBE_ERR_BAD_VAR_ARGS, "p vfs_read ^$arg*->x" },
	{ PROBE_ERR_BAD_VAR_ARGS, "p vfs_read ^$arg*[0]" },
	{ PROBE_ERR_BAD_REG_NAME, "p vfs_read ^%" },
	{ PROBE_ERR_BAD_REG_NAME, "p vfs_read +0(^%):u8" },

	{ PROBE_ERR_BAD_MEM_ADDR, "p vfs_read ^@12345678abcde" },
	{ PROBE_ERR_BAD_MEM_ADDR, "p vfs_read ^@0x" },
	{ PROBE_ERR_BAD_MEM_ADDR, "p vfs_read ^@09" },
	{ PROBE_ERR_BAD_MEM_ADDR, "p vfs_read ^@jiffies+" },
	{ PROBE_ERR_BAD_MEM_ADDR, "p vfs_read ^@jiffies->x" },
	{ PROBE_ERR_BAD_IMM, "p vfs_read arg1=\\^x" },
	{ PROBE_ERR_BAD_IMM, "p vfs_read \\^" },
	{ PROBE_ERR_BAD_IMM, "p vfs_read \\^--1" },
	{ PROBE_ERR_BAD_IMM, "p vfs_read \\^+" },
	{ PROBE_ERR_IMMSTR_NO_CLOSE, "p vfs_read arg1=\\\"abcd^" },
	{ PROBE_ERR_IMMSTR_NO_CLOSE, "p vfs_read \\\"^" },
	{ PROBE_ERR_IMMSTR_NO_CLOSE, "p vfs_read \\\"ab\"c^:string" },
	{ PROBE_ERR_IMMSTR_NO_CLOSE, "p vfs_read \\\"abc^:string %ax" },

	{ PROBE_ERR_DEREF_NEED_BRACE, "p vfs_read ^+0@0)" },
	{ PROBE_ERR_DEREF_NEED_BRACE, "p vfs_read ^+" },
	{ PROBE_ERR_DEREF_NEED_BRACE, "p vfs_read +0(^-8:u8" },
	{ PROBE_ERR_DEREF_NEED_BRACE, "p vfs_read ^+0:u8(" },
	{ PROBE_ERR_BAD_DEREF_OFFS, "p vfs_read ^+0ab1(@0)" },
	{ PROBE_ERR_BAD_DEREF_OFFS, "p vfs_read +0(^+(@0))" },
	{ PROBE_ERR_BAD_DEREF_OFFS, "p vfs_read ^--1(@0)" },
	{ PROBE_ERR_BAD_DEREF_OFFS, "p vfs_read ^-+1(@0)" },
	{ PROBE_ERR_BAD_DEREF_OFFS, "p vfs_read ^+u(@0)" },
	{ PROBE_ERR_BAD_DEREF_OFFS, "p vfs_read ^+uu1(@0)" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read +0(+0(@0^)" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read +0(@0^" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read +0(+0(%di^:u8" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read +0(%di^:u8)" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read +0(a->b^" },
	{ PROBE_ERR_COMM_CANT_DEREF, "p vfs_read +0(^$comm)" },
	{ PROBE_ERR_COMM_CANT_DEREF, "p vfs_read +0(+8(^$COMM))" },
	{ PROBE_ERR_COMM_CANT_DEREF, "p vfs_read +0(^\\\"str\")" },
	{ PROBE_ERR_TOO_MANY_OPS,
	  "p vfs_read +0(^+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(@0))))))))))))))" },
	{ PROBE_ERR_TOO_MANY_OPS,
	  "p vfs_read +0(+0(^+0(+0(a->b->c->d->e->f->g->h->i->j->k->l->m))))" },
	{ PROBE_ERR_TOO_MANY_OPS,
	  "p vfs_read ^a->b->c->d->e->f->g->h->i->j->k->l->m->n->o->p->q" },
	{ PROBE_ERR_TOO_MANY_OPS,
	  "p vfs_read +0(^a->b->c->d->e->f->g->h->i->j->k->l->m->n->o)" },

	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read ^&1" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read ^1" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read ^0(%di)" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read ^:u8" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read ^->a" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read ^\xc3\xa4" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read +0(^)" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read count^[0]" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read x=count^[0]:u8" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read foo->a^&" },
	{ PROBE_ERR_BAD_HYPHEN, "p vfs_read (file)x->a^-" },
	{ PROBE_ERR_BAD_HYPHEN, "p vfs_read $retval^-" },
	{ PROBE_ERR_BAD_HYPHEN, "p vfs_read $arg1^-.x" },
	{ PROBE_ERR_BAD_VAR, "p vfs_read ^$stack-" },
	{ PROBE_ERR_BAD_VAR, "p vfs_read ^$stack->x" },
	{ PROBE_ERR_BAD_REG_NAME, "p vfs_read %di*^%" },
	{ PROBE_ERR_BAD_MEM_ADDR, "p vfs_read ^@jiffies+8x" },

	/* operators */
	{ PROBE_ERR_PAREN_NO_CLOSE, "p vfs_read ^(file->a" },
	{ PROBE_ERR_PAREN_NO_CLOSE, "p vfs_read x=2*^(a+1:u8" },
	{ PROBE_ERR_PAREN_NO_CLOSE, "p vfs_read x=2*^(a+(b|1)" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read (a+1)^b" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read (a+1)^->b" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read x=a+b^)" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read x=a+8^(b)" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read x=a+1^[0]" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read x=a^&&b" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read x=^1:u8" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read x=a++0(^1)" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read x=(file)1x+1^" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read x=^1x" },
	{ PROBE_ERR_BAD_IMM, "p vfs_read x=^1x+a" },
	{ PROBE_ERR_BAD_IMM, "p vfs_read x=a+^08" },
	{ PROBE_ERR_DEREF_NEED_BRACE, "p vfs_read x=^-1+a" },
	{ PROBE_ERR_DEREF_NEED_BRACE, "p vfs_read x=a*^+b" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read x=+0(a+b^" },
	{ PROBE_ERR_COMM_CANT_DEREF, "p vfs_read x=+0(^$comm+1)" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read x=(a)^" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read x=(a)%si^" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read x=(a)x^+b->c" },
	{ PROBE_ERR_BAD_VAR_ARGS, "p vfs_read x=1+^$arg*" },
	{ PROBE_ERR_TOO_MANY_OPERANDS,
	  "p vfs_read a+1+1+1+1+1+1+1+1+1+1+1+1+1+1^+1" },
	{ PROBE_ERR_TOO_MANY_NESTED, "p vfs_read a+((((((((^(b+1)))))))))" },
	{ PROBE_ERR_TOO_MANY_NESTED, "p vfs_read a*--------^-b" },
	{ PROBE_ERR_TOO_MANY_NESTED,
	  "p vfs_read a++0(b++0(c++0(d++0(e++0(f++0(g++0(h++0(i+^+0(j+1)))))))))" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read foo^(bar" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read foo^(bar:u8" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read foo(bar)^[0]" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read %di^)" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read +0(%di)^)" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read +0(%di)x^):u8" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read (file)(^)->a" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read (file)^->a" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read (file)^(x:u8)->a" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read (file)x^[0]->a" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read (file)x->a^)" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read this_cpu_read(^)" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read this_cpu_read(@x)y^)" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read this_cpu_ptr(@x^" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read this_cpu_read(+0(%di^):u8" },
	{ PROBE_ERR_COMM_CANT_DEREF, "p vfs_read this_cpu_read(^$comm)" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read (a)this_cpu_ptr(@x)^" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read (a)this_cpu_ptr(@x)^.b" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read (a)this_cpu_ptr(@x->b^" },
	{ PROBE_ERR_TOO_MANY_NESTED, "p vfs_read " D5 "+0(+0(+0(^this_cpu_ptr(@x)))))))))" },
	{ PROBE_ERR_TOO_MANY_NESTED, "p vfs_read this_cpu_read(" D5 "+0(+0(^+0(@x)))))))))" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read (file)^" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read x=(file)x^" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read (file)x^:u8" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read (file)(x)^" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read (file)(x)^y" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read (file)(x)^.a" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read (file)(x)^-a" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read (file)+0(%di)^" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read (file)+0(%di)^.a" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read (file)((a)x)^" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read (file)((a)x^)->b" },
	{ PROBE_ERR_CAST_NO_FIELD, "p vfs_read +0((file)x^)" },
	{ PROBE_ERR_CAST_ARROW, "p vfs_read (file,a^->b)x->c" },
	{ PROBE_ERR_CAST_ARROW, "p vfs_read (file,a.b^->c)x->c" },
	{ PROBE_ERR_NO_BTF_FIELD, "p vfs_read (file,^)x->a" },
	{ PROBE_ERR_NO_BTF_FIELD, "p vfs_read (file,^.a)x->a" },
	{ PROBE_ERR_NO_BTF_FIELD, "p vfs_read (file,a.^)x->a" },
	{ PROBE_ERR_NO_BTF_FIELD, "p vfs_read (file,^->a)x->a" },
	{ PROBE_ERR_NO_BTF_FIELD, "p vfs_read (file,^" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read (file,a^" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read (file,a.b^:u8" },
	{ PROBE_ERR_CAST_SYM_OFFSET, "p vfs_read (file)^@x+8->a" },
	{ PROBE_ERR_CAST_SYM_OFFSET, "p vfs_read (file)^@x-8->a" },
	{ PROBE_ERR_CAST_SYM_OFFSET, "p vfs_read x=(file)^@x+8" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read (file^" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read (file)^(x->a" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read (file)^((b)x->a" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read (file)^(+0(%di)->a" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read (file)+0(%di->a^" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read (file)+0(%di->a^:u8" },
	{ PROBE_ERR_BAD_DEREF_OFFS, "p vfs_read (file)^+x(%di)->a" },
	{ PROBE_ERR_NO_BTF_FIELD, "p vfs_read (file)x->^" },
	{ PROBE_ERR_NO_BTF_FIELD, "p vfs_read (file)(x)->^[" },
	{ PROBE_ERR_NOSUP_DAT_ARG, "p vfs_read (file)(x.^b)->a" },
	{ PROBE_ERR_BAD_VAR_ARGS, "p vfs_read (file)^$arg*->a" },
	{ PROBE_ERR_COMM_CANT_DEREF, "p vfs_read (file)^$comm->a" },
	{ PROBE_ERR_COMM_CANT_DEREF, "p vfs_read (file)(^\\\"str\")->a" },
	{ PROBE_ERR_TOO_MANY_NESTED, "p vfs_read " C4 "(" C4 "(^(a)x->a)" M8 },
	{ PROBE_ERR_TOO_MANY_NESTED, "p vfs_read " D5 "+0(+0(+0(^(a)x->a))))))))" },
	{ PROBE_ERR_TOO_MANY_NESTED, "p vfs_read " D5 "+0(+0(+0(^+0((a)x->a)))))))))" },
	{ PROBE_ERR_TOO_MANY_NESTED, "p vfs_read (a)" D5 "+0(+0(^+0(x))))))))->a" },
	{ PROBE_ERR_TOO_MANY_OPS,
	  "p vfs_read ^(a)x->a->b->c->d->e->f->g->h->i->j->k->l->m->n->o" },
	{ PROBE_ERR_BAD_HYPHEN, "p vfs_read file^-.foo" },
	{ PROBE_ERR_BAD_HYPHEN, "p vfs_read file->a^-" },
	{ PROBE_ERR_NOSUP_DAT_ARG, "p vfs_read file.^foo" },
	{ PROBE_ERR_NOSUP_DAT_ARG, "p vfs_read $retval.^foo" },
	{ PROBE_ERR_BAD_VAR, "p vfs_read ^$stack.foo" },
	{ PROBE_ERR_BAD_STACK_DEPTH, "p vfs_read ^$kstack[0]" },
	{ PROBE_ERR_BAD_STACK_DEPTH, "p vfs_read ^$ustack[65]" },
	{ PROBE_ERR_BAD_STACK_DEPTH, "p vfs_read ^$kstack[]" },
	{ PROBE_ERR_BAD_STACK_DEPTH, "p vfs_read ^$kstack[" },
	{ PROBE_ERR_BAD_STACK_DEPTH, "p vfs_read ^$kstack[8" },
	{ PROBE_ERR_BAD_STACK_DEPTH, "p vfs_read ^$kstack[-1]" },
	{ PROBE_ERR_BAD_STACK_DEPTH, "p vfs_read ^$kstack[8]x" },
	{ PROBE_ERR_BAD_VAR, "p vfs_read ^$kstack->foo" },
	{ PROBE_ERR_BAD_VAR, "p vfs_read x=^$current.pid" },
	{ PROBE_ERR_NO_BTF_FIELD, "p vfs_read x=$current->^" },
	{ PROBE_ERR_BAD_VAR, "p vfs_read ^$stack1->foo" },
	{ PROBE_ERR_BAD_VAR, "p vfs_read a=^$comm.foo" },
	{ PROBE_ERR_NO_BTF_FIELD, "p vfs_read file->^" },
	{ PROBE_ERR_NO_BTF_FIELD, "p vfs_read file->a.^->b" },
	{ PROBE_ERR_NO_BTF_FIELD, "p vfs_read file->^1" },
	{ PROBE_ERR_BAD_INDEX, "p vfs_read file->a[^]" },
	{ PROBE_ERR_BAD_INDEX, "p vfs_read file->a[^-1]" },
	{ PROBE_ERR_BAD_INDEX, "p vfs_read file->a[^x]" },
	{ PROBE_ERR_BAD_INDEX, "p vfs_read file->a[1^" },
	{ PROBE_ERR_BAD_INDEX, "p vfs_read file->a[1^:u8]" },
	{ PROBE_ERR_BAD_INDEX, "p vfs_read (file)x->a[^99999999999999999999]" },

	{ PROBE_ERR_BAD_TYPE, "p vfs_read @11:^" },
	{ PROBE_ERR_BAD_TYPE, "p vfs_read @11:^1" },
	{ PROBE_ERR_BAD_TYPE, "p vfs_read @11:^u8:u8" },
	{ PROBE_ERR_BAD_TYPE, "p vfs_read @11:^%p" },
	{ PROBE_ERR_BAD_TYPE, "p vfs_read @11:^%pds" },
	{ PROBE_ERR_BAD_TYPE, "p vfs_read @11:^%pd[2]" },
	{ PROBE_ERR_BAD_TYPE, "p vfs_read @11:^b5@3" },
	{ PROBE_ERR_BAD_TYPE, "p vfs_read @11:^b5@3/24" },
	{ PROBE_ERR_BAD_TYPE, "p vfs_read @11:^b5@3/" },
	{ PROBE_ERR_BAD_TYPE, "p vfs_read @11:^[2]" },
	{ PROBE_ERR_BAD_TYPE, "p vfs_read @11:enum(a)^x" },
	{ PROBE_ERR_BAD_TYPE, "p vfs_read @11:^u8(a)" },
	{ PROBE_ERR_BAD_TYPE, "p vfs_read @11:^errno(a)" },
	{ PROBE_ERR_BAD_TYPE, "p vfs_read @11:^enum7(a)" },
	{ PROBE_ERR_BAD_ARG_NAME, "p vfs_read ^@11:enum7(a=1)" },
	{ PROBE_ERR_NAMES_NO_CLOSE, "p vfs_read @11:enum(^" },
	{ PROBE_ERR_NAMES_NO_CLOSE, "p vfs_read @11:flags(a=1,b=2[2]^ %ax" },
	{ PROBE_ERR_NAMES_NO_CLOSE, "p vfs_read if x:enum(a^ == 1" },
	{ PROBE_ERR_BAD_NAMES, "p vfs_read @11:enum(^)" },
	{ PROBE_ERR_BAD_NAMES, "p vfs_read @11:enum(^a,b)" },
	{ PROBE_ERR_BAD_NAMES, "p vfs_read @11:enum(^1)" },
	{ PROBE_ERR_BAD_NAMES, "p vfs_read @11:flags(a=1,^b)" },
	{ PROBE_ERR_BAD_NAMES, "p vfs_read @11:flags(a=1,^)" },
	{ PROBE_ERR_BAD_NAMES, "p vfs_read @11:flags(^=1)" },
	{ PROBE_ERR_BAD_NAMES, "p vfs_read @11:flags(^/b/c)" },
	{ PROBE_ERR_BAD_NAMES, "p vfs_read @11:flags(^a//c)" },
	{ PROBE_ERR_BAD_NAMES, "p vfs_read @11:flags(^a/b)" },
	{ PROBE_ERR_BAD_NAMES, "p vfs_read @11:flags(^a/b/c/d)" },
	{ PROBE_ERR_BAD_NAMED_NUMBER, "p vfs_read @11:flags(a=^)" },
	{ PROBE_ERR_BAD_NAMED_NUMBER, "p vfs_read @11:flags(a=1,b=^x)" },
	{ PROBE_ERR_BAD_NAMED_NUMBER, "p vfs_read @11:flags(a=^--1)" },
	{ PROBE_ERR_BAD_NAMED_NUMBER, "p vfs_read @11:flags(a=^18446744073709551616)" },
	{ PROBE_ERR_BAD_BITFIELD, "p vfs_read @11:^b10@a/16" },
	{ PROBE_ERR_BAD_BITFIELD, "p vfs_read @11:^b0@3/16" },
	{ PROBE_ERR_BAD_BITFIELD, "p vfs_read @11:^b@3/16" },
	{ PROBE_ERR_BAD_BITFIELD, "p vfs_read @11:^b5/16" },
	{ PROBE_ERR_BAD_BITFIELD, "p vfs_read @11:^b5@/16" },
	{ PROBE_ERR_BAD_BITFIELD, "p vfs_read @11:^b8@9/16" },
	{ PROBE_ERR_BAD_BITFIELD, "p vfs_read @11:^b17@0/16" },
	{ PROBE_ERR_BAD_BITFIELD, "p vfs_read @11:^b1@18446744073709551615/16" },
	{ PROBE_ERR_ARRAY_NO_CLOSE, "p vfs_read +0(@11):u8[10^" },
	{ PROBE_ERR_ARRAY_NO_CLOSE, "p vfs_read +0(@11):u8[^ %ax" },
	{ PROBE_ERR_BAD_ARRAY_SUFFIX, "p vfs_read +0(@11):u8[10]^a" },
	{ PROBE_ERR_BAD_ARRAY_SUFFIX, "p vfs_read +0(@11):u8[10]^]" },
	{ PROBE_ERR_BAD_ARRAY_SUFFIX, "p vfs_read +0(@11):u8[2]^[0]" },
	{ PROBE_ERR_BAD_ARRAY_NUM, "p vfs_read +0(@11):u8[^10a]" },
	{ PROBE_ERR_BAD_ARRAY_NUM, "p vfs_read +0(@11):u8[^]" },
	{ PROBE_ERR_BAD_ARRAY_NUM, "p vfs_read +0(@11):u8[^0]" },
	{ PROBE_ERR_BAD_ARRAY_NUM, "p vfs_read x=+0(%di):u32[^0]" },
	{ PROBE_ERR_BAD_ARRAY_NUM, "p vfs_read +0(@11):u8[^0x0]" },
	{ PROBE_ERR_BAD_ARRAY_NUM, "p vfs_read +0(@11):u8[^+0]" },
	{ PROBE_ERR_BAD_ARRAY_NUM, "p vfs_read +0(@11):string[^0]" },
	{ PROBE_ERR_BAD_ARRAY_NUM, "p vfs_read +0(@11):b4@2/8[^0]" },
	{ PROBE_ERR_BAD_ARRAY_NUM, "p vfs_read +0(@11):nosuch[^0]" },
	{ PROBE_ERR_BAD_ARRAY_NUM, "p vfs_read $comm:string[^0]" },
	{ PROBE_ERR_BAD_ARRAY_NUM, "p vfs_read $retval:u8[^0]" },
	{ PROBE_ERR_BAD_ARRAY_NUM, "p vfs_read a=%di:u8[^0]" },
	{ PROBE_ERR_BAD_ARRAY_NUM, "p vfs_read $arg1:u8[^0]" },
	{ PROBE_ERR_BAD_ARRAY_NUM, "p vfs_read +0(@11):u8[^-1]" },
	{ PROBE_ERR_BAD_ARRAY_NUM, "p vfs_read +0(@11):u8[^4294967296]" },
	{ PROBE_ERR_ARRAY_TOO_BIG, "p vfs_read +0(@11):u8[^4294967295]" },
	{ PROBE_ERR_ARRAY_TOO_BIG, "p vfs_read +0(@11):u8[^256]" },
	{ PROBE_ERR_ARRAY_TOO_BIG, "p vfs_read +0(@11):u8[^65]" },
	{ PROBE_ERR_ARRAY_TOO_BIG, "p vfs_read +0(@11):string[^65]" },

	{ PROBE_ERR_NO_PREDICATE, "p vfs_read if^" },
	{ PROBE_ERR_NO_PREDICATE, "p vfs_read a=%di if^" },
	{ PROBE_ERR_NO_OPERAND, "p vfs_read if ^== 3" },
	{ PROBE_ERR_NO_OPERAND, "p vfs_read if a == 1 &&^" },
	{ PROBE_ERR_NO_OPERAND, "p vfs_read if a == 1 && ^&& b == 2" },
	{ PROBE_ERR_NO_OPERAND, "p vfs_read if (^)" },
	{ PROBE_ERR_NO_OPERAND, "p vfs_read if !^" },
	{ PROBE_ERR_NO_OPERAND, "p vfs_read if ^'a' == a" },
	{ PROBE_ERR_BAD_OPERATOR, "p vfs_read if a^" },
	{ PROBE_ERR_BAD_OPERATOR, "p vfs_read if a ^= 1" },
	{ PROBE_ERR_BAD_OPERATOR, "p vfs_read if a ^b" },
	{ PROBE_ERR_BAD_OPERATOR, "p vfs_read if a ^&& b == 1" },
	{ PROBE_ERR_BAD_OPERATOR, "p vfs_read if (a^)" },
	{ PROBE_ERR_BAD_OPERATOR, "p vfs_read if a ^| 1" },
	{ PROBE_ERR_BAD_OPERAND, "p vfs_read if a ==^" },
	{ PROBE_ERR_BAD_OPERAND, "p vfs_read if a == ^b" },
	{ PROBE_ERR_BAD_OPERAND, "p vfs_read if a == ^0x" },
	{ PROBE_ERR_BAD_OPERAND, "p vfs_read if a == ^--1" },
	{ PROBE_ERR_BAD_OPERAND, "p vfs_read if a ==^= 1" },
	{ PROBE_ERR_NOT_IN_RANGE, "p vfs_read if a == ^18446744073709551616" },
	{ PROBE_ERR_QUOTE_NO_CLOSE, "p vfs_read if a == ^'abc" },
	{ PROBE_ERR_QUOTE_NO_CLOSE, "p vfs_read if a == ^\"abc' && b == 1" },
	{ PROBE_ERR_PAREN_NO_CLOSE, "p vfs_read if ^(a == 1" },
	{ PROBE_ERR_PAREN_NO_CLOSE, "p vfs_read if ^(a == 1 && (b == 1)" },
	{ PROBE_ERR_PAREN_NO_OPEN, "p vfs_read if a == 1^)" },
	{ PROBE_ERR_PAREN_NO_OPEN, "p vfs_read if (a == 1)^)" },
	{ PROBE_ERR_BAD_LOGIC, "p vfs_read if a == 1 ^b == 2" },
	{ PROBE_ERR_BAD_LOGIC, "p vfs_read if a == 1 ^& b == 2" },
	{ PROBE_ERR_BAD_LOGIC, "p vfs_read if (a == 1 ^| b == 2)" },
	{ PROBE_ERR_BAD_LOGIC, "p vfs_read if a == 'b'^'c'" },
	{ PROBE_ERR_TOO_MANY_PARENS, "p vfs_read if ((((((((^(a == 1)))))))))" },
	{ PROBE_ERR_NOT_FOR_STRINGS, "p vfs_read if a ^< 'b'" },
	{ PROBE_ERR_NOT_FOR_STRINGS, "p vfs_read if a ^& 'b'" },
	{ PROBE_ERR_NOT_FOR_NUMBERS, "p vfs_read if a ^~ 1" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read if +0(%di^ == 1" },
	{ PROBE_ERR_BAD_FETCH_ARG, "p vfs_read if ^3 == 1" },
	{ PROBE_ERR_DEREF_OPEN_BRACE, "p vfs_read if (a^ & 3) == 1" },
	{ PROBE_ERR_PAREN_NO_CLOSE, "p vfs_read if ^(a+b & 3) == 1" },
	{ PROBE_ERR_BAD_OPERATOR, "p vfs_read if a|b ^|| c == 1" },
	{ PROBE_ERR_BAD_OPERAND, "p vfs_read if (a&^b)" },
	{ PROBE_ERR_BAD_OPERAND, "p vfs_read if a+1 > ^b" },
	{ PROBE_ERR_BAD_LOGIC, "p vfs_read if a&3^==1" },
	{ PROBE_ERR_BAD_TYPE, "p vfs_read if a:^ == 1" },
	{ PROBE_ERR_ARG_TOO_LONG, "p vfs_read if ^" N240 "1234567890123456 == 1" },
};

/* Predicates: the text after "if", and each comparison with the next ones. */
static const struct {
	const char *text, *terms;
} predicates[] = {
	{ "a == 3", "(name a) == 3 accept reject" },
	{ "a==3", "(name a) == 3 accept reject" },
	{ "a!=-0x10", "(name a) != -16 accept reject" },
	{ "%di < 010", "(reg di) < 8 accept reject" },
	{ "%di <= 18446744073709551615", "(reg di) <= 18446744073709551615 accept reject" },
	{ "$arg1 > +2", "(var arg1) > 2 accept reject" },
	{ "$retval>=0", "(var retval) >= 0 accept reject" },
	{ "file->f_mode & 0x1", "(-> (name file) f_mode) & 1 accept reject" },
	{ "file->f_path.dentry&1", "(. (-> (name file) f_path) dentry) & 1 accept reject" },
	{ "-8(%sp) < 0", "(deref (reg sp) -8) < 0 accept reject" },
	{ "+u0(+8(%di)):s32<-1", "(user-deref (deref (reg di) +8) +0) s32 < -1 accept reject" },
	{ "%di:b5@3/32 == 7", "(reg di) bits 5@3/32 == 7 accept reject" },
	{ "@jiffies+8 > 5", "(symbol jiffies +8) > 5 accept reject" },
	{ "comm ~ \"a*\"", "(name comm) ~ 'a*' accept reject" },
	{ "comm~'a \"  b'", "(name comm) ~ 'a \"  b' accept reject" },
	{ "f != \"\"", "(name f) != '' accept reject" },
	{ "f:%pD == \"x && y\"", "(name f) file == 'x && y' accept reject" },

	{ "count*8 > 4096", "(* (name count) (number 0x8)) > 4096 accept reject" },
	{ "(flags&3)==1", "(& (name flags) (number 0x3)) == 1 accept reject" },
	{ "(f&3) == 1 && (a|b) != 0",
	  "(& (name f) (number 0x3)) == 1 1 reject, (| (name a) (name b)) != 0 accept reject" },
	{ "a<<2 > 8", "(<< (name a) (number 0x2)) > 8 accept reject" },
	{ "a>>2>8", "(>> (name a) (number 0x2)) > 8 accept reject" },
	{ "a|b == 3", "(| (name a) (name b)) == 3 accept reject" },
	{ "(a+b) & 4", "(+ (name a) (name b)) & 4 accept reject" },
	{ "(a<b)==1", "(< (name a) (name b)) == 1 accept reject" },
	{ "(a==b) != 0", "(== (name a) (name b)) != 0 accept reject" },
	{ "((a == 1) || (b-1)*2 == 4)",
	  "(name a) == 1 accept 1, (* (- (name b) (number 0x1)) (number 0x2)) == 4 accept reject" },

	{ "!a == 1", "(name a) == 1 reject accept" },
	{ "!!a == 1", "(name a) == 1 accept reject" },
	{ "! (a == 1)", "(name a) == 1 reject accept" },
	{ "((a == 1))", "(name a) == 1 accept reject" },
	{ "a == 1 && b == 2", "(name a) == 1 1 reject, (name b) == 2 accept reject" },
	{ "a==1&&b==2", "(name a) == 1 1 reject, (name b) == 2 accept reject" },
	{ "a&1&&b&2", "(name a) & 1 1 reject, (name b) & 2 accept reject" },
	{ "a == 1 || b == 2", "(name a) == 1 accept 1, (name b) == 2 accept reject" },
	{ "a == 1 || b == 2 && c == 3",
	  "(name a) == 1 accept 1, (name b) == 2 2 reject, (name c) == 3 accept reject" },
	{ "a == 1 && b == 2 || c == 3",
	  "(name a) == 1 1 2, (name b) == 2 accept 2, (name c) == 3 accept reject" },
	{ "(a == 1 || b == 2) && c == 3",
	  "(name a) == 1 2 1, (name b) == 2 2 reject, (name c) == 3 accept reject" },
	{ "!(a == 1 && b == 2) || c == 3",
	  "(name a) == 1 1 accept, (name b) == 2 2 accept, (name c) == 3 accept reject" },
	{ "!(!a == 1 || b == 2)", "(name a) == 1 1 reject, (name b) == 2 reject accept" },
};

/* White space is squeezed, except in quotes. */
static const struct {
	const char *raw, *text, *predicate;
} spaces[] = {
	{ "p  f   if  a  ==  1 ", "p f if a == 1", "a == 1" },
	{ "p f if\ta\t==\t'b  c' ", "p f if a == 'b  c'", "a == 'b  c'" },
	{ "p f  x=%di if a == \"b '  c\"  &&  d == '\t'",
	  "p f x=%di if a == \"b '  c\" && d == '\t'", "a == \"b '  c\" && d == '\t'" },
	{ "p f if a == 'b  ", "p f if a == 'b  ", "a == 'b  " },
	{ "p f if  ", "p f if", "" },
	{ "p if", "p if", NULL },
	{ "p f %if  if a  == 1", "p f %if if a == 1", "a == 1" },
	{ "p f x=if  iff", "p f x=if iff", NULL },
	{ "e a.b if c ==  'd  e'", "e a.b if c == 'd e'", NULL },
};

/* Numbers that are too large: the parser returns -ERANGE, as kstrtoul() does. */
static const struct error too_large[] = {
	{ PROBE_ERR_BAD_MEM_ADDR, "p vfs_read ^@0x10000000000000000" },
	{ PROBE_ERR_BAD_MEM_ADDR, "p vfs_read ^@jiffies+9223372036854775808" },
	{ PROBE_ERR_BAD_MEM_ADDR, "p vfs_read ^@-9223372036854775809" },
	{ PROBE_ERR_BAD_IMM, "p vfs_read \\^18446744073709551616" },
	{ PROBE_ERR_BAD_IMM, "p vfs_read x=a+^18446744073709551616" },
	{ PROBE_ERR_BAD_IMM, "p vfs_read \\^+9223372036854775808" },
	{ PROBE_ERR_BAD_IMM, "p vfs_read \\^-9223372036854775809" },
	{ PROBE_ERR_BAD_DEREF_OFFS, "p vfs_read ^+9223372036854775808(@0)" },
};

/* Symbols without a name: the parser returns -ENOENT, as if the symbol did not exist. */
static const struct error no_symbol[] = {
	{ PROBE_ERR_BAD_MEM_ADDR, "p vfs_read ^@" },
	{ PROBE_ERR_BAD_MEM_ADDR, "p vfs_read a=^@-8:u8" },
	{ PROBE_ERR_BAD_MEM_ADDR, "p vfs_read +0(^@)" },
};

static bool err_seen[PROBE_NR_ERRORS];

/* Open a command without its '^', if any. Returns the column that the '^' marks. */
static unsigned int open_marked(const char *marked, struct probe_cmd **cmd)
{
	unsigned int column = strcspn(marked, "^");
	char *text = strdup(marked);

	if (text[column])
		memmove(text + column, text + column + 1, strlen(text + column));
	*cmd = tree_open(text);
	free(text);
	return column;
}

/* Without its '^', @marked must fail with @code and with @err in the column of the '^'. */
static void check_error(enum probe_err err, const char *marked, int code)
{
	struct trace_kprobe_place place;
	struct probe_cmd *cmd;
	unsigned int column;
	int ret;

	column = open_marked(marked, &cmd);
	ret = tree_parse(cmd, &place);
	if (cmd->err == PROBE_ERR_NONE)
		check(false, "'%s': accepted; %s expected in column %u", cmd->text,
		      tree_err_name(err), column);
	else
		check(cmd->err == err && cmd->err_pos == column,
		      "'%s': %s in column %u; %s expected in column %u", cmd->text,
		      tree_err_name(cmd->err), cmd->err_pos, tree_err_name(err), column);
	check(ret == code, "%s: returned %d", cmd->text, ret);
	err_seen[err] = true;
	probe_cmd_free(cmd);
	test_end("error %s: %s", tree_err_name(err), marked);
}

/* A command with @nr arguments, and a '^' before argument @marked, counted from 0. */
static char *many_args(unsigned int nr, unsigned int marked)
{
	char *text = malloc(16 + 16 * nr), *s = text;
	unsigned int i;

	s += sprintf(s, "p vfs_read");
	for (i = 0; i < nr; i++)
		s += sprintf(s, " %sa%u=%%ax", i == marked ? "^" : "", i);
	return text;
}

/* A predicate with @nr comparisons, and a '^' before number @marked. */
static char *many_terms(unsigned int nr, unsigned int marked)
{
	char *text = malloc(16 + 16 * nr), *s = text;
	unsigned int i;

	s += sprintf(s, "p f");
	for (i = 0; i < nr; i++)
		s += sprintf(s, " %s %sa == 1", i ? "&&" : "if", i == marked ? "^" : "");
	return text;
}

static void test_errors(void)
{
	/* The error codes that the parser's sources contain; generated by the Makefile. */
	static const enum probe_err parser_errors[] = {
#include "parse_errors.h"
	};
	unsigned int i;
	char *text;

	for (i = 0; i < ARRAY_SIZE(errors); i++)
		check_error(errors[i].err, errors[i].cmd, probe_err_info[errors[i].err].code);
	for (i = 0; i < ARRAY_SIZE(too_large); i++)
		check_error(too_large[i].err, too_large[i].cmd, -ERANGE);
	for (i = 0; i < ARRAY_SIZE(no_symbol); i++)
		check_error(no_symbol[i].err, no_symbol[i].cmd, -ENOENT);
	text = many_args(PROBE_MAX_ARGS + 1, 0);
	check_error(PROBE_ERR_TOO_MANY_ARGS, text,
		    probe_err_info[PROBE_ERR_TOO_MANY_ARGS].code);
	free(text);
	text = many_terms(PROBE_MAX_TERMS + 1, PROBE_MAX_TERMS);
	check_error(PROBE_ERR_TOO_MANY_TERMS, text,
		    probe_err_info[PROBE_ERR_TOO_MANY_TERMS].code);
	free(text);
	for (i = 0; i < ARRAY_SIZE(parser_errors); i++)
		check(err_seen[parser_errors[i]], "no command causes the error %s",
		      tree_err_name(parser_errors[i]));
	test_end("each error of the parser is tested");
}

static void test_predicates(void)
{
	struct tree_text terms;
	struct probe_cmd *cmd;
	char text[256];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(predicates); i++) {
		snprintf(text, sizeof(text), "p f x=%%ax if %s", predicates[i].text);
		cmd = tree_open(text);
		terms = (struct tree_text) {};
		if (check(!probe_parse_args(cmd) && !probe_parse_predicate(cmd),
			  "refused: %s in column %u", tree_err_name(cmd->err), cmd->err_pos))
			tree_show_predicate(&terms, cmd);
		check(!strcmp(terms.s, predicates[i].terms), "is: %s", terms.s);
		check(cmd->nr_args == 1 && !tree_wrong_columns(cmd, NULL), "wrong columns");
		probe_cmd_free(cmd);
		test_end("predicate %s", predicates[i].text);
	}
}

static void test_spaces(void)
{
	const char *is, *want;
	struct probe_cmd *cmd;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(spaces); i++) {
		cmd = tree_open(spaces[i].raw);
		is = cmd->predicate.s;
		want = spaces[i].predicate;
		check(!strcmp(cmd->text, spaces[i].text), "text '%s'", cmd->text);
		check(!is == !want && (!is || probe_str_is(cmd->predicate, want)),
		      "predicate '%s'", is ?: "none");
		probe_cmd_free(cmd);
	}
}

/* Is the command accepted? */
static bool accepts(const char *text)
{
	struct trace_kprobe_place place;
	struct probe_cmd *cmd = tree_open(text);
	int ret = tree_parse(cmd, &place);

	probe_cmd_free(cmd);
	return !ret;
}

/* The largest accepted value for each limit. */
static void test_limits(void)
{
	char *text;

	text = many_args(PROBE_MAX_ARGS, ~0U);
	check(accepts(text), "%u arguments refused", PROBE_MAX_ARGS);
	free(text);
	check(accepts("p:x12" N60 "/y12" N60 " f"), "longest group and event refused");
	check(accepts("p f x1" N10 N10 N10 "=@x" N240 "1234567890123"),
	      "longest name and body refused");
	check(accepts("p f " D5 D5 "+0(+0(+0(@0)))))))))))))"),
	      "13 dereferences of @symbol refused");
	check(accepts("p f " D5 D5 "+0(+0(+0(+0(%x))))))))))))))"), "14 dereferences refused");
	check(accepts("p f " C4 "(" C4 "(x)" M8), "8 casts refused");
	check(accepts("p f (a)+0(+0(+0(+0((b)+0(+0(x))->c))))->d"), "8 words refused");
	check(accepts("p f this_cpu_read(this_cpu_ptr((a)+0(+0(x))->b))"), "per-CPU refused");
	check(accepts("p f (a)x->a->b->c->d->e->f->g->h->i->j->k->l->m->n.o"),
	      "14 arrows after a cast refused");
	check(accepts("p f a->b.b->c->d->e->f->g->h->i->j->k->l->m->n->o.p"),
	      "14 arrows refused");

	text = malloc(1 << 16);
	memset(text, 'x', 1 << 16);
	text[32768] = '\0';
	check(!tree_open(text), "too long line accepted");
	text[32767] = '\0';
	text[1] = ' ';
	check(accepts(text), "longest line refused");
	free(text);
}

static void test_words(void)
{
	static const char * const blank[] = { "", " ", "\t\n\v\f\r " };
	struct trace_kprobe_place place;
	struct probe_cmd *cmd;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(blank); i++) {
		cmd = tree_open(blank[i]);
		check(cmd && !cmd->nr_words && !cmd->kind && !*cmd->text,
		      "blank %u: not empty", i);
		check(tree_parse(cmd, &place) == -ECANCELED && cmd->err == PROBE_ERR_NONE,
		      "blank %u: taken for a command", i);
		check(probe_parse_event_name(cmd) == -ECANCELED,
		      "blank %u: has an event name", i);
		probe_cmd_free(cmd);
	}
	cmd = tree_open("  p:a\t\tf  \n\tx=%ax\r\v");
	check(!strcmp(cmd->text, "p:a f x=%ax") && cmd->nr_words == 3, "wrong words");
	check(probe_str_is(cmd->words[2], "x=%ax") && cmd->words[2].pos == 6,
	      "wrong last word");
	probe_cmd_free(cmd);

	/* 0xa0 is a blank in Latin-1 but part of a letter in UTF-8. */
	cmd = tree_open("p f \\\"\xc3\xa0\"");
	check(cmd->nr_words == 3, "UTF-8 letter was split");
	probe_cmd_free(cmd);
}

/* For commands of other providers, the parser returns -ECANCELED and records no error. */
static void test_cancel(void)
{
	static const char * const cmds[] = {
		"p", "p:ev", "r", "p /bin/sh:0x10", "p /bin/sh:0x10(0x20) %ax",
		"p /bin/sh:x%hoge", "r:a/b dir/file:10%return", "p mod:a/b", "p :a/b",
		"p a/b+4:5", "p a/b%return:5",
	};
	struct trace_kprobe_place place;
	struct probe_cmd *cmd;
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(cmds); i++) {
		cmd = tree_open(cmds[i]);
		ret = tree_parse(cmd, &place);
		check(ret == -ECANCELED && cmd->err == PROBE_ERR_NONE, "%s: returned %d, %s",
		      cmds[i], ret, tree_err_name(cmd->err));
		probe_cmd_free(cmd);
	}
}

/* Compare the last argument, which was replaced, with @text, and with @tree if given. */
static void check_replaced(struct probe_cmd *cmd, const char *text, const char *tree)
{
	const struct probe_arg_ast *arg = &cmd->args[cmd->nr_args - 1];
	struct tree_text shown = {}, listed = {};
	char again[512];

	tree_write_text(&listed, arg);
	check(!strcmp(listed.s, text), "%s: listed as %s, not %s", cmd->text, listed.s, text);
	snprintf(again, sizeof(again), "p f %s", text);
	check(accepts(again), "%s: listed but not accepted", again);
	if (!tree)
		return;
	tree_show_arg(&shown, arg);
	check(!strcmp(shown.s, tree), "%s: parsed as %s, not %s", cmd->text, shown.s, tree);
}

static void check_too_long(struct probe_cmd *cmd, int ret, unsigned int column)
{
	check(ret == -E2BIG && cmd->err == PROBE_ERR_ARG_TOO_LONG && cmd->err_pos == column,
	      "%s: returned %d, column %u", cmd->text, ret, cmd->err_pos);
}

#define P60	"p2345678901234567890123456789012345678901234567890123456789p"
#define P250	P60 P60 P60 P60 N10

/*
 * $argN and $arg*, and the name that replaces them. A '^' marks an argument that becomes
 * too long. The column of a type must be its column in the new text.
 */
static const struct {
	const char *cmd, *name, *text, *tree;
} params[] = {
	{ "p f $arg1", "file", "file", "(name file)" },
	{ "p f %di $arg*", "_x1", "_x1", "(name _x1)" },
	{ "p f $arg1:x8", "file", "file:x8", "(name file) x8" },
	{ "p f $arg12:u32[0x4]", "a", "a:u32[0x4]", "(name a) u32[4]" },
	{ "p f $arg1:b4@2/8", "file", "file:b4@2/8", "(name file) bits 4@2/8" },
	{ "p f $arg1:%pd", "file", "file:%pd", "(name file) dentry" },
	{ "p f $arg1", P250 "12345", P250 "12345", "(name " P250 "12345)" },
	{ "p f $arg1:u8", P250 "12", P250 "12:u8", "(name " P250 "12) u8" },
	{ "p f ^$arg1", P250 "123456", NULL, NULL },
	{ "p f ^$arg1:u8", P250 "123", NULL, NULL },
	{ "p f %di ^$arg1:x32[2]", P250, NULL, NULL },
};

static void test_params(void)
{
	struct probe_arg_ast *arg;
	struct probe_cmd *cmd;
	unsigned int i, column;
	int ret;

	for (i = 0; i < ARRAY_SIZE(params); i++) {
		column = open_marked(params[i].cmd, &cmd);
		check(!probe_parse_args(cmd), "%s: not parsed", cmd->text);
		arg = &cmd->args[cmd->nr_args - 1];
		ret = probe_replace_by_param(cmd, arg, params[i].name);
		if (!params[i].text) {
			check_too_long(cmd, ret, column);
		} else {
			check(!ret, "%s: %d", cmd->text, ret);
			check_replaced(cmd, params[i].text, params[i].tree);
			check(arg->expr->pos == arg->word.pos, "%s: expression in column %u",
			      cmd->text, arg->expr->pos);
			check(!arg->type.text.s || arg->type.str.pos == arg->word.pos +
			      strlen(params[i].name) + 1, "%s: type in column %u",
			      cmd->text, arg->type.str.pos);
		}
		probe_cmd_free(cmd);
		test_end("parameter: %s, %s", params[i].cmd, params[i].name);
	}
}

/*
 * X:%pd and X:%pD, and the text that replaces them. A '^' marks an argument that becomes
 * too long.
 */
static const struct {
	const char *cmd, *text, *tree;
} paths[] = {
	{ "p f %di:%pd", "+0x0(+0x28(%di)):string",
	  "(deref (deref (reg di) +40) +0) string" },
	{ "p f %di:%pD", "+0x0(+0x28(+0x60(%di))):string",
	  "(deref (deref (deref (reg di) +96) +40) +0) string" },
	{ "p f n=+8(%di):%pd", "+0x0(+0x28(+8(%di))):string",
	  "n=(deref (deref (deref (reg di) +8) +40) +0) string" },
	{ "p f f->x:%pd", "+0x0(+0x28(f->x)):string",
	  "(deref (deref (-> (name f) x) +40) +0) string" },
	{ "p f %di:string", "%di:string", "(reg di) string" },
	{ "p f x" N220 "12345678901234:%pd",
	  "+0x0(+0x28(x" N220 "12345678901234)):string", NULL },
	{ "p f x" N220 "1234567:%pD",
	  "+0x0(+0x28(+0x60(x" N220 "1234567))):string", NULL },
	{ "p f ^x" N220 "123456789012345:%pd", NULL, NULL },
	{ "p f ^x" N220 "12345678:%pD", NULL, NULL },
	{ "p f a=%di n=^x" N220 "12345678:%pD", NULL, NULL },
};

static void test_paths(void)
{
	struct probe_cmd *cmd;
	unsigned int i, column;
	int ret;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		column = open_marked(paths[i].cmd, &cmd);
		check(!probe_parse_args(cmd), "%s: not parsed", cmd->text);
		ret = probe_replace_by_path(cmd, &cmd->args[cmd->nr_args - 1], 40, 96);
		if (!paths[i].text) {
			check_too_long(cmd, ret, column);
		} else {
			check(!ret, "%s: %d", cmd->text, ret);
			check_replaced(cmd, paths[i].text, paths[i].tree);
		}
		probe_cmd_free(cmd);
		test_end("path: %s", paths[i].cmd);
	}
}

/* Replace $arg1 by a parameter, and then the result by its path. */
static void test_param_path(void)
{
	struct probe_cmd *cmd = tree_open("p f $arg1:%pD");

	check(!probe_parse_args(cmd) && !probe_replace_by_param(cmd, cmd->args, "file") &&
	      !probe_replace_by_path(cmd, cmd->args, 40, 96), "not replaced");
	check_replaced(cmd, "+0x0(+0x28(+0x60(file))):string",
		       "(deref (deref (deref (name file) +96) +40) +0) string");
	probe_cmd_free(cmd);
}

static void test_first_error_stays(void)
{
	struct probe_cmd *cmd = tree_open("p f &");

	check(probe_parse_args(cmd) == -EINVAL, "wrong first error");
	check(probe_cmd_error(cmd, PROBE_ERR_ARG_TOO_LONG, 0) == -E2BIG, "wrong second error");
	check(cmd->err == PROBE_ERR_BAD_FETCH_ARG && cmd->err_pos == 4, "first error not kept");
	probe_cmd_free(cmd);
}

/* If names and symbols are refused later, the parser ignores what follows them. */
static void test_refused_later(void)
{
	static const struct {
		const char *word, *tree;
	} words[] = {
		{ "file", "(name file)" },
		{ "file->f_pos:u8", "(name file) u8" },
		{ "file->1", "(name file)" },
		{ "file-f_pos", "(- (name file) (name f_pos))" },
		{ "file->a*2", "(* (name file) (number 0x2))" },
		{ "x=file.f_pos:u8", "x=(name file) u8" },
		{ "x=file=1", "x=(name file)" },
		{ "+8(file.f_pos)", "(deref (name file) +8)" },
		{ "$retval->a", "(-> (var retval) a)" },
		{ "@a+8:u8", "(symbol +0) u8" },
		{ "x=@", "x=(symbol +0)" },
		{ "+8(@a-)", "(deref (symbol +0) +8)" },
		{ "@8", "(addr 0x8)" },
	};
	struct tree_text shown;
	struct probe_cmd *cmd;
	char text[32];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		snprintf(text, sizeof(text), "p f %s", words[i].word);
		cmd = tree_open(text);
		cmd->no_names = true;
		cmd->no_symbols = true;
		check(!probe_parse_args(cmd), "%s: not parsed", text);
		shown = (struct tree_text) {};
		tree_show_arg(&shown, cmd->args);
		check(!strcmp(shown.s, words[i].tree), "%s: parsed as %s", text, shown.s);
		probe_cmd_free(cmd);
	}
}

/* If names are fields, a name is the whole text. */
static void test_fields(void)
{
	static const struct {
		const char *word, *tree;
	} words[] = {
		{ "pid", "(name pid)" },
		{ "pid:u8", "(name pid) u8" },
		{ "x=pid->a.b", "x=(name pid->a.b)" },
		{ "+8(pid-x)", "(deref (- (name pid) (name x)) +8)" },
		{ "$pid*prio+1", "(+ (* (var pid) (name prio)) (number 0x1))" },
		{ "$pid", "(var pid)" },
		{ "(file)pid->a.b", "(. (-> (cast (name pid) file) a) b)" },
		{ "(file,c)(pid)->a", "(-> (cast (name pid) file,c) a)" },
		{ "this_cpu_read(pid)", "(this_cpu_read (name pid))" },
	};
	struct tree_text shown;
	struct probe_cmd *cmd;
	char text[64];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		snprintf(text, sizeof(text), "e g/e %s", words[i].word);
		cmd = tree_open(text);
		cmd->fields = true;
		check(!probe_parse_args(cmd), "%s: not parsed", text);
		shown = (struct tree_text) {};
		tree_show_arg(&shown, cmd->args);
		check(!strcmp(shown.s, words[i].tree), "%s: parsed as %s", text, shown.s);
		probe_cmd_free(cmd);
	}
}

/* PROBE_MAX_OPERANDS of them are accepted. */
static void test_operands(void)
{
	struct tree_text text = { .s = "p f a", .len = 5 };
	struct trace_kprobe_place place;
	struct probe_cmd *cmd;
	unsigned int i;

	for (i = 1; i < PROBE_MAX_OPERANDS; i++)
		strcat(text.s, "*a");
	cmd = tree_open(text.s);
	check(!tree_parse(cmd, &place), "%s is refused", text.s);
	probe_cmd_free(cmd);
}

/* A clone has the parsed parts and its own arguments, but not the error. */
static void test_clone(void)
{
	struct tree_text before = {}, after = {}, replaced = {};
	struct probe_cmd *cmd = tree_open("p:g/e f x=%di $arg1:u8"), *clone;
	struct trace_kprobe_place place;

	check(!tree_parse(cmd, &place), "not parsed");
	tree_show_arg(&before, &cmd->args[1]);
	probe_cmd_error(cmd, PROBE_ERR_SAME_PROBE, 0);
	clone = probe_cmd_clone(cmd);
	check(clone->err == PROBE_ERR_NONE && cmd->err == PROBE_ERR_SAME_PROBE,
	      "the clone has an error");
	check(probe_str_is(clone->group, "g") && probe_str_is(clone->event, "e") &&
	      clone->nr_args == 2 && !tree_wrong_columns(clone, NULL), "wrong parts");
	/* Parts that are parsed already are not parsed again. */
	clone->event = clone->group;
	check(!probe_parse_event_name(clone) && probe_str_is(clone->event, "g"),
	      "event name parsed again");
	check(!probe_replace_by_param(clone, &clone->args[1], "file") &&
	      !probe_parse_args(clone), "not replaced");
	tree_show_arg(&replaced, &clone->args[1]);
	check(!strcmp(replaced.s, "(name file) u8"), "replaced by %s", replaced.s);
	tree_show_arg(&after, &cmd->args[1]);
	check(!strcmp(before.s, after.s), "the original argument is now %s", after.s);
	probe_cmd_free(clone);
	probe_cmd_free(cmd);
}

/* A provider's struct is zeroed, and copied into a clone. */
static void test_provider_cmd(void)
{
	struct provider_cmd {
		struct probe_cmd	cmd;
		char			more[3000];
	} *cmd, *clone;

	cmd = (struct provider_cmd *)probe_cmd_open("p f &", sizeof(*cmd));
	check(!cmd->more[0] && !cmd->more[2999], "not zeroed");
	cmd->more[2999] = 'x';
	check(probe_parse_args(&cmd->cmd), "not refused");
	clone = (struct provider_cmd *)probe_cmd_clone(&cmd->cmd);
	check(clone->more[2999] == 'x', "not copied");
	/* Arguments with an error are parsed again. */
	check(probe_parse_args(&clone->cmd) == -EINVAL &&
	      clone->cmd.err == PROBE_ERR_BAD_FETCH_ARG && clone->cmd.err_pos == 4,
	      "error not found again");
	probe_cmd_free(&clone->cmd);
	probe_cmd_free(&cmd->cmd);
}

static void test_no_memory_to_clone(void)
{
	char *many = many_args(PROBE_MAX_ARGS, ~0U);
	struct probe_cmd *cmd = tree_open(many), *clone;
	unsigned int skip = 0;

	check(!probe_parse_args(cmd), "not parsed");
	do {
		host_alloc_fail_at(skip);
		clone = probe_cmd_clone(cmd);
		host_alloc_fail_at(-1);
		skip++;
	} while (!clone);
	check(skip > 1, "no allocation");
	probe_cmd_free(clone);
	probe_cmd_free(cmd);
	check(!host_alloc_live(), "memory leaked");
	free(many);
}

/* Make each allocation fail in turn: no memory may leak, and no error may be recorded. */
static void check_no_memory(const char *text)
{
	struct trace_kprobe_place place;
	struct probe_cmd *cmd;
	bool done = false;
	int ret, skip;

	for (skip = 0; !done; skip++) {
		host_alloc_fail_at(skip);
		cmd = tree_open(text);
		ret = cmd ? tree_parse(cmd, &place) : -ENOMEM;
		host_alloc_fail_at(-1);
		done = ret != -ENOMEM;
		check(!ret || !done, "%s: returned %d", text, ret);
		check(!cmd || cmd->err == PROBE_ERR_NONE, "allocation %d: error recorded", skip);
		probe_cmd_free(cmd);
		check(!host_alloc_live(), "allocation %d: memory leaked", skip);
	}
	check(skip > 3, "only %d allocations", skip);
}

/*
 * An arena allocates memory in chunks. The first argument grows from command to command, so
 * each object is the first that does not fit into a chunk in one of the commands.
 */
static void test_no_memory(void)
{
	static const char rest[] = " b=x->y.z @s+4:u8 +0(-u8(%di)):u8[4] $retval:enum(a=1,b=2) @1";
	static const char end[] = " if a == 1 && f ~ 'x'";
	char text[320];
	unsigned int i;
	char *many;

	for (i = 1; i < 60; i++) {
		snprintf(text, sizeof(text), "r10:g/e m:s%%return @x%.*s%s%s%s%s", i, N60,
			 rest, rest, rest, end);
		check_no_memory(text);
	}
	many = many_args(PROBE_MAX_ARGS, ~0U);
	check_no_memory(many);
	free(many);
}

/* Make the first allocation of a replacement fail, after its command was parsed. */
static void test_no_memory_to_replace(void)
{
	unsigned int i, refused = 0;
	char text[128] = "p f $arg1:%pD";
	struct probe_cmd *cmd;
	int ret;

	for (i = 0; i < 20; i++) {
		strcat(text, " @x");
		cmd = tree_open(text);
		check(!probe_parse_args(cmd), "%s: not parsed", text);
		host_alloc_fail_at(0);
		ret = probe_replace_by_param(cmd, cmd->args, "file") ?:
		      probe_replace_by_path(cmd, cmd->args, 40, 96);
		host_alloc_fail_at(-1);
		check((!ret || ret == -ENOMEM) && cmd->err == PROBE_ERR_NONE,
		      "%s: returned %d", text, ret);
		refused += ret == -ENOMEM;
		probe_cmd_free(cmd);
	}
	check(refused, "no replacement allocates memory");
}

/* Chunks grow, whether they have objects or texts. */
static void test_arena_chunks(void)
{
	struct probe_arena *arena = probe_arena_new(100);
	int i;

	for (i = 0; i < 10000; i++)
		probe_arena_strndup(arena, "nineteen characters", 19);
	check(host_alloc_live() < 40, "too many chunks for texts");
	for (i = 0; i < 10000; i++)
		probe_arena_alloc(arena, 20);
	check(host_alloc_live() < 80, "too many chunks for objects");
	probe_arena_free(arena);
	check(!host_alloc_live(), "arena memory leaked");
}

static void test_arena(void)
{
	struct probe_arena *arena = probe_arena_new(100);
	size_t size;
	char *p, *s;
	bool zero = true, aligned = true;

	for (size = 0; size < 20000; size = size * 3 / 2 + 1) {
		p = probe_arena_alloc(arena, size);
		for (s = p; s < p + size; s++)
			zero &= !*s;
		memset(p, 0xff, size);
		aligned &= !((uintptr_t)p & 7);
	}
	check(zero, "arena memory is not zeroed");
	check(aligned, "arena memory is not aligned");
	check(!strcmp(probe_arena_strndup(arena, "text", 3), "tex"), "strndup: wrong text");
	check(!strcmp(probe_arena_printf(arena, "%.*s-%d", 2, "text", 42), "te-42"),
	      "printf: wrong text");
	s = probe_arena_printf(arena, "%9000d", 1);
	check(s && strlen(s) == 9000, "printf: wrong long text");
	check(!probe_arena_alloc(arena, SIZE_MAX), "largest object was allocated");
	check(!probe_arena_alloc(arena, SIZE_MAX - 100), "large object was allocated");
	probe_arena_free(arena);
	probe_arena_free(NULL);
	probe_cmd_free(NULL);
	check(!host_alloc_live(), "arena memory leaked");
}

static struct probe_str str(const char *s)
{
	return (struct probe_str) { .s = s, .len = strlen(s) };
}

/* Compare numbers with strtoul(), which also accepts signs. */
static void test_numbers(void)
{
	static const char digits[] = "0178afAFxX+-g";
	char text[8];
	unsigned int i, n, len;
	unsigned long v, ref;
	char *end;

	for (len = 1; len <= 4; len++) {
		for (i = 0; i < 13 * 13 * 13 * 13; i++) {
			bool ok, ref_ok;

			for (n = 0, v = i; n < len; n++, v /= 13)
				text[n] = digits[v % 13];
			text[len] = '\0';
			ref = strtoul(text, &end, 0);
			ref_ok = !*end && text[0] != '+' && text[0] != '-';
			ok = !probe_str_number(str(text), &v);
			if (ok != ref_ok || (ok && v != ref))
				check(false, "number %s: differs from strtoul()", text);
		}
	}
	check(probe_str_number(str("0x10000000000000000"), &v) == -ERANGE, "2^64 accepted");
	check(!probe_str_number(str("01777777777777777777777"), &v) && v == ~0UL,
	      "octal 2^64-1 refused");
	check(probe_str_number(str("02000000000000000000000"), &v) == -ERANGE,
	      "octal 2^64 accepted");
}

static void test_leaks(void)
{
	check(!host_alloc_live(), "%ld allocations leaked", host_alloc_live());
}

static const struct test tests[] = {
	{ "largest values", test_limits },
	{ "words", test_words },
	{ "white space in predicates", test_spaces },
	{ "commands of other providers", test_cancel },
	{ "parameter and path", test_param_path },
	{ "the first error is kept", test_first_error_stays },
	{ "names and symbols that are refused later", test_refused_later },
	{ "fields of records", test_fields },
	{ "the most operands", test_operands },
	{ "clone", test_clone },
	{ "struct of a provider", test_provider_cmd },
	{ "failing allocations of a clone", test_no_memory_to_clone },
	{ "failing allocations", test_no_memory },
	{ "failing allocations of replacements", test_no_memory_to_replace },
	{ "arena", test_arena },
	{ "arena chunks", test_arena_chunks },
	{ "numbers", test_numbers },
	{ "all memory is freed", test_leaks },
};

int main(void)
{
	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(args) + ARRAY_SIZE(vars) + ARRAY_SIZE(places) +
		      ARRAY_SIZE(lists) + 1 + ARRAY_SIZE(owners) + ARRAY_SIZE(event_limits) +
		      ARRAY_SIZE(predicates) + ARRAY_SIZE(symbols) + ARRAY_SIZE(heads) +
		      ARRAY_SIZE(errors) + 3 +
		      ARRAY_SIZE(too_large) + ARRAY_SIZE(no_symbol) + ARRAY_SIZE(params) +
		      ARRAY_SIZE(paths) + ARRAY_SIZE(tests));
	test_args();
	test_variables();
	test_places();
	test_lists();
	test_symbols();
	test_heads();
	test_owners();
	test_event_limits();
	test_errors();
	test_predicates();
	test_params();
	test_paths();
	test_all(tests, ARRAY_SIZE(tests));
	ksft_finished();
}
