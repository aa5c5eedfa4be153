/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-sequential.h"

#include "ear-cover-coefficients.h"
#include "ear-error.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <unistd.h>

/* Real pictures come in about ten scans. Each costs a walk through the whole picture,
 * however few bytes it has. */
#define MAX_SCANS 64

/* A sequential picture is about as long as the progressive one that it was. */
#define MAX_LENGTH (48 * 1024 * 1024)
#define PART_LENGTH (64 * 1024)

/* Where the way up is said. */
#define EXIF (JPEG_APP0 + 1)
#define MARKER_LENGTH 0xffff

typedef struct
{
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr destination;
  struct jpeg_progress_mgr progress;
  struct jpeg_decompress_struct reader;
  struct jpeg_compress_struct writer;
  jmp_buf failed;

  /* In */
  FILE *file;
  GCancellable *cancellable; /* borrowed, nullable */

  /* Out */
  GByteArray *bytes;
  char message[JMSG_LENGTH_MAX];

  EarCoverCoefficients *coefficients;
} Transcoder;

static void
fail (Transcoder *self, const char *message)
{
  g_strlcpy (self->message, message, sizeof self->message);
  longjmp (self->failed, 1);
}

static void
error_cb (j_common_ptr picture)
{
  Transcoder *self = (Transcoder *) picture->err;
  char message[JMSG_LENGTH_MAX];

  picture->err->format_message (picture, message);
  fail (self, message);
}

static void
message_cb (j_common_ptr picture, int level)
{
  /* What is damaged is shown as far as it goes. */
}

static void
progress_cb (j_common_ptr picture)
{
  Transcoder *self = (Transcoder *) picture->err;

  if (g_cancellable_is_cancelled (self->cancellable))
    fail (self, "cancelled");
  if (picture->is_decompressor && self->reader.input_scan_number > MAX_SCANS)
    fail (self, "a picture in too many scans");
}

static void
start_part (Transcoder *self)
{
  const guint length = self->bytes->len;

  if (length > MAX_LENGTH)
    fail (self, "a picture that is too long");

  g_byte_array_set_size (self->bytes, length + PART_LENGTH);
  self->destination.next_output_byte = self->bytes->data + length;
  self->destination.free_in_buffer = PART_LENGTH;
}

static void
start_cb (j_compress_ptr writer)
{
  start_part ((Transcoder *) writer->err);
}

static boolean
full_cb (j_compress_ptr writer)
{
  start_part ((Transcoder *) writer->err);

  return TRUE;
}

static void
end_cb (j_compress_ptr writer)
{
  Transcoder *self = (Transcoder *) writer->err;

  g_byte_array_set_size (self->bytes, self->bytes->len - (guint) self->destination.free_in_buffer);
}

static void
set_up (Transcoder *self)
{
  jpeg_std_error (&self->errors);
  self->errors.error_exit = error_cb;
  self->errors.emit_message = message_cb;
  self->progress.progress_monitor = progress_cb;
  self->destination.init_destination = start_cb;
  self->destination.empty_output_buffer = full_cb;
  self->destination.term_destination = end_cb;
  self->reader.err = &self->errors;
  self->writer.err = &self->errors;
}

static void
copy_markers (Transcoder *self)
{
  for (jpeg_saved_marker_ptr marker = self->reader.marker_list; marker != NULL; marker = marker->next)
    jpeg_write_marker (&self->writer, marker->marker, marker->data, marker->data_length);
}

/* Nothing of it is changed but the order in which it is told. */
static gboolean
run (Transcoder *self)
{
  jvirt_barray_ptr *arrays;

  if (setjmp (self->failed) != 0)
    return FALSE;

  jpeg_create_decompress (&self->reader);
  jpeg_create_compress (&self->writer);
  ear_cover_coefficients_hold (self->coefficients, (j_common_ptr) &self->reader);
  ear_cover_coefficients_hold (self->coefficients, (j_common_ptr) &self->writer);
  self->reader.progress = &self->progress;
  self->writer.progress = &self->progress;
  self->writer.dest = &self->destination;

  jpeg_stdio_src (&self->reader, self->file);
  jpeg_save_markers (&self->reader, EXIF, MARKER_LENGTH);
  jpeg_read_header (&self->reader, TRUE);
  arrays = jpeg_read_coefficients (&self->reader);

  jpeg_copy_critical_parameters (&self->reader, &self->writer);
  jpeg_write_coefficients (&self->writer, arrays);
  copy_markers (self);
  jpeg_finish_compress (&self->writer);

  return TRUE;
}

/**
 * ear_cover_sequential_new:
 * @fd: a JPEG file
 * @cancellable: (nullable): looked at now and then
 * @error: return location: %EAR_ERROR_FAILED
 *
 * Writes a JPEG picture that comes in several scans (progressive, or each colour by
 * itself) anew, in one. To decode one in several scans takes all of its coefficients at
 * once, 54 MB of 3000 x 3000 pixels; this takes a few of that, and to decode the result
 * takes next to nothing.
 *
 * Returns: (transfer full): a JPEG file, or %NULL
 */
GBytes *
ear_cover_sequential_new (int fd, GCancellable *cancellable, GError **error)
{
  g_autofree Transcoder *self = g_new0 (Transcoder, 1);
  int copy = dup (fd);
  gboolean done;

  self->file = copy >= 0 && lseek (copy, 0, SEEK_SET) == 0 ? fdopen (copy, "rb") : NULL;
  if (self->file == NULL)
    {
      g_clear_fd (&copy, NULL);
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_FAILED, "the picture cannot be read");
      return NULL;
    }

  self->cancellable = cancellable;
  self->bytes = g_byte_array_new ();
  self->coefficients = ear_cover_coefficients_new ();
  set_up (self);
  done = run (self);
  jpeg_destroy_compress (&self->writer);
  jpeg_destroy_decompress (&self->reader);
  ear_cover_coefficients_free (self->coefficients);
  fclose (self->file);

  if (done)
    return g_byte_array_free_to_bytes (self->bytes);

  g_byte_array_unref (self->bytes);
  if (!g_cancellable_set_error_if_cancelled (cancellable, error))
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_FAILED, self->message);

  return NULL;
}
