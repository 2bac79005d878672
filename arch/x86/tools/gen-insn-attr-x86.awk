# SPDX-License-Identifier: GPL-2.0
#
# Generate the tables of the instruction decoder from the opcode map.
#
#	awk -f gen-insn-attr-x86.awk x86-opcode-map.txt > inat-tables.c
#
# The map describes its own format.  Any POSIX awk works.  Errors in the map are
# reported with FILE:LINE or the name of the map.  After an error, no tables are written.
#
# The parser fills cells, one for each map, opcode, ModRM.reg and mandatory
# prefix.  A cell holds the encoding of the instruction (encoding[]) and the
# cases in which it exists (allow[]: modes, memory or register operand, REX2).
# For most opcodes, all cells that hold an instruction are equal.  These opcodes
# become one attribute with a set of prefixes.  If the cells differ by reg, the
# attribute refers to a node, a list of eight attributes.  If they differ only by
# prefix, the node has four attributes.  Equal attributes and nodes are stored once,
# so a byte is enough for the number of an attribute.

BEGIN {
	nr_maps = split("legacy legacy-0f legacy-0f38 legacy-0f3a " \
			"vex-1 vex-2 vex-3 vex-5 vex-7 " \
			"evex-1 evex-2 evex-3 evex-4 evex-5 evex-6 evex-7 " \
			"xop-8 xop-9 xop-a", map_names, " ")
	nr_common = 2
	for (m = 1; m <= nr_maps; m++)
		map_ids[map_names[m]] = "INAT_MAP_" symbol(map_names[m])

	nr_pfx = split("np 66 f3 f2", pfx_names, " ")
	for (p = 1; p <= nr_pfx; p++)
		pfx_ids[pfx_names[p]] = p

	split("ib iw id iz iv", imm_names, " ")
	for (i in imm_names)
		imm_ids[imm_names[i]] = "INAT_IMM_" symbol(imm_names[i])
	imm_ids["moffs"] = "INAT_MAKE_LONG(INAT_LONG_MOFFS)"
	imm_ids["ptr"] = "INAT_MAKE_LONG(INAT_LONG_PTR)"
	imm_ids["iw ib"] = "INAT_MAKE_LONG(INAT_LONG_IW_IB)"
	imm_ids["ib ib"] = "INAT_MAKE_LONG(INAT_LONG_IB_IB)"

	split("d64 f64", size_names, " ")
	for (i in size_names)
		sizes[size_names[i]] = "INAT_" symbol(size_names[i])

	nr_allow = split("MEM REG 64 NO64 REX2", allow_names, " ")

	attr_of["INAT_UNDEFINED"] = 0
	attrs[0] = "INAT_UNDEFINED"
	nr_attrs = 1
	nr_nodes = node_bytes = 0
	nr_prefixes = 0
	failed = 0
}

function symbol(name)
{
	gsub(/-/, "_", name)
	return toupper(name)
}

function fail(text)
{
	# Report a mistake only once, even if it affects several opcodes of the line.
	if (FNR == failed_line)
		return
	failed_line = FNR
	printf "%s:%d: %s\n", FILENAME, FNR, text > "/dev/stderr"
	failed = 1
}

# Report an error in map M, after the whole file is read.
function fail_map(m, text)
{
	printf "%s: map %s: %s\n", FILENAME, m, text > "/dev/stderr"
	failed = 1
}

# The value of a hexadecimal number, or -1.
function hex(text,	value, digit, i)
{
	if (text !~ /^[0-9a-f]+$/)
		return -1
	value = 0
	for (i = 1; i <= length(text); i++) {
		digit = index("0123456789abcdef", substr(text, i, 1)) - 1
		value = value * 16 + digit
	}
	return value
}

# Fill list[1..] with the numbers in TEXT, which have WIDTH digits and are at
# most MAX.  Returns the length of the list, or 0 after an error.
function parse_list(text, width, max, list,	parts, nr, n, i, ends, first, last, value)
{
	n = 0
	nr = split(text, parts, ",")
	for (i = 1; i <= nr; i++) {
		if (split(parts[i], ends, "-") == 1)
			ends[2] = ends[1]
		first = hex(ends[1])
		last = hex(ends[2])
		if (length(ends[1]) != width || length(ends[2]) != width ||
		    first < 0 || last < first || last > max) {
			fail("invalid list of numbers: " text)
			return 0
		}
		for (value = first; value <= last; value++)
			list[++n] = value
	}
	return n
}

