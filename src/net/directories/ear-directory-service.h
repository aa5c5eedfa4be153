/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-directory-entry.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * EarDirectoryService:
 * @name: name of the service
 * @base: beginning of its URLs
 * @per_minute: requests a minute that it allows
 * @build: returns the URL that answers a question, %NULL if the service cannot
 * @read: returns the entries of an answer; may ask a second question, of kind
 *   %EAR_DIRECTORY_ID, by setting its last argument
 *
 * Description of one directory; any thread.
 */
typedef struct _EarDirectoryService
{
  const char *name;
  const char *base;
  guint per_minute;
  char *(*build) (const char *base, const char *country, EarDirectoryQuestion question, const char *text);
  GPtrArray *(*read) (JsonNode *root, EarDirectoryQuestion question, char **ids);
} EarDirectoryService;

typedef void (*EarDirectoryReadFunc) (JsonObject        *object,
                                      EarDirectoryEntry *entry);

extern const EarDirectoryService ear_directory_itunes;
extern const EarDirectoryService ear_directory_fyyd;

JsonNode   *ear_directory_json_parse      (const char  *text,
                                           gsize        length,
                                           GError     **error);
JsonArray  *ear_directory_json_get_array  (JsonNode    *node,
                                           const char  *name);
GPtrArray  *ear_directory_json_read_podcasts (JsonArray           *array,
                                              guint                limit,
                                              EarDirectoryReadFunc func);
char       *ear_directory_json_dup_line   (JsonObject  *object,
                                           const char  *name,
                                           gsize        limit);
char       *ear_directory_json_dup_address (JsonObject *object,
                                            const char *name);
char       *ear_directory_json_dup_first_address (JsonObject        *object,
                                                 const char *const *names);
guint       ear_directory_json_get_count  (JsonObject  *object,
                                           const char  *name);

G_END_DECLS
