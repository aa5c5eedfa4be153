/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episodes-page.h"
#include "ear-library.h"
#include "ear-test-server.h"

G_BEGIN_DECLS

/* A window with a library that follows a podcast of a test server */
typedef struct
{
  char *folder;
  EarTestServer *server;
  EarLibrary *library;
  GtkWindow *window;
  EarEpisodesPage *page;
  gint64 now; /* Unix seconds at its creation */
} WindowFixture;

void window_fixture_begin (WindowFixture *self);
void window_fixture_open  (WindowFixture *self);
void window_fixture_show  (WindowFixture *self,
                           const char    *path);
void window_fixture_end   (WindowFixture *self);

G_END_DECLS
