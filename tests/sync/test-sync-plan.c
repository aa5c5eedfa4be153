/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sync-plan.h"

/* The rules of syncing */

static gboolean
was_unfollowed (gpointer unfollowed, const char *address)
{
  return strstr (unfollowed, address) != NULL;
}

static char *
join (GPtrArray *texts)
{
  g_autoptr (GString) joined = g_string_new (NULL);

  for (guint i = 0; i < texts->len; i++)
    g_string_append_printf (joined, "%s%s", i > 0 ? " " : "",
                            strrchr (g_ptr_array_index (texts, i), '/') + 1);

  return g_string_free (g_steal_pointer (&joined), FALSE);
}

/* Podcasts are letters: an upper-case one is private; a pair "a>b" is known on the server
 * as b. */
typedef struct
{
  const char *name, *here, *known, *server, *unfollowed;
  const char *follow, *unfollow, *add, *remove;
} Case;

static const Case cases[] = {
  { "nothing", "", "", "", "", "", "", "", "" },
  { "the same", "a b", "a b", "a b", "", "", "", "", "" },
  { "first, both", "a", "", "b", "", "b", "", "a", "" },
  { "first, the same", "a", "", "a", "", "", "", "", "" },
  { "followed there", "a", "a", "a b", "", "b", "", "", "" },
  { "followed here", "a b", "a", "a", "", "", "", "b", "" },
  { "unfollowed there", "a b", "a b", "b", "", "", "a", "", "" },
  { "unfollowed here", "b", "a b", "a b", "a", "", "", "", "a" },
  { "unfollowed on both", "b", "a b", "b", "a", "", "", "", "" },
  { "lost here", "b", "a b", "a b", "", "a", "", "", "" },
  { "private", "A b", "b", "b", "", "", "", "", "" },
  { "private, known there", "A", "", "A", "", "", "", "", "" },
  { "corrected", "a", "a>c", "c", "", "", "", "", "" },
  { "corrected, unfollowed here", "", "a>c", "c", "a", "", "", "", "c" },
  { "refused", "a", "a>", "", "", "", "", "", "" },
};

static char *
make_address (const char *name)
{
  return g_strconcat ("https://example.org/", name,
                      g_ascii_isupper (*name) ? "?token=0123456789abcdef0123456789abcdef" : NULL,
                      NULL);
}

/* @address: (transfer full) */
static void
add_podcast (GListStore *podcasts, char *address)
{
  g_autofree char *owned = address;
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, owned);

  g_list_store_append (podcasts, podcast);
}

static void
test_plan (gconstpointer data)
{
  const Case *c = data;
  g_auto (GStrv) here = g_strsplit (c->here, " ", -1);
  g_auto (GStrv) known_names = g_strsplit (c->known, " ", -1);
  g_auto (GStrv) there = g_strsplit (c->server, " ", -1);
  g_autoptr (GListStore) followed = g_list_store_new (EAR_TYPE_PODCAST);
  g_autoptr (GPtrArray) server = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree char *unfollowed = make_address (*c->unfollowed != '\0' ? c->unfollowed : "-");
  g_auto (EarSyncPlan) plan = { 0 };
  EarSyncCounts counts = { 0 };
  g_autoptr (GPtrArray) new = g_ptr_array_new ();
  g_autoptr (GPtrArray) gone = g_ptr_array_new ();
  g_autoptr (GPtrArray) added = g_ptr_array_new ();
  g_autoptr (GPtrArray) removed = g_ptr_array_new ();
  g_autofree char *follow = NULL;
  g_autofree char *unfollow = NULL;
  g_autofree char *add = NULL;
  g_autofree char *remove = NULL;

  for (guint i = 0; here[i] != NULL && *here[i] != '\0'; i++)
    add_podcast (followed, make_address (here[i]));
  for (guint i = 0; known_names[i] != NULL && *known_names[i] != '\0'; i++)
    {
      g_auto (GStrv) pair = g_strsplit (known_names[i], ">", 2);
      const char *at = pair[1] != NULL ? pair[1] : pair[0];

      g_hash_table_insert (known, make_address (pair[0]),
                           *at != '\0' ? make_address (at) : g_strdup (""));
    }
  for (guint i = 0; there[i] != NULL && *there[i] != '\0'; i++)
    g_ptr_array_add (server, make_address (there[i]));

  ear_sync_plan_make (&plan, &counts, G_LIST_MODEL (followed), known, server, was_unfollowed,
                      unfollowed);
  for (guint i = 0; i < plan.here->len + plan.there->len; i++)
    {
      const gboolean is_here = i < plan.here->len;
      const EarSyncChange *change = is_here ? g_ptr_array_index (plan.here, i)
                                            : g_ptr_array_index (plan.there, i - plan.here->len);

      if (is_here)
        g_ptr_array_add (change->removed ? gone : new, change->removed ? change->address
                                                                       : change->there);
      else
        g_ptr_array_add (change->removed ? removed : added, change->there);
    }
  follow = join (new);
  unfollow = join (gone);
  add = join (added);
  remove = join (removed);
  g_assert_cmpstr (follow, ==, c->follow);
  g_assert_cmpstr (unfollow, ==, c->unfollow);
  g_assert_cmpstr (add, ==, c->add);
  g_assert_cmpstr (remove, ==, c->remove);
}

