# SPDX-License-Identifier: GPL-2.0
#
# A target 'objects' for the kernel's make: make $(OBJECTS) as in a full build; with
# $(OBJECTS_BUILT), only objects that are part of a full build.  tools/build/objects names
# this file in MAKEFILES.
#
# The kernel's own targets for single objects do not cover directories that only the
# build of an image descends into, and they make objects of libraries twice, once with
# the flags of another directory.

# The kernel's top-level Makefile calls itself first, in the O= directory (and once
# more unless given --no-print-directory).
# kernel/Makefile selects directories by options, too, even if no object is directly in kernel/.
objects-paths = $(patsubst %/,%,$(dir $(OBJECTS)))
objects-dirs = $(sort $(objects-paths) $(if $(OBJECTS_BUILT),$(if $(filter kernel/%,$(objects-paths)),kernel)))
objects-of = $(filter $(addprefix $1/,$(notdir $(OBJECTS))),$(OBJECTS))

ifdef sub_make_done
# With $(OBJECTS_BUILT), the parent directory's Makefile selects the directories.
objects-tops = $(if $(OBJECTS_BUILT),$(foreach d,$(objects-dirs), \
	$(if $(filter $(patsubst %/,%,$(dir $d)),$(objects-dirs)),,$d)),$(objects-dirs))

objects: $(addprefix objects-from-,$(objects-tops))

$(addprefix objects-from-,$(objects-dirs)): objects-from-%: prepare
	$(Q)$(MAKE) $(build)=$* need-builtin=1 \
		$(if $(OBJECTS_BUILT),objects-built,$(call objects-of,$*))

# This directory's code includes the decoder's tables; its Makefile lacks the dependency.
objects-from-arch/x86/boot/compressed: objects-from-arch/x86/lib
endif

# In a make of one directory, kbuild has read the object lists.  Target names use '+'
# because kbuild would create a directory for a target with a slash.
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

# CFI needs a newer clang, but this flag lets any compiler build cfi.c.
CFLAGS_cfi.o = -DCONFIG_CFI_CLANG
