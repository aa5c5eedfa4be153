/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

typedef struct
{
  char *user;
  char *password;
} EarLogin;

EarLogin *ear_login_new  (const char     *user,
                          const char     *password);
EarLogin *ear_login_copy (const EarLogin *self);
void      ear_login_free (EarLogin       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarLogin, ear_login_free)

#define EAR_TYPE_KEYRING (ear_keyring_get_type ())
G_DECLARE_FINAL_TYPE (EarKeyring, ear_keyring, EAR, KEYRING, GObject)

EarKeyring     *ear_keyring_new         (void);
const EarLogin *ear_keyring_peek        (EarKeyring *self,
                                         const char *podcast,
                                         const char *address);
void            ear_keyring_find_async  (EarKeyring          *self,
                                         const char          *podcast,
                                         const char          *address,
                                         GCancellable        *cancellable,
                                         GAsyncReadyCallback  callback,
                                         gpointer             user_data);
EarLogin       *ear_keyring_find_finish (EarKeyring    *self,
                                         GAsyncResult  *result,
                                         GError       **error);
void            ear_keyring_keep        (EarKeyring     *self,
                                         const char     *podcast,
                                         const char     *address,
                                         const EarLogin *login);
void            ear_keyring_try         (EarKeyring     *self,
                                         const char     *podcast,
                                         const char     *address,
                                         const EarLogin *login);
void            ear_keyring_judge       (EarKeyring *self,
                                         const char *podcast,
                                         const char *address,
                                         const char *user,
                                         const char *password,
                                         gboolean    taken);
char           *ear_keyring_take_login  (EarKeyring *self,
                                         const char *podcast,
                                         const char *address);
void            ear_keyring_try_login   (EarKeyring *self,
                                         const char *podcast,
                                         const char *address);
void            ear_keyring_forget      (EarKeyring *self,
                                         const char *podcast);

G_END_DECLS
