# SPDX-License-Identifier: GPL-2.0
"""Functions, tracepoints and events of the calls that calls.c makes.

For commands.py.  These are the types of parameters, members and fields:

    same    a number that is the same in each run.  Members that are such numbers have types
            of their own, for their sizes: long, int, short, byte, bit
    other   another number
    user    a pointer to text or data of the program
    text    a pointer to text of the kernel
    chars   an array of characters; "data" in a record that refers to it
    longs   an array of numbers
    NAME    a structure of MEMBERS, or *NAME for a pointer to it
"""

MEMBERS = {
    "file": {"f_flags": "int", "f_mode": "int", "f_pos": "long", "f_inode": "*inode",
             "f_path": "path", "f_op": "other", "f_cred": "*cred"},
    "path": {"dentry": "*dentry", "mnt": "other"},
    "dentry": {"d_name": "qstr", "d_parent": "*dentry", "d_inode": "*inode",
               "d_iname": "chars", "d_sb": "*super_block"},
    "qstr": {"len": "int", "name": "text", "hash": "other"},
    "inode": {"i_mode": "short", "i_uid": "kuid_t", "i_flags": "int", "i_size": "long",
              "i_ino": "other", "i_nlink": "int", "i_blkbits": "byte", "i_atime_sec": "other",
              "i_sb": "*super_block"},
    "super_block": {"s_magic": "long", "s_blocksize": "long", "s_id": "chars",
                    "s_maxbytes": "long", "s_type": "*file_system_type"},
    "file_system_type": {"name": "text", "fs_flags": "int"},
    "cred": {"uid": "kuid_t", "securebits": "int"},
    "kuid_t": {"val": "int"},
    "filename": {"name": "text", "uptr": "user"},
    "open_how": {"flags": "long", "mode": "long", "resolve": "long"},
    "open_flags": {"open_flag": "int", "mode": "short", "acc_mode": "int"},
    "task_struct": {"comm": "chars", "pid": "int", "tgid": "int", "prio": "int",
                    "in_execve": "bit", "sched_reset_on_fork": "bit", "mm": "other",
                    "group_leader": "*task_struct", "real_parent": "other", "cred": "*cred"},
    "pt_regs": {"di": "long", "si": "long", "dx": "long", "orig_ax": "long", "cs": "short"},
    "linux_binprm": {"filename": "text", "interp": "text", "argc": "int", "envc": "int",
                     "file": "*file"},
    "kernel_siginfo": {"si_signo": "int", "si_code": "int"},
}

# Functions: parameters, and the type of the return value.
FUNCTIONS = {
    "do_sys_openat2": ("dfd=same filename=user how=*open_how", "same"),
    "do_filp_open": ("dfd=same pathname=*filename op=*open_flags", "*file"),
    "vfs_open": ("path=*path file=*file", "same"),
    "vfs_read": ("file=*file buf=user count=same pos=other", "same"),
    "vfs_write": ("file=*file buf=user count=same pos=other", "same"),
    "ksys_read": ("fd=same buf=user count=same", "same"),
    "vfs_llseek": ("file=*file offset=same whence=same", "same"),
    "file_close_fd": ("fd=same", "*file"),
    "do_faccessat": ("dfd=same filename=user mode=same flags=same", "same"),
    "do_mkdirat": ("dfd=same name=*filename mode=same", "same"),
    "do_rmdir": ("dfd=same name=*filename", "same"),
    "ksys_dup3": ("oldfd=same newfd=same flags=same", "same"),
    "do_readlinkat": ("dfd=same pathname=user buf=user bufsiz=same", "same"),
    "vfs_readlink": ("dentry=*dentry buffer=user buflen=same", "same"),
    "filp_close": ("filp=*file id=other", "same"),
    "putname": ("name=*filename", "void"),
    "__set_task_comm": ("tsk=*task_struct buf=other exec=same", "void"),
    "find_task_by_vpid": ("vnr=same", "*task_struct"),
    "__x64_sys_close": ("regs=*pt_regs", "same"),
    "__x64_sys_getpgid": ("regs=*pt_regs", "same"),
}

TRACEPOINTS = {
    "task_rename": "task=*task_struct comm=text",
    "signal_generate": "sig=same info=other task=*task_struct group=same result=same",
    "signal_deliver": "sig=same info=*kernel_siginfo ka=other",
    "sched_process_exec": "p=*task_struct old_pid=same bprm=*linux_binprm",
    "sys_enter": "regs=*pt_regs id=same",
    "sys_exit": "regs=*pt_regs ret=same",
}

# Events and their fields.
EVENTS = {
    "task/task_rename": "pid=same oldcomm=chars newcomm=chars oom_score_adj=same",
    "signal/signal_generate": "sig=same errno=same code=same comm=chars pid=same group=same",
    "signal/signal_deliver": "sig=same errno=same code=same sa_flags=same sa_handler=same",
    "sched/sched_process_exec": "filename=data pid=same old_pid=same",
    "syscalls/sys_enter_openat": "__syscall_nr=same dfd=same filename=user flags=same",
    "syscalls/sys_exit_openat": "__syscall_nr=same ret=same",
    "syscalls/sys_enter_close": "__syscall_nr=same fd=same",
    "syscalls/sys_exit_close": "__syscall_nr=same ret=same",
    "raw_syscalls/sys_enter": "id=same args=longs",
    "raw_syscalls/sys_exit": "id=same ret=same",
}

# Functions of calls.c, with their parameters in registers.
PROGRAM = {
    "u_numbers": ("same same same same", "same"),
    "u_text": ("user same", "user"),
    "u_node": ("node", "node"),
    "u_semaphore": ("same", "same"),
}
