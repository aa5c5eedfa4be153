/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-actions.h"

#include <glib/gi18n.h>

#include "ear-address.h"
#include "ear-dialog.h"
#include "ear-episode.h"
#include "ear-property.h"
#include "ear-share.h"

/* More selected episodes than these are not looked at one by one: each may
 * have to be read. */
#define MAX_EXAMINED 100

/**
 * EarEpisodeActions:
 *
 * The verbs of an episode, from one table: the actions `episode.*` of a widget for the
 * episode that it shows, or `list.*` for the episodes that are selected in it, the menus,
 * the buttons of the selection bar and the keys. The widget has the properties `library`
 * (EarLibrary) and `list` (EarEpisodeList, the list that the episodes are in).
 */
struct _EarEpisodeActions
{
  GObject parent_instance;

  /* Borrowed */
  GtkWidget *widget; /* owns this object */
  GtkSelectionModel *selection; /* (nullable): the episodes, where there may be several */

  /* Owned */
  EarEpisode *episode; /* (nullable): the only one */
  GSimpleActionGroup *group;
  GSignalGroup *episode_signals;
  GSignalGroup *podcast_signals;
  GHashTable *buttons; /* of the selection bar, by their verbs: both borrowed */
};

G_DEFINE_FINAL_TYPE (EarEpisodeActions, ear_episode_actions, G_TYPE_OBJECT)

/* --- The functions of the table ----------------------------------------------------- */

/* Traits of an episode, on which verbs depend */
typedef enum
{
  ANY_EPISODE,
  PLAYABLE,
  QUEUED,
  LISTENED,
  LIKED,
  DOWNLOADABLE,
  HAS_DOWNLOAD,
  DOWNLOADED,
  DOWNLOAD_FAILED,
  DOWNLOAD_ACTIVE,
  DOWNLOAD_PAUSED,
  DOWNLOAD_UNFINISHED,
  FITS_LISTS,
  HAS_SUPPORT,
  HAS_ADDRESS,
  HAS_PODCAST,
  HAS_CODE,
  HAS_LINK,
  N_TRAITS,
} Trait;

/* The lists that verbs take episodes out of */
typedef enum
{
  OTHER_LIST,
  NEW,
  IN_PROGRESS,
  UP_NEXT,
  OWN_LIST,
} List;

typedef struct _Verb Verb;

struct _Verb
{
  const char *name;   /* of the action, behind "episode." and "list." */
  const char *undo;   /* (nullable): the action that takes it back */
  const char *toggle; /* (nullable): the stateful action that does either */
  const char *label, *undo_label, *undo_label_several;
  const char *icon_name;
  EarAccelerator key; /* (nullable action): the window's, which does it to the selected episodes or
                         the one that is shown */
  EarEpisodeMenu menus;
  guint section; /* of the menus */
  EarMark mark;
  Trait has;      /* 0: none */
  Trait can;      /* 0: any */
  Trait can_undo; /* 0: @has */
  List list;      /* Delete does it in this list, or undoes it if that is possible; other
                     lists do not have a verb that cannot be undone */
  gboolean yields_to_list, yields_to_download; /* left out of the menu of a row whose list has a
                                                  verb of its own, or whose episode is not
                                                  downloaded yet: it has at most eight entries */
  void (*set) (EarEpisodeActions *self, const Verb *verb, gboolean value);
};

static EarLibrary *
get_library (EarEpisodeActions *self)
{
  g_autoptr (EarLibrary) library = NULL;

  g_object_get (self->widget, "library", &library, NULL);

  return library; /* the widget keeps it */
}

/* Returns: (nullable): the list that the episodes are in */
static EarEpisodeList *
get_list (EarEpisodeActions *self)
{
  g_autoptr (EarEpisodeList) list = NULL;

  g_object_get (self->widget, "list", &list, NULL);

  return list; /* the widget keeps it */
}

/* Returns: (transfer full) (element-type EarEpisode): the episodes, in the
 * order of the list */
