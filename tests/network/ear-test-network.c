/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-test-network.h"

static gboolean
ear_test_network_initable_init (GInitable *initable, GCancellable *cancellable, GError **error)
{
  return TRUE;
}

static void
ear_test_network_initable_iface_init (GInitableIface *iface)
{
  iface->init = ear_test_network_initable_init;
}

static void
ear_test_network_iface_init (GNetworkMonitorInterface *iface)
{
}

G_DEFINE_FINAL_TYPE_WITH_CODE (EarTestNetwork, ear_test_network, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_INITABLE, ear_test_network_initable_iface_init)
                               G_IMPLEMENT_INTERFACE (G_TYPE_NETWORK_MONITOR, ear_test_network_iface_init))

static void
ear_test_network_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarTestNetwork *self = EAR_TEST_NETWORK (object);

  if (g_str_equal (pspec->name, "network-metered"))
    g_value_set_boolean (value, self->metered);
  else if (g_str_equal (pspec->name, "connectivity"))
    g_value_set_enum (value, G_NETWORK_CONNECTIVITY_FULL);
  else
    g_value_set_boolean (value, self->available);
}

static void
ear_test_network_class_init (EarTestNetworkClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ear_test_network_get_property;
  g_object_class_override_property (object_class, 1, "network-available");
  g_object_class_override_property (object_class, 2, "network-metered");
  g_object_class_override_property (object_class, 3, "connectivity");
}

static void
ear_test_network_init (EarTestNetwork *self)
{
  self->available = TRUE;
}

void
ear_test_network_set_available (EarTestNetwork *self, gboolean available)
{
  self->available = available;
  g_signal_emit_by_name (self, "network-changed", available);
}

void
ear_test_network_set_metered (EarTestNetwork *self, gboolean metered)
{
  self->metered = metered;
  g_object_notify (G_OBJECT (self), "network-metered");
}
