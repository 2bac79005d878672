// SPDX-License-Identifier: GPL-2.0
/*
 * From the text of a command to the structures of ast.h.
 *
 *   command  KIND[MAXACTIVE][:[GROUP/][EVENT]] PLACE ARG...
 *   place    [MODULE:]SYMBOL[+OFFSET][%return] | ADDRESS
 *   arg      [NAME=]expr[:type]
 *   expr     (+|-)[u]OFFSET ( expr ) | operand
 *   operand  %NAME | $NAME[members] | NAME[members] | \NUMBER | \"TEXT"
 *            | @NUMBER | @SYMBOL[(+|-)OFFSET] | @+NUMBER
 *   members  ->NAME[members] | .NAME[members]
 *   type     (NAME | bWIDTH@SHIFT/CONTAINER)['['COUNT']'] | %pd | %pD
 *
 * A caller asks for one part of the command at a time, because what it looks
 * up in between decides whether there is a next part, and which error is
 * reported when there are several.  The language is a user ABI and accepts
 * more than its documents say; what follows from that is said where it is done.
 *
 * Only a chain of dereferences can nest, so the parser is a loop over it and
 * its stack does not depend on the input.
 */
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "lex.h"

/* Columns are u16, also in text that is a bit longer than the command. */
#define MAX_LINE	(U16_MAX / 2)

/**
 * struct arg_parser - an argument that is being parsed
 * @cmd: the command it is in
 * @word: all of the argument
 * @lx: how far it has been read
 */
struct arg_parser {
	struct probe_cmd	*cmd;
	struct probe_str	word;
	struct probe_lexer	lx;
};

/**
 * probe_cmd_error - note what is wrong with a command, and where
 * @cmd: the command
 * @err: what is wrong
 * @pos: column; one behind the end of the line is taken as its end
 *
 * The first error is kept, as the one that explains the others.
 *
 * Return: the negative errno that goes with @err.
 */
int probe_cmd_error(struct probe_cmd *cmd, enum probe_err err, unsigned int pos)
{
#define PROBE_ERR_CODE(name, code, text) -code,
	static const int codes[] = { PROBE_ERRORS(PROBE_ERR_CODE) };
#undef PROBE_ERR_CODE

	if (cmd->err == PROBE_ERR_NONE) {
		cmd->err = err;
		cmd->err_pos = min_t(unsigned int, pos, strlen(cmd->text));
	}
	return codes[err];
}

/* Puts the words of @raw into @cmd; without @cmd just measures them. */
static void split_words(const char *raw, struct probe_cmd *cmd,
			unsigned int *nr, size_t *len)
{
	struct probe_str *word;
	const char *start;

	*nr = 0;
	*len = 0;
	for (;;) {
		while (probe_is_space(*raw))
			raw++;
		if (!*raw)
			return;
		for (start = raw; *raw && !probe_is_space(*raw); raw++)
			;
		if (*nr)
			++*len;
		if (cmd) {
			word = &cmd->words[*nr];
			word->s = cmd->text + *len;
			word->len = raw - start;
			word->pos = *len;
			if (*nr)
				cmd->text[*len - 1] = ' ';
			memcpy(cmd->text + *len, start, word->len);
		}
		*len += raw - start;
		++*nr;
	}
}

/**
 * probe_cmd_open - begin with a command
 * @raw: the line as it was written
 *
 * Splits the line into words and sets @kind of the command, so that a provider
 * can tell whether the command is one of its own before it parses anything.
 * The line may be blank: the command has no words then.
 *
 * Context: may sleep.
 * Return: the command, to be freed with probe_cmd_free(); NULL without memory
 * or when the line is longer than 32767 characters, which is more than any
 * file takes.
 */
struct probe_cmd *probe_cmd_open(const char *raw)
{
	struct probe_arena *arena;
	struct probe_cmd *cmd;
	unsigned int nr;
	size_t len;

