/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-error.h"

G_BEGIN_DECLS

typedef struct _EarStateFolder EarStateFolder;

/* Tells one content of a file from another one without reading it. */
typedef struct
{
  guint64 device;
  guint64 inode;
  gint64 size;
  gint64 modified; /* nanoseconds */
  gint64 changed;  /* nanoseconds */
} EarStateIdentity;

/**
 * EarStateRead:
 * @EAR_STATE_READ_OK: it was read
 * @EAR_STATE_READ_MISSING: there is none
 * @EAR_STATE_READ_DAMAGED: its content is of no use, and will be of none later
 * @EAR_STATE_READ_FAILED: it could not be read now
 *
 * What came of reading a file.
 */
typedef enum
{
  EAR_STATE_READ_OK,
  EAR_STATE_READ_MISSING,
  EAR_STATE_READ_DAMAGED,
  EAR_STATE_READ_FAILED,
} EarStateRead;

/* A file was set aside, and something older took its place if there was any: both are paths. */
typedef void (*EarStateDamaged) (const char *file,
                                 const char *set_aside,
                                 gboolean    restored,
                                 gpointer    user_data);

EarStateFolder *ear_state_folder_new       (const char     *path,
                                            EarStateDamaged damaged,
                                            gpointer        user_data);
void            ear_state_folder_free      (EarStateFolder *self);
const char     *ear_state_folder_get_path  (EarStateFolder *self);
gboolean        ear_state_folder_is_new    (EarStateFolder *self,
                                            GError        **error);
int             ear_state_folder_lock      (EarStateFolder *self,
                                            GError        **error);
void            ear_state_folder_unlock    (int             lock);
EarStateRead    ear_state_folder_read      (EarStateFolder   *self,
                                            const char       *name,
                                            EarStateIdentity *identity,
                                            char            **text,
                                            gsize            *length,
                                            GError          **error);
gboolean        ear_state_folder_write     (EarStateFolder   *self,
                                            const char       *name,
                                            const char       *text,
                                            gsize             length,
                                            EarStateIdentity *identity,
                                            GError          **error);
gboolean        ear_state_folder_identify  (EarStateFolder   *self,
                                            const char       *name,
                                            EarStateIdentity *identity);
char           *ear_state_folder_set_aside (EarStateFolder *self,
                                            const char     *name,
                                            const char     *reason,
                                            GError        **error);
void            ear_state_folder_tell_damaged (EarStateFolder *self,
                                               const char     *name,
                                               const char     *set_aside,
                                               gboolean        restored);
GPtrArray      *ear_state_folder_scan      (EarStateFolder *self);
char           *ear_state_folder_dup_original (const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarStateFolder, ear_state_folder_free)

G_END_DECLS