/* More than three removals, or a fifth, are asked about. */
static void
test_doubt (void)
{
  static const struct
  {
    guint n_removed, n_known;
    gboolean doubtful;
  } rows[] = { { 0, 0, FALSE }, { 1, 100, FALSE }, { 3, 100, FALSE }, { 4, 100, TRUE },
               { 1, 5, TRUE }, { 1, 6, FALSE },   { 2, 9, TRUE },    { 2, 2, TRUE } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GListStore) followed = g_list_store_new (EAR_TYPE_PODCAST);
      g_autoptr (GHashTable) known =
          g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      g_autoptr (GPtrArray) server = g_ptr_array_new_with_free_func (g_free);
      g_auto (EarSyncPlan) plan = { 0 };
      EarSyncCounts counts = { 0 };

      for (guint j = 0; j < rows[i].n_known; j++)
        {
          char *address = g_strdup_printf ("https://example.org/%u", j);

          g_hash_table_insert (known, g_strdup (address), g_strdup (address));
          if (j >= rows[i].n_removed)
            g_ptr_array_add (server, g_strdup (address));
          add_podcast (followed, address);
        }
      ear_sync_plan_make (&plan, &counts, G_LIST_MODEL (followed), known, server, was_unfollowed,
                          (char *) "");
      g_assert_cmpuint (counts.unfollow, ==, rows[i].n_removed);
      g_assert_true (plan.is_doubtful == rows[i].doubtful);
      ear_sync_plan_keep (&plan);
      g_assert_cmpuint (plan.here->len, ==, 0);
      g_assert_cmpuint (plan.there->len, ==, rows[i].n_removed);
      g_assert_cmpuint (counts.add, ==, rows[i].n_removed);
    }
}

#define SECOND G_TIME_SPAN_SECOND

/* The newest action wins, a played episode stays played, and a clock ahead does not win
 * for ever. */
static void
test_actions (void)
{
  EarSyncAction action = { .time = 1000, .position = 60, .total = 600 };
  EarEpisodeState state = { 0 };

  ear_sync_apply_action (&action, 0, 5000 * SECOND, &state);
  g_assert_cmpint (state.position, ==, 60 * SECOND);
  g_assert_cmpint (state.position_updated, ==, 1000 * SECOND);
  g_assert_cmpint (state.listened_updated, ==, 0);

  /* Older, though it comes later */
  action.time = 900;
  action.position = 30;
  ear_sync_apply_action (&action, 0, 5000 * SECOND, &state);
  g_assert_cmpint (state.position, ==, 60 * SECOND);

  action.time = 1100;
  action.position = 599;
  ear_sync_apply_action (&action, 0, 5000 * SECOND, &state);
  g_assert_cmpint (state.listened, ==, TRUE);
  g_assert_cmpint (state.position, ==, 0);

  action.time = 1200;
  action.position = 100;
  ear_sync_apply_action (&action, 0, 5000 * SECOND, &state);
  g_assert_cmpint (state.listened, ==, TRUE);
  g_assert_cmpint (state.position, ==, 100 * SECOND);

  /* A day ahead: the episode has marks */
  action.time = 90000;
  action.unplayed = TRUE;
  ear_sync_apply_action (&action, 0, 5000 * SECOND, &state);
  g_assert_cmpint (state.listened, ==, TRUE);
  g_assert_cmpint (state.position, ==, 100 * SECOND);

  /* The length is known here, but not to the server. */
  action = (EarSyncAction){ .time = 6000, .position = 595, .total = -1 };
  ear_sync_apply_action (&action, 600 * SECOND, 7000 * SECOND, &state);
  g_assert_cmpint (state.listened, ==, TRUE);
}