	split_words(raw, NULL, &nr, &len);
	if (len > MAX_LINE)
		return NULL;
	arena = probe_arena_new();
	if (!arena)
		return NULL;
	cmd = probe_arena_alloc(arena, sizeof(*cmd));
	if (!cmd)
		goto free;
	cmd->arena = arena;
	cmd->err = PROBE_ERR_NONE;
	cmd->text = probe_arena_alloc(arena, len + 1);
	cmd->words = probe_arena_alloc(arena, nr * sizeof(*cmd->words));
	if (!cmd->text || !cmd->words)
		goto free;
	split_words(raw, cmd, &cmd->nr_words, &len);
	cmd->kind = cmd->text[0];
	return cmd;

free:
	probe_arena_free(arena);
	return NULL;
}

/**
 * probe_cmd_free - be done with a command
 * @cmd: the command, or NULL
 */
void probe_cmd_free(struct probe_cmd *cmd)
{
	if (cmd)
		probe_arena_free(cmd->arena);
}

static struct probe_str str_from(struct probe_str s, unsigned int from)
{
	return probe_str_cut(s, from, s.len);
}

static bool starts_with(struct probe_str s, const char *prefix)
{
	size_t len = strlen(prefix);

	return s.len >= len && !memcmp(s.s, prefix, len);
}

static int find_either(struct probe_str s, char a, char b)
{
	unsigned int i;

	for (i = 0; i < s.len; i++)
		if (s.s[i] == a || s.s[i] == b)
			return i;
	return -1;
}

/* Numbers may have a plus sign wherever the language does not say which. */
static int unsigned_number(struct probe_str s, unsigned long *val)
{
	return probe_str_number(starts_with(s, "+") ? str_from(s, 1) : s, val);
}

/* @s without its sign, which is a minus if @negative. */
static int number_with_sign(struct probe_str s, bool negative, long *val)
{
	unsigned long v;

	if (probe_str_number(s, &v))
		return -EINVAL;
	if (v > (unsigned long)LONG_MAX + negative)
		return -ERANGE;
	*val = negative ? -v : v;
	return 0;
}

static int signed_number(struct probe_str s, long *val)
{
	if (starts_with(s, "-"))
		return number_with_sign(str_from(s, 1), true, val);
	if (starts_with(s, "+"))
		s = str_from(s, 1);
	return number_with_sign(s, false, val);
}

/**
 * probe_parse_head - parse MAXACTIVE
 * @cmd: the command
 *
 * Anything else between the kind and the colon is passed over, as it always
 * was: "probe:event" is a way to write "p:event".
 *
 * Return: 0; -ECANCELED, without noting an error, when there are no words;
 * otherwise the errno of the error noted in @cmd.
 */
int probe_parse_head(struct probe_cmd *cmd)
{
	struct probe_str head, number;
	unsigned long val;
	int colon;

	if (!cmd->nr_words)
		return -ECANCELED;
	head = cmd->words[0];
	if (head.len < 2 || !probe_is_digit(head.s[1]))
		return 0;
	colon = probe_str_find(head, ':');
	number = probe_str_cut(head, 1, colon < 0 ? head.len : colon);
	if (cmd->kind != 'r')
		return probe_cmd_error(cmd, PROBE_ERR_BAD_MAXACT_TYPE, number.pos);
	if (probe_str_number(number, &val) || !val)
		return probe_cmd_error(cmd, PROBE_ERR_BAD_MAXACT, number.pos);
	if (val > PROBE_MAX_ACTIVE)
		return probe_cmd_error(cmd, PROBE_ERR_MAXACT_TOO_BIG, number.pos);
	cmd->maxactive = number;
	cmd->nr_active = val;
	return 0;
}

/* Groups are identifiers in which '-' counts as a letter. */
static bool is_group_name(struct probe_str s)
{
	unsigned int i;

	if (probe_is_digit(s.s[0]))
		return false;
	for (i = 0; i < s.len; i++)
		if (!probe_is_alpha(s.s[i]) && !probe_is_digit(s.s[i]) &&
		    s.s[i] != '-')
			return false;
	return true;
}

/**
 * probe_parse_event_name - parse GROUP and EVENT
 * @cmd: the command
 *
 * A dot separates them, too, unless there is a slash. Either part can be
 * missing: the group with the separator, the event behind it or with the colon.
 *
 * Return: 0; -ECANCELED, without noting an error, when there are no words;
 * otherwise the errno of the error noted in @cmd.
 */