# Parse the words of one line into globals.  Returns 0 after an error.
#
#	line_encoding	encoding part of the attribute, "" for none
#	line_pfx[1..nr_line_pfx]
#			prefixes with which the instruction exists
#	line_allow[]	names of allow_names[] for which the instruction exists
#	line_modrm	whether the instruction has a ModRM
#	line_escape	prefix or escape part of the attribute, "" for none
#	line_none	whether there is no instruction
function parse_tokens(	i, tok, imm, flags, modrm, only, none, pair, seen)
{
	split("", line_pfx)
	split("", line_allow)
	split("", seen)
	nr_line_pfx = 0
	imm = flags = modrm = only = ""
	none = 0
	for (i in allow_names)
		line_allow[allow_names[i]] = 1

	for (i = 2; i <= NF && $i != ":"; i++) {
		tok = $i
		if (tok in seen && tok != "ib") {
			fail("duplicate token '" tok "'")
			return 0
		}
		seen[tok] = 1
		if (tok in pfx_ids) {
			line_pfx[++nr_line_pfx] = pfx_ids[tok]
		} else if (tok in imm_ids) {
			imm = imm == "" ? tok : imm " " tok
		} else if (tok in sizes) {
			flags = flags " | " sizes[tok]
		} else if (tok ~ /^(rm|m|r|rr)$/ && modrm == "") {
			modrm = tok
		} else if (tok == "no64" || tok == "only64") {
			delete line_allow[tok == "no64" ? "64" : "NO64"]
		} else if (tok == "norex2") {
			delete line_allow["REX2"]
		} else if (tok ~ /^(prefix|escape):[A-Za-z0-9]+$/) {
			split(toupper(tok), pair, ":")
			nr_prefixes += pair[1] == "PREFIX"
			only = only " | INAT_MAKE_" pair[1] "(INAT_" \
				(pair[1] == "PREFIX" ? "PFX_" : "ESC_") pair[2] ")"
		} else if (tok == "-") {
			none = 1
		} else {
			fail("unknown token '" tok "'")
			return 0
		}
	}
	if (("d64" in seen && "f64" in seen) || ("no64" in seen && "only64" in seen)) {
		fail("d64 with f64, or no64 with only64")
		return 0
	}
	if (only != "" && map != "legacy" && map != "legacy-0f") {
		fail("prefix or escape in map " map)
		return 0
	}
	if (imm != "" && !(imm in imm_ids)) {
		fail("invalid immediates: " imm)
		return 0
	}
	if (none && (i != 3 || i <= NF)) {
		fail("'-' with other tokens or a mnemonic")
		return 0
	}
	if (!none && only == "" && i >= NF) {
		fail("missing mnemonic")
		return 0
	}
	if (modrm != "")
		flags = flags " | INAT_MODRM"
	if (modrm == "rr")
		flags = flags " | INAT_MODRM_REG"
	if (modrm == "m")
		delete line_allow["REG"]
	if (modrm == "r" || modrm == "rr")
		delete line_allow["MEM"]
	if (imm != "")
		flags = flags " | " imm_ids[imm]
	if (!nr_line_pfx) {
		for (i = 1; i <= nr_pfx; i++)
			line_pfx[++nr_line_pfx] = i
	}
	line_modrm = modrm != ""
	line_escape = only
	# An escape or a prefix without a mnemonic is not an instruction.
	line_none = none || (only != "" && i > NF && flags == "")
	line_encoding = substr(flags, 4)
	return 1
}

# Compare two subsets of the names A and B: the names that an earlier line for the same
# cell allows, and the names that this line allows.  Returns 0 if they are disjoint, 1 if
# they overlap, 2 if they are equal.
function shared(cell, a, b,	before, now)
{
	before = ((cell, a) in allow) + 2 * ((cell, b) in allow)
	now = (a in line_allow) + 2 * (b in line_allow)
	return before == now ? 2 : before + now != 3
}