static void
test_upload (void)
{
  EarMediaMarks marks = { .media = (char *) "https://example.org/1.mp3", .duration = 600 * SECOND };
  EarEpisodeState server = { 0 }, news = { 0 };
  g_autoptr (GPtrArray) actions =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ear_sync_action_free);
  const EarSyncAction *action;

  marks.state.position = server.position = 90 * SECOND;
  marks.state.position_updated = server.position_updated = 1000 * SECOND;
  ear_sync_list_actions (&marks, &server, &news, 0, TRUE, "https://example.org/",
                         EAR_SYNC_GPODDER, actions);
  g_assert_cmpuint (actions->len, ==, 0);
  /* Older than the last upload: only if the server has nothing newer, and all is compared */
  server.position = 80 * SECOND;
  server.position_updated = 1001 * SECOND;
  ear_sync_list_actions (&marks, &server, &news, 1000 * SECOND, TRUE, "https://example.org/",
                         EAR_SYNC_GPODDER, actions);
  g_assert_cmpuint (actions->len, ==, 0);
  server.position_updated = 999 * SECOND;
  ear_sync_list_actions (&marks, &server, &news, 1000 * SECOND, FALSE, "https://example.org/",
                         EAR_SYNC_GPODDER, actions);
  g_assert_cmpuint (actions->len, ==, 0);
  ear_sync_list_actions (&marks, &server, &news, 1000 * SECOND, TRUE, "https://example.org/",
                         EAR_SYNC_GPODDER, actions);
  g_assert_cmpuint (actions->len, ==, 1);
  g_ptr_array_set_size (actions, 0);
  ear_sync_list_actions (&marks, &server, &news, 0, TRUE, "https://example.org/",
                         EAR_SYNC_GPODDER, actions);
  g_assert_cmpuint (actions->len, ==, 1);
  action = g_ptr_array_index (actions, 0);
  g_assert_cmpint (action->position, ==, 90);
  g_assert_cmpint (action->total, ==, 600);

  /* Played: its position is reset at the same time. */
  g_ptr_array_set_size (actions, 0);
  marks.state.position = 0;
  marks.state.listened = TRUE;
  marks.state.position_updated = marks.state.listened_updated = 2000 * SECOND;
  ear_sync_list_actions (&marks, &server, &news, 0, TRUE, "https://example.org/",
                         EAR_SYNC_GPODDER, actions);
  g_assert_cmpuint (actions->len, ==, 1);
  action = g_ptr_array_index (actions, 0);
  g_assert_cmpint (action->position, ==, 600);
  g_assert_cmpint (action->total, ==, 600);
  g_assert_false (action->unplayed);

  g_ptr_array_set_size (actions, 0);
  marks.state.listened = FALSE;
  marks.state.listened_updated = 3000 * SECOND;
  ear_sync_list_actions (&marks, &server, &news, 2500 * SECOND, TRUE, "https://example.org/",
                         EAR_SYNC_GPODDER, actions);
  g_assert_cmpuint (actions->len, ==, 1);
  action = g_ptr_array_index (actions, 0);
  g_assert_true (action->unplayed);
}

static void
test_addresses (void)
{
  static const struct
  {
    const char *typed, *clean;
  } rows[] = {
    { "cloud.example.org", "https://cloud.example.org" },
    { " https://cloud.example.org/ ", "https://cloud.example.org" },
    { "http://localhost:8080/sync/", "http://localhost:8080/sync" },
    { "https://cloud.example.org/index.php/apps/files/?dir=/", "https://cloud.example.org" },
    { "https://gpodder.example.org/api/2/", "https://gpodder.example.org" },
    { "", NULL },
    { "ftp://example.org", NULL },
    { "https://ada:lamp@example.org", NULL },
    { "not an address", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *clean = ear_sync_clean_address (rows[i].typed);

      g_assert_cmpstr (clean, ==, rows[i].clean);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/sync-plan/podcasts/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_plan);
    }
  g_test_add_func ("/sync-plan/doubt", test_doubt);
  g_test_add_func ("/sync-plan/actions", test_actions);
  g_test_add_func ("/sync-plan/upload", test_upload);
  g_test_add_func ("/sync-plan/addresses", test_addresses);

  return g_test_run ();
}
