/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-reference.h"
#include "ear-test-wait.h"

/* Links to other episodes in notes: their targets, and the order of listening */

#define SITE "https://show.simplecast.com/episodes/"
#define CDN "https://cdn.example.org/"

/* Episodes, which are named by their positions from 1 on */
static const struct
{
  const char *page, *media, *title, *number;
} episodes[] = {
  { SITE "harbours-11112222", CDN "harbours.mp3?aid=rss", "Harbours and Lights", "4" },
  { SITE "lamps-gPI5muII", CDN "lamps.mp3?aid=rss", "Lamps of the North", "1" },
  { SITE "tides-T4Bi__t_", CDN "tides.mp3?aid=rss", "Tides", "2" },
  { SITE "fog-aaaabbbb", NULL, "Fog, and What to Do in It", "3" },
  { SITE "fog-ccccdddd", NULL, "Horns and Bells", "3" },
  { "https://other.example.org/history-language" },
};

/* Notes with a block per line: `[address]` a link, `- ` a list item, `# ` a heading */
static EarNotes *
create_notes (const char *source)
{
  EarNotes *notes = ear_notes_new ();
  g_auto (GStrv) lines = g_strsplit (source, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const EarNotesBlockType type = g_str_has_prefix (lines[i], "- ")   ? EAR_NOTES_LIST_ITEM
                                     : g_str_has_prefix (lines[i], "# ") ? EAR_NOTES_HEADING
                                                                         : EAR_NOTES_PARAGRAPH;
      EarNotesBlock *block = ear_notes_add_block (notes, type, 1, 0);
      g_auto (GStrv) parts = g_strsplit_set (lines[i] + (type != EAR_NOTES_PARAGRAPH ? 2 : 0), "[]", -1);

      for (guint j = 0; parts[j] != NULL; j++)
        if (*parts[j] != '\0')
          ear_notes_block_add (block, parts[j], j % 2 == 1 ? parts[j] : NULL, -1, EAR_NOTES_STYLE_NONE);
    }

  return notes;
}

/* @expected: "2r": the second episode is referred to; f: it comes first; a: it comes after */
static void
check (const char *source, const char *expected)
{
  g_autoptr (GHashTable) targets = ear_reference_targets_new ();
  g_autoptr (EarNotes) notes = create_notes (source);

  for (guint i = 0; i < G_N_ELEMENTS (episodes); i++)
    {
      ear_reference_targets_add (targets, i + 1, episodes[i].page, episodes[i].media);
      if (episodes[i].title != NULL)
        ear_reference_targets_name (targets, i + 1, episodes[i].title, episodes[i].number);
    }
  g_autoptr (GPtrArray) references = ear_references_find (notes, 1, targets);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; i < references->len; i++)
    {
      const EarReference *reference = g_ptr_array_index (references, i);

      g_string_append_printf (found, "%s%" G_GINT64_FORMAT "%c", i > 0 ? " " : "", reference->episode,
                              "rfa"[reference->kind]);
    }
  g_test_message ("%.200s", source);
  g_assert_cmpstr (found->str, ==, expected);
}

/* Links to the page, also without the token that Simplecast appends, if the name is
 * unambiguous, and links to the media file */
static void
test_addresses (void)
{
  check ("See [" SITE "lamps-gPI5muII].", "2r");
  check ("See [http://show.simplecast.com/episodes/lamps-gPI5muII/#t=7].", "2r");
  check ("See [" SITE "lamps] and [" SITE "tides].", "2r 3r");
  check ("See [https://cdn.example.org/tides.mp3?aid=rss].", "3r");
  check ("See [" SITE "fog].", "");
  check ("See [" SITE "lamp].", "");
  check ("See [" SITE "].", "");
  check ("See [" SITE "harbours].", "");
  check ("See [https://other.example.org/history].", "");
  check ("See [https://other.example.org/history-language].", "6r");
  check ("See [mailto:a@example.org] or [https://example.org/].", "");
  /* An episode that is linked at two addresses is found by both. */
  check ("[" SITE "lamps], once more [" SITE "lamps], and [" SITE "lamps-gPI5muII]", "2r 2r");
}

/* Only words in the sentence of the link, or of its list, count. */
static void
test_order (void)
{
  check ("Other episodes to listen to first: [" SITE "lamps] [" SITE "tides]", "2f 3f");
  check ("Listen to [" SITE "lamps] first.", "2f");
  check ("Please listen to [" SITE "tides] and [" SITE "lamps] first!", "3f 2f");
  check ("First, listen to [" SITE "lamps].", "2f");
  check ("Hear [" SITE "lamps] before you listen to this one.", "2f");
  check ("Prerequisites: [" SITE "lamps]", "2f");
  check ("You may want to listen to this one before listening to [" SITE "tides] Questions follow", "3a");
  check ("Listen to these first:\n- [" SITE "lamps]\n- [" SITE "tides] is long\nSee also [https://other.example.org/history-language]", "2f 3f 6r");
  check ("# Prerequisites\n- [" SITE "lamps]\n# Further reading\n- [" SITE "tides]", "2f 3r");
  check ("Listen first. It is loud. See [" SITE "lamps].", "2r");
  check ("We first met in [" SITE "lamps].", "2r");
  check ("Listen to our first episode, [" SITE "lamps].", "2r");
  check ("Listen to it, and look at the first season: [" SITE "lamps].", "2r");
  check ("See [" SITE "lamps]. Listen to [" SITE "lamps] first.", "2f");
}

/* Numbers and titles, if they are unambiguous. Hostile notes make no additional references. */
static void
test_names (void)
{
  g_autofree char *deep = g_strnfill (200000, '"');
  g_autofree char *listens = g_strnfill (200000, ' ');
  g_autofree char *sentence = g_strconcat ("listen to", listens, "it [" SITE "lamps]", NULL);

  check ("As we said in episode 1.", "2r");
  check ("As in Ep. #2, and in episode 9", "3r");
  check ("Episode 3 is two.", "");
  check ("Episode 4 is this one.", "");
  check ("Episode 1 of another podcast", "");
  check ("In “lamps of the north,” we said so.", "2r");
  check ("In \"Lamps of the North\" we said so. Listen to “Horns and Bells” first.", "2r 5f");
  check ("Listen to episode 1 first, and to ep 2 then.", "2f 3f");
  check ("In “Tides” and Lamps of the North", "");
  check (deep, "");
  check (sentence, "2r");
  check ("", "");
}

static void
test_trace (void)
{
  static const char *const cases[][2] = {
    { SITE "lamps-gPI5muII", "show.simplecast.com/episodes/lamps" },
    { "https://www.example.org/ep/tides/", "example.org/ep/tides" },
    { "https://example.org/?p=7&x=1", "?p=7" },
    { "file:///lamps", NULL },
    { NULL, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    ear_test_assert_text (ear_reference_dup_trace (cases[i][0]), cases[i][1]);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reference/addresses", test_addresses);
  g_test_add_func ("/reference/order", test_order);
  g_test_add_func ("/reference/names", test_names);
  g_test_add_func ("/reference/trace", test_trace);

  return g_test_run ();
}
