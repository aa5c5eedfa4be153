/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A simulated network, with a state that is set by its members */
#define EAR_TEST_TYPE_NETWORK (ear_test_network_get_type ())
G_DECLARE_FINAL_TYPE (EarTestNetwork, ear_test_network, EAR_TEST, NETWORK, GObject)

struct _EarTestNetwork
{
  GObject parent_instance;
  gboolean available; /* TRUE by default */
  gboolean metered;
};

void ear_test_network_set_available (EarTestNetwork *self,
                                     gboolean        available);
void ear_test_network_set_metered   (EarTestNetwork *self,
                                     gboolean        metered);

G_END_DECLS
