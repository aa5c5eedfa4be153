/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast.h"

G_BEGIN_DECLS

#define EAR_TYPE_SETTINGS (ear_settings_get_type ())
G_DECLARE_FINAL_TYPE (EarSettings, ear_settings, EAR, SETTINGS, GObject)

/* The settings; no other object knows the keys. Each key of
 * `data/io.github.earmark_app.Earmark.gschema.xml` is a property of the same name. */
EarSettings *ear_settings_new (void);
gboolean ear_settings_get_boolean (EarSettings *self, const char *name);
guint ear_settings_get_uint (EarSettings *self, const char *name);
char *ear_settings_dup_string (EarSettings *self, const char *name);
int ear_settings_get_for (EarSettings *self, EarPodcast *podcast, EarPodcastSetting setting);
void ear_settings_apply (EarSettings *self);

char *ear_settings_salvage (const char *text, gsize length);

G_END_DECLS