GPtrArray *
ear_episode_actions_dup_episodes (EarEpisodeActions *self)
{
  GPtrArray *episodes = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GtkBitset) selected =
      self->selection != NULL ? gtk_selection_model_get_selection (self->selection) : NULL;

  for (guint i = 0; selected != NULL && i < gtk_bitset_get_size (selected); i++)
    {
      EarEpisode *episode = g_list_model_get_item (G_LIST_MODEL (self->selection),
                                                   gtk_bitset_get_nth (selected, i));

      if (episode != NULL)
        g_ptr_array_add (episodes, episode);
    }
  if (self->episode != NULL)
    g_ptr_array_add (episodes, g_object_ref (self->episode));

  return episodes;
}

/* Returns: (transfer full) (element-type gint64): row ids of the selected episodes */
static GArray *
dup_ids (EarEpisodeActions *self)
{
  EarEpisodeList *list = get_list (self);
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (self->selection);
  GArray *ids = ear_ids_new ();

  for (guint i = 0; i < gtk_bitset_get_size (selected); i++)
    {
      const gint64 id = ear_episode_list_get_id (list, gtk_bitset_get_nth (selected, i));

      g_array_append_val (ids, id);
    }

  return ids;
}

/* Returns: (nullable): the page on which listeners support an episode, or
 * else its podcast */
static const char *
get_support (EarEpisode *episode)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  GPtrArray *funding = ear_episode_get_facts (episode)->funding;

  if (funding->len == 0 && podcast != NULL)
    funding = ear_podcast_get_facts (podcast)->funding;

  return funding->len > 0 ? ((EarFunding *) g_ptr_array_index (funding, 0))->address : NULL;
}

/* Counts the episodes with each trait. */
static void
count_traits (GPtrArray *episodes, guint counts[N_TRAITS])
{
  for (guint i = 0; i < episodes->len; i++)
    {
      EarEpisode *episode = g_ptr_array_index (episodes, i);
      EarPodcast *podcast = ear_episode_get_podcast (episode);
      const EarDownload download = ear_episode_get_download (episode);
      /* An episode of a previewed podcast is not downloaded. */
      const gboolean downloadable =
          ear_episode_get_address (episode, EAR_ADDRESS_MEDIA) != NULL && podcast != NULL &&
          ear_podcast_get_followed (podcast);
      const gboolean waiting = download == EAR_DOWNLOAD_WAITING;
      const gboolean traits[N_TRAITS] = {
        [ANY_EPISODE] = TRUE,
        [PLAYABLE] = ear_episode_get_enclosure (episode) != NULL,
        [QUEUED] = ear_queue_has (episode),
        [LISTENED] = ear_episode_get_listened (episode),
        [LIKED] = ear_episode_get_liked (episode),
        [DOWNLOADABLE] = downloadable,
        [HAS_DOWNLOAD] = ear_episode_has_download (episode),
        [DOWNLOADED] = download == EAR_DOWNLOAD_DONE,
        /* A download that waits after an error can be tried at once. */
        [DOWNLOAD_FAILED] =
            downloadable && (download == EAR_DOWNLOAD_FAILED ||
                             (waiting && ear_episode_get_download_error (episode) != NULL)),
        [DOWNLOAD_ACTIVE] = waiting || download == EAR_DOWNLOAD_RUNNING,
        [DOWNLOAD_PAUSED] = download == EAR_DOWNLOAD_PAUSED,
        [DOWNLOAD_UNFINISHED] = download != EAR_DOWNLOAD_NONE && download != EAR_DOWNLOAD_DONE,
        [FITS_LISTS] = ear_lists_accept (episode),
        [HAS_SUPPORT] = get_support (episode) != NULL,
        [HAS_ADDRESS] = ear_episode_get_address (episode, EAR_ADDRESS_LINK) != NULL,
        [HAS_PODCAST] = podcast != NULL,
#ifdef HAVE_QRENCODE
        /* No verb of several episodes has this condition, which copies their addresses. */
        [HAS_CODE] = episodes->len == 1 && ear_phone_dialog_can_show (episode),
#endif
        [HAS_LINK] = ear_episode_get_facts (episode)->link != NULL,
      };

      for (guint trait = 0; trait < N_TRAITS; trait++)
        counts[trait] += traits[trait];
    }
}

