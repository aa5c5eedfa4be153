/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-discovery.c and ear-discovery-search.c share. */

#include "ear-discovery.h"

#include "ear-discovery-list.h"

G_BEGIN_DECLS

struct _EarDiscovery
{
  GObject parent_instance;

  /* Owned */
  EarHttp *http;
  GPtrArray *directories;    /* (element-type EarDirectory) */
  EarDiscoveryList *list;
  char *text;
  char *value;               /* what of the text is looked for */
  EarPodcast *like;
  GCancellable *cancellable; /* of all that runs for the present question */
  GError *error;
  GError *failure;           /* the first that went wrong for the present question */
  char *refused;             /* (nullable): where a name and a password are wanted */
  char *unanswered;          /* (nullable): names of directories that do not answer */
  GPtrArray *outlines;       /* (element-type EarOpmlOutline) (nullable) */

  EarDiscoveryInput input;
  guint wait_id;
  guint n_running;
  gboolean searching;
};

void ear_discovery_ask          (EarDiscovery *self);
void ear_discovery_end_step     (EarDiscovery *self);
void ear_discovery_set_outlines (EarDiscovery *self,
                                 GPtrArray    *outlines);

G_END_DECLS
