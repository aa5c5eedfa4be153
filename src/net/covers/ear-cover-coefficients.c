/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-coefficients.h"

#include <string.h>

/*
 * A row of blocks is kept as bytes:
 *
 *   0 to 127    1 to 128 zeros
 *   128 to 254  a value from -63 to 63
 *   255         any other value, which follows in two bytes
 *
 * or as it is, where that is not shorter.
 */
#define ZEROS_MAX 128
#define SMALL_ZERO 191
#define SMALL_MAX 63
#define LARGE 255

typedef struct
{
  guint8 *bytes; /* %NULL: all zero */
  gsize length;
} Row;

/* What libjpeg takes for its own kind of array: it only hands it back to us. */
typedef struct
{
  gsize row_size; /* in bytes, as it is */
  JDIMENSION n_rows;
  JDIMENSION n_held;
  Row *rows;

  /* The rows that libjpeg works on */
  JBLOCKROW *held;
  JDIMENSION first;
  JDIMENSION n_now;
  gboolean changed;

  guint8 *scratch;
} Array;

struct _EarCoverCoefficients
{
  GPtrArray *arrays;
};

static void
array_free (gpointer data)
{
  Array *array = data;

  for (JDIMENSION i = 0; i < array->n_rows; i++)
    g_free (array->rows[i].bytes);
  g_free (array->rows);
  g_free (array->held[0]);
  g_free (array->held);
  g_free (array->scratch);
  g_free (array);
}

static Array *
array_new (JDIMENSION n_blocks, JDIMENSION n_rows, JDIMENSION n_held)
{
  Array *array = g_new0 (Array, 1);

  array->row_size = (gsize) n_blocks * sizeof (JBLOCK);
  array->n_rows = n_rows;
  array->n_held = MAX (n_held, 1);
  array->rows = g_new0 (Row, n_rows);
  array->held = g_new0 (JBLOCKROW, array->n_held);
  array->held[0] = g_malloc0 (array->row_size * array->n_held);
  for (JDIMENSION i = 1; i < array->n_held; i++)
    array->held[i] = array->held[0] + (gsize) n_blocks * i;
  /* Three bytes for two, at most. */
  array->scratch = g_malloc (array->row_size / 2 * 3 + 1);

  return array;
}

static gsize
count_zeros (const JCOEF *values, gsize n_values)
{
  gsize n = 0;
  guint64 four;

  for (; n + 4 <= n_values; n += 4)
    {
      memcpy (&four, values + n, sizeof four);
      if (four != 0)
        break;
    }
  while (n < n_values && values[n] == 0)
    n++;

  return n;
}

static gsize
pack_zeros (gsize n_zeros, guint8 *out)
{
  gsize length = 0;

  for (; n_zeros > ZEROS_MAX; n_zeros -= ZEROS_MAX)
    out[length++] = ZEROS_MAX - 1;
  out[length++] = (guint8) (n_zeros - 1);

  return length;
}

/* Returns: the length, at most that of the row as it is */
static gsize
pack (const JCOEF *values, gsize size, guint8 *out)
{
  const gsize n_values = size / sizeof (JCOEF);
  gsize length = 0;

  for (gsize i = 0; i < n_values && length < size;)
    {
      const gsize n_zeros = count_zeros (values + i, n_values - i);

      if (n_zeros > 0)
        {
          length += pack_zeros (n_zeros, out + length);
          i += n_zeros;
        }
      else if (ABS (values[i]) <= SMALL_MAX)
        {
          out[length++] = (guint8) (SMALL_ZERO + values[i++]);
        }
      else
        {
          out[length] = LARGE;
          memcpy (out + length + 1, values + i++, sizeof (JCOEF));
          length += 1 + sizeof (JCOEF);
        }
    }

  return MIN (length, size);
}

static void
unpack (const Row *row, gsize size, JCOEF *values)
{
  gsize n = 0;

  if (row->length == size)
    {
      memcpy (values, row->bytes, size);
      return;
    }

  memset (values, 0, size);
  for (gsize i = 0; i < row->length; i++)
    {
      const guint8 byte = row->bytes[i];

      if (byte < ZEROS_MAX)
        {
          n += byte + 1u;
        }
      else if (byte != LARGE)
        {
          values[n++] = (JCOEF) (byte - SMALL_ZERO);
        }
      else
        {
          memcpy (values + n++, row->bytes + i + 1, sizeof (JCOEF));
          i += sizeof (JCOEF);
        }
    }
}

static void
put_away (Array *array)
{
  for (JDIMENSION i = 0; i < array->n_now && array->changed; i++)
    {
      const JCOEF *values = (const JCOEF *) array->held[i];
      Row *row = &array->rows[array->first + i];
      gsize length = pack (values, array->row_size, array->scratch);

      if (length != row->length)
        row->bytes = g_realloc (row->bytes, length);
      row->length = length;
      memcpy (row->bytes, length < array->row_size ? array->scratch : (const guint8 *) values, length);
    }

  array->n_now = 0;
  array->changed = FALSE;
}

static void
take_out (Array *array, JDIMENSION first, JDIMENSION n_rows)
{
  array->first = first;
  array->n_now = n_rows;
  for (JDIMENSION i = 0; i < n_rows; i++)
    unpack (&array->rows[first + i], array->row_size, (JCOEF *) array->held[i]);
}

static jvirt_barray_ptr
request_cb (j_common_ptr picture, int pool, boolean zeroed, JDIMENSION n_blocks, JDIMENSION n_rows, JDIMENSION n_held)
{
  EarCoverCoefficients *self = picture->client_data;
  Array *array = array_new (n_blocks, n_rows, n_held);

  g_ptr_array_add (self->arrays, array);

  return (jvirt_barray_ptr) array;
}

static JBLOCKARRAY
access_cb (j_common_ptr picture, jvirt_barray_ptr pointer, JDIMENSION first, JDIMENSION n_rows, boolean writable)
{
  Array *array = (Array *) pointer;

  if (n_rows > array->n_held || first > array->n_rows || n_rows > array->n_rows - first)
    picture->err->error_exit (picture);

  if (first < array->first || first + n_rows > array->first + array->n_now)
    {
      put_away (array);
      take_out (array, first, n_rows);
    }
  array->changed |= writable;

  return array->held + (first - array->first);
}

/**
 * ear_cover_coefficients_new:
 *
 * Returns: (transfer full): no coefficients yet
 */
EarCoverCoefficients *
ear_cover_coefficients_new (void)
{
  EarCoverCoefficients *self = g_new0 (EarCoverCoefficients, 1);

  self->arrays = g_ptr_array_new_with_free_func (array_free);

  return self;
}

/**
 * ear_cover_coefficients_free:
 * @self: coefficients that libjpeg has no use for any more
 */
void
ear_cover_coefficients_free (EarCoverCoefficients *self)
{
  g_ptr_array_unref (self->arrays);
  g_free (self);
}

/**
 * ear_cover_coefficients_hold:
 * @self: the coefficients
 * @picture: a picture that was just created, for reading or for writing
 *
 * Takes the place of libjpeg's memory for what is held of a picture as a whole. Where
 * libjpeg was built to use files for what is too large, that would do the same; it
 * usually is not.
 */
void
ear_cover_coefficients_hold (EarCoverCoefficients *self, j_common_ptr picture)
{
  picture->client_data = self;
  picture->mem->request_virt_barray = request_cb;
  picture->mem->access_virt_barray = access_cb;
}