static List
find_list (EarEpisodeActions *self)
{
  EarEpisodeList *list = get_list (self);
  const EarEpisodeQuery *query = list != NULL ? ear_episode_list_get_query (list) : NULL;

  if (query == NULL)
    return OTHER_LIST;
  if (query->list != NULL && ear_episode_query_is_whole (query))
    return OWN_LIST;
  if (query->filter == EAR_FILTER_QUEUED && ear_episode_query_is_whole (query))
    return UP_NEXT;
  if (query->filter == EAR_FILTER_NEW)
    return NEW;
  if (query->filter == EAR_FILTER_IN_PROGRESS)
    return IN_PROGRESS;

  return OTHER_LIST;
}

static void
set_mark (EarEpisodeActions *self, const Verb *verb, gboolean value)
{
  EarHistory *history = ear_library_get_history (get_library (self));
  g_autoptr (GArray) ids = NULL;

  if (self->selection == NULL)
    {
      ear_history_set_mark (history, self->episode, verb->mark, value);
      return;
    }

  /* Ids, not a query: a search lists only the newest of very many hits, and a
   * query finds all. */
  ids = dup_ids (self);
  ear_history_set_marks (
      history,
      &(EarMarkTarget) { .ids = ids, .query = ear_episode_list_get_query (get_list (self)) },
      verb->mark, value);
}

static void
play_next (EarEpisodeActions *self, const Verb *verb, gboolean value)
{
  g_autoptr (GPtrArray) episodes = ear_episode_actions_dup_episodes (self);

  ear_queue_add_next (ear_library_get_queue (get_library (self)), episodes);
}

static void
set_queued (EarEpisodeActions *self, const Verb *verb, gboolean value)
{
  EarQueue *queue = ear_library_get_queue (get_library (self));
  g_autoptr (GPtrArray) episodes = ear_episode_actions_dup_episodes (self);

  if (value)
    ear_queue_add_last (queue, episodes);
  else
    ear_queue_remove (queue, episodes);
}

static void
set_downloaded (EarEpisodeActions *self, const Verb *verb, gboolean value)
{
  EarDownloader *downloader = ear_library_get_downloader (get_library (self));
  g_autoptr (GArray) ids = self->selection != NULL ? dup_ids (self) : NULL;

  if (ids != NULL && value)
    ear_downloader_download_many (downloader, ids);
  else if (ids != NULL)
    ear_downloader_remove_many (downloader, ids);
  else if (value)
    ear_downloader_download (downloader, self->episode);
  else
    ear_downloader_remove (downloader, self->episode);
}

static void
pause_download (EarEpisodeActions *self, const Verb *verb, gboolean value)
{
  ear_downloader_pause (ear_library_get_downloader (get_library (self)), self->episode);
}

static void
cancel_download (EarEpisodeActions *self, const Verb *verb, gboolean value)
{
  set_downloaded (self, verb, FALSE);
}

static void
show_file (EarEpisodeActions *self, const Verb *verb, gboolean value)
{
  g_autofree char *path =
      ear_downloader_dup_file (ear_library_get_downloader (get_library (self)), self->episode);

  if (path != NULL)
    ear_show_in_folder (self->widget, path);
}

static void
add_to_list (EarEpisodeActions *self, const Verb *verb, gboolean value)
{
  g_autoptr (GPtrArray) episodes = ear_episode_actions_dup_episodes (self);

  ear_list_chooser_present (get_library (self), self->widget, episodes);
}

static void
remove_from_list (EarEpisodeActions *self, const Verb *verb, gboolean value)
{
  EarLists *lists = ear_library_get_lists (get_library (self));
  EarList *list = ear_lists_find (lists, ear_episode_list_get_query (get_list (self))->list);
  g_autoptr (GPtrArray) episodes = ear_episode_actions_dup_episodes (self);

  if (list != NULL)
    ear_lists_take_out (lists, list, episodes);
}

