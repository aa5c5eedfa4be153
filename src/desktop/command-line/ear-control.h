/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-control-error.h"
#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_CONTROL_INTERFACE "io.github.earmark_app.Earmark.Control"

#define EAR_TYPE_CONTROL (ear_control_get_type ())
G_DECLARE_FINAL_TYPE (EarControl, ear_control, EAR, CONTROL, GObject)

EarControl *ear_control_new            (EarLibrary      *library,
                                        GApplication    *application,
                                        GDBusConnection *connection);
void        ear_control_run_async      (EarControl          *self,
                                        const char          *method,
                                        GVariant            *parameters,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data);
GVariant   *ear_control_run_finish     (EarControl    *self,
                                        GAsyncResult  *result,
                                        GError       **error);

G_END_DECLS
