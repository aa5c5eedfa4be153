/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-format.h"
#include "ear-player.h"
#include "ear-scrubber.h"
#include "ear-test-wait.h"
#include "widget-finder.h"
#include "window-rest.h"

#include <adwaita.h>

/* The time under the pointer is drawn without a widget: the test reads
 * the render nodes. */

#define LENGTH (125 * G_USEC_PER_SEC)

typedef struct
{
  GtkWindow *window;
  GtkWidget *scrubber;
  GtkWidget *scale;
  EarPlayer *player;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = ear_episode_new (1, NULL, "guid");
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();

  facts->title = g_strdup ("One");
  facts->duration = LENGTH;
  ear_episode_set_facts (episode, facts);
  fixture->player = ear_player_new ("Earmark/test");
  ear_player_open (fixture->player, episode, NULL, "http://127.0.0.1:9/one.mp3", 0);
  fixture->scrubber = g_object_new (EAR_TYPE_SCRUBBER, "player", fixture->player, NULL);
  fixture->scale = find_widget (fixture->scrubber, GTK_TYPE_SCALE);
  fixture->window = g_object_new (GTK_TYPE_WINDOW, "default-width", 600, "title", "Scrubber", "child", fixture->scrubber, NULL);
  gtk_window_present (fixture->window);
  window_rest_wait (fixture->window);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
  g_clear_object (&fixture->player);
}

/* Collects glyphs in a rounded clip: only the plate with the time has any. */
static void
collect_letters (GskRenderNode *node, gboolean clipped, GArray *letters)
{
  const GskRenderNodeType type = gsk_render_node_get_node_type (node);

  if (type == GSK_CONTAINER_NODE)
    for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
      collect_letters (gsk_container_node_get_child (node, i), clipped, letters);
  else if (type == GSK_TRANSFORM_NODE)
    collect_letters (gsk_transform_node_get_child (node), clipped, letters);
  else if (type == GSK_ROUNDED_CLIP_NODE)
    collect_letters (gsk_rounded_clip_node_get_child (node), TRUE, letters);
  else if (type == GSK_TEXT_NODE && clipped)
    {
      guint n_glyphs;
      const PangoGlyphInfo *glyphs = gsk_text_node_get_glyphs (node, &n_glyphs);

      for (guint i = 0; i < n_glyphs; i++)
        if (glyphs[i].glyph != PANGO_GLYPH_EMPTY)
          g_array_append_val (letters, glyphs[i].glyph);
    }
}

static GArray *
read_plate (GtkWidget *widget)
{
  GArray *letters = g_array_new (FALSE, FALSE, sizeof (PangoGlyph));
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GskRenderNode *node;

  GTK_WIDGET_GET_CLASS (widget)->snapshot (widget, snapshot);
  node = gtk_snapshot_free_to_node (snapshot);
  collect_letters (node, FALSE, letters);
  gsk_render_node_unref (node);

  return letters;
}

/* Returns: (transfer full): the glyphs of @text in the font of the elapsed time */
static GArray *
write_letters (GtkWidget *scrubber, const char *text)
{
  GArray *letters = g_array_new (FALSE, FALSE, sizeof (PangoGlyph));
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (find_widget (scrubber, GTK_TYPE_LABEL), text);
  g_autoptr (PangoLayoutIter) iter = pango_layout_get_iter (layout);

  do
    {
      PangoLayoutRun *run = pango_layout_iter_get_run_readonly (iter);

      for (int i = 0; run != NULL && i < run->glyphs->num_glyphs; i++)
        if (run->glyphs->glyphs[i].glyph != PANGO_GLYPH_EMPTY)
          g_array_append_val (letters, run->glyphs->glyphs[i].glyph);
    }
  while (pango_layout_iter_next_run (iter));

  return letters;
}

static gboolean
says (Fixture *fixture, const char *text)
{
  g_autoptr (GArray) said = read_plate (fixture->scrubber);
  g_autoptr (GArray) wanted = write_letters (fixture->scrubber, text);

  return said->len == wanted->len && memcmp (said->data, wanted->data, said->len * sizeof (PangoGlyph)) == 0;
}