static void
support (EarEpisodeActions *self, const Verb *verb, gboolean value)
{
  ear_open_address (self->widget, get_support (self->episode));
}

static void
open_link (EarEpisodeActions *self, const Verb *verb, gboolean value)
{
  ear_open_address (self->widget, ear_episode_get_facts (self->episode)->link);
}

static gint64
get_time (EarEpisodeActions *self)
{
  return ear_playback_controller_get_time (ear_library_get_playback_controller (get_library (self)),
                                           self->episode);
}

/* Also copies the link at the current time. */
static void
copy_link (EarEpisodeActions *self, const Verb *verb, gboolean value)
{
  const char *address = ear_episode_get_address (self->episode, EAR_ADDRESS_LINK);
  g_autofree char *link =
      ear_address_at_time (address, g_str_equal (verb->name, "copy-link") ? 0 : get_time (self));

  ear_copy_address (self->widget, link,
                    ear_episode_is_address_private (self->episode, EAR_ADDRESS_LINK));
}

static void
quoted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;
  g_autofree char *quote = g_task_propagate_pointer (G_TASK (result), NULL);

  if (quote != NULL)
    ear_copy_text (widget, quote);
}

/* Copies the sentence that is spoken at this time, with its source. No question is asked:
 * only public addresses are in it. */
static void
copy_quote (EarEpisodeActions *self, const Verb *verb, gboolean value)
{
  ear_bookmarks_quote_async (ear_library_get_bookmarks (get_library (self)), self->episode,
                             get_time (self), quoted_cb, g_object_ref (self->widget));
}

static void
show_code (EarEpisodeActions *self, const Verb *verb, gboolean value)
{
  ear_show_code (self->widget, self->episode, get_time (self));
}

/* --- The table ---------------------------------------------------------------------- */

#define PAGE EAR_EPISODE_MENU_PAGE
#define ROW EAR_EPISODE_MENU_ROW
#define SELECTION EAR_EPISODE_MENU_SELECTION
#define SHARE EAR_EPISODE_MENU_SHARE
#define BAR EAR_EPISODE_MENU_BAR
#define KEY(name_, key_, title_) .key = { "win." name_, { key_ }, title_ }

/* In the order of the menus and of the keys. The page has buttons for the verbs
 * that its menu lacks. */