int probe_parse_event_name(struct probe_cmd *cmd)
{
	struct probe_str name, group;
	int n;

	if (!cmd->nr_words)
		return -ECANCELED;
	n = probe_str_find(cmd->words[0], ':');
	if (n < 0)
		return 0;
	name = str_from(cmd->words[0], n + 1);

	n = probe_str_find(name, '/');
	if (n < 0)
		n = probe_str_find(name, '.');
	if (n >= 0) {
		group = probe_str_cut(name, 0, n);
		if (!group.len)
			return probe_cmd_error(cmd, PROBE_ERR_NO_GROUP_NAME, group.pos);
		if (group.len >= PROBE_MAX_NAME)
			return probe_cmd_error(cmd, PROBE_ERR_GROUP_TOO_LONG, group.pos);
		if (!is_group_name(group))
			return probe_cmd_error(cmd, PROBE_ERR_BAD_GROUP_NAME, group.pos);
		cmd->group = group;
		name = str_from(name, n + 1);
		if (!name.len)
			return 0;
	}
	if (!name.len)
		return probe_cmd_error(cmd, PROBE_ERR_NO_EVENT_NAME, name.pos);
	if (name.len >= PROBE_MAX_NAME)
		return probe_cmd_error(cmd, PROBE_ERR_EVENT_TOO_LONG, name.pos);
	if (!probe_is_name(name))
		return probe_cmd_error(cmd, PROBE_ERR_BAD_EVENT_NAME, name.pos);
	cmd->event = name;
	return 0;
}

/**
 * probe_parse_place - parse the place of a kprobe
 * @cmd: the command
 * @place: filled in
 *
 * Whatever is not a number is a symbol; there is no character that some
 * assembler would not allow in one. Whether it exists is for the caller to say.
 *
 * Return: 0; -ECANCELED, without noting an error, when there is no place or it
 * is one in a file and the command therefore one for uprobes; otherwise the
 * errno of the error noted in @cmd.
 */
int probe_parse_place(struct probe_cmd *cmd, struct probe_place *place)
{
	struct probe_str s, suffix;
	long offset = 0;
	int n;

	if (cmd->nr_words < 2)
		return -ECANCELED;
	s = cmd->words[1];
	*place = (struct probe_place) { .word = s };
	if (!unsigned_number(s, &place->addr))
		return 0;
	if (probe_str_find(s, '/') >= 0 && probe_str_find(s, ':') >= 0)
		return -ECANCELED;

	n = probe_str_find(s, '%');
	if (n >= 0) {
		suffix = str_from(s, n);
		if (!probe_str_is(suffix, "%return"))
			return probe_cmd_error(cmd, PROBE_ERR_BAD_ADDR_SUFFIX, suffix.pos);
		place->ret = true;
		s = probe_str_cut(s, 0, n);
	}
	n = find_either(s, '+', '-');
	if (n >= 0) {
		if (signed_number(str_from(s, n), &offset) || offset < 0 ||
		    (unsigned long)offset > UINT_MAX)
			return probe_cmd_error(cmd, PROBE_ERR_BAD_PROBE_ADDR, s.pos);
		s = probe_str_cut(s, 0, n);
	}
	n = probe_str_find(s, ':');
	if (!s.len || !n || n == s.len - 1)
		return probe_cmd_error(cmd, PROBE_ERR_BAD_PROBE_ADDR, s.pos);
	if (n > 0)
		place->module = probe_str_cut(s, 0, n);
	place->symbol = s;
	place->offset = offset;
	return 0;
}

static int arg_error(struct arg_parser *p, enum probe_err err, unsigned int pos)
{
	return probe_cmd_error(p->cmd, err, pos);
}

static struct probe_expr *new_expr(struct arg_parser *p,
				   enum probe_expr_kind kind, unsigned int pos)
{
	struct probe_expr *e = probe_arena_alloc(p->cmd->arena, sizeof(*e));

	if (e) {
		e->kind = kind;
		e->pos = pos;
	}
	return e;
}

