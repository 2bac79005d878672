/* SPDX-License-Identifier: GPL-2.0 */
/* The record that a fetch program must write; see model.c. */
#ifndef _MODEL_H
#define _MODEL_H

#include "machine.h"

/* Bytes before the first argument. */
#define MODEL_HEAD	24

/* The expected record, and the end of its dynamic data. */
extern u8 model_rec[RECORD_SIZE];
extern u32 model_dyn;

/* The arguments to which a predicate's formulas refer. */
extern const struct probe_fetch *model_args;

void model_run(const struct probe_layout *l, const struct probe_fetch *fetch, unsigned int nr);

#endif /* _MODEL_H */