static const Verb verbs[] = {
  { "play-next", .label = N_("Play Ne_xt"), .menus = PAGE | ROW | SELECTION, .can = PLAYABLE,
    .set = play_next },
  { "play-last", "remove-from-queue", "toggle-queued", N_("Add to _Up Next"),
    N_("Remove From _Up Next"), .icon_name = "ear-queue-add-symbolic",
    KEY ("toggle-queued", "<Ctrl>U", N_("Add to or remove from Up Next")), .menus = ROW | BAR,
    .has = QUEUED, .can = PLAYABLE, .list = UP_NEXT, .set = set_queued },
  { "mark-listened", "mark-unlistened", "toggle-listened", N_("_Mark as Played"),
    N_("_Mark as Unplayed"), .icon_name = "object-select-symbolic",
    KEY ("toggle-listened", "<Ctrl>L", N_("Mark as played or unplayed")), .menus = ROW | BAR,
    .section = 1, .mark = EAR_MARK_LISTENED, .has = LISTENED, .set = set_mark },
  { "like", "unlike", "toggle-liked", N_("_Like"), N_("Un_like"),
    .icon_name = "ear-like-symbolic", KEY ("toggle-liked", "<Ctrl>D", N_("Like or unlike")),
    .menus = ROW | BAR, .section = 1, .yields_to_download = TRUE, .mark = EAR_MARK_LIKED,
    .has = LIKED, .set = set_mark },
  { "download", "remove-download", "toggle-download",
    /* Translators: the verb, of an episode */
    N_("Do_wnload"), N_("Remove Do_wnload"), N_("Remove Do_wnloads"),
    .icon_name = "folder-download-symbolic",
    KEY ("toggle-download", "<Ctrl>S", N_("Download or remove download")), .menus = ROW | BAR,
    .section = 1, .has = HAS_DOWNLOAD, .can = DOWNLOADABLE, .can_undo = DOWNLOADED,
    .set = set_downloaded },
  { "retry-download", .label = N_("_Retry"), .menus = PAGE | ROW, .section = 1,
    .can = DOWNLOAD_FAILED, .set = set_downloaded },
  { "pause-download", .label = N_("_Pause Download"), .menus = PAGE | ROW, .section = 1,
    .can = DOWNLOAD_ACTIVE, .set = pause_download },
  { "resume-download", .label = N_("_Resume Download"), .menus = PAGE | ROW, .section = 1,
    .can = DOWNLOAD_PAUSED, .set = set_downloaded },
  { "cancel-download", .label = N_("Cancel Do_wnload"), .menus = ROW, .section = 1,
    .yields_to_list = TRUE, .can = DOWNLOAD_UNFINISHED, .set = cancel_download },
  { "show-file", .label = N_("Show _File"), .menus = PAGE, .section = 1, .can = DOWNLOADED,
    .set = show_file },
  { "add-to-list", .label = N_("Add to L_ist…"),
    KEY ("add-to-list", "<Ctrl><Shift>L", N_("Add to list")), .menus = PAGE | ROW | SELECTION,
    .section = 2, .yields_to_list = TRUE, .yields_to_download = TRUE, .can = FITS_LISTS,
    .set = add_to_list },
  { "remove-from-list", .label = N_("R_emove From List"), .menus = ROW | SELECTION, .section = 2,
    .list = OWN_LIST, .set = remove_from_list },
  { "remove-from-new",
    /* Translators: New and In Progress are the lists; the episode stays in its podcast */
    .label = N_("R_emove From New"), .menus = PAGE | ROW | SELECTION, .section = 2,
    .mark = EAR_MARK_REMOVED, .list = NEW, .set = set_mark },
  { "remove-from-in-progress", .label = N_("R_emove From In Progress"),
    .menus = PAGE | ROW | SELECTION, .section = 2, .mark = EAR_MARK_REMOVED,
    .list = IN_PROGRESS, .set = set_mark },
  { "support", .label = N_("S_upport This Podcast"), .menus = PAGE, .section = 2,
    .can = HAS_SUPPORT, .set = support },
  { "copy-link", .label = N_("_Copy Link"), KEY ("copy-link", "<Ctrl><Shift>C", N_("Copy link")),
    .menus = SHARE, .can = HAS_ADDRESS, .set = copy_link },
  { "copy-link-at-time", .label = N_("Copy Link at This _Time"),
    KEY ("copy-link-at-time", "<Ctrl><Shift>T", N_("Copy link at this time")), .menus = SHARE,
    .can = HAS_ADDRESS, .set = copy_link },
  { "copy-quote", KEY ("copy-quote", "<Ctrl><Shift>K", N_("Copy quote at current time")),
    .can = HAS_PODCAST, .set = copy_quote },
#ifdef HAVE_QRENCODE
  { "show-code", .label = N_("Continue on _Phone…"),
    KEY ("show-code", "<Ctrl><Shift>P", N_("Continue on phone")), .menus = SHARE,
    .can = HAS_CODE, .set = show_code },
#endif
  { "open-link", .label = N_("_Open in Web Browser"),
    KEY ("open-link", "<Ctrl>B", N_("Open in web browser")), .menus = SHARE, .section = 1,
    .can = HAS_LINK, .set = open_link },
};

/* --- Menus and keys ----------------------------------------------------------------- */

/* Returns: whether the menu of a row lacks the verb */
static gboolean
yields (EarEpisodeActions *self, const Verb *verb)
{
  const List list = find_list (self);
  const EarDownload download =
      self->episode != NULL ? ear_episode_get_download (self->episode) : EAR_DOWNLOAD_NONE;

  return (verb->yields_to_list && list != OTHER_LIST && list != UP_NEXT) ||
         (verb->yields_to_download && download != EAR_DOWNLOAD_NONE &&
          download != EAR_DOWNLOAD_DONE);
}

