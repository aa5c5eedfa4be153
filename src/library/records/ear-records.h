/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notices.h"
#include "ear-record.h"
#include "ear-userdata-store.h"

G_BEGIN_DECLS

#define EAR_TYPE_RECORDS (ear_records_get_type ())
G_DECLARE_FINAL_TYPE (EarRecords, ear_records, EAR, RECORDS, GObject)

/* All records of one kind. Signals:
 *   changed (GStrv ids)   records were set or removed, here or elsewhere
 * Properties:
 *   loaded  whether the records are loaded */
EarRecords *ear_records_new (EarUserdataStore *state, EarRecordKind kind);
GVariant *ear_records_lookup (EarRecords *self, const char *id);
GHashTable *ear_records_get_values (EarRecords *self);
gboolean ear_records_is_loaded (EarRecords *self);
EarUndo *ear_records_change (EarRecords *self, GPtrArray *records, const char *message);
EarUndo *ear_records_change_one (EarRecords *self, const char *id, GVariant *value,
                                 const char *message);
void ear_records_set (EarRecords *self, const char *id, GVariant *value);
void ear_records_set_all (EarRecords *self, GPtrArray *records);
GPtrArray *ear_records_new_array (void);
GPtrArray *ear_records_list_readdressed (EarRecords *self, const char *member, const char *from,
                                         const char *to);

/* Positions in lists ordered by hand: the time of adding in microseconds, or a number
 * between the neighbors. Lists of two computers thus merge in the order of time. */

/* Distance of positions added together, which leaves room for others in between */
#define EAR_ORDER_STEP G_USEC_PER_SEC

/* The positions of a list into which items are inserted */
typedef struct
{
  guint index;       /* of the first inserted item */
  guint n;           /* number of inserted items */
  gint64 first;      /* position of the first inserted item */
  gint64 step;       /* distance to the next one */
  gboolean renumber; /* there was no room: all other items need new positions, too */
} EarOrder;

EarOrder ear_order_insert (guint index, guint n, guint n_others, gint64 before, gint64 after);
gint64 ear_order_get_inserted (const EarOrder *self, guint i);
gint64 ear_order_get_other (const EarOrder *self, guint i);
GPtrArray *ear_order_list_accepted (GPtrArray *episodes, gboolean (*accepts) (EarEpisode *episode));

G_END_DECLS
