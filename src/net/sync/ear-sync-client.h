/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-http.h"

G_BEGIN_DECLS

typedef enum
{
  EAR_SYNC_GPODDER,   /* the API of gpodder.net, version 2, which many servers speak */
  EAR_SYNC_NEXTCLOUD, /* Nextcloud with the app gPodder Sync */
} EarSyncService;

/* An account on a server. Its password is stored in the keyring only. */
typedef struct
{
  EarSyncService service;
  char *address;  /* (nullable): of the server, without a slash at its end; %NULL: no account */
  char *user;
  char *password; /* (nullable): not known yet */
  char *device;   /* identifies this computer: letters, digits, ".", "_" and "-" */
  char *name;     /* of this computer, for people */
} EarSyncAccount;

/* An action of the listener on an episode, on any device: it was played up to a position,
 * or marked as unplayed */
typedef struct
{
  char *podcast; /* address of the feed */
  char *media;   /* address of the media */
  char *guid;    /* (nullable) */
  gint64 time;   /* Unix seconds */
  gint64 position, total; /* seconds; -1: unknown */
  gboolean unplayed;
} EarSyncAction;

EarSyncAction *ear_sync_action_new (const char *podcast, const char *media, const char *guid,
                                    gint64 time);
GVariant *ear_sync_action_print (const EarSyncAction *action, const EarSyncAccount *account);
void ear_sync_action_free (EarSyncAction *self);

/* The requests of both services; a service does not have all of them. */
typedef enum
{
  EAR_SYNC_LIST_PODCASTS,   /* all podcasts that the account follows */
  EAR_SYNC_CHANGE_PODCASTS, /* follow and unfollow podcasts */
  EAR_SYNC_LIST_ACTIONS,    /* the actions since some time */
  EAR_SYNC_ADD_ACTIONS,     /* upload actions */
  EAR_SYNC_SET_DEVICE,      /* create this device, or set its name */
  EAR_SYNC_LIST_DEVICES,    /* the devices that share their podcasts, and the others */
  EAR_SYNC_LINK_DEVICES,    /* let this device share the podcasts of others */
  EAR_SYNC_START_LOGIN,     /* begin to sign in with a web browser */
  EAR_SYNC_POLL_LOGIN,      /* ask whether the listener has signed in there */
  EAR_SYNC_LOG_OUT,         /* make the password invalid */
} EarSyncCall;

/* The answer to any call; members that it does not have are empty. */
typedef struct
{
  guint status;        /* the HTTP status of a refusal, or 0 */
  GPtrArray *podcasts; /* (element-type utf8): addresses of feeds */
  GHashTable *moved;   /* (element-type utf8 utf8): replacements of sent addresses, or "" */
  GPtrArray *actions;  /* (element-type EarSyncAction) */
  guint n_actions;     /* also those of other kinds, such as downloads */
  GPtrArray *devices;  /* (element-type utf8): ids of the account's devices */
  GHashTable *words;   /* (element-type utf8 utf8): parts of a login, by name */
  gint64 timestamp;    /* the server's time, for the next call; 0: unknown */

  /* Private */
  GByteArray *body;
  EarSyncService service;
  gboolean needs_text; /* answers to uploads may be empty */
} EarSyncAnswer;

char *ear_sync_clean_address (const char *typed);
void ear_sync_call_async (EarHttp *http, const EarSyncAccount *account, EarSyncCall call,
                          gint64 since, GVariant *body, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data);
EarSyncAnswer *ear_sync_call_finish (GAsyncResult *result, GError **error);

G_END_DECLS