static void
append (GMenu *menu, const char *label, const char *group, const char *name)
{
  g_autofree char *action = g_strconcat (group, ".", name, NULL);
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);

  g_menu_item_set_attribute (item, "hidden-when", "s", "action-disabled");
  g_menu_append_item (menu, item);
}

static void
append_verb (EarEpisodeActions *self, GMenu *menu, const Verb *verb, EarEpisodeMenu which)
{
  const gboolean several = which == EAR_EPISODE_MENU_SELECTION;
  const char *group = several ? "list" : "episode";

  if (which == EAR_EPISODE_MENU_ROW && yields (self, verb))
    return;
  if ((verb->menus & which) != 0)
    append (menu, _(verb->label), group, verb->name);
  /* The bar has buttons for most verbs: the menu beside it only undoes what some of the
   * selected episodes have. */
  if (verb->undo != NULL && (verb->menus & (several ? EAR_EPISODE_MENU_BAR : which)) != 0)
    append (menu,
            _ (several && verb->undo_label_several != NULL ? verb->undo_label_several
                                                           : verb->undo_label),
            group, verb->undo);
}

static GMenu *
append_section (GMenu *menu)
{
  g_autoptr (GMenu) section = g_menu_new ();

  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));

  return section; /* the menu keeps it */
}

/* @self: (nullable): the actions of the episode whose row has the menu
 * Returns: (transfer full): a menu that shows only the entries that apply */
GMenuModel *
ear_episode_menu_new (EarEpisodeActions *self, EarEpisodeMenu which)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenuModel) share = NULL;
  GMenu *section = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (verbs); i++)
    {
      if (section == NULL || verbs[i].section != verbs[i - 1].section)
        section = append_section (menu);
      append_verb (self, section, &verbs[i], which);
    }
  if (which == EAR_EPISODE_MENU_SHARE)
    return G_MENU_MODEL (g_steal_pointer (&menu));

  section = append_section (menu);
  if (which == EAR_EPISODE_MENU_SELECTION)
    {
      append (section, _("Select _All"), "list", "select-all");
      /* Translators: selects all rows that are below the first selected one */
      append (section, _("Select All _Below"), "list", "select-below");
      return G_MENU_MODEL (g_steal_pointer (&menu));
    }
  share = ear_episode_menu_new (NULL, EAR_EPISODE_MENU_SHARE);
  /* Translators: the entry of a menu that leads to the ways of sharing an episode */
  g_menu_append_submenu (section, C_("menu", "S_hare"), share);
  if (which == EAR_EPISODE_MENU_ROW)
    append (section, _("_Select"), "list", "begin-selecting");

  return G_MENU_MODEL (g_steal_pointer (&menu));
}

/* Calls @func for each key of the table. */
void
ear_episode_actions_foreach_key (EarAcceleratorFunc func, gpointer user_data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (verbs[i].key.action != NULL)
      func (&verbs[i].key, user_data);
}

/* --- The actions -------------------------------------------------------------------- */

static gboolean
is_for_several (const Verb *verb)
{
  return (verb->menus & (EAR_EPISODE_MENU_SELECTION | EAR_EPISODE_MENU_BAR)) != 0;
}

static void
run (EarEpisodeActions *self, const Verb *verb, gboolean value)
{
  /* The episode may leave its list, and with that this widget, before the verb
   * is done with it. */
  g_autoptr (EarEpisode) episode = self->episode != NULL ? g_object_ref (self->episode) : NULL;

  if (get_library (self) == NULL || (episode == NULL && self->selection == NULL))
    return;

  verb->set (self, verb, value);
  if (self->selection != NULL)
    gtk_widget_activate_action (self->widget, "list.end-selecting", NULL);
}