# Do an earlier line for the same cell and this one conflict?  They do not if their
# modes are disjoint and their operands equal, or the other way around: a cell has
# separate sets of modes and operands, and a flag for REX2, but no combinations.
function conflict(cell,	mode, operand)
{
	if (!(cell in encoding))
		return 0
	if (((cell, "REX2") in allow) != ("REX2" in line_allow))
		return 1
	mode = shared(cell, "64", "NO64")
	operand = shared(cell, "MEM", "REG")
	return encoding[cell] != line_encoding || mode + operand != 2 || mode == operand
}

function put(op, reg,	i, a, cell)
{
	cell = map SUBSEP op SUBSEP reg
	if (line_none && (cell in known) || (cell in undefined))
		fail(sprintf("conflicting lines for %02x/%d", op, reg))
	known[cell] = 1
	if (line_none) {
		undefined[cell] = 1
		return
	}
	for (i = 1; i <= nr_line_pfx; i++) {
		cell = map SUBSEP op SUBSEP reg SUBSEP line_pfx[i]
		if (conflict(cell))
			fail(sprintf("conflicting lines for %02x/%d with prefix %s",
				     op, reg, pfx_names[line_pfx[i]]))
		encoding[cell] = line_encoding
		for (a in line_allow)
			allow[cell, a] = 1
	}
}

