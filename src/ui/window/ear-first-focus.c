/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-first-focus.h"

/*
 * Where the keys begin in a dialog. In a narrow window the dialog becomes a sheet when it is first
 * laid out, which moves the focus on from wherever it was.
 */

/* --- What is typed meanwhile ----------------------------------------------------------- */

/* Without it, on a busy machine, who types on after Ctrl+N, a letter each 80 ms, loses the first one to three of them (6 of
 * 6 tries), and now and then the first one also where 100 ms lie between (1 of 6); and a password may be shown. */

/* Until a dialog has its shape, and the focus; and until one is given up that does not come. */
#define FRAMES 3
#define MOST_FRAMES 120

/* What a text has its one Catch by. */
#define CATCH "ear-first-focus"

/* The text that has what is typed while its dialog, or bar, comes, and where that is caught. */
typedef struct
{
  /* Borrowed */
  GtkWidget *text;
  GtkEventController *controller; /* (nullable): of the window */

  guint n_frames; /* since it is mapped */
  guint n_waited; /* all */
  guint tick;     /* 0 after the last of them */
  gboolean typed;
  gboolean left;  /* by a key that led on */
  gboolean back;  /* that way */
  gboolean early; /* when nothing was laid out to lead to */
  gboolean over;
} Catch;

static void
stop_catching (Catch *catch)
{
  if (catch->controller != NULL)
    gtk_widget_remove_controller (gtk_event_controller_get_widget (catch->controller), catch->controller);
  catch->controller = NULL;
}

static void
catch_free (Catch *catch)
{
  stop_catching (catch);
  g_free (catch);
}

/* Nothing goes behind a dialog: a password is meant for it. */
static gboolean
is_behind_dialog (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  AdwDialog *dialog = NULL;

  if (ADW_IS_APPLICATION_WINDOW (root))
    dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (root));

  return dialog != NULL && !gtk_widget_is_ancestor (widget, GTK_WIDGET (dialog));
}

/* What was written there by others, an address that was handed over say, stays as it is. What has the
 * focus and is not mapped yet gets no keys from GTK. */
static gboolean
takes_keys (Catch *catch)
{
  return !is_behind_dialog (catch->text) &&
         !(gtk_widget_has_focus (catch->text) && gtk_widget_get_mapped (catch->text)) &&
         (catch->typed || *gtk_editable_get_text (GTK_EDITABLE (catch->text)) == '\0');
}

/* What is open above the window, such as a menu, has its keys. */
static gboolean
is_window_key (GtkEventControllerKey *controller)
{
  GtkWidget *window = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller));
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));

  return focus == NULL || gtk_widget_get_native (focus) == GTK_NATIVE (window);
}

/* Where a key would have led if the dialog had been laid out: anywhere but to the text at first, and to the right
 * place once all has its own. */
static void
lead_early (Catch *catch)
{
  GtkWidget *dialog = gtk_widget_get_ancestor (catch->text, ADW_TYPE_DIALOG);

  if (dialog == NULL)
    return;
  gtk_widget_grab_focus (catch->text);
  gtk_widget_child_focus (dialog, catch->back ? GTK_DIR_TAB_BACKWARD : GTK_DIR_TAB_FORWARD);
}

static gboolean
is_tab (guint key)
{
  return key == GDK_KEY_Tab || key == GDK_KEY_KP_Tab || key == GDK_KEY_ISO_Left_Tab;
}

static gboolean
is_enter (guint key)
{
  return key == GDK_KEY_Return || key == GDK_KEY_KP_Enter || key == GDK_KEY_ISO_Enter;
}