/* @value: (nullable): the new state, of an action that toggles */
static void
activate_cb (EarEpisodeActions *self, GVariant *value, GAction *action)
{
  const char *name = g_action_get_name (action);

  for (const Verb *verb = verbs; verb < verbs + G_N_ELEMENTS (verbs); verb++)
    if (g_str_equal (name, verb->name) || g_strcmp0 (name, verb->undo) == 0 ||
        g_strcmp0 (name, verb->toggle) == 0)
      {
        run (self, verb,
             value != NULL ? g_variant_get_boolean (value) : g_str_equal (name, verb->name));
        return;
      }
}

static void
add_actions (EarEpisodeActions *self, const Verb *verb)
{
  const EarActionEntry entries[] = { { verb->name, G_CALLBACK (activate_cb) },
                                     { verb->undo, G_CALLBACK (activate_cb) },
                                     { verb->toggle, G_CALLBACK (activate_cb), NULL, "false" } };

  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++)
    if (entries[i].name != NULL)
      ear_actions_add (G_ACTION_MAP (self->group), &entries[i], 1, self);
}

/* Names the button of a verb like an entry of a menu, without its mnemonic. GTK asks the display
 * where the pointer is whenever a tooltip is set, even to the same text. */
static void
update_button (EarEpisodeActions *self, const Verb *verb, gboolean has)
{
  GtkWidget *button = g_hash_table_lookup (self->buttons, verb);
  g_auto (GStrv) parts = NULL;
  g_autofree char *label = NULL;

  if (button == NULL)
    return;

  parts = g_strsplit (_(has ? verb->undo_label : verb->label), "_", -1);
  label = g_strjoinv (NULL, parts);
  if (g_strcmp0 (gtk_widget_get_tooltip_text (button), label) != 0)
    gtk_widget_set_tooltip_text (button, label);
}

static void
set_enabled (EarEpisodeActions *self, const char *name, gboolean enabled)
{
  if (name != NULL && g_action_group_has_action (G_ACTION_GROUP (self->group), name))
    ear_action_set_enabled (G_ACTION_MAP (self->group), name, enabled);
}

/* Menus and keys have only the verbs that apply to the episode now. One for several episodes
 * can be used if it applies to one of them, and has the state if all have it. More episodes
 * than MAX_EXAMINED are not looked at: the verb can be used, and undone in the menu. */
static void
update (EarEpisodeActions *self)
{
  g_autoptr (GtkBitset) selected =
      self->selection != NULL ? gtk_selection_model_get_selection (self->selection) : NULL;
  const gboolean many = selected != NULL && gtk_bitset_get_size (selected) > MAX_EXAMINED;
  g_autoptr (GPtrArray) episodes =
      many ? g_ptr_array_new () : ear_episode_actions_dup_episodes (self);
  const List list = find_list (self);
  guint counts[N_TRAITS] = { 0 };

  count_traits (episodes, counts);
  for (const Verb *verb = verbs; verb < verbs + G_N_ELEMENTS (verbs); verb++)
    {
      const gboolean is_of_list = verb->list == OTHER_LIST || verb->list == list;
      const gboolean can = (many || counts[verb->can] > 0) && (verb->undo != NULL || is_of_list);
      const gboolean has = verb->has != ANY_EPISODE && episodes->len > 0 &&
                           counts[verb->has] == episodes->len;
      const Trait can_undo = verb->can_undo != ANY_EPISODE ? verb->can_undo : verb->has;
      GAction *toggle = verb->toggle != NULL
                            ? g_action_map_lookup_action (G_ACTION_MAP (self->group), verb->toggle)
                            : NULL;

      set_enabled (self, verb->name, can && !has);
      set_enabled (self, verb->undo, (many || counts[can_undo] > 0) &&
                                         (selected == NULL || (!has && is_of_list)));
      set_enabled (self, verb->toggle, can || has);
      if (toggle != NULL)
        g_simple_action_set_state (G_SIMPLE_ACTION (toggle), g_variant_new_boolean (has));
      update_button (self, verb, has);
    }
}

/* The progress of a download comes four times a second, and changes nothing here. */
static void
episode_notify_cb (EarEpisodeActions *self, GParamSpec *pspec)
{
  if (!g_str_equal (pspec->name, "download-progress"))
    update (self);
}

