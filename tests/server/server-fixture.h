/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-test-server.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

/* A server on its own thread, and an ordinary client on this one. */

typedef struct
{
  EarTestServer *server;
  SoupSession *session;
  char *text;      /* content of /text.txt */
  char *directory; /* served at / */
} Fixture;

typedef struct
{
  SoupMessage *message;
  GBytes *body; /* nullable */
  GError *error;
  double seconds;
} Answer;

void answer_clear (Answer *answer);
void set_up (Fixture *fixture, gconstpointer data);
void tear_down (Fixture *fixture, gconstpointer data);
void ask_with (Fixture *fixture, Answer *answer, const char *method, const char *url, const char *header, const char *value);
void ask (Fixture *fixture, Answer *answer, const char *path);
void ask_header (Fixture *fixture, Answer *answer, const char *path, const char *header, const char *value);
const char *header_of (Answer *answer, const char *name);
void assert_body (Answer *answer, const char *text, gsize length);
void assert_text (Fixture *fixture, Answer *answer);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Answer, answer_clear)

#define assert_status(answer, status)                                       \
  G_STMT_START                                                              \
    {                                                                       \
      g_assert_no_error ((answer)->error);                                  \
      g_assert_cmpuint (soup_message_get_status ((answer)->message), ==, status); \
    }                                                                       \
  G_STMT_END

G_END_DECLS
