/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The parts of the library that are handed out, in the order of their creation: class, name,
 * and function of the type. Those from the catalogue on are %NULL until the library is open.
 * Each part is a property of EarLibrary, for templates, and has a getter,
 * `ear_library_get_NAME()`. */
#define EAR_SERVICES(SERVICE) \
  SERVICE (EarSettings, settings, ear_settings_get_type) \
  SERVICE (EarNotices, notices, ear_notices_get_type) \
  SERVICE (EarCoverCache, covers, ear_cover_cache_get_type) \
  SERVICE (EarPlayer, player, ear_player_get_type) \
  SERVICE (EarCatalogue, catalogue, ear_catalogue_get_type) \
  SERVICE (GListModel, podcasts, g_list_model_get_type) \
  SERVICE (EarHistory, history, ear_history_get_type) \
  SERVICE (EarRefresher, refresher, ear_refresher_get_type) \
  SERVICE (EarDownloader, downloader, ear_downloader_get_type) \
  SERVICE (EarDocuments, documents, ear_documents_get_type) \
  SERVICE (EarChapterControl, chapter_control, ear_chapter_control_get_type) \
  SERVICE (EarListening, listening, ear_listening_get_type) \
  SERVICE (EarQueue, queue, ear_queue_get_type) \
  SERVICE (EarPlayOrder, order, ear_play_order_get_type) \
  SERVICE (EarLists, lists, ear_lists_get_type) \
  SERVICE (EarLogins, logins, ear_logins_get_type) \
  SERVICE (EarPlaybackController, playback_controller, ear_playback_controller_get_type) \
  SERVICE (EarBookmarks, bookmarks, ear_bookmarks_get_type) \
  SERVICE (EarReadingList, reading_list, ear_reading_list_get_type) \
  SERVICE (EarSleepTimer, sleep_timer, ear_sleep_timer_get_type) \
  SERVICE (EarSubscriptions, subscriptions, ear_subscriptions_get_type) \
  SERVICE (EarPlaybackSettings, playback_settings, ear_playback_settings_get_type) \
  SERVICE (EarImporter, importer, ear_importer_get_type) \
  SERVICE (EarBackups, backups, ear_backups_get_type) \
  SERVICE (EarSync, sync, ear_sync_get_type)

#define EAR_SERVICE_TYPEDEF(Class, name, get_type) typedef struct _##Class Class;
#define EAR_SERVICE_FIELD(Class, name, get_type) Class *name;

EAR_SERVICES (EAR_SERVICE_TYPEDEF)
typedef struct _EarHttp EarHttp;
typedef struct _EarKeyring EarKeyring;
typedef struct _EarUserdataStore EarUserdataStore;

#define EAR_SERVICES_FIELDS \
  /* Only for other parts */ \
  EarHttp *http; \
  EarKeyring *keyring; \
  GNetworkMonitor *network; \
  EarUserdataStore *state; /* needs the catalogue */ \
\
  EAR_SERVICES (EAR_SERVICE_FIELD)

/* Pointers to the parts. A part that has not been created yet is %NULL. */
typedef struct
{
  EAR_SERVICES_FIELDS
} EarServices;

/* Members of an object that uses other parts: each of them by its name, and all as `services` */
#define EAR_SERVICES_MEMBERS \
  union \
  { \
    EarServices services; \
    struct \
    { \
      EAR_SERVICES_FIELDS \
    }; \
  }

/* Members that the structure of a part begins with, in place of `parent_instance` */
#define EAR_PART_MEMBERS \
  GObject parent_instance; \
  EAR_SERVICES_MEMBERS

/* A part of the library, which holds the parts that were created before */
typedef struct
{
  EAR_PART_MEMBERS;
} EarPart;

typedef struct
{
  GObjectClass parent_class;
} EarPartClass;

#define EAR_TYPE_PART (ear_part_get_type ())
GType ear_part_get_type (void);
gpointer ear_part_new (GType type, const EarServices *services);

void ear_services_copy (EarServices *self, const EarServices *from);
void ear_services_clear (EarServices *self);

G_END_DECLS