static void
ear_episode_actions_dispose (GObject *object)
{
  EarEpisodeActions *self = EAR_EPISODE_ACTIONS (object);

  g_clear_object (&self->episode_signals);
  g_clear_object (&self->podcast_signals);
  g_clear_object (&self->episode);
  g_clear_object (&self->group);
  g_clear_pointer (&self->buttons, g_hash_table_unref);

  G_OBJECT_CLASS (ear_episode_actions_parent_class)->dispose (object);
}

static void
ear_episode_actions_class_init (EarEpisodeActionsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_episode_actions_dispose;
}

static void
ear_episode_actions_init (EarEpisodeActions *self)
{
  self->group = g_simple_action_group_new ();
  self->buttons = g_hash_table_new (NULL, NULL);
  self->episode_signals = g_signal_group_new (EAR_TYPE_EPISODE);
  g_signal_group_connect_swapped (self->episode_signals, "notify", G_CALLBACK (episode_notify_cb),
                                  self);
  self->podcast_signals = g_signal_group_new (EAR_TYPE_PODCAST);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::followed", G_CALLBACK (update),
                                  self);
}

static void
add_button (EarEpisodeActions *self, const Verb *verb, GtkActionBar *bar)
{
  GtkWidget *button = gtk_button_new_from_icon_name (verb->icon_name);
  g_autofree char *action = g_strconcat ("list.", verb->toggle, NULL);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_action_bar_pack_end (bar, button);
  g_hash_table_insert (self->buttons, (gpointer) verb, button);
}

/* Adds the actions `episode.*` to a widget, or with a selection the actions `list.*`.
 * @widget: with a selection, it has the action `list.end-selecting`
 * @selection: (nullable): the episodes, of which several may be selected
 * @bar: (nullable): gets a button for each of the main verbs
 * Returns: (transfer none): they live as long as @widget */
EarEpisodeActions *
ear_episode_actions_add (GtkWidget *widget, GtkSelectionModel *selection, GtkActionBar *bar)
{
  const char *prefix = selection != NULL ? "list" : "episode";
  EarEpisodeActions *self = g_object_new (EAR_TYPE_EPISODE_ACTIONS, NULL);

  self->widget = widget;
  self->selection = selection;
  for (gsize i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (selection == NULL || is_for_several (&verbs[i]))
      add_actions (self, &verbs[i]);
  /* From the end of the bar to its start */
  for (gsize i = G_N_ELEMENTS (verbs); bar != NULL && i > 0; i--)
    if ((verbs[i - 1].menus & EAR_EPISODE_MENU_BAR) != 0)
      add_button (self, &verbs[i - 1], bar);
  gtk_widget_insert_action_group (widget, prefix, G_ACTION_GROUP (self->group));
  g_object_set_data_full (G_OBJECT (widget), prefix, self, g_object_unref);
  ear_connect (widget, "notify::list", update, self);
  if (selection != NULL)
    {
      ear_connect (selection, "selection-changed", update, self);
      ear_connect (selection, "items-changed", update, self);
    }
  update (self);

  return self;
}

/* Sets the episode that the actions work on, which they then follow.
 * @episode: (nullable): none can be used without one */
void
ear_episode_actions_set_episode (EarEpisodeActions *self, EarEpisode *episode)
{
  g_set_object (&self->episode, episode);
  g_signal_group_set_target (self->episode_signals, episode);
  g_signal_group_set_target (self->podcast_signals,
                             episode != NULL ? ear_episode_get_podcast (episode) : NULL);
  update (self);
}

EAR_DEFINE_GET (EarEpisodeActions, ear_episode_actions, EarEpisode *, episode)

/* Takes the episodes out of the list that shows them: the Delete key.
 * Returns: whether episodes can be taken out of that list */
gboolean
ear_episode_actions_take_out (EarEpisodeActions *self)
{
  const List list = find_list (self);

  for (gsize i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (list != OTHER_LIST && verbs[i].list == list)
      {
        run (self, &verbs[i], verbs[i].undo == NULL);
        return TRUE;
      }

  return FALSE;
}
