/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-episode-query.h"

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

/* A list of the listener. Main thread only. Properties, read-only:
 *   title  char         its title
 *   rule   EarListRule  (nullable): the rule of a smart list
 *   smart  gboolean     whether it has a rule
 *   count  guint        number of episodes */
#define EAR_TYPE_LIST (ear_list_get_type ())
G_DECLARE_FINAL_TYPE (EarList, ear_list, EAR, LIST, GObject)

const char *ear_list_get_id (EarList *self);
const char *ear_list_get_title (EarList *self);
const EarListRule *ear_list_get_rule (EarList *self);
gboolean ear_list_is_smart (EarList *self);
guint ear_list_get_count (EarList *self);
gboolean ear_list_has (EarList *self, EarEpisode *episode);
EarEpisodeQuery *ear_list_create_query (EarList *self, EarEpisodeSort sort, const char *search);

/* An episode in a list, used by EarLists */
typedef struct
{
  char *record;   /* its record id */
  char *address;  /* URL of the podcast */
  char *guid;
  char *alias;    /* (nullable) */
  gint64 place;
  gint64 podcast; /* row id; 0 if it is not followed */
} EarMember;

EarList *ear_list_new (EarCatalogue *catalogue, const char *id);
void ear_list_take_value (EarList *self, GVariant *value);
void ear_list_take_member (EarList *self, const char *record, GVariant *value);
gint64 ear_list_get_position (EarList *self);
void ear_list_publish (EarList *self);
void ear_list_end (EarList *self);
GPtrArray *ear_list_dup_members (EarList *self);
gboolean ear_member_is (const EarMember *self, EarEpisode *episode);

G_END_DECLS
