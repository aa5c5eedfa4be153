/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-query.h"

#include <glib-object.h>

G_BEGIN_DECLS

/* Maximum age in days; larger values are cut. */
#define EAR_LIST_RULE_MOST_DAYS 36500

/* Conditions of a smart list */
typedef struct
{
  char **podcasts;       /* (nullable): URLs of podcasts; %NULL: all */
  EarEpisodeConditions terms; /* without podcasts, whose row ids only the catalogue knows */
  char *words;           /* (nullable): required in title or notes */
  EarEpisodeSort sort;
} EarListRule;

#define EAR_TYPE_LIST_RULE (ear_list_rule_get_type ())
GType ear_list_rule_get_type (void);
EarListRule *ear_list_rule_new (void);
EarListRule *ear_list_rule_copy (const EarListRule *self);
void ear_list_rule_free (EarListRule *self);
EarListRule *ear_list_rule_read (GVariant *value);
GVariant *ear_list_rule_to_variant (const EarListRule *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarListRule, ear_list_rule_free)

G_END_DECLS
