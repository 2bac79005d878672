# SPDX-License-Identifier: GPL-2.0
"""Words with mistakes, for commands.py.  Some of them are valid in some commands."""

# Arguments, which are added or replace a word.
WORDS = (
    "foo", "_x", "$foo", "$arg9", "$arg0", "$retval", "$stack999999", "%foo", "@nosuch", "a=",
    "=a", "a=b=c", "x=%di:u7", "x=%di:foo", "x=+0(%di", "x=+0%di", "x=0(%di)", "x=\\",
    "x=\\abc", "x=\\1:string", "x=\\\"abc", "$comm:u8", "x=$comm:u8[2]", "x=+0($comm)",
    "x=%di:string", "x=%di:x8[2]", "x=+0(%di):x8[0]", "x=+0(%di):x8[65]", "x=+0(%di):x8[2",
    "x=+0(%di):x8[2]a", "x=%di:b3@30/32", "x=%di:b0@0/8", "x=%di:b1@0/24", "x=%di:b33@0/32",
    "x=@foo+", "x=@0xzz", "$arg*", "x=$arg*", "$arg*:u8", "if", "x=$nosuch", "nosuch",
    "x=file->nosuch", "x=file-f_pos", "1x=%di", "x-y=%di", "x=%di x=%si",
    "__probe_ip=%di", "common_pid=%di", "x=+0x(%di)", "x=+-1(%di)", "x=$stack:symstr",
    "x=\\1:symstr", "x=+u0(%di):symstr", "x=%di:symstr[2]", "x=@+0", "x=@+zz", "::", ":u8",
    "x=:u8", "x=%", "x=$", "x=@", "x=+", "x=-", "x=%pd", "x=%di:%px", "x=$comm+1",
    "x=$arg", "x=$argx", "x=$stackx", "x=$stack-1", "%return", "$argv",
    "x=$retval", "a=$retval:u8", "x=path.dentry", "x=pathname->uptr:string",
    "x=filename->name", "x=file->f_path:string", "x=task->pid:string",
    "x=$retval->f_pos:string",
)

# First words.
HEADS = (
    "r5000:x", "r0:x", "rx:y", "p5:x", "f5:x", "t1:x", "e1:x", "p:/x", "r:same/", "f:/", "t:",
    "e:same/x/y", "p:a.b.c", "f:1x", "t:same/-x", "e:-/x", "p:x-y", "r4096:x", "p::x", "f.x",
    "f:same/x.y", "-", "-:nosuch", "-:same/nosuch", "p", "rr", "x:y", "", "e:eprobes/",
    "p:x:y", "t:x/yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy",
    "f:kprobes/x", "p:fprobes/x", "e:sched/sched_switch", "p:sched/sched_switch",
    "f:task/task_rename",
)

# Second words, for each kind of command.
PLACES = {
    "p": (
        "nosuch", "vfs_read+", "vfs_read+x", "vfs_read-1", "vfs_read+99999999", "type_show",
        "0", "0x123", "vfs_read%foo", "vfs_read+5%return", "vfs_read%", "vfs_read+0",
        "vfs_read+8", "vfs_read+0x4", ":vfs_read", "a:b:c", "nosuch:vfs_read", "schedule:",
        "hex_asc", "1x", "kprobe_ftrace_handler", "_stext", "_text+0x10", "init_task",
        "/tmp:0x10", "do_int3", "vfs_read+%return", "0xffffffff81000000x", "%return",
        "vfs_read%return%return",
    ),
    "f": (
        "nosuch", "vfs_read+4", "vfs_read%foo", "vfs_read%", "type_show", ":vfs_read",
        "hex_asc", "0x123", "vfs_read%return+4", "%return", "vfs_read%returns", "vfs-read",
        "1x",
    ),
    "t": (
        "nosuch", "task_rename%return", "task-rename", "task/task_rename", "vfs_read", "1x",
        "task_rename+4", "initcall_start", "xhci_dbc_alloc_request", "%",
    ),
    "e": (
        "nosuch", "task/nosuch", "nosuch/task_rename", "task/", "/task_rename", "task.", ".x",
        "task/task_rename/x", "task:task_rename", "kprobes/x", "ftrace/function",
        "ftrace/print", "same/e1", "task-/task_rename", "task/task-rename",
        "syscalls/sys_enter", "1x/2y",
    ),
    "U": (
        "nosuch", "/nosuch:0x10", "/tmp:0x10", "{PATH}", "{PATH}:", "{PATH}:x", "{PATH}:0x",
        "{PATH}:{u_node}(", "{PATH}:{u_node}()", "{PATH}:{u_node}(0", "{PATH}:{u_node}(x)",
        "{PATH}:{u_node}(0x10)x", "{PATH}:{u_node}%foo", "{PATH}:{u_node}(0x10)%return",
        "{PATH}:{u_node}%", "{PATH}:0x99999999", "{PATH}:-1", "{PATH}:{u_node}%return(0)",
        "{PATH}:{u_node}+1", ":0x10", "{PATH}:0x10:0x20", "/dev/null:0x10", "{PATH}::0x10",
        "{PATH}:{u_node})", "{PATH}:1x",
    ),
}
