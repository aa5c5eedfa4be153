/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Bind the children and the callbacks of a class's template by their names, at most 64. */
#define EAR_BIND_CHILDREN(widget_class, Class, ...) \
  EAR_RESCAN (EAR_BIND_CHILD (widget_class, Class, __VA_ARGS__))
#define EAR_BIND_CALLBACKS(widget_class, ...) \
  EAR_RESCAN (EAR_BIND_CALLBACK (widget_class, __VA_ARGS__))

/* The preprocessor expands no macro within itself: each name needs a further scan. */
#define EAR_BIND_CHILD(widget_class, Class, name, ...) \
  gtk_widget_class_bind_template_child (widget_class, Class, name) \
  __VA_OPT__ (; EAR_BIND_CHILD_LATER EAR_NO_ARGUMENT (widget_class, Class, __VA_ARGS__))
#define EAR_BIND_CHILD_LATER() EAR_BIND_CHILD
#define EAR_BIND_CALLBACK(widget_class, name, ...) \
  gtk_widget_class_bind_template_callback (widget_class, name) \
  __VA_OPT__ (; EAR_BIND_CALLBACK_LATER EAR_NO_ARGUMENT (widget_class, __VA_ARGS__))
#define EAR_BIND_CALLBACK_LATER() EAR_BIND_CALLBACK
#define EAR_NO_ARGUMENT ()
#define EAR_RESCAN(...) EAR_RESCAN_16 (EAR_RESCAN_16 (EAR_RESCAN_16 (EAR_RESCAN_16 (__VA_ARGS__))))
#define EAR_RESCAN_16(...) EAR_RESCAN_4 (EAR_RESCAN_4 (EAR_RESCAN_4 (EAR_RESCAN_4 (__VA_ARGS__))))
#define EAR_RESCAN_4(...) EAR_RESCAN_1 (EAR_RESCAN_1 (EAR_RESCAN_1 (EAR_RESCAN_1 (__VA_ARGS__))))
#define EAR_RESCAN_1(...) __VA_ARGS__