/* "->NAME" and ".NAME", any number of them, behind the value *@e. */
static int parse_members(struct arg_parser *p, struct probe_expr **e)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_expr *member;
	bool arrow;

	for (;;) {
		arrow = lx->kind == PROBE_TOK_ARROW;
		if (lx->kind == '-')
			return arg_error(p, PROBE_ERR_BAD_HYPHEN, lx->tok.pos);
		if (!arrow && lx->kind != '.')
			return 0;
		/* Values are registers: there is no structure to take a part of. */
		if (!arrow && (*e)->kind != PROBE_EXPR_MEMBER)
			return arg_error(p, PROBE_ERR_NOSUP_DAT_ARG, lx->tok.pos);
		probe_lex_next(lx);
		if (lx->kind != PROBE_TOK_WORD || !probe_is_name(lx->tok))
			return arg_error(p, PROBE_ERR_NO_BTF_FIELD, lx->tok.pos);

		member = new_expr(p, PROBE_EXPR_MEMBER, lx->tok.pos);
		if (!member)
			return -ENOMEM;
		member->str = lx->tok;
		member->arrow = arrow;
		member->base = *e;
		*e = member;
		probe_lex_next(lx);
	}
}

static int parse_register(struct arg_parser *p, struct probe_expr *e)
{
	e->kind = PROBE_EXPR_REG;
	e->str = probe_lex_until(&p->lx, ":)");
	if (!e->str.len)
		return arg_error(p, PROBE_ERR_BAD_REG_NAME, e->pos);
	return 0;
}

static int parse_variable(struct arg_parser *p, struct probe_expr *e)
{
	e->kind = PROBE_EXPR_VAR;
	e->str = probe_lex_until(&p->lx, "-.:)");
	if (!e->str.len)
		return arg_error(p, PROBE_ERR_BAD_VAR, e->pos);
	/* It stands for several arguments, so it must be one itself. */
	if (starts_with(e->str, "arg*") && !probe_str_is(p->word, "$arg*"))
		return arg_error(p, PROBE_ERR_BAD_VAR_ARGS, e->pos);
	return 0;
}

/* What follows '@'. */
static int parse_memory(struct arg_parser *p, struct probe_expr *e)
{
	struct probe_lexer *lx = &p->lx;
	long offset = 0;

	if (lx->kind == '+') {
		e->kind = PROBE_EXPR_FILE_OFFS;
		probe_lex_next(lx);
		if (signed_number(probe_lex_until(lx, ":)"), &offset))
			return arg_error(p, PROBE_ERR_BAD_FILE_OFFS, e->pos);
		e->value = offset;
		return 0;
	}
	if (lx->kind == PROBE_TOK_WORD && probe_is_digit(lx->tok.s[0])) {
		e->kind = PROBE_EXPR_ADDR;
		if (probe_str_number(probe_lex_until(lx, ":)"), &e->value))
			return arg_error(p, PROBE_ERR_BAD_MEM_ADDR, e->pos);
		return 0;
	}
	e->kind = PROBE_EXPR_SYMBOL;
	e->str = probe_lex_until(lx, "+-:)");
	if (!e->str.len)
		return arg_error(p, PROBE_ERR_BAD_MEM_ADDR, e->pos);
	if ((lx->kind == '+' || lx->kind == '-' || lx->kind == PROBE_TOK_ARROW) &&
	    signed_number(probe_lex_until(lx, ":)"), &offset))
		return arg_error(p, PROBE_ERR_BAD_MEM_ADDR, e->pos);
	e->value = offset;
	return 0;
}

static bool at_operand_end(const struct probe_lexer *lx)
{
	return lx->kind == PROBE_TOK_END || lx->kind == ':' || lx->kind == ')';
}

/*
 * What follows '\"'. The text may contain quotes and colons: it ends with the
 * last quote of the word.
 */
static int parse_string(struct arg_parser *p, struct probe_expr *e)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_str rest = probe_lex_rest(lx);
	unsigned int quote = rest.len;

	while (quote && rest.s[quote - 1] != '"')
		quote--;
	probe_lex_skip(lx, quote);
	if (!quote || !at_operand_end(lx)) {
		probe_lex_until(lx, ":");
		return arg_error(p, PROBE_ERR_IMMSTR_NO_CLOSE, lx->tok.pos);
	}
	e->kind = PROBE_EXPR_STRING;
	e->str = probe_str_cut(rest, 0, quote - 1);
	return 0;
}

