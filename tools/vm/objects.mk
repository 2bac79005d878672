# SPDX-License-Identifier: GPL-2.0
#
# A target 'objects' for the kernel's make, to which tools/vm/objects gives this
# in MAKEFILES: $(OBJECTS), each made as in a build of everything; with
# $(OBJECTS_BUILT), only those that are part of one.
#
# The kernel's own targets for single objects do not know the directories that
# only an image leads to, and make those of libraries twice, once with the flags
# of another directory.

# The kernel's top-level Makefile calls itself first, in the O= directory (and once
# more unless given --no-print-directory).
objects-dirs = $(sort $(patsubst %/,%,$(dir $(OBJECTS))))
objects-of = $(filter $(addprefix $1/,$(notdir $(OBJECTS))),$(OBJECTS))

ifdef sub_make_done
# With $(OBJECTS_BUILT), the Makefile of the directory above says which to enter.
objects-tops = $(if $(OBJECTS_BUILT),$(foreach d,$(objects-dirs), \
	$(if $(filter $(patsubst %/,%,$(dir $d)),$(objects-dirs)),,$d)),$(objects-dirs))

objects: $(addprefix objects-from-,$(objects-tops))

$(addprefix objects-from-,$(objects-dirs)): objects-from-%: prepare
	$(Q)$(MAKE) $(build)=$* need-builtin=1 \
		$(if $(OBJECTS_BUILT),objects-built,$(call objects-of,$*))

# It includes the tables, which its Makefile does not say.
objects-from-arch/x86/boot/compressed: objects-from-arch/x86/lib
endif

# In a directory, where kbuild knows by now what belongs to it.  It would make a
# directory for a target with a slash.
objects-in = $(addprefix objects-in-,$(subst /,+,$1))
objects-here = $(filter $(OBJECTS),$(real-obj-y) $(real-obj-m) $(lib-y)) \
	$(call objects-in,$(filter $(objects-dirs),$(subdir-ym)))
objects-built:
	$(Q)$(if $(strip $(objects-here)), \
		echo $(filter %.o,$(objects-here)) >> objects; \
		$(MAKE) $(build)=$(obj) need-builtin=1 $(objects-here))

$(call objects-in,$(objects-dirs)): objects-in-%:
	$(Q)$(MAKE) $(build)=$(subst +,/,$*) need-builtin=1 objects-built
.PHONY: objects-built $(call objects-in,$(objects-dirs))

# What needs a newer clang to be used compiles with any compiler.
CFLAGS_cfi.o = -DCONFIG_CFI_CLANG
