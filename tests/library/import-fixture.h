/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"
#include "ear-test-server.h"

/* Shared by the tests of imports: a library in a folder of its own, a server with twenty
 * addresses, and the result of the last import or export. */
typedef struct
{
  char *folder;
  EarTestServer *server;
  EarLibrary *library;
  EarUndo *undo;
  gboolean done;
  int n_imported;
  GError *error;
} Fixture;

typedef gboolean (*Condition) (Fixture *fixture);

void wait_for (Fixture *fixture, Condition condition);
gboolean is_done (Fixture *fixture);
gboolean import_is_finished (Fixture *fixture);
char *dup_path (Fixture *fixture, const char *name);
void set_up (Fixture *fixture, gconstpointer data);
void tear_down (Fixture *fixture, gconstpointer data);
void import_file (Fixture *fixture, const char *path);
void import_text (Fixture *fixture, const char *text);
guint count_podcasts (Fixture *fixture);

#define ADD_IMPORT_TEST(name, function) g_test_add ("/import/" name, Fixture, NULL, set_up, function, tear_down)
