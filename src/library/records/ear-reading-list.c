/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-reading-list.h"

#include "ear-property.h"

#include <glib/gi18n-lib.h>

/* The marks of links: read and starred.
 * Each marked link has a record named by its key, with the members `read` and `starred`,
 * and `address` and `words` for people who read the file. A link without marks has no
 * record. The catalogue keeps no copy: queries for links pass the marked ones. */
struct _EarReadingList
{
  EAR_PART_MEMBERS;

  EarRecords *records; /* owned */
};

G_DEFINE_FINAL_TYPE (EarReadingList, ear_reading_list, EAR_TYPE_PART)

/* Members of the record */
static const char *const names[EAR_N_LINK_MARKS] = { "read", "starred" };

static void
changed_cb (EarReadingList *self)
{
  ear_notify (self, "n-starred");
  g_signal_emit_by_name (self, "changed");
}

static guint
count_starred (EarReadingList *self)
{
  g_autoptr (GArray) ids = NULL;

  /* Properties can be read before the records are set. */
  if (self->records == NULL)
    return 0;

  ids = ear_reading_list_list_ids (self, EAR_LINK_STARRED);

  return ids->len;
}

static void
ear_reading_list_release (EarReadingList *self)
{
  g_clear_object (&self->records);
}

static void
ear_reading_list_class_init (EarReadingListClass *klass)
{
  const EarProperty properties[] = {
    { "n-starred", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (count_starred) },
  };

  ear_class_set_release (klass, ear_reading_list_release);
  ear_class_add_properties (klass, properties);
  ear_signal_new (klass, "changed", 0);
}

static void
ear_reading_list_init (EarReadingList *self)
{
}

EarReadingList *
ear_reading_list_new (const EarServices *services)
{
  EarReadingList *self = ear_part_new (EAR_TYPE_READING_LIST, services);

  self->records = ear_records_new (services->state, EAR_RECORD_LINK);
  ear_connect (self->records, "changed", changed_cb, self);

  return self;
}

EAR_DEFINE_GET (EarReadingList, ear_reading_list, EarRecords *, records)

static gboolean
value_has (GVariant *value, EarLinkMark mark)
{
  gboolean marked = FALSE;

  return value != NULL && g_variant_lookup (value, names[mark], "b", &marked) && marked;
}

gboolean
ear_reading_list_has (EarReadingList *self, EarLink *link, EarLinkMark mark)
{
  return value_has (ear_records_lookup (self->records, link->key), mark);
}

guint
ear_reading_list_count_unread (EarReadingList *self, GPtrArray *links)
{
  guint n_unread = 0;

  for (guint i = 0; i < links->len; i++)
    n_unread += !ear_reading_list_has (self, g_ptr_array_index (links, i), EAR_LINK_READ);

  return n_unread;
}

/* Returns: (transfer full) (element-type gint64): ids of the marked links in the
 * catalogue */
GArray *
ear_reading_list_list_ids (EarReadingList *self, EarLinkMark mark)
{
  GArray *ids = ear_ids_new ();
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, ear_records_get_values (self->records));
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const gint64 id = ear_link_address_make_id (key);

      if (value_has (value, mark))
        g_array_append_val (ids, id);
    }

  return ids;
}

/* Returns: (transfer floating) (nullable): the new record with unknown members kept;
 * %NULL without marks */
static GVariant *
make_value (EarLink *link, GVariant *before, EarLinkMark mark, gboolean value)
{
  GVariantDict dict;
  gboolean marked = FALSE;

  g_variant_dict_init (&dict, before);
  for (guint i = 0; i < EAR_N_LINK_MARKS; i++)
    {
      const gboolean has = i == mark ? value : value_has (before, i);

      g_variant_dict_remove (&dict, names[i]);
      if (has)
        g_variant_dict_insert (&dict, names[i], "b", TRUE);
      marked = marked || has;
    }
  if (!marked)
    {
      g_variant_dict_clear (&dict);
      return NULL;
    }
  g_variant_dict_insert (&dict, "address", "s", link->address);
  g_variant_dict_insert (&dict, "words", "s", link->words);

  return g_variant_dict_end (&dict);
}

/* @message: (nullable): the message of the notice; %NULL: without Undo */
static void
change (EarReadingList *self, GPtrArray *links, EarLinkMark mark, gboolean value,
        const char *message)
{
  g_autoptr (GPtrArray) records = ear_records_new_array ();

  for (guint i = 0; i < links->len; i++)
    {
      EarLink *link = g_ptr_array_index (links, i);
      const char *key = link->key;
      GVariant *before = ear_records_lookup (self->records, key);

      if (value_has (before, mark) != value)
        g_ptr_array_add (records, ear_record_new (key, make_value (link, before, mark, value), 0));
    }
  if (message != NULL)
    ear_notices_offer_undo (self->notices, ear_records_change (self->records, records, message));
  else
    ear_records_set_all (self->records, records);
}

static void
change_one (EarReadingList *self, EarLink *link, EarLinkMark mark, gboolean value,
            const char *message)
{
  g_autoptr (GPtrArray) links = g_ptr_array_new ();

  g_ptr_array_add (links, link);
  change (self, links, mark, value, message);
}

/* Sets or removes a mark of a link, with Undo. */
void
ear_reading_list_set (EarReadingList *self, EarLink *link, EarLinkMark mark, gboolean value)
{
  const char *const messages[EAR_N_LINK_MARKS][2] = {
    { _("Link marked as unread"), _("Link marked as read") },
    { _("Star removed from link"), _("Link starred") },
  };

  change_one (self, link, mark, value, messages[mark][value]);
}

/* Marks an opened link as read, without a notice, as the listener now looks at the
 * page. */
void
ear_reading_list_open (EarReadingList *self, EarLink *link)
{
  change_one (self, link, EAR_LINK_READ, TRUE, NULL);
}

/* Marks links as read, with Undo. */
void
ear_reading_list_set_read (EarReadingList *self, GPtrArray *links)
{
  const guint n = ear_reading_list_count_unread (self, links);
  g_autofree char *message =
      g_strdup_printf (ngettext ("%u link marked as read", "%u links marked as read", n), n);

  change (self, links, EAR_LINK_READ, TRUE, message);
}