/* A key that the text does nothing with may lead anywhere; but one that only is held, such as Shift, does not. */
static gboolean
leads_on (GtkEventControllerKey *controller, guint key, gboolean unhandled)
{
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (controller));

  return is_tab (key) || is_enter (key) || key == GDK_KEY_Escape || (unhandled && !gdk_key_event_is_modifier (event));
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType modifiers, Catch *catch)
{
  /* It may close its dialog. */
  g_autoptr (GtkWidget) text = g_object_ref (catch->text);
  /* In a form Enter leads from row to row. */
  gboolean in_form = gtk_widget_get_ancestor (text, ADW_TYPE_ENTRY_ROW) != NULL;
  gboolean caught, handled;

  if (catch->over || !is_window_key (controller))
    return GDK_EVENT_PROPAGATE;

  caught = takes_keys (catch);
  handled = caught && gtk_event_controller_key_forward (controller, text);
  catch->typed |= handled;
  /* What is typed from here on, a password after a name, is not for this text. */
  if (leads_on (controller, key, caught && !handled))
    {
      catch->over = TRUE;
      catch->left = is_tab (key) || (is_enter (key) && in_form);
      catch->back = key == GDK_KEY_ISO_Left_Tab || (modifiers & GDK_SHIFT_MASK) != 0;
      catch->early = catch->left && !handled && !gtk_widget_get_mapped (text);
      /* From where it was typed, and not from where the focus is meanwhile. */
      if (caught && is_tab (key))
        gtk_widget_grab_focus (text);
      else if (catch->early)
        lead_early (catch);
    }

  return handled;
}

/* The focus selects what is there, which the next letter would replace. */
static void
selection_changed_cb (GtkWidget *text, GParamSpec *pspec, Catch *catch)
{
  if (catch->typed && !catch->over && gtk_editable_get_selection_bounds (GTK_EDITABLE (text), NULL, NULL))
    gtk_editable_set_position (GTK_EDITABLE (text), -1);
}

static gboolean
caught_cb (GtkWidget *text, GdkFrameClock *clock, gpointer user_data)
{
  Catch *catch = user_data;

  catch->n_frames += gtk_widget_get_mapped (text);
  if (!catch->over && catch->n_frames < FRAMES && ++catch->n_waited < MOST_FRAMES)
    return G_SOURCE_CONTINUE;

  catch->tick = 0;
  catch->over = TRUE;
  stop_catching (catch);

  return G_SOURCE_REMOVE;
}

/* A dialog that becomes a sheet leaves the window for a moment. */
static void
root_changed_cb (GtkWidget *text, GParamSpec *pspec, Catch *catch)
{
  GtkRoot *root = gtk_widget_get_root (text);

  stop_catching (catch);
  if (root == NULL || catch->over)
    return;

  catch->controller = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (catch->controller, GTK_PHASE_CAPTURE);
  /* A dialog keeps its events to itself: of the keys that go to what has the focus in it, a button that it
   * chose itself while it finds its shape, the window would hear nothing. */
  gtk_event_controller_set_propagation_limit (catch->controller, GTK_LIMIT_NONE);
  g_signal_connect (catch->controller, "key-pressed", G_CALLBACK (key_pressed_cb), catch);
  gtk_widget_add_controller (GTK_WIDGET (root), catch->controller);
}

static GtkEditable *
text_of (GtkEditable *target)
{
  while (gtk_editable_get_delegate (target) != NULL)
    target = gtk_editable_get_delegate (target);

  return target;
}

/* Returns: (nullable): what is known when a key led on from there before all had its shape */
static Catch *
get_left (GtkWidget *target)
{
  Catch *catch = GTK_IS_EDITABLE (target) ? g_object_get_data (G_OBJECT (text_of (GTK_EDITABLE (target))), CATCH) : NULL;

  return catch != NULL && catch->left ? catch : NULL;
}

/* What is typed before it is there and has the focus, a frame or some, is written there, until a key
 * such as Tab leads on.
 * @target: an entry that is not shown yet: of a dialog, or in a bar that slides in */