static void
assert_says (Fixture *fixture, const char *text)
{
  g_test_message ("under the pointer: %s", text);
  g_assert_true (says (fixture, text));
}

/* Emits @name, "motion" or "leave", on the controller of the slider. */
static void
tell (Fixture *fixture, const char *name, double x)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (fixture->scale);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
        g_signal_emit_by_name (controller, name, x, 5.0);
    }
}

static void
test_time_under_pointer (Fixture *fixture, gconstpointer data)
{
  GdkRectangle trough;

  gtk_range_get_range_rect (GTK_RANGE (fixture->scale), &trough);
  assert_says (fixture, "");
  tell (fixture, "motion", trough.x + trough.width / 4.0);
  assert_says (fixture, "0:31");
  tell (fixture, "motion", trough.x + trough.width / 2.0);
  assert_says (fixture, "1:02");
  tell (fixture, "motion", trough.x);
  assert_says (fixture, "0:00");
  /* Beyond the end of the slider */
  tell (fixture, "motion", trough.x + trough.width + 3);
  assert_says (fixture, "2:05");
  tell (fixture, "leave", 0);
  assert_says (fixture, "");
}

/* Moves the pointer to a fraction of the slider's width. */
static void
move_pointer (Fixture *fixture, double across)
{
  g_autofree char *output = NULL;
  g_autofree char *command = NULL;
  g_autoptr (GError) error = NULL;
  const char *place;
  graphene_point_t point;
  GdkRectangle trough;
  double left, top;

  /* The display counts the window's frame as part of the window. */
  gtk_range_get_range_rect (GTK_RANGE (fixture->scale), &trough);
  gtk_native_get_surface_transform (GTK_NATIVE (fixture->window), &left, &top);
  g_assert_true (gtk_widget_compute_point (fixture->scale, GTK_WIDGET (fixture->window),
                                           &GRAPHENE_POINT_INIT ((float) (trough.x + trough.width * across), (float) trough.y + 1), &point));
  g_spawn_command_line_sync ("xdotool search --onlyvisible --name ^Scrubber$ getwindowgeometry --shell", &output, NULL, NULL, &error);
  g_assert_no_error (error);
  place = strstr (output, "X=");
  g_assert_nonnull (place);
  left += g_ascii_strtod (place + strlen ("X="), NULL);
  place = strstr (output, "Y=");
  g_assert_nonnull (place);
  top += g_ascii_strtod (place + strlen ("Y="), NULL);
  command = g_strdup_printf ("xdotool mousemove %d %d", (int) (left + point.x), (int) (top + point.y));
  g_spawn_command_line_sync (command, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

/* A click seeks to the time under the pointer. */
static void
test_click (Fixture *fixture, gconstpointer data)
{
  const double places[] = { 0.1, 0.25, 0.6, 0.9, 0.98 };
  g_autofree char *xdotool = g_find_program_in_path ("xdotool");

  if (xdotool == NULL)
    {
      g_test_skip ("there is no xdotool");
      return;
    }

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr (GArray) said = NULL;
      g_autoptr (GArray) wanted = NULL;
      g_autofree char *text = NULL;
      gint64 before = ear_player_get_position (fixture->player);

      move_pointer (fixture, places[i]);
      EAR_TEST_WAIT_UNTIL (gtk_widget_get_state_flags (fixture->scale) & GTK_STATE_FLAG_PRELIGHT);
      window_rest_wait (fixture->window);
      said = read_plate (fixture->scrubber);
      g_spawn_command_line_sync ("xdotool click 1", NULL, NULL, NULL, NULL);
      EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) != before);
      text = ear_format_clock (ear_player_get_position (fixture->player));
      wanted = write_letters (fixture->scrubber, text);
      g_test_message ("%.0f %%: %s", places[i] * 100, text);
      g_assert_cmpmem (said->data, said->len * sizeof (PangoGlyph), wanted->data, wanted->len * sizeof (PangoGlyph));
    }
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv);
  adw_init ();

  g_test_add ("/ui/scrubber/time-under-pointer", Fixture, NULL, set_up, test_time_under_pointer, tear_down);
  g_test_add ("/ui/scrubber/click", Fixture, NULL, set_up, test_click, tear_down);

  return g_test_run ();
}
