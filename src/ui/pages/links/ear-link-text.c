/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-link-text.h"

#include <glib/gi18n.h>

#include "ear-format.h"

/* What is said of a link. */

/* What is not known is not said. */
static const struct
{
  const char *one;
  const char *all;
} kinds[EAR_N_LINK_KINDS] = {
  [EAR_LINK_OTHER] = { NULL, NC_("links", "Other") },
  [EAR_LINK_PULL_REQUEST] = { NC_("links", "Pull request"), NC_("links", "Pull Requests") },
  [EAR_LINK_ISSUE] = { NC_("links", "Issue"), NC_("links", "Issues") },
  [EAR_LINK_SOURCE] = { NC_("links", "Source code"), NC_("links", "Source Code") },
  [EAR_LINK_PAPER] = { NC_("links", "Paper"), NC_("links", "Papers") },
  [EAR_LINK_DOCUMENTATION] = { NC_("links", "Documentation"), NC_("links", "Documentation") },
  [EAR_LINK_BLOG] = { NC_("links", "Blog"), NC_("links", "Blogs") },
};

/* Returns: what such a page is; nothing where nobody knows */
const char *
ear_link_kind_text (EarLinkKind kind)
{
  return kinds[kind].one != NULL ? g_dpgettext2 (NULL, "links", kinds[kind].one) : "";
}

/* Returns: what all of the kind are called */
const char *
ear_link_kind_text_plural (EarLinkKind kind)
{
  return g_dpgettext2 (NULL, "links", kinds[kind].all);
}

/* Returns: (transfer full): what it is, where, and under which heading of the notes */
char *
ear_link_text_facts (EarLink *link)
{
  const char *heading = ear_link_get_heading (link);

  return ear_format_join ((const char *[]) { ear_link_kind_text (ear_link_get_kind (link)), ear_link_get_host (link),
                                             heading != NULL ? heading : "", NULL });
}

/* Returns: (transfer full): which episodes link to it */
char *
ear_link_text_source (EarLink *link)
{
  const guint n = ear_link_get_n_episodes (link);
  /* Translators: in how many episodes something is linked to */
  g_autofree char *count = n > 1 ? g_strdup_printf (ngettext ("In %'u episode", "In %'u episodes", n), n) : g_strdup ("");
  const char *title = ear_link_get_title (link);
  const char *podcast = ear_link_get_podcast (link);

  return ear_format_join ((const char *[]) { count, title != NULL ? title : "", podcast != NULL ? podcast : "", NULL });
}
