/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-row-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ear-format.h"

/*
 * Where the words of a search are in a row's episode: emphasized in its title, and in a line or two
 * of its notes, or of what else has them. Of what has a time, that is a link, which plays from there.
 */

/* @lead: how many bytes stand before the text */
static PangoAttrList *
embolden (GArray *ranges, guint lead)
{
  PangoAttrList *attributes = pango_attr_list_new ();

  for (guint i = 0; i < ranges->len; i++)
    {
      const EarSnippetRange *range = &g_array_index (ranges, EarSnippetRange, i);
      PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);

      bold->start_index = lead + range->start;
      bold->end_index = lead + range->end;
      pango_attr_list_insert (attributes, bold);
    }

  return attributes;
}

static void
emphasize (EarEpisodeRow *self, PangoAttrList *found)
{
  if (self->found == NULL && found == NULL)
    return;

  g_clear_pointer (&self->found, pango_attr_list_unref);
  self->found = found != NULL ? pango_attr_list_ref (found) : NULL;
  g_clear_object (&self->title_layout);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static const char *
get_kind_name (EarSnippetKind kind)
{
  switch (kind)
    {
    case EAR_SNIPPET_LINK:
      return _("Link");
    case EAR_SNIPPET_CHAPTER:
      return _("Chapter");
    case EAR_SNIPPET_BOOKMARK:
      return _("Bookmark");
    case EAR_SNIPPET_TRANSCRIPT:
      return _("Transcript");
    case EAR_SNIPPET_NOTES:
    default:
      return _("Notes");
    }
}

/* What was found, and when it is: the text may be written in another direction. */
static char *
make_markup (const EarSnippet *snippet)
{
  const char *kind = get_kind_name (snippet->kind);
  g_autofree char *clock = snippet->time >= 0 ? ear_format_clock (snippet->time) : NULL;
  /* Translators: the tooltip of a time stamp: Play from 12:03 */
  g_autofree char *tooltip = clock != NULL ? g_strdup_printf (_("Play From %s"), clock) : NULL;
  g_autofree char *link = clock != NULL ? g_markup_printf_escaped (" <a href='play' title='%s'>%s</a>", tooltip, clock) : g_strdup ("");
  g_autofree char *escaped_kind = g_markup_escape_text (kind, -1);
  g_autofree char *text = g_markup_escape_text (snippet->text, -1);

  return g_strconcat (escaped_kind, link, " · " EAR_FIRST_STRONG_ISOLATE, text, EAR_POP_ISOLATE, NULL);
}

static void
snippet_cb (const EarSnippet *snippet, gpointer user_data)
{
  EarEpisodeRow *self = user_data;
  g_autoptr (PangoAttrList) title = NULL;
  g_autoptr (PangoAttrList) text = NULL;
  g_autofree char *markup = NULL;
  gsize lead = 0;

  if (snippet == NULL || self->snippet == NULL)
    return;

  markup = snippet->text != NULL ? make_markup (snippet) : g_strdup ("");
  gtk_label_set_markup (self->snippet, markup);
  gtk_widget_set_visible (GTK_WIDGET (self->snippet), snippet->text != NULL);
  if (snippet->text != NULL)
    lead = strlen (gtk_label_get_text (self->snippet)) - strlen (snippet->text) - strlen (EAR_POP_ISOLATE);
  title = embolden (snippet->title_ranges, 0);
  text = embolden (snippet->ranges, (guint) lead);
  emphasize (self, title);
  self->found_time = snippet->time;
  gtk_label_set_attributes (self->snippet, text);
}

/* Plays the episode from where the words are in it, if that has a time. */
void
ear_episode_row_play_found (EarEpisodeRow *self)
{
  g_autofree char *key = self->episode != NULL ? ear_episode_dup_key (self->episode) : NULL;

  if (key != NULL && self->snippet != NULL && gtk_widget_get_visible (GTK_WIDGET (self->snippet)) && self->found_time >= 0)
    gtk_widget_activate_action (GTK_WIDGET (self), "app.play-episode-at", "(sx)", key, self->found_time);
}

static gboolean
link_activated_cb (EarEpisodeRow *self)
{
  ear_episode_row_play_found (self);

  return TRUE;
}

static void
make_snippet (EarEpisodeRow *self)
{
  self->found_time = -1;
  self->snippet = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_set_visible (GTK_WIDGET (self->snippet), FALSE);
  gtk_label_set_xalign (self->snippet, 0);
  gtk_label_set_yalign (self->snippet, 0);
  gtk_label_set_wrap (self->snippet, TRUE);
  gtk_label_set_wrap_mode (self->snippet, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (self->snippet, 2);
  gtk_label_set_ellipsize (self->snippet, PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (GTK_WIDGET (self->snippet), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->snippet), "snippet");
  g_signal_connect_swapped (self->snippet, "activate-link", G_CALLBACK (link_activated_cb), self);
  gtk_widget_set_parent (GTK_WIDGET (self->snippet), GTK_WIDGET (self));
}

/* Asks where the words are in its episode, if any are looked for. What was found for other words of the same episode
 * stays until there is something new. */
void
ear_episode_row_update_snippet (EarEpisodeRow *self)
{
  const gboolean wanted = self->episode != NULL && self->snippets != NULL && ear_snippet_queue_get_search (self->snippets) != NULL;

  if (wanted && self->snippet == NULL)
    make_snippet (self);
  if (self->snippet == NULL)
    return;

  if (wanted)
    ear_snippet_queue_add (self->snippets, self->episode, snippet_cb, self);
  else
    {
      gtk_widget_set_visible (GTK_WIDGET (self->snippet), FALSE);
      emphasize (self, NULL);
    }
}

/* Shows nothing of what was found in another episode. */
void
ear_episode_row_forget_snippet (EarEpisodeRow *self)
{
  if (self->snippet == NULL)
    return;

  if (self->snippets != NULL)
    ear_snippet_queue_remove (self->snippets, self);
  emphasize (self, NULL);
  self->found_time = -1;
  gtk_label_set_label (self->snippet, "");
  gtk_widget_set_visible (GTK_WIDGET (self->snippet), FALSE);
}

/* Shows what it finds, from now on. */
void
ear_episode_row_follow_snippets (EarEpisodeRow *self, EarSnippetQueue *snippets)
{
  if (self->snippets == snippets)
    return;

  if (self->snippets != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->snippets, self);
      ear_snippet_queue_remove (self->snippets, self);
    }
  g_set_object (&self->snippets, snippets);
  if (snippets != NULL)
    g_signal_connect_object (snippets, "notify::search", G_CALLBACK (ear_episode_row_update_snippet), self, G_CONNECT_SWAPPED);
  ear_episode_row_update_snippet (self);
  g_object_notify (G_OBJECT (self), "snippets");
}
