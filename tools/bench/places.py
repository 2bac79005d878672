# SPDX-License-Identifier: GPL-2.0
"""Guest side: places for sets of events.  An idle guest has no hits there."""

import collections
import re
import shutil
import subprocess

import tracefs

FUNCTION = re.compile(r"_*(arp|dev|fib|fib6|icmp|icmpv6|igmp|inet|inet6|ip|ip6|ipv4|ipv6|"
                      r"mld|ndisc|neigh|net|netdev|netlink|nf|nla|packet|ping|raw|"
                      r"rawv6|rt|rt6|rtnl|rtnetlink|sk|skb|sock|tcp|tcp4|tcp6|udp|"
                      r"udp4|udp6|udplite|unix|xfrm|ethtool|eth|nexthop|qdisc|tc)"
                      r"_[a-z0-9_]*$")
# Without those of kernel/trace, such as power events: the stock kernel refuses them.
TRACEPOINT = re.compile(r"__tracepoint_((alarmtimer|cgroup|cpuhp|dma|dql|fib|icmp|inet|"
                        r"irq_matrix|mem|mm_vmscan|napi|neigh|net|netif|netlink|notifier|"
                        r"page_pool|qdisc|sk|skb|sock|swiotlb|tcp|udp|vector|xdp)_\w+)$")
SYSCALL = re.compile(r"sys_enter_(add_key|fanotify|fs|inotify|io|ioprio|kexec|keyctl|landlock|"
                     r"lsm|mq|move|msg|open_tree|pidfd|pkey|quotactl|request_key|sem|set|shm|"
                     r"swap|timer|timerfd)\w*$")
# Distance of the functions in targets.c.
DISTANCE = 16


def symbols():
    """Return the names of the kernel's symbols, with their numbers."""
    with open("/proc/kallsyms") as f:
        return collections.Counter(line.split()[2] for line in f)


def candidates():
    """Return the names of all functions that can probably be probed."""
    with open("/sys/kernel/debug/kprobes/blacklist") as f:
        banned = {line.split()[1] for line in f}
    seen = symbols()
    names = [line.split()[0] for line
             in tracefs.read("available_filter_functions").splitlines()]
    return [n for n in names if seen[n] == 1 and n not in banned]


def functions(count):
    """Return names of 'count' functions that can be probed, the same in each boot."""
    good = [n for n in candidates() if FUNCTION.match(n)]
    if len(good) < count:
        raise SystemExit(f"only {len(good)} functions to probe, {count} wanted")
    return [good[i * len(good) // count] for i in range(count)]


def tracepoints(count):
    """Return names of tracepoints, at most 'count'."""
    return sorted(m[1] for m in map(TRACEPOINT.match, symbols()) if m)[:count]


def static_events(count):
    """Return names of 'count' events of system calls; names are repeated."""
    good = sorted(n.split(":")[1] for n in tracefs.read("available_events").split()
                  if SYSCALL.match(n.split(":")[1]))
    return [f"syscalls/{good[i % len(good)]}" for i in range(count)]


def file_offset(program, function):
    """Return the offset of a function in the file of a program, for a uprobe."""
    elf = subprocess.run(["readelf", "-lsW", program], check=True, capture_output=True,
                         text=True).stdout
    address = int(re.search(rf"(\w+) +\d+ FUNC .* {function}$", elf, re.M)[1], 16)
    segment = re.search(r"LOAD +(\w+) (\w+) .* R E ", elf)
    return address - int(segment[2], 16) + int(segment[1], 16)


class Targets:
    """The functions of targets.c, while the program runs."""

    def __init__(self, program):
        # Uprobes do not work on files of the host's file system.
        self.program = shutil.copy(program, "/tmp/targets")

    def __enter__(self):
        self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.process.stdout.readline()
        return self

    def __exit__(self, *_):
        self.process.communicate()

    def functions(self, count):
        first = file_offset(self.program, "targets")
        return [f"{self.program}:{first + i * DISTANCE:#x}" for i in range(count)]
