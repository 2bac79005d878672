# SPDX-License-Identifier: GPL-2.0
#
# A target 'objects' for the kernel's make, to which tools/vm/objects gives this
# in MAKEFILES: $(OBJECTS), each made as in a build of everything.
#
# The kernel's own targets for single objects do not know the directories that
# only an image leads to, and make those of libraries twice, once with the flags
# of another directory.

# The kernel's top-level Makefile calls itself first, in the O= directory (and once
# more unless given --no-print-directory).
ifdef sub_make_done
objects-dirs = $(addprefix objects-in-,$(sort $(patsubst %/,%,$(dir $(OBJECTS)))))

objects: $(objects-dirs)

$(objects-dirs): objects-in-%: prepare
	$(Q)$(MAKE) $(build)=$* need-builtin=1 $(filter $(addprefix $*/,$(notdir $(OBJECTS))),$(OBJECTS))

# It includes the tables, which its Makefile does not say.
objects-in-arch/x86/boot/compressed: objects-in-arch/x86/lib
endif

# What needs a newer clang to be used compiles with any compiler.
CFLAGS_cfi.o = -DCONFIG_CFI_CLANG
