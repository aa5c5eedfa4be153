/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sentence-list.h"

/**
 * EarSentenceItem:
 *
 * A sentence of a transcript, for a list of them.
 */
struct _EarSentenceItem
{
  GObject parent_instance;

  EarTranscript *transcript; /* owned */
  guint index;
};

G_DEFINE_FINAL_TYPE (EarSentenceItem, ear_sentence_item, G_TYPE_OBJECT)

static void
ear_sentence_item_finalize (GObject *object)
{
  g_clear_pointer (&EAR_SENTENCE_ITEM (object)->transcript, ear_transcript_unref);

  G_OBJECT_CLASS (ear_sentence_item_parent_class)->finalize (object);
}

static void
ear_sentence_item_class_init (EarSentenceItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_sentence_item_finalize;
}

static void
ear_sentence_item_init (EarSentenceItem *self)
{
}

EarSentenceItem *
ear_sentence_item_new (EarTranscript *transcript, guint index)
{
  EarSentenceItem *self = g_object_new (EAR_TYPE_SENTENCE_ITEM, NULL);

  self->transcript = ear_transcript_ref (transcript);
  self->index = index;

  return self;
}

guint
ear_sentence_item_get_index (EarSentenceItem *self)
{
  return self->index;
}

const EarSentence *
ear_sentence_item_get_sentence (EarSentenceItem *self)
{
  return ear_transcript_get (self->transcript, self->index);
}

/* Returns: whether somebody else speaks than in the sentence before */
gboolean
ear_sentence_item_is_new_voice (EarSentenceItem *self)
{
  const char *speaker = ear_sentence_item_get_sentence (self)->speaker;

  return speaker != NULL &&
         (self->index == 0 ||
          g_strcmp0 (speaker, ear_transcript_get (self->transcript, self->index - 1)->speaker) !=
            0);
}

/* Returns: when the last sentence of the transcript begins; -1 in one without times */
gint64
ear_sentence_item_get_last (EarSentenceItem *self)
{
  return ear_transcript_get (self->transcript, ear_transcript_get_length (self->transcript) - 1)
    ->start;
}

/**
 * EarSentenceList:
 *
 * The sentences of a transcript as a list, whose items are made as they are asked for.
 */
struct _EarSentenceList
{
  GObject parent_instance;

  EarTranscript *transcript; /* owned */
};

static GType
ear_sentence_list_get_item_type (GListModel *model)
{
  return EAR_TYPE_SENTENCE_ITEM;
}

static guint
ear_sentence_list_get_n_items (GListModel *model)
{
  return ear_transcript_get_length (EAR_SENTENCE_LIST (model)->transcript);
}

/* Two of the same sentence are as good as one: an item has no state. */
static gpointer
ear_sentence_list_get_item (GListModel *model, guint position)
{
  EarSentenceList *self = EAR_SENTENCE_LIST (model);

  return position < ear_transcript_get_length (self->transcript)
         ? ear_sentence_item_new (self->transcript, position)
         : NULL;
}

static void
ear_sentence_list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = ear_sentence_list_get_item_type;
  iface->get_n_items = ear_sentence_list_get_n_items;
  iface->get_item = ear_sentence_list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (EarSentenceList,
                               ear_sentence_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      ear_sentence_list_model_init))

static void
ear_sentence_list_finalize (GObject *object)
{
  g_clear_pointer (&EAR_SENTENCE_LIST (object)->transcript, ear_transcript_unref);

  G_OBJECT_CLASS (ear_sentence_list_parent_class)->finalize (object);
}

static void
ear_sentence_list_class_init (EarSentenceListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_sentence_list_finalize;
}

static void
ear_sentence_list_init (EarSentenceList *self)
{
  self->transcript = ear_transcript_new ();
}

EarSentenceList *
ear_sentence_list_new (EarTranscript *transcript)
{
  EarSentenceList *self = g_object_new (EAR_TYPE_SENTENCE_LIST, NULL);

  ear_transcript_unref (self->transcript);
  self->transcript = ear_transcript_ref (transcript);

  return self;
}
