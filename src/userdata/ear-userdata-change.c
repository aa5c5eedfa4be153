/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-change.h"

/**
 * ear_userdata_change_free:
 * @self: (transfer full): a change
 *
 * Frees a change.
 */
void
ear_userdata_change_free (EarUserdataChange *self)
{
  g_free (self->address);
  g_free (self->feed_address);
  g_free (self->podcast_title);
  g_free (self->guid);
  g_free (self->alias);
  g_free (self->title);
  g_free (self->enclosure);
  g_free (self);
}

/**
 * ear_settings_change_free:
 * @self: (transfer full): a change
 *
 * Frees a change.
 */
void
ear_settings_change_free (EarSettingsChange *self)
{
  g_free (self->address);
  g_free (self->feed_address);
  g_free (self->title);
  g_free (self);
}