void
ear_first_focus_catch_keys (GtkEditable *target)
{
  GtkEditable *text;
  Catch *catch;

  g_return_if_fail (GTK_IS_EDITABLE (target));

  text = text_of (target);
  catch = g_object_get_data (G_OBJECT (text), CATCH);
  if (catch != NULL && !catch->over)
    return;
  if (catch == NULL)
    {
      catch = g_new0 (Catch, 1);
      catch->text = GTK_WIDGET (text);
      g_object_set_data_full (G_OBJECT (text), CATCH, catch, (GDestroyNotify) catch_free);
      g_signal_connect (text, "notify::root", G_CALLBACK (root_changed_cb), catch);
      g_signal_connect (text, "notify::selection-bound", G_CALLBACK (selection_changed_cb), catch);
    }
  if (catch->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (text), catch->tick);
  catch->n_frames = catch->n_waited = 0;
  catch->typed = catch->left = catch->early = catch->over = FALSE;
  catch->tick = gtk_widget_add_tick_callback (GTK_WIDGET (text), caught_cb, catch, NULL);
  root_changed_cb (GTK_WIDGET (text), NULL, catch);
}

/* --- Where the keys begin ------------------------------------------------------------------ */

/* What the focus came by was scrolled to. */
static void
scroll_back (GtkWidget *widget)
{
  if (GTK_IS_SCROLLED_WINDOW (widget))
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (widget)), 0);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    scroll_back (child);
}

static gboolean laid_out_cb (GtkWidget *target, GdkFrameClock *clock, gpointer user_data);

/* Where a key has led keeps the focus instead: what is typed there, a password, is not for the target. */
static gboolean
pass_on (GtkWidget *target, gint64 frame)
{
  GtkWidget *dialog = gtk_widget_get_ancestor (target, ADW_TYPE_DIALOG);
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (target));
  Catch *left = get_left (target);

  if (left == NULL || left->early)
    return FALSE;
  left->left = FALSE;
  if (dialog == NULL || focus == NULL || focus == left->text || !gtk_widget_is_ancestor (focus, dialog))
    return FALSE;
  gtk_widget_add_tick_callback (focus, laid_out_cb, g_memdup2 (&frame, sizeof frame), g_free);

  return TRUE;
}

static gboolean
laid_out_cb (GtkWidget *target, GdkFrameClock *clock, gpointer user_data)
{
  GtkWidget *dialog = gtk_widget_get_ancestor (target, ADW_TYPE_DIALOG);
  gint64 *first = user_data; /* frame */
  Catch *left;

  if (*first < 0)
    {
      *first = gdk_frame_clock_get_frame_counter (clock);
      if (pass_on (target, *first))
        return G_SOURCE_REMOVE;
    }
  if (gdk_frame_clock_get_frame_counter (clock) == *first)
    return G_SOURCE_CONTINUE;
  if (dialog != NULL)
    scroll_back (dialog);
  /* What is meant is the whole, and not what is in it. */
  left = get_left (target);
  if (left != NULL)
    {
      left->left = FALSE;
      if (left->early)
        lead_early (left);
    }
  else if (!(gtk_widget_get_state_flags (target) & GTK_STATE_FLAG_FOCUS_WITHIN) || GTK_IS_SCROLLED_WINDOW (target))
    gtk_widget_grab_focus (target);

  return G_SOURCE_REMOVE;
}

/* Puts the focus there, and once more when the dialog has found its shape. */
void
ear_first_focus_take (GtkWidget *target)
{
  const gint64 none = -1;

  g_return_if_fail (GTK_IS_WIDGET (target));

  gtk_widget_grab_focus (target);
  gtk_widget_add_tick_callback (target, laid_out_cb, g_memdup2 (&none, sizeof none), g_free);
}

/* Makes the keys begin at a widget of the dialog. */
void
ear_first_focus_set (AdwDialog *dialog, GtkWidget *target)
{
  g_return_if_fail (ADW_IS_DIALOG (dialog));
  g_return_if_fail (GTK_IS_WIDGET (target));

  adw_dialog_set_focus (dialog, target);
  if (GTK_IS_EDITABLE (target))
    ear_first_focus_catch_keys (GTK_EDITABLE (target));
  g_signal_connect_object (dialog, "map", G_CALLBACK (ear_first_focus_take), target, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}
