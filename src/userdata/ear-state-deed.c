/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-state-deed.h"

/**
 * ear_state_deed_free:
 * @self: (transfer full): a deed
 *
 * Frees a deed.
 */
void
ear_state_deed_free (EarStateDeed *self)
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
 * ear_settings_deed_free:
 * @self: (transfer full): a deed
 *
 * Frees a deed.
 */
void
ear_settings_deed_free (EarSettingsDeed *self)
{
  g_free (self->address);
  g_free (self->feed_address);
  g_free (self->title);
  g_free (self);
}
