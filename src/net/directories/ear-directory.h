/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-directory-entry.h"
#include "ear-http.h"

G_BEGIN_DECLS

typedef struct _EarDirectoryService EarDirectoryService;

extern const EarDirectoryService ear_directory_itunes;
extern const EarDirectoryService ear_directory_fyyd;

#define EAR_TYPE_DIRECTORY (ear_directory_get_type ())
G_DECLARE_FINAL_TYPE (EarDirectory, ear_directory, EAR, DIRECTORY, GObject)

EarDirectory *ear_directory_new         (EarHttp                   *http,
                                         const EarDirectoryService *service,
                                         const char                *base);
void          ear_directory_set_time_limit (EarDirectory *self, guint milliseconds);
void          ear_directory_set_country (EarDirectory *self, const char *country);
const char   *ear_directory_get_name    (EarDirectory *self);
gboolean      ear_directory_can_answer  (EarDirectory         *self,
                                         EarDirectoryQuestion  question,
                                         const char           *text);
void          ear_directory_ask_async   (EarDirectory         *self,
                                         EarDirectoryQuestion  question,
                                         const char           *text,
                                         GCancellable         *cancellable,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
GPtrArray    *ear_directory_ask_finish  (EarDirectory  *self,
                                         GAsyncResult  *result,
                                         GError       **error);

G_END_DECLS