{
	sub(/#.*/, "")
	gsub(/:/, " : ")
	gsub(/prefix : /, "prefix:")
	gsub(/escape : /, "escape:")
}

NF == 0 {
	next
}

$1 == "map" {
	map = $2
	if (!(map in map_ids) || NF != 2)
		fail("unknown map " map)
	if (map in map_line)
		fail("duplicate map " map)
	map_line[map] = FNR
	next
}

{
	if (map == "") {
		fail("opcode before the first map")
		next
	}
	slash = index($1, "/")
	regs = slash ? substr($1, slash + 1) : "0-7"
	opcodes = slash ? substr($1, 1, slash - 1) : $1
	split("", op_list)
	split("", reg_list)
	nr_ops = parse_list(opcodes, 2, 255, op_list)
	nr_regs = parse_list(regs, 1, 7, reg_list)
	if (!nr_ops || !nr_regs || !parse_tokens())
		next
	if (slash && !line_none && !line_modrm)
		fail("/" regs " without ModRM")
	for (i = 1; i <= nr_ops; i++) {
		if (line_escape != "")
			escapes[map, op_list[i]] = line_escape
		for (j = 1; j <= nr_regs; j++)
			put(op_list[i], reg_list[j])
	}
}

# Number of an attribute.  Attributes are stored in order of appearance.
function attr_number(text)
{
	if (!(text in attr_of)) {
		attr_of[text] = nr_attrs
		attrs[nr_attrs++] = text
	}
	return attr_of[text]
}

# Number of the attribute that refers to a list of attributes.
function node_number(list, kind, escape)
{
	if (!(list in node_at)) {
		node_at[list] = node_bytes
		nodes[nr_nodes++] = list
		node_bytes += split(list, scratch, ",")
	}
	return attr_number("INAT_MODRM | " kind " | INAT_MAKE_NODE(" node_at[list] ")" escape)
}

# Attribute of a cell, without its set of prefixes.
function cell_text(cell,	a, text)
{
	text = encoding[cell]
	for (a = 1; a <= nr_allow; a++)
		if (!((cell, allow_names[a]) in allow))
			text = text " | INAT_DENY_" allow_names[a]
	return text
}

# One attribute for all prefixes whose cells equal the cell of prefix LIKE.
function merge(m, op, reg, like, escape,	i, cell, text, all)
{
	text = cell_text(m SUBSEP op SUBSEP reg SUBSEP like)
	all = text
	for (i = 1; i <= nr_pfx; i++) {
		cell = m SUBSEP op SUBSEP reg SUBSEP i
		if (!(cell in encoding) || cell_text(cell) != text)
			all = all " | INAT_DENY_" toupper(pfx_names[i])
	}
	text = all escape
	sub(/^ \| /, "", text)
	return text == "" ? "0" : text
}

# Number of the attribute for one opcode and reg.
function reg_number(m, op, reg, escape,	p, first, differ, list)
{
	first = 0
	differ = 0
	for (p = 1; p <= nr_pfx; p++) {
		if (!((m, op, reg, p) in encoding))
			continue
		if (!first)
			first = p
		else if (cell_text(m SUBSEP op SUBSEP reg SUBSEP p) != \
			 cell_text(m SUBSEP op SUBSEP reg SUBSEP first))
			differ = 1
	}
	if (!first)
		return attr_number(escape == "" ? "INAT_UNDEFINED" : substr(escape, 4))
	if (!differ)
		return attr_number(merge(m, op, reg, first, escape))
	list = ""
	for (p = 1; p <= nr_pfx; p++) {
		if (p > 1)
			list = list ","
		if ((m, op, reg, p) in encoding) {
			list = list attr_number(merge(m, op, reg, p, ""))
			if (encoding[m, op, reg, p] !~ /INAT_MODRM( |$)/)
				fail_map(m, sprintf("encoding of %02x depends on prefix, without ModRM", op))
		} else {
			list = list "0"
		}
	}
	return node_number(list, "INAT_BY_PFX", escape)
}

function opcode_number(m, op,	reg, first, differ, list, number, escape)
{
	escape = escapes[m, op]
	list = ""
	differ = 0
	for (reg = 0; reg < 8; reg++) {
		number = reg_number(m, op, reg, escape)
		if (!reg)
			first = number
		else if (number != first)
			differ = 1
		list = list (reg ? "," : "") number
	}
	if (!differ)
		return first
	if (escape != "") {
		list = ""
		for (reg = 0; reg < 8; reg++)
			list = list (reg ? "," : "") reg_number(m, op, reg, "")
	}
	return node_number(list, "INAT_BY_REG", escape)
}

function check_gaps(m,	op, reg)
{
	if (!(m in map_line)) {
		fail_map(m, "missing")
		return
	}
	for (op = 0; op < 256; op++)
		for (reg = 0; reg < 8; reg++)
			if (!((m, op, reg) in known)) {
				fail_map(m, sprintf("no line for %02x/%d", op, reg))
				break
			}
}

function print_bytes(list, nr,	i)
{
	for (i = 1; i <= nr; i++)
		printf "%s%s,%s", i % 16 == 1 ? "\t\t" : " ", list[i],
		       i % 16 && i < nr ? "" : "\n"
}

END {
	for (m = 1; m <= nr_maps; m++)
		check_gaps(map_names[m])
	for (m = 1; m <= nr_maps && !failed; m++)
		for (op = 0; op < 256; op++)
			table[m, op] = opcode_number(map_names[m], op)
	if (nr_attrs > 256 || node_bytes > 4096)
		fail_map("legacy", "too many different instructions for the tables")
	if (nr_prefixes != 11)
		fail_map("legacy", nr_prefixes " prefixes instead of 11")
	if (failed)
		exit 1

	print "/* SPDX-License-Identifier: GPL-2.0 */"
	print "/* x86 opcode tables, generated by gen-insn-attr-x86.awk from x86-opcode-map.txt. */"
	print ""
	print "const insn_attr_t inat_common[INAT_NR_COMMON][INAT_MAP_SIZE] = {"
	for (m = 1; m <= nr_common; m++) {
		print "\t[" map_ids[map_names[m]] "] = {"
		for (op = 0; op < 256; op++)
			printf "\t\t[0x%02x] = %s,\n", op, attrs[table[m, op]]
		print "\t},"
	}
	print "};"
	print ""
	print "const insn_byte_t inat_maps[INAT_NR_MAPS - INAT_NR_COMMON][INAT_MAP_SIZE] = {"
	for (; m <= nr_maps; m++) {
		for (op = 0; op < 256; op++)
			bytes[op + 1] = table[m, op]
		print "\t[" map_ids[map_names[m]] " - INAT_NR_COMMON] = {"
		print_bytes(bytes, 256)
		print "\t},"
	}
	print "};"
	print ""
	print "const insn_byte_t inat_nodes[] = {"
	for (n = 0; n < nr_nodes; n++)
		print_bytes(bytes, split(nodes[n], bytes, ","))
	print "};"
	print ""
	print "const insn_attr_t inat_attrs[] = {"
	for (a = 0; a < nr_attrs; a++)
		print "\t[" a "] = " attrs[a] ","
	print "};"
}