/* What follows '\'. */
static int parse_immediate(struct arg_parser *p, struct probe_expr *e)
{
	struct probe_str s;
	long val = 0;
	int ret;

	if (p->lx.kind == '"') {
		probe_lex_next(&p->lx);
		return parse_string(p, e);
	}
	e->kind = PROBE_EXPR_IMM;
	s = probe_lex_until(&p->lx, ":)");
	/* With a sign it must fit a long; a plus sign may have another behind. */
	if (starts_with(s, "+") || starts_with(s, "-")) {
		ret = signed_number(starts_with(s, "+") ? str_from(s, 1) : s, &val);
		e->value = val;
	} else {
		ret = probe_str_number(s, &e->value);
	}
	if (ret)
		return arg_error(p, PROBE_ERR_BAD_IMM, s.pos);
	return 0;
}

/* The innermost part of an expression, up to its end. */
static int parse_operand(struct arg_parser *p, struct probe_expr **out)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_expr *e;
	int ret = 0;

	e = new_expr(p, PROBE_EXPR_NAME, lx->tok.pos);
	if (!e)
		return -ENOMEM;
	*out = e;
	e->str = lx->tok;

	switch (lx->kind) {
	case '%':
		probe_lex_next(lx);
		ret = parse_register(p, e);
		break;
	case '$':
		probe_lex_next(lx);
		ret = parse_variable(p, e);
		if (!ret)
			ret = parse_members(p, out);
		break;
	case '@':
		probe_lex_next(lx);
		ret = parse_memory(p, e);
		break;
	case '\\':
		probe_lex_next(lx);
		ret = parse_immediate(p, e);
		break;
	case PROBE_TOK_WORD:
		if (!probe_is_name(lx->tok))
			return arg_error(p, PROBE_ERR_BAD_FETCH_ARG, e->pos);
		probe_lex_next(lx);
		ret = parse_members(p, out);
		break;
	default:
		return arg_error(p, PROBE_ERR_BAD_FETCH_ARG, e->pos);
	}
	if (!ret && !at_operand_end(lx))
		return arg_error(p, PROBE_ERR_BAD_FETCH_ARG, lx->tok.pos);
	return ret;
}

/* "+[u]OFFSET(" or "-[u]OFFSET(". */
static int parse_deref(struct arg_parser *p, struct probe_expr **out)
{
	struct probe_lexer *lx = &p->lx;
	bool negative = lx->kind == '-';
	struct probe_expr *e;
	struct probe_str s;
	long offset = 0;
	int ret;

	e = new_expr(p, PROBE_EXPR_DEREF, lx->tok.pos);
	if (!e)
		return -ENOMEM;
	*out = e;
	probe_lex_next(lx);
	if (lx->kind == PROBE_TOK_WORD && lx->tok.s[0] == 'u') {
		e->user = true;
		probe_lex_skip(lx, 1);
	}
	s = probe_lex_until(lx, "(:");
	if (lx->kind != '(')
		return arg_error(p, PROBE_ERR_DEREF_NEED_BRACE, e->pos);
	/* "+-8(...)" has always been another "-8(...)". */
	ret = negative ? number_with_sign(s, true, &offset) :
			 signed_number(s, &offset);
	if (ret)
		return arg_error(p, PROBE_ERR_BAD_DEREF_OFFS, e->pos);
	e->value = offset;
	probe_lex_next(lx);
	return 0;
}

/*
 * The closing braces. Text between and behind them is passed over, as it
 * always was, but not a brace too many.
 */
static int parse_braces(struct arg_parser *p, unsigned int nr)
{
	struct probe_lexer *lx = &p->lx;
	unsigned int operand_end = lx->tok.pos;

	for (; nr; nr--) {
		if (lx->kind != ')')
			return arg_error(p, PROBE_ERR_DEREF_OPEN_BRACE, operand_end);
		probe_lex_next(lx);
		probe_lex_until(lx, "):");
	}
	if (lx->kind == ')')
		return arg_error(p, PROBE_ERR_BAD_FETCH_ARG, lx->tok.pos);
	return 0;
}

