/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-transcript.h"

G_BEGIN_DECLS

/* Shared by the readers of transcript formats. Each appends the cues of a text to a
 * transcript, in the order of the text. */

void     ear_transcript_read_vtt   (const char    *text,
                                    EarTranscript *to);
void     ear_transcript_read_srt   (const char    *text,
                                    EarTranscript *to);
void     ear_transcript_read_json  (const char    *text,
                                    EarTranscript *to);
void     ear_transcript_read_html  (const char    *text,
                                    EarTranscript *to);
void     ear_transcript_read_plain (const char    *text,
                                    EarTranscript *to);

typedef struct
{
  const char *text;
  gsize length;
} EarTextPart;

gboolean ear_text_next_line       (const char       **position,
                                   EarTextPart       *line);
gboolean ear_text_part_has        (const EarTextPart *self,
                                   const char        *what);
gboolean ear_clock_read           (const char       **position,
                                   const char        *end,
                                   gboolean           strict,
                                   gint64            *time);
gboolean ear_cue_times_read       (const EarTextPart *line,
                                   gboolean           strict,
                                   gint64            *start,
                                   gint64            *end);
void     ear_transcript_tidy_name (GString           *name);
void     ear_transcript_add_cue   (EarTranscript     *self,
                                   gint64             start,
                                   gint64             end,
                                   const char        *speaker,
                                   const char        *text);
void     ear_transcript_add_markup (EarTranscript    *self,
                                    gint64            start,
                                    gint64            end,
                                    const char       *text);

G_END_DECLS