/* Names and texts that are made up on the spot and so have no address. */
static bool has_no_address(const struct probe_expr *e)
{
	return e->kind == PROBE_EXPR_STRING ||
	       (e->kind == PROBE_EXPR_VAR && (probe_str_is(e->str, "comm") ||
					      probe_str_is(e->str, "COMM")));
}

/* How often getting the value of an operand reads memory. */
static unsigned int operand_reads(const struct probe_expr *e)
{
	unsigned int nr = 0;

	for (; e->kind == PROBE_EXPR_MEMBER; e = e->base)
		nr += e->arrow;
	if (e->kind == PROBE_EXPR_ADDR || e->kind == PROBE_EXPR_SYMBOL ||
	    e->kind == PROBE_EXPR_FILE_OFFS)
		nr++;
	return nr;
}

static int parse_expr(struct arg_parser *p, struct probe_expr **out)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_expr **slot = out;
	unsigned int depth, reads, operand_pos;
	const struct probe_expr *e;
	int ret;

	for (depth = 0; lx->kind == '+' || lx->kind == '-'; depth++) {
		ret = parse_deref(p, slot);
		if (ret)
			return ret;
		slot = &(*slot)->base;
	}
	operand_pos = lx->tok.pos;
	ret = parse_operand(p, slot);
	if (ret)
		return ret;
	if (depth && has_no_address(*slot))
		return arg_error(p, PROBE_ERR_COMM_CANT_DEREF, operand_pos);
	ret = parse_braces(p, depth);
	if (ret)
		return ret;

	/* Counted from the inside; the fault is with the first one too many. */
	reads = depth + operand_reads(*slot);
	if (reads <= PROBE_MAX_DEREF)
		return 0;
	for (e = *out; reads > PROBE_MAX_DEREF && e->kind == PROBE_EXPR_DEREF; reads--)
		e = e->base;
	return arg_error(p, PROBE_ERR_TOO_MANY_OPS,
			 e->kind == PROBE_EXPR_DEREF ? e->pos : operand_pos);
}

/* "bWIDTH@SHIFT/CONTAINER" */
static int parse_bitfield(struct arg_parser *p, struct probe_type_ast *type)
{
	struct probe_str s = type->str;
	unsigned long width, shift, container;
	int at, slash = probe_str_find(s, '/');

	if (slash < 0 || unsigned_number(str_from(s, slash + 1), &container) ||
	    (container != 8 && container != 16 && container != 32 && container != 64))
		return arg_error(p, PROBE_ERR_BAD_TYPE, s.pos);
	s = probe_str_cut(s, 1, slash);
	at = probe_str_find(s, '@');
	if (at < 0 || probe_str_number(probe_str_cut(s, 0, at), &width) ||
	    probe_str_number(str_from(s, at + 1), &shift) ||
	    !width || width > container || shift > container - width)
		return arg_error(p, PROBE_ERR_BAD_BITFIELD, type->str.pos);
	type->form = PROBE_TYPE_BITFIELD;
	type->width = width;
	type->shift = shift;
	type->container = container;
	return 0;
}

/* What follows '['. */
static int parse_count(struct arg_parser *p, struct probe_type_ast *type)
{
	struct probe_lexer *lx = &p->lx;
	unsigned long count;
	struct probe_str s;

	s = probe_lex_until(lx, "]");
	if (lx->kind != ']')
		return arg_error(p, PROBE_ERR_ARRAY_NO_CLOSE, lx->tok.pos);
	probe_lex_next(lx);
	if (lx->kind != PROBE_TOK_END)
		return arg_error(p, PROBE_ERR_BAD_ARRAY_SUFFIX, lx->tok.pos);
	if (unsigned_number(s, &count) || !count)
		return arg_error(p, PROBE_ERR_BAD_ARRAY_NUM, s.pos);
	if (count > PROBE_MAX_ARRAY)
		return arg_error(p, PROBE_ERR_ARRAY_TOO_BIG, s.pos);
	type->count = count;
	return 0;
}

/* What follows ':'. */
static int parse_type(struct arg_parser *p, struct probe_type_ast *type)
{
	struct probe_lexer *lx = &p->lx;
	int ret;

	type->str = probe_lex_until(lx, "[");
	if (probe_is_name(type->str)) {
		type->form = PROBE_TYPE_NAMED;
	} else if (starts_with(type->str, "b")) {
		ret = parse_bitfield(p, type);
		if (ret)
			return ret;
	} else if (lx->kind == PROBE_TOK_END && probe_str_is(type->str, "%pd")) {
		type->form = PROBE_TYPE_DENTRY;
	} else if (lx->kind == PROBE_TOK_END && probe_str_is(type->str, "%pD")) {
		type->form = PROBE_TYPE_FILE;
	} else {
		return arg_error(p, PROBE_ERR_BAD_TYPE, type->str.pos);
	}
	if (lx->kind == PROBE_TOK_END)
		return 0;
	probe_lex_next(lx);
	return parse_count(p, type);
}

/* Takes "NAME=" off @body. */
static int parse_arg_name(struct arg_parser *p, struct probe_str *name,
			  struct probe_str *body)
{
	int n = probe_str_find(*body, '=');

	if (n < 0)
		return 0;
	*name = probe_str_cut(*body, 0, n);
	*body = str_from(*body, n + 1);
	if (name->len > PROBE_MAX_ARG_NAME)
		return arg_error(p, PROBE_ERR_ARG_NAME_TOO_LONG, name->pos);
	if (!name->len)
		return arg_error(p, PROBE_ERR_NO_ARG_NAME, name->pos);
	if (!probe_is_name(*name))
		return arg_error(p, PROBE_ERR_BAD_ARG_NAME, name->pos);
	return 0;
}

/**
 * probe_parse_arg - parse one argument
 * @cmd: the command; holds the memory and takes the error
 * @word: the argument. It need not be a part of the command: text made on its
 *	behalf has the column of what it was made from.
 * @arg: filled in
 *
 * Return: 0; -ENOMEM; otherwise the errno of the error noted in @cmd.
 */
int probe_parse_arg(struct probe_cmd *cmd, struct probe_str word,
		    struct probe_arg_ast *arg)
{
	struct arg_parser p = { .cmd = cmd, .word = word };
	int ret;

	*arg = (struct probe_arg_ast) { .word = word, .body = word };
	ret = parse_arg_name(&p, &arg->name, &arg->body);
	if (ret)
		return ret;
	if (arg->body.len > PROBE_MAX_ARG_TEXT)
		return arg_error(&p, PROBE_ERR_ARG_TOO_LONG, arg->body.pos);
	if (!arg->body.len)
		return arg_error(&p, PROBE_ERR_NO_ARG_BODY, arg->body.pos);

	probe_lex_start(&p.lx, arg->body);
	ret = parse_expr(&p, &arg->expr);
	if (ret || p.lx.kind == PROBE_TOK_END)
		return ret;
	probe_lex_next(&p.lx);
	return parse_type(&p, &arg->type);
}

/**
 * probe_parse_args - parse all arguments
 * @cmd: the command
 * @first: index of the first word that is an argument
 *
 * Return: 0; -ENOMEM; otherwise the errno of the error noted in @cmd.
 */
int probe_parse_args(struct probe_cmd *cmd, unsigned int first)
{
	unsigned int nr = cmd->nr_words > first ? cmd->nr_words - first : 0;
	int ret;

	if (nr > PROBE_MAX_ARGS)
		return probe_cmd_error(cmd, PROBE_ERR_TOO_MANY_ARGS,
				       cmd->words[first + PROBE_MAX_ARGS].pos);
	cmd->args = probe_arena_alloc(cmd->arena, nr * sizeof(*cmd->args));
	if (!cmd->args)
		return -ENOMEM;
	for (cmd->nr_args = 0; cmd->nr_args < nr; cmd->nr_args++) {
		ret = probe_parse_arg(cmd, cmd->words[first + cmd->nr_args],
				      &cmd->args[cmd->nr_args]);
		if (ret)
			return ret;
	}
	return 0;
}
